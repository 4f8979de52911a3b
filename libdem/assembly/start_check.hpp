// Checks that a run can begin with a start configuration.
#pragma once
#include <string_view>

#include "libdem/case.hpp"
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
/// counts all, and gives the remedy. Coincident bodies are refused for any `largest`.
void check_start(const State&, double largest, std::string_view remedy);

/// Throws AssemblyError with the body when its size or place is beyond all reason.
void check_sizes(const State&);

/// Throws AssemblyError with the key when bodies, walls or the motion of stages are too fast for one step. Limits are
/// the diameter of the smallest body (contacts would miss the rest), half a turn, and bounds::largest_step_strain of
/// the cell.
void check_motion(const Case&, const State&);

}  // namespace dem
