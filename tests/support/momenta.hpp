// Momentum and angular momentum of all bodies, for tests of what contacts keep.
#pragma once
#include "libdem/measure/motion_sums.hpp"

namespace dem::test {

/// Σ m v (kg m/s) over all coordinates.
inline Vec3 momentum(const Bodies& bodies, double dt) {
  Vec3 p;
  for (std::size_t b = 0; b < bodies.size(); ++b) p += bodies.mass[b] / dt * bodies.position[1][b];
  return p;
}

/// Σ m (R − origin) × v + I ω (kg m²/s).
inline Vec3 angular_momentum(const Bodies& bodies, double dt, Vec3 origin = {}) {
  Vec3 l;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    l += bodies.mass[b] / dt * cross(bodies.position[0][b] - origin, bodies.position[1][b]);
    l += spin_momentum(bodies, b, (1 / dt) * bodies.rotation[1][b]);
  }
  return l;
}

}  // namespace dem::test
