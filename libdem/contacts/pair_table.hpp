// Coefficients of contacts by pair of bodies: stiffness, damping, friction, and their rules. Nothing else decides them.
#pragma once
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "libdem/laws/catalogue.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// γ = 2 m_r η for the coefficient of restitution ε of the linear contact (kg/s): η = ω₀ (L/π)/√(1 + L²/π²), L = −ln ε,
/// ω₀ = √(k/m_r). Inverse of ε = exp(−π η/√(ω₀² − η²)); polygon-dem reference, §1.
double damping_of_restitution(double restitution, double stiffness, double reduced_mass);

/// ε of the linear contact with damping γ; 0 when overdamped.
double restitution_of_damping(double damping, double stiffness, double reduced_mass);

/// ε of a contact that ends where its force falls to zero (contact.clip_tension), not where its overlap does.
/// Overdamped contacts come back, too. Schwager and Pöschel, Granular Matter 9 (2007) 465.
double restitution_without_tension(double damping, double stiffness, double reduced_mass);

/// Contact duration t_c = π/√(k/m_r − η²), η = γ/(2 m_r) (s); infinite when overdamped.
double contact_duration(double damping, double stiffness, double reduced_mass);

/// Damping γ_n/√(m_r K_n), K_n the present tangent stiffness, that gives a Hertz contact the same coefficient of
/// restitution ε at every speed. It is `2 √(5/6) β`, `β = −ln ε/√(ln² ε + π²)` (Antypov and Elliott, EPL 94 (2011)
/// 50004; the form of Tsuji et al. 1992).
double hertz_damping_of_restitution(double restitution);

/// k_n of a spring that is pressed as deep as a Hertz contact in a head-on impact at speed v_c: `κ (m_r v_c²/κ)^(1/5)`
/// with `κ = (16/15) √R̄ E*` (direct-shear reference, §1.3).
double hooke_stiffness(double young, double radius, double reduced_mass, double speed);

/// Elastic constants of contacts between two materials (laws::Hertz).
struct ElasticPair {
  double modulus = 0;  ///< Ē (Pa)
  double ratio = 0;    ///< κ
};

/// Constants for materials a and b (0: Case::material, m: Case::materials[m − 1]). For different materials they are the
/// equivalent constants of Hertz and Mindlin: `1/E* = (1 − ν_a)/(2 G_a) + (1 − ν_b)/(2 G_b)`, `1/G* = (2 − ν_a)/G_a +
/// (2 − ν_b)/G_b`, `Ē = (8/3) E*`, `κ = E*/(4 G*)`. These are an extension, exact only for elastically similar
/// materials (jaeger-contact reference, §3). With Material::hertz_normal_stiffness k_n all pairs have Ē = 2 k_n, κ = 3
/// k_n/(2 k_t). Throws std::invalid_argument without constants, and for different ones unless the case allows them
/// (ContactChoice::dissimilar_materials).
ElasticPair elastic_pair(const Case&, std::size_t a, std::size_t b);

/// Reference springs for the contacts of a case, the stiffest of all materials. Hertzian contacts stiffen as they are
/// pressed; their springs hold at an overlap of 1 % of the diameter. Quasi-static loading of hard grains has less.
struct ReferenceSprings {
  double normal = 0, tangential = 0;  ///< N/m, the tangential one as the law states it
};
/// `radius` and `partner` are those of two bodies in contact (m), of spheres with Material::characteristic_speed.
ReferenceSprings reference_springs(const Case&, double radius, double partner);
/// Springs between two mean bodies of [material] alone.
ReferenceSprings mean_springs(const Case&, const State&);
/// k_n (N/m) of which 1/k_n is the mean over all pairs of movable bodies, by their materials. Under a pressure the mean
/// overlap is about that of contacts with this stiffness. With one material it is that of mean_springs.
double typical_stiffness(const Case&, const State&);

/// Coefficients of contacts between two materials.
struct PairValues {
  double normal_stiffness = 0, tangential_stiffness = 0;  ///< N/m
  double friction = 0;
  /// laws::Hertz (Pa, 1), for Hertzian laws, which have no springs, and for Material::characteristic_speed.
  double modulus = 0, ratio = 0;
  /// γ_n (kg/s), or γ_n/√m_r if it follows from the restitution. Hertzian, or with springs of the pair: γ_n/√(m_r K_n).
  /// With damping_by_rate() it is γ_n/m_r, Hertzian γ_n/(m_r √(R̄ δ)).
  double damping = 0;
  double tangential_ratio = 0;    ///< γ_t/γ_n
  double tangential_damping = 0;  ///< γ_t (kg/s) besides that share
};

