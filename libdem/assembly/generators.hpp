// Bodies from the generators of a case, plates included.
#pragma once
#include <vector>

#include "libdem/case.hpp"

namespace dem {

struct GeneratedBodies {
  std::vector<BodySpec> bodies;
  Vec3 cell_origin, cell_size;  ///< of the cell: the case's, or what the generator filled (m); 0 where nothing is known
  Vec3 cell_tilt;               ///< xy, xz, yz (m)
};

/// Generator bodies, then those listed, then plates that were added. With `plates.from_rows` the first and last row of
/// the generator are the plates. Throws AssemblyError, GeometryError (naming the grain).
GeneratedBodies generate_bodies(const Case&);

}  // namespace dem
