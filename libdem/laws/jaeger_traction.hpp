// Tractions of a Jäger contact, for plots and tests: pressure and shear over the contact circle from the legs of a
// history. Source: M. R. Kuhn, Int. J. Numer. Meth. Engng 88 (2011) 66, Eq. 21; jaeger-contact reference, §10.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

#include "libdem/laws/jaeger_contact.hpp"

namespace dem::laws {

/// Radius of the contact circle at half-overlap z (m): a = √(R z) (m).
inline double contact_radius(const JaegerCoefficients& c, double z) { return std::sqrt(c.radius * z); }

/// Hertz pressure σ(ρ; z) = 3Ē/(2πR) √(R z − ρ²) (Pa) at distance rho from the centre (m), at half-overlap z (m); 0
/// outside.
inline double hertz_pressure(const JaegerCoefficients& c, double z, double rho) {
  return 1.5 * std::numbers::inv_pi * c.modulus / c.radius * std::sqrt(std::max(0.0, c.radius * z - rho * rho));
}

/// Tractions of one contact. Refers to coefficients and legs, without copies.
class JaegerTractions {
 public:
  /// `legs` are given from the bottom up, the last one of the present half-overlap. Empty without contact.
  JaegerTractions(const JaegerCoefficients& coefficients, std::span<const Leg> legs) : c_(coefficients), legs_(legs) {}

  /// Outer radius of the ring of leg k (m): beyond it no leg up to k bears anything.
  double ring_radius(std::size_t k) const { return contact_radius(c_, legs_[k].z); }
  /// a (m).
  double radius() const { return legs_.empty() ? 0 : ring_radius(legs_.size() - 1); }

  /// σ (Pa), compression positive; ∫ σ 2πρ dρ = F_n.
  double pressure(double rho) const { return legs_.empty() ? 0 : hertz_pressure(c_, legs_.back().z, rho); }
  /// τ = Σ p_k [σ(ρ; ζ*_k) − σ(ρ; ζ*_{k−1})] (Pa), signed as F_t (on p). ∫ τ 2πρ dρ = F_t and |τ| ≤ f σ.
  Vector shear(double rho) const {
    Vector sum;
    double below = 0;
    for (const Leg& leg : legs_) {
      const double here = hertz_pressure(c_, leg.z, rho);
      sum.x += leg.p_1 * (here - below);
      sum.y += leg.p_2 * (here - below);
      below = here;
    }
    return sum;
  }

 private:
  const JaegerCoefficients& c_;
  std::span<const Leg> legs_;
};

}  // namespace dem::laws
