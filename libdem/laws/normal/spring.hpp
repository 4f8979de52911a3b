// Normal force of a spring: discs, and spheres whose law is not Hertzian.
#pragma once

namespace dem::laws {

struct Spring {
  double stiffness = 0;  ///< k_n (N/m)

  /// Share of force times overlap that is stored.
  static constexpr double stored_share = 0.5;

  // At an overlap (m) ≥ 0.
  double force(double overlap) const { return stiffness * overlap; }                   ///< N
  double stored(double overlap) const { return 0.5 * stiffness * overlap * overlap; }  ///< J
  double tangent(double /*overlap*/) const { return stiffness; }                       ///< N/m
};

}  // namespace dem::laws
