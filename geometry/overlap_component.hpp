// Turns the boundary of one part of an overlap into its measures. Private to the fast overlap.
#pragma once
#include <vector>

#include "geometry/overlap.hpp"

namespace dem::geometry {

/// Vertices relative to a local origin, counter-clockwise. owners[k] is that of the edge from vertices[k] to the next.
struct BoundaryLoop {
  std::vector<Vec2> vertices;
  std::vector<Owner> owners;
  void clear() {
    vertices.clear();
    owners.clear();
  }
};

/// Merges pieces of one straight edge and drops pieces without length. Then appends the component and its boundary to
/// the result. A loop whose area is not positive in doubles is no overlap and is dropped. Changes the loop.
void append_component(BoundaryLoop& loop, Vec2 origin, Overlap& out);

/// Orders components by centroid (x, y).
void sort_components(Overlap& out);

}  // namespace dem::geometry
