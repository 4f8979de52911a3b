// The two-disc test of Peña, Lind and Herrmann, Fig. 2 (polygon-dem reference, §1 and §5).
#pragma once
#include <cmath>
#include <numbers>

#include "libdem/contacts/pair_coefficients.hpp"
#include "libdem/simulation.hpp"

namespace dem::test {

inline constexpr double reference_restitution = 0.9875;

enum class Reading { guided, guided_no_rotation, free_no_rotation };

inline double reference_duration(double k_n) {
  const double reduced = std::numbers::pi / 8;
  return contact_duration(damping_of_restitution(reference_restitution, k_n, reduced), k_n, reduced);
}

/// Disc i fixed at the origin, disc j above at 45°, just touching, pushed along −x with F = 1e-6 k_n · 1 m.
inline Case two_discs(Reading reading, double dt_over_tc, double k_n = 4e8) {
  Case c;
  c.material.normal_stiffness = k_n;
  c.material.tangential_stiffness = k_n / 3;
  c.material.friction = 500;
  c.material.restitution = reference_restitution;
  c.contact.normal_force = NormalForce::overlap;
  c.time.step = dt_over_tc * reference_duration(k_n);
  c.time.override_limit = true;
  BodySpec i;
  i.shape = ShapeKind::disc;
  i.radius = 0.5;
  BodySpec j = i;
  i.fix_x = i.fix_y = i.fix_rotation = true;
  // Touching by 1e-13 m (1e-7 of the displacements): the contact exists from the start, so that its elongation holds the first
  // step too. From a gap of round-off size the spring would miss that step, and every final state with it (by 1e-3 at Δt/t_c = 0.05).
  j.position = {std::sqrt(0.5) * (1 - 1e-13), std::sqrt(0.5) * (1 - 1e-13)};
  j.force = {-1e-6 * k_n, 0};
  j.fix_y = reading != Reading::free_no_rotation;
  j.fix_rotation = reading != Reading::guided;
  c.assembly.bodies = {i, j};
  return c;
}

}  // namespace dem::test
