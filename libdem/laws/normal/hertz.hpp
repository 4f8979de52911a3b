// Normal force between elastic spheres of one material (Hertz), with half-overlaps as the Jäger contact has them.
// Source: jaeger-contact reference, §3. In the usual symbols Ē = (8/3) E*, E* = G/(1 − ν), R = 2 R_eff, κ = E*/(4 G*).
#pragma once
#include <cmath>

namespace dem::laws {

struct Hertz {
  double modulus = 0;  ///< Ē = 8G/(3(1 − ν)) (Pa)
  double ratio = 0;    ///< κ = (2 − ν)/(2(1 − ν)): normal over tangential stiffness without slip
  double radius = 0;   ///< R = 2 R_i R_j/(R_i + R_j) (m)

  static double modulus_of(double shear_modulus, double poisson_ratio) {
    return 8 * shear_modulus / (3 * (1 - poisson_ratio));
  }
  static double ratio_of(double poisson_ratio) { return (2 - poisson_ratio) / (2 * (1 - poisson_ratio)); }
  static double radius_of(double radius_i, double radius_j) { return 2 * radius_i * radius_j / (radius_i + radius_j); }

  /// Share of force times overlap that is stored.
  static constexpr double stored_share = 0.4;

  // At an overlap (m) ≥ 0.
  double force(double overlap) const { return normal_force(0.5 * overlap); }              ///< N
  double stored(double overlap) const { return 0.8 * force(overlap) * (0.5 * overlap); }  ///< of both bodies (J)
  /// N/m; the tangential one without slip is this over κ.
  double tangent(double overlap) const { return stiffness(0.5 * overlap); }

  // ζ: half of the overlap (m), > 0.
  /// F_n (N), Eq. 1. No power, and one form everywhere, so that equal ζ have equal bits.
  double normal_force(double z) const { return modulus * std::sqrt(radius * z) * z; }
  /// K_n = dF_n/d(2ζ) (N/m).
  double stiffness(double z) const { return 0.75 * modulus * std::sqrt(radius * z); }
};

}  // namespace dem::laws
