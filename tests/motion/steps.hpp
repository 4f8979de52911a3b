// Steps of the integrators, and an oscillator, for tests of motion.
#pragma once
#include "libdem/motion/gear5.hpp"
#include "libdem/motion/limit/stability.hpp"
#include "libdem/motion/velocity_verlet.hpp"
#include "motion/make_bodies.hpp"

namespace dem::test {

inline constexpr Scheme gear{}, verlet{Integrator::velocity_verlet, {}};
inline constexpr VelocitySource all_sources[] = {VelocitySource::predicted, VelocitySource::corrected,
                                                 VelocitySource::trapezoid};
inline Scheme by_velocity(Scheme scheme, VelocitySource source) {
  scheme.elongation = source;
  return scheme;
}

/// x″ = −x − `damping` x′ (1/s) in all coordinates.
inline void oscillator_forces(Bodies& b, double dt, double damping) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    b.force[i] = -b.mass[i] * (b.position[0][i] + (damping / dt) * b.position[1][i]);
    b.torque[i] = -b.moment[i] * (b.rotation[0][i] + (damping / dt) * b.rotation[1][i]);
  }
}

inline void predict(Bodies& b, Scheme scheme) {
  scheme.integrator == Integrator::gear5 ? gear_predict(b) : verlet_predict(b);
}
inline void correct(Bodies& b, Scheme scheme, double dt) {
  if (scheme.integrator == Integrator::gear5)
    gear_correct(b, dt, gear_coefficients(scheme.coefficients));
  else
    verlet_correct(b, dt);
}
inline void advance(Bodies& b, Scheme scheme, double dt, const ForceEvaluation& forces, int steps = 1) {
  for (int s = 0; s < steps; ++s) predict(b, scheme), forces(b), correct(b, scheme, dt);
}

}  // namespace dem::test
