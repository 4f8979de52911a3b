// Bodies from the generators of a case, with plates.
#pragma once
#include <vector>

#include "libdem/assembly/ball.hpp"
#include "libdem/case.hpp"

namespace dem {

struct GeneratedBodies {
  /// Plain spheres of the generator. They come before `bodies`. As body specs they would take ten times the memory.
  std::vector<Ball> spheres;
  std::vector<BodySpec> bodies;
  /// Cell of the case, or else the space that the generator filled (m). 0 where neither is known.
  Vec3 cell_origin, cell_size;
  Vec3 cell_tilt;  ///< xy, xz, yz (m)
};

/// The specification of a plain sphere.
BodySpec sphere_spec(const Ball&);

/// Makes the bodies of the generator, then the listed bodies, then added plates. With `plates.from_rows` the first and
/// last row of the generator are the plates. Throws AssemblyError and GeometryError (naming the grain).
GeneratedBodies generate_bodies(const Case&);

}  // namespace dem
