// A grain with its contacts as it goes from rank to rank.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "libdem/state/bodies.hpp"

namespace dem {

using Image = std::array<std::int16_t, 3>;

/// Everything that a rank knows of a grain it owns. Made of doubles only, so that messages copy it as it is.
struct Grain {
  double radius = 0 /* bounding */, mass = 0, moment = 0, material = 0, group = 0, freedom = 0;
  std::array<Vec3, gear_terms> position, rotation;  ///< position is not wrapped, as in Bodies
  Vec3 evaluated_position, evaluated_rotation, evaluated_position_before, evaluated_rotation_before;
  Vec3 force, torque, applied_force, applied_torque;
  Vec3 damping_force, damping_torque;  ///< of mass damping, at the last evaluation
};
inline constexpr std::size_t grain_doubles = sizeof(Grain) / sizeof(double);
static_assert(grain_doubles * sizeof(double) == sizeof(Grain));

/// The contacts that a grain carries: those with grains of a higher number, and with walls. sphere_engine.cpp and
/// planar_engine.cpp have their forms.
using Luggage = std::vector<double>;

}  // namespace dem
