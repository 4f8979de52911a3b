// Is a start configuration one that a run can begin with?
#pragma once
#include "libdem/state/groups.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Largest overlap of two bodies, relative to the smaller equivalent diameter, and the pair. Depth: discs and spheres
/// δ, clusters the largest δ of their component spheres, polygons area/chord (1 for containment), walls the deepest
/// point behind the face.
struct StartOverlap {
  double relative = 0;
  std::size_t i = 0, j = 0;
  bool coincident =
      false;  ///< two centres at one point (polygons: of bodies one within the other): the contact has no normal
};
StartOverlap deepest_start_overlap(const State&);

/// Throws AssemblyError when an overlap exceeds `largest` (relative): it names the deepest three such pairs and counts
/// them. Coincident bodies are refused whatever `largest` is.
void check_start(const State&, double largest);

}  // namespace dem
