// From a case to the bodies at the start of the run.
#pragma once
#include <stdexcept>

#include "libdem/state/state.hpp"

namespace dem {

/// The case asks for an assembly that cannot be made or used; the message says which body and why.
struct AssemblyError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Makes the bodies of the case: generators, listed bodies, plates, walls, in this order; within the Voronoi generator row by
/// row from the bottom. Bodies start with the given velocities and no higher derivatives.
/// Groups: "free" is always 0, "bottom-plate" 1, "top-plate" 2, "wall" 3.
/// Throws AssemblyError (empty packing, start overlap above largest_start_overlap with the pair named), GeometryError.
State build_assembly(const Case&);

inline constexpr std::uint16_t group_free = 0, group_bottom_plate = 1, group_top_plate = 2, group_wall = 3;

}  // namespace dem
