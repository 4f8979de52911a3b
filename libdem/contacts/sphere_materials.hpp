// Coefficients of contacts between spheres, by pair of materials.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "libdem/state/state.hpp"

namespace dem {

struct SphereCoefficients {
  double normal_stiffness = 0, tangential_stiffness = 0;  ///< N/m
  double modulus = 0, ratio = 0;  ///< laws::Hertz, of Hertzian laws, which have no springs, and of Material::characteristic_speed: Pa, 1
  double friction = 0;
  double damping = 0;            ///< γ_n (kg/s), or γ_n/√m_r where it follows from the restitution; Hertzian, or with springs of the pair: γ_n/√(m_r K_n);
                                 ///< with damping_by_rate() γ_n/m_r, Hertzian: γ_n/(m_r √(R̄ δ))
  double tangential_ratio = 0;   ///< γ_t/γ_n
  double tangential_damping = 0; ///< γ_t (kg/s) beside that
};

class SphereMaterials {
 public:
  SphereMaterials() = default;
  SphereMaterials(const Case&, const State&);
  /// Of a pair of bodies.
  std::uint16_t number(std::size_t i, std::size_t j) const { return of_body_.empty() ? std::uint16_t(0) : std::uint16_t(of_body_[i] * count_ + of_body_[j]); }
  const SphereCoefficients& operator[](std::size_t number) const { return table_[number]; }
  bool uniform() const { return count_ == 1; }
  bool damped() const { return damped_; }
  /// γ_n is damping √m_r, or damping m_r.
  bool damping_by_mass() const { return by_mass_; }
  bool damping_by_rate() const { return by_rate_; }
  bool hertzian() const { return hertzian_; }
  /// k_n is stiffness(), k_t stiffness_ratio() k_n (Material::characteristic_speed).
  bool stiffness_of_pair() const { return speed_ > 0; }
  double stiffness_ratio() const { return stiffness_ratio_; }
  double stiffness(const SphereCoefficients&, double root_of_reduced_mass, double hertz_radius) const;
  /// √m_r; fixed bodies count as infinitely heavy if the case says so.
  double root_of_reduced_mass(std::size_t i, std::size_t j) const {
    const double inverse = inverse_mass_[i] + inverse_mass_[j];
    return inverse > 0 ? 1 / std::sqrt(inverse) : 0;
  }

 private:
  std::size_t count_ = 1;
  bool by_mass_ = false, by_rate_ = false, damped_ = false, hertzian_ = false;
  double speed_ = 0, stiffness_ratio_ = 1;
  std::vector<SphereCoefficients> table_;
  std::vector<std::uint16_t> of_body_;  // with more than one material
  std::vector<double> inverse_mass_;
};

}  // namespace dem
