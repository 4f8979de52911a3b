// Turns a case into the bodies at the start of the run.
#pragma once
#include "libdem/state/assembly_error.hpp"
#include "libdem/state/groups.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Makes the bodies of the case in the order of generators, listed bodies, plates, walls. The Voronoi generator goes
/// row by row from the bottom. Bodies start with the given velocities and no higher derivatives. The first groups are
/// "free" 0, "bottom-plate" 1, "top-plate" 2 and "wall" 3. Throws AssemblyError (empty packing, start overlap above
/// largest_start_overlap with the pair named) and GeometryError.
State build_assembly(const Case&);

/// Facets of one wall in space. A mesh is read from its file. Throws GeometryError (a line, facets without area) and
/// FileError.
std::vector<geometry::Facet> wall_facets(const WallSpec&);

}  // namespace dem
