// Coefficients of a pair of bodies: reduced mass, damping from restitution, characteristic length.
#pragma once
#include "libdem/state/state.hpp"

namespace dem {

/// γ = 2 m_r η for the coefficient of restitution ε of the linear contact (kg/s): η = ω₀ (L/π)/√(1 + L²/π²), L = −ln ε,
/// ω₀ = √(k/m_r). Inverse of ε = exp(−π η/√(ω₀² − η²)); polygon-dem reference, §1.
double damping_of_restitution(double restitution, double stiffness, double reduced_mass);

/// ε of the linear contact with damping γ; 0 when overdamped.
double restitution_of_damping(double damping, double stiffness, double reduced_mass);

/// Contact duration t_c = π/√(k/m_r − η²), η = γ/(2 m_r) (s); infinite when overdamped.
double contact_duration(double damping, double stiffness, double reduced_mass);

/// What the contact pass needs to know of a material and of the choices of the case, worked out once.
class PairCoefficients {
 public:
  PairCoefficients(const Case&, const State&);

  double normal_stiffness = 0, tangential_stiffness = 0, friction = 0, rotational_damping = 0;

  /// m_i m_j/(m_i + m_j); a wall, and any fixed body if the case says so, counts as infinitely heavy (kg).
  double reduced_mass(std::size_t i, std::size_t j) const {
    const double inverse = inverse_mass_[i] + inverse_mass_[j];
    return inverse > 0 ? 1 / inverse : 0;
  }
  double normal_damping(std::size_t i, std::size_t j) const;      ///< γ_n (kg/s)
  double tangential_damping(double normal_damping) const;         ///< γ_t (kg/s)
  /// r of l_c = r_i + r_j (m), by body; 0 for a wall, which takes the radius of its partner.
  double length_radius(std::size_t b) const { return length_radius_[b]; }
  double length(std::size_t i, std::size_t j) const {
    const double r_i = length_radius_[i], r_j = length_radius_[j];
    return (r_i > 0 ? r_i : r_j) + (r_j > 0 ? r_j : r_i);
  }

 private:
  Material material_;
  double sqrt_damping_ = 0;  // γ_n = sqrt_damping_ · √m_r when restitution is given
  std::vector<double> inverse_mass_, length_radius_;
};

}  // namespace dem
