#include "libdem/state/bodies.hpp"

namespace dem {

void Bodies::rearrange(const Places& places) {
  places_ = places;
  const auto all = [&](auto&... arrays) { (arrays.rearrange(places), ...); };
  for (std::size_t k = 0; k < std::size_t(gear_terms); ++k) all(position[k], rotation[k], orientation[k]);
  all(mass, moment, principal_moments, freedom, force, torque);
  all(evaluated_position, evaluated_rotation, evaluated_orientation);
  all(evaluated_position_before, evaluated_rotation_before, evaluated_orientation_before);
}

}  // namespace dem
