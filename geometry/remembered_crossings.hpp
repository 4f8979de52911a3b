// Overlaps of convex polygons whose boundaries cross where they did before, several pairs at a time in vector lanes.
// Private to the fast overlaps and their callers in the step.
#pragma once
#include <cstdint>
#include <span>

#include "geometry/overlap.hpp"

namespace dem::geometry {

/// Findings of the last overlap of a pair of convex polygons. Edges are named by their first vertex.
struct ConvexMemory {
  enum class Found : std::uint8_t { nothing, crossings, separating_edge_of_i, separating_edge_of_j };
  struct Crossing {
    std::uint8_t edge_of_i = 0, edge_of_j = 0;
  };
  Found found = Found::nothing;
  std::uint8_t separating_edge = 0;
  Crossing entry, exit;  ///< where the boundary of i enters j and leaves it
};

/// A pair of strictly convex polygons that remembers crossings. Its boxes meet.
struct RememberedPair {
  std::span<const Vec2> i, j;  ///< counter-clockwise vertices (m)
  Vec2 shift;                  ///< of j to its image (m); not added to the vertices yet
  Vec2 origin;                 ///< centre of the common part of the boxes (m)
  ConvexMemory memory;
};

/// Does the caller read Overlap::vertices and Overlap::owners? If not, they may be missing.
enum class WantBoundary : bool { no, yes };

/// Pairs whose overlaps have more vertices are not verified.
inline constexpr std::uint32_t most_remembered_vertices = 32;

/// The overlaps of at most 64 pairs. Bit k of the result is set only if pair k surely crosses where it remembers. Then
/// its only component is `out.components[k]`, with the bits of overlap_fast(). Other components mean nothing. Earlier
/// content of `out` is replaced.
std::uint64_t overlaps_at_crossings(std::span<const RememberedPair> pairs, WantBoundary, Overlap& out);
/// The same for every processor, with the same bits.
std::uint64_t overlaps_at_crossings_generic(std::span<const RememberedPair> pairs, WantBoundary, Overlap& out);

}  // namespace dem::geometry
