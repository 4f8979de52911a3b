// Work of a polygon contact on a closed path: the energy loop of the polygon-dem reference, §6.
#pragma once
#include <cmath>
#include <numbers>
#include <utility>

#include "support/driven_pair.hpp"
#include "support/polygon_cases.hpp"

namespace dem::test::pena2008 {

/// ∮ F·dx + ∮ τ dθ over the closed path of polygon-cases.json by the mid-point rule (J), and the sum of absolute works.
inline std::pair<double, double> loop_work(NormalForce law, double exponent, int steps) {
  Case c = driven_pair_case(loop_i, loop_j, loop_start);
  c.material.friction = 0;
  c.contact.normal_force = law;
  c.contact.potential_exponent = exponent;
  c.assembly.bodies[1].angle = 0.3;
  DrivenPair pair(c);
  const auto at = [](double s) {
    return Pose{loop_start + Vec2{0.04 * std::cos(s), 0.03 * std::sin(s)}, 0.3 + 0.1 * std::sin(s + 1)};
  };
  double work = 0, absolute = 0;
  for (int k = 0; k < steps; ++k) {
    const double h = 2 * std::numbers::pi / steps, s = k * h;
    pair.move({}, at(s + h / 2));
    const Pose a = at(s), b = at(s + h);
    const double dw = dot(pair.force_on_j(), b.position - a.position) + pair.torque_on_j() * (b.angle - a.angle);
    work += dw;
    absolute += std::abs(dw);
  }
  return {work, absolute};
}

}  // namespace dem::test::pena2008
