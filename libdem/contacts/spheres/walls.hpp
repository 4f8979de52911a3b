// Contacts of spheres with walls in space. The sphere engine treats them as pairs with a sphere of radius zero at the
// nearest point of the wall. Branch, overlap, arms and movement are then those of any pair. Except: the Hertz radius.
//
// A sphere near several facets of a wall may touch it at several points (geometry/facets.hpp). Its `slots` are the
// pairs for these points. A contact keeps its slot, and so its history, while its normal turns little from step to
// step, whichever facet the point is on. Before each step the contacts of a sphere move to its first slots. New
// contacts follow behind them, by facet. So their order does not depend on when the list was made.
#pragma once
#include <cstdint>

#include "geometry/vector.hpp"

namespace dem {

/// A component sphere and a wall that it may touch.
struct NearWall {
  std::uint32_t sphere = 0, wall = 0;            ///< place in the storage order; number among the walls
  std::uint32_t first_facet = 0, end_facet = 0;  ///< in the list of facets
  std::uint32_t slots = 1;                       ///< pairs for its contacts
};

/// Slots of a sphere near so many facets with `held` contacts. Each contact may end in the step in which others begin.
constexpr std::uint32_t slots_for(std::size_t facets, std::size_t held) {
  return std::uint32_t(facets == 1 && held <= 1 ? 1
                       : facets + held < 64     ? (2 * facets > facets + held ? 2 * facets : facets + held)
                                                : 64);
}

}  // namespace dem