/// Springs and friction of materials a and b at [a · count + b], count = Case::materials.size() + 1; 0 is
/// Case::material. Values that a MaterialPair leaves out are those of two springs in series, `k = 2 k_a k_b/(k_a +
/// k_b)`, and the smaller friction. Each spring is twice as stiff as in a contact of its material with itself. Throws
/// std::invalid_argument for a pair that names no material.
std::vector<PairValues> springs_by_pair(const Case&);

class PairTable {
 public:
  PairTable() = default;
  /// Throws std::invalid_argument where a Hertzian law has no elastic constants, and for more than 255 materials.
  PairTable(const Case&, const State&);

  double rotational_damping = 0;  ///< couple per relative spin (N m s)

  /// Number of the pair of materials of two bodies, and its values. Number 0 is Case::material with itself.
  std::uint16_t number(std::size_t i, std::size_t j) const {
    return of_body_.empty() ? std::uint16_t(0) : std::uint16_t(of_body_[i] * count_ + of_body_[j]);
  }
  const PairValues& operator[](std::size_t number) const { return table_[number]; }
  const PairValues& of(std::size_t i, std::size_t j) const { return table_[number(i, j)]; }
  bool uniform() const { return count_ == 1; }

  /// Sets μ of all contacts for a stage (empty: that of the materials).
  void override_friction(std::optional<double> friction) { friction_ = friction; }
  std::optional<double> friction_override() const { return friction_; }
  double friction(const PairValues& of) const { return friction_ ? *friction_ : of.friction; }

  bool hertzian() const { return hertzian_; }
  bool damped() const { return damped_; }
  /// γ_n is `damping` √m_r, by rate `damping` m_r.
  bool damping_by_mass() const { return by_mass_; }
  bool damping_by_rate() const { return by_rate_; }
  /// With Material::characteristic_speed k_n is stiffness() and k_t is stiffness_ratio() k_n.
  bool stiffness_of_pair() const { return speed_ > 0; }
  double stiffness_ratio() const { return stiffness_ratio_; }
  double stiffness(const PairValues&, double root_of_reduced_mass, double hertz_radius) const;

  /// m_i m_j/(m_i + m_j) (kg). Walls count as infinitely heavy, and fixed bodies if the case chooses it.
  double reduced_mass(std::size_t i, std::size_t j) const {
    const double inverse = inverse_mass_[i] + inverse_mass_[j];
    return inverse > 0 ? 1 / inverse : 0;
  }
  double root_of_reduced_mass(std::size_t i, std::size_t j) const {
    const double inverse = inverse_mass_[i] + inverse_mass_[j];
    return inverse > 0 ? 1 / std::sqrt(inverse) : 0;
  }
  double normal_damping(std::size_t i, std::size_t j) const;  ///< γ_n of springs of the materials (kg/s)
  /// γ_t (kg/s).
  double tangential_damping(double normal_damping) const { return tangential_damping(normal_damping, table_[0]); }
  double tangential_damping(double normal_damping, const PairValues&) const;
  /// Damping between two bodies of [material] in contacts of these springs, for limits and contact times (kg/s).
  double reference_damping(double stiffness, double reduced_mass) const;
  double reference_tangential_damping(double normal_damping, ReferenceSprings) const;

  /// Names the bodies by other numbers: body k is the present body names[k].
  void rename(std::span<const std::uint32_t> names);

  /// r of l_c = r_i + r_j of a body in the plane (m). 0 for a wall, which takes the radius of its partner.
  double length_radius(std::size_t b) const { return length_radius_[b]; }
  double length(std::size_t i, std::size_t j) const {
    const double r_i = length_radius_[i], r_j = length_radius_[j];
    return (r_i > 0 ? r_i : r_j) + (r_j > 0 ? r_j : r_i);
  }

 private:
  Material material_;
  const laws::LawEntry* law_ = nullptr;
  std::size_t count_ = 1;
  bool by_mass_ = false, by_rate_ = false, damped_ = false, hertzian_ = false;
  double speed_ = 0, stiffness_ratio_ = 1;
  std::optional<double> friction_;
  std::vector<PairValues> table_;
  std::vector<std::uint16_t> of_body_;  // material of each body; empty if there is only one
  std::vector<double> inverse_mass_, length_radius_;
};

}  // namespace dem
