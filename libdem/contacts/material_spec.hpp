// Materials of a case: the coefficients of contacts and bodies.
#pragma once
#include <optional>
#include <string>

namespace dem {

/// Coefficients of a contact. A case gives a damping coefficient or a coefficient of restitution; the other follows.
struct Material {
  double density = 1;               ///< kg/m²
  double normal_stiffness = 0;      ///< k_n, N/m
  double tangential_stiffness = 0;  ///< k_t, N/m
  double friction = 0;              ///< μ
  /// G (Pa) and ν: of Hertzian laws, which have no springs, or beside characteristic_speed.
  std::optional<double> shear_modulus, poisson_ratio;
  /// k_n and k_t (Pa) of √(R̄ δ) k_n δ: law hertz-history, instead of G and ν.
  std::optional<double> hertz_normal_stiffness, hertz_tangential_stiffness;
  /// v_c (m/s), law hooke-history: k_n of each pair is hooke_stiffness() of G, ν, masses and radii.
  std::optional<double> characteristic_speed;
  double tangential_stiffness_ratio = 1;  ///< k_t/k_n with characteristic_speed
  std::optional<double> restitution;      ///< ε_n in (0, 1]; γ_n follows for each pair from its reduced mass
  std::optional<double> normal_damping;   ///< γ_n, kg/s
  /// γ_n over the reduced mass, 1/s. Hertzian laws: also over √(R̄ δ), 1/(m s).
  std::optional<double> normal_damping_rate;
  std::optional<double> tangential_damping;  ///< γ_t, kg/s; default from tangential_damping_ratio
  double tangential_damping_ratio = -1;      ///< γ_t/γ_n. Negative: laws::LawEntry::damping_ratio of k_t/k_n
  double rotational_damping = 0;             ///< couple per relative spin, N m s
  /// α (1/s): force −α m v and couple −α I ω on every free body, v relative to the cell's mean motion.
  double mass_damping = 0;
  /// Stiffnesses are those of a pair of bodies, not normal_stiffness and tangential_stiffness.
  bool stiffness_of_pair() const { return shear_modulus || hertz_normal_stiffness; }
  bool hertzian() const { return stiffness_of_pair() && !characteristic_speed; }
  friend bool operator==(const Material&, const Material&) = default;
};

/// A material beside the first. Bodies choose it by its name. The density is that of bodies of this material.
struct NamedMaterial {
  std::string name;
  double density = 1;
  double normal_stiffness = 0, tangential_stiffness = 0, friction = 0;
  std::optional<double> shear_modulus = {}, poisson_ratio = {};
  friend bool operator==(const NamedMaterial&, const NamedMaterial&) = default;
};

/// Coefficients of contacts between two materials. A coefficient that is not given follows the rule: springs in series
/// of half stiffness (k = 2 k_a k_b/(k_a + k_b)), and the smaller friction.
struct MaterialPair {
  std::string first, second;
  std::optional<double> normal_stiffness, tangential_stiffness, friction;
  friend bool operator==(const MaterialPair&, const MaterialPair&) = default;
};

}  // namespace dem
