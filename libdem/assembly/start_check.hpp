// Checks that a run can begin with a start configuration.
#pragma once
#include "libdem/state/groups.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Largest overlap of two bodies, relative to the smaller equivalent diameter. The depth is δ for discs and spheres,
/// the largest δ of component spheres for clusters, and area/chord for polygons (1 for containment). For walls it is
/// the depth of the deepest point behind the face.
struct StartOverlap {
  double relative = 0;
  std::size_t i = 0, j = 0;
  /// Two centres at one point (for polygons only if one is within the other). Such a contact has no normal.
  bool coincident = false;
};
StartOverlap deepest_start_overlap(const State&);

/// Throws AssemblyError when an overlap exceeds `largest` (relative). The message names the three deepest pairs and
/// counts all. Coincident bodies are refused for any `largest`.
void check_start(const State&, double largest);

}  // namespace dem
