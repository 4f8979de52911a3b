// From a case to the bodies at the start of the run.
#pragma once
#include "libdem/state/assembly_error.hpp"
#include "libdem/state/groups.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Makes the bodies of the case: generators, listed bodies, plates, walls, in this order; within the Voronoi generator
/// row by row from the bottom. Bodies start with the given velocities and no higher derivatives. Groups: "free" is
/// always 0, "bottom-plate" 1, "top-plate" 2, "wall" 3. Throws AssemblyError (empty packing, start overlap above
/// largest_start_overlap with the pair named), GeometryError.
State build_assembly(const Case&);

}  // namespace dem
