#include "libdem/contacts/pair_coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

#include "libdem/laws/hertz.hpp"

namespace dem {

double damping_of_restitution(double restitution, double stiffness, double reduced_mass) {
  const double l = -std::log(restitution) / std::numbers::pi;
  return 2 * std::sqrt(stiffness * reduced_mass) * l / std::sqrt(1 + l * l);
}

double restitution_of_damping(double damping, double stiffness, double reduced_mass) {
  const double eta = damping / (2 * reduced_mass), square = stiffness / reduced_mass - eta * eta;
  return square > 0 ? std::exp(-eta * std::numbers::pi / std::sqrt(square)) : 0;
}

double contact_duration(double damping, double stiffness, double reduced_mass) {
  const double eta = damping / (2 * reduced_mass), square = stiffness / reduced_mass - eta * eta;
  return square > 0 ? std::numbers::pi / std::sqrt(square) : std::numeric_limits<double>::infinity();
}

double hertz_damping_of_restitution(double restitution) {
  const double l = -std::log(restitution) / std::numbers::pi;
  return 2 * std::sqrt(5.0 / 6) * l / std::sqrt(1 + l * l);
}

double hooke_stiffness(double young, double radius, double reduced_mass, double speed) {
  const double kappa = 16.0 / 15 * std::sqrt(radius) * young;
  return kappa * std::pow(reduced_mass * speed * speed / kappa, 0.2);
}

ElasticPair elastic_pair(const Case& given, std::size_t a, std::size_t b) {
  const Material& first = given.material;
  if (first.hertz_normal_stiffness) {
    const double k_n = *first.hertz_normal_stiffness, k_t = first.hertz_tangential_stiffness.value_or(0);
    return {2 * k_n, k_t > 0 ? 1.5 * k_n / k_t : std::numeric_limits<double>::infinity()};
  }
  if (!first.shear_modulus || !first.poisson_ratio) throw std::invalid_argument("law '" + given.contact.law + "' needs shear_modulus and poisson_ratio");
  const auto constants = [&](std::size_t m) {
    if (m == 0) return std::pair(*first.shear_modulus, *first.poisson_ratio);
    const NamedMaterial& other = given.materials[m - 1];
    return std::pair(other.shear_modulus.value_or(*first.shear_modulus), other.poisson_ratio.value_or(*first.poisson_ratio));
  };
  const auto [g_a, nu_a] = constants(a);
  const auto [g_b, nu_b] = constants(b);
  if (g_a == g_b && nu_a == nu_b) return {laws::Hertz::modulus_of(g_a, nu_a), laws::Hertz::ratio_of(nu_a)};
  if (given.contact.dissimilar_materials != DissimilarMaterials::equivalent)
    throw std::invalid_argument("bodies of different elastic constants: the Hertz-Mindlin contact holds for one material only");
  const double young = 1 / ((1 - nu_a) / (2 * g_a) + (1 - nu_b) / (2 * g_b)), shear = 1 / ((2 - nu_a) / g_a + (2 - nu_b) / g_b);
  return {8 * young / 3, young / (4 * shear)};
}

namespace {

bool is_hertzian(const Case& given) {
  const laws::LawEntry* law = laws::find(given.contact.law);
  return law && law->hertzian;
}

/// Material::characteristic_speed: of materials a and b.
ReferenceSprings springs_of_speed(const Case& given, std::size_t a, std::size_t b, double radius, double partner) {
  const auto mass = [&](std::size_t m, double r) { return 4 * std::numbers::pi / 3 * r * r * r * (m == 0 ? given.material.density : given.materials[m - 1].density); };
  const double m_a = mass(a, radius), m_b = mass(b, partner);
  const double normal = hooke_stiffness(0.375 * elastic_pair(given, a, b).modulus, radius * partner / (radius + partner), m_a * m_b / (m_a + m_b),
                                        *given.material.characteristic_speed);
  return {normal, given.material.tangential_stiffness_ratio * normal};
}

ReferenceSprings hertz_springs(const ElasticPair& elastic, double radius, double partner) {
  constexpr double overlap = 0.01;  // of the diameter
  const laws::Hertz hertz{elastic.modulus, elastic.ratio, std::isinf(partner) ? 2 * radius : laws::Hertz::radius_of(radius, partner)};
  const double normal = hertz.stiffness(overlap * std::min(radius, partner));
  return {normal, normal / elastic.ratio};
}

}  // namespace

ReferenceSprings reference_springs(const Case& given, double radius, double partner) {
  ReferenceSprings all;
  const auto add = [&all](double normal, double tangential) {
    all.normal = std::max(all.normal, normal);
    all.tangential = std::max(all.tangential, tangential);
  };
  if (is_hertzian(given) || given.material.characteristic_speed) {
    for (std::size_t a = 0; a <= given.materials.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        const ReferenceSprings s = is_hertzian(given) ? hertz_springs(elastic_pair(given, a, b), radius, partner) : springs_of_speed(given, a, b, radius, partner);
        add(s.normal, s.tangential);
      }
    return all;
  }
  // The rule for pairs that are not given is below the larger of two.
  add(given.material.normal_stiffness, given.material.tangential_stiffness);
  for (const NamedMaterial& m : given.materials) add(m.normal_stiffness, m.tangential_stiffness);
  for (const MaterialPair& m : given.material_pairs) add(m.normal_stiffness.value_or(0), m.tangential_stiffness.value_or(0));
  return all;
}

ReferenceSprings mean_springs(const Case& given, const State& state) {
  if (!is_hertzian(given) && !given.material.characteristic_speed) return {given.material.normal_stiffness, given.material.tangential_stiffness};
  double sum = 0, count = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (state.bodies.freedom[b] != 0 && !state.shape_of(b).is_wall()) sum += state.shape_of(b).equivalent_radius(), ++count;
  const double radius = count > 0 ? sum / count : 1;
  return is_hertzian(given) ? hertz_springs(elastic_pair(given, 0, 0), radius, radius) : springs_of_speed(given, 0, 0, radius, radius);
}

std::vector<PairSprings> springs_by_pair(const Case& given) {
  const Material& first = given.material;
  std::vector<PairSprings> own{{first.normal_stiffness, first.tangential_stiffness, first.friction}};
  for (const NamedMaterial& m : given.materials) own.push_back({m.normal_stiffness, m.tangential_stiffness, m.friction});
  const std::size_t count = own.size();
  const auto in_series = [](double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; };
  std::vector<PairSprings> all;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      all.push_back(a == b ? own[a]
                           : PairSprings{in_series(own[a].normal_stiffness, own[b].normal_stiffness),
                                         in_series(own[a].tangential_stiffness, own[b].tangential_stiffness), std::min(own[a].friction, own[b].friction)});
  const auto index = [&](const std::string& name) {
    if (name.empty()) return std::size_t(0);
    for (std::size_t m = 0; m < given.materials.size(); ++m)
      if (given.materials[m].name == name) return m + 1;
    throw std::invalid_argument("material_pair: there is no material '" + name + "'");
  };
  for (const MaterialPair& pair : given.material_pairs) {
    const std::size_t a = index(pair.first), b = index(pair.second);
    for (const std::size_t k : {a * count + b, b * count + a}) {
      all[k].normal_stiffness = pair.normal_stiffness.value_or(all[k].normal_stiffness);
      all[k].tangential_stiffness = pair.tangential_stiffness.value_or(all[k].tangential_stiffness);
      all[k].friction = pair.friction.value_or(all[k].friction);
    }
  }
  return all;
}

PairCoefficients::PairCoefficients(const Case& given, const State& state)
    : material_(given.material), law_(laws::find(given.contact.law)), count_(given.materials.size() + 1), springs_(springs_by_pair(given)) {
  normal_stiffness = material_.normal_stiffness;
  tangential_stiffness = material_.tangential_stiffness;
  friction = material_.friction;
  rotational_damping = material_.rotational_damping;
  if (count_ > 1) material_of_ = state.bodies.material;
  for (const PairSprings& springs : springs_)
    sqrt_damping_.push_back(material_.restitution ? damping_of_restitution(*material_.restitution, springs.normal_stiffness, 1) : 0);

  const Bodies& bodies = state.bodies;
  const double over = given.contact.length == CharacteristicLength::sqrt_area_over_2pi ? 2 : 1;
  inverse_mass_.reserve(bodies.size());
  length_radius_.reserve(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const bool wall = state.shape_of(b).is_half_plane();
    const bool held = (bodies.freedom[b] & (free_x | free_y)) == 0;
    const bool infinite = wall || (held && given.contact.fixed_mass == FixedMass::infinite);
    inverse_mass_.push_back(infinite ? 0 : 1 / bodies.mass[b]);
    length_radius_.push_back(wall ? 0 : std::sqrt(state.shape_of(b).area() / (over * std::numbers::pi)));
  }
}

double PairCoefficients::normal_damping(std::size_t i, std::size_t j) const {
  if (material_.normal_damping) return *material_.normal_damping;
  if (material_.normal_damping_rate) return *material_.normal_damping_rate * reduced_mass(i, j);
  return sqrt_damping_[number(i, j)] * std::sqrt(reduced_mass(i, j));
}

double PairCoefficients::tangential_damping(double normal_damping, const PairSprings& springs) const {
  if (material_.tangential_damping) return *material_.tangential_damping;
  if (material_.tangential_damping_ratio >= 0) return material_.tangential_damping_ratio * normal_damping;
  if (!(springs.normal_stiffness > 0)) return 0;
  const double ratio = springs.tangential_stiffness / springs.normal_stiffness;
  return normal_damping * (law_ ? law_->damping_ratio(ratio) : ratio);
}

}  // namespace dem
