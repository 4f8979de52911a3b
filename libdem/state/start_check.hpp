// Is a start configuration one that a run can begin with?
#pragma once
#include "libdem/state/state.hpp"

namespace dem {

/// Largest overlap of two bodies, relative to the smaller equivalent diameter, and the pair. Depth: discs and spheres δ, clusters the largest δ
/// of their component spheres, polygons area/chord (1 for containment), walls the deepest point behind the face.
struct StartOverlap {
  double relative = 0;
  std::size_t i = 0, j = 0;
  bool coincident = false;  ///< two centres at one point (polygons: of bodies one within the other): the contact has no normal
};
StartOverlap deepest_start_overlap(const State&);

/// Two spheres or discs with centres at one point, to rounding: `reach` is the sum of the radii. A contact of theirs has no normal.
inline bool centres_coincide(double distance, double reach) { return !(distance > 1e-12 * reach); }

/// Throws AssemblyError when an overlap exceeds `largest` (relative): it names the deepest three such pairs and counts them. Coincident bodies
/// are refused whatever `largest` is.
void check_start(const State&, double largest);

/// Throws AssemblyError when the cell is narrower, between two of its faces, than two diameters of the largest body and the skin (m): a
/// body must not meet two images of another. Periodic directions only.
void check_cell_width(const State&, double skin);

/// Part of a plate or a wall. Such bodies exert no forces on each other.
bool is_boundary(const State&, std::size_t body);

/// "body 12 'loose' (group free)": how messages name a body. Bodies count from 0, as in all results files.
std::string body_label(const State&, std::size_t body);

/// "the wall 'floor'", or "wall 12" where it has no name: the number that the columns of a series give it.
std::string wall_label(const State&, std::size_t wall);

}  // namespace dem
