// Contacts of spheres with walls in space, as the sphere engine sees them: pairs of a sphere and a sphere of radius
// zero that sits at the nearest point of the wall. Branch, overlap, arms and movement then are those of any pair; only
// the Hertz radius is not.
//
// A sphere near several facets of a wall may touch it at several points (geometry/facets.hpp). Its `slots` are the
// pairs for them. A contact keeps its slot and with it its history while its normal turns little from step to step,
// whichever facet the point is on; contacts in a sphere's slots are moved together before each step and new ones follow
// behind, by facet: their order does not depend on when the list was made.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/vector.hpp"

namespace dem {

/// A component sphere and a wall that it may touch.
struct NearWall {
  std::uint32_t sphere = 0, wall = 0;            ///< place in the storage order; number among the walls
  std::uint32_t first_facet = 0, end_facet = 0;  ///< in the list of facets
  std::uint32_t slots = 1;                       ///< pairs for its contacts
};

/// Slots that a sphere needs near so many facets, `held` of them in contact: every contact may end in the step in which
/// others begin.
constexpr std::uint32_t slots_for(std::size_t facets, std::size_t held) {
  return std::uint32_t(facets == 1 && held <= 1 ? 1
                       : facets + held < 64     ? (2 * facets > facets + held ? 2 * facets : facets + held)
                                                : 64);
}

}  // namespace dem
