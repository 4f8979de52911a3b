#include "libdem/contacts/pair_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

#include "libdem/laws/normal/hertz.hpp"

namespace dem {

double damping_of_restitution(double restitution, double stiffness, double reduced_mass) {
  const double l = -std::log(restitution) / std::numbers::pi;
  return 2 * std::sqrt(stiffness * reduced_mass) * l / std::sqrt(1 + l * l);
}

double restitution_of_damping(double damping, double stiffness, double reduced_mass) {
  const double eta = damping / (2 * reduced_mass), square = stiffness / reduced_mass - eta * eta;
  return square > 0 ? std::exp(-eta * std::numbers::pi / std::sqrt(square)) : 0;
}

double restitution_without_tension(double damping, double stiffness, double reduced_mass) {
  const double eta = damping / (2 * reduced_mass), square = stiffness / reduced_mass - eta * eta;
  const double root = std::sqrt(std::abs(square));
  if (root == 0) return std::exp(-2.0);
  if (square < 0) return std::exp(-eta / root * std::log((eta + root) / (eta - root)));
  return std::exp(-eta / root * (std::numbers::pi - std::atan2(2 * eta * root, square - eta * eta)));
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
  if (!first.shear_modulus || !first.poisson_ratio)
    throw std::invalid_argument("law '" + std::string(given.contact.law.name()) +
                                "' needs shear_modulus and poisson_ratio");
  const auto constants = [&](std::size_t m) {
    if (m == 0) return std::pair(*first.shear_modulus, *first.poisson_ratio);
    const NamedMaterial& other = given.materials[m - 1];
    return std::pair(other.shear_modulus.value_or(*first.shear_modulus),
                     other.poisson_ratio.value_or(*first.poisson_ratio));
  };
  const auto [g_a, nu_a] = constants(a);
  const auto [g_b, nu_b] = constants(b);
  if (g_a == g_b && nu_a == nu_b) return {laws::Hertz::modulus_of(g_a, nu_a), laws::Hertz::ratio_of(nu_a)};
  if (given.contact.dissimilar_materials != DissimilarMaterials::equivalent)
    throw std::invalid_argument(
        "bodies of different elastic constants: the Hertz-Mindlin contact holds for one material only");
  const double young = 1 / ((1 - nu_a) / (2 * g_a) + (1 - nu_b) / (2 * g_b)),
               shear = 1 / ((2 - nu_a) / g_a + (2 - nu_b) / g_b);
  return {8 * young / 3, young / (4 * shear)};
}

namespace {

bool is_hertzian(const Case& given) { return given.contact.law->hertzian; }

/// Springs of one pair of materials, with the tangent that the law states.
ReferenceSprings with_tangent(const Case& given, laws::ContactSprings springs) {
  return {springs.normal, given.contact.law->tangent(given.contact.law.data(), springs)};
}

/// Springs of materials a and b with Material::characteristic_speed.
ReferenceSprings springs_of_speed(const Case& given, std::size_t a, std::size_t b, double radius, double partner) {
  const auto mass = [&](std::size_t m, double r) {
    return 4 * std::numbers::pi / 3 * r * r * r * (m == 0 ? given.material.density : given.materials[m - 1].density);
  };
  const double m_a = mass(a, radius), m_b = mass(b, partner);
  const bool wall = std::isinf(partner);
  const double normal =
      hooke_stiffness(0.375 * elastic_pair(given, a, b).modulus, wall ? radius : radius * partner / (radius + partner),
                      wall ? m_a : m_a * m_b / (m_a + m_b), *given.material.characteristic_speed);
  return with_tangent(given, {given.material.tangential_stiffness_ratio * normal, 0, 0, 0, normal});
}

ReferenceSprings hertz_springs(const Case& given, const ElasticPair& elastic, double radius, double partner) {
  constexpr double overlap = 0.01;  // of the diameter
  const laws::Hertz hertz{elastic.modulus, elastic.ratio,
                          std::isinf(partner) ? 2 * radius : laws::Hertz::radius_of(radius, partner)};
  const double normal = hertz.stiffness(overlap * std::min(radius, partner));
  return with_tangent(given, {0, hertz.modulus, hertz.ratio, hertz.radius, normal});
}

}  // namespace

ReferenceSprings reference_springs(const Case& given, double radius, double partner) {
  ReferenceSprings all;
  const auto take = [&all](const ReferenceSprings& s) {
    all.normal = std::max(all.normal, s.normal);
    all.tangential = std::max(all.tangential, s.tangential);
  };
  const auto add = [&](double normal, double tangential) { take(with_tangent(given, {tangential, 0, 0, 0, normal})); };
  if (is_hertzian(given) || given.material.characteristic_speed) {
    for (std::size_t a = 0; a <= given.materials.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b)
        take(is_hertzian(given) ? hertz_springs(given, elastic_pair(given, a, b), radius, partner)
                                : springs_of_speed(given, a, b, radius, partner));
    return all;
  }
  // A pair that is not given is softer than the stiffer of its materials.
  add(given.material.normal_stiffness, given.material.tangential_stiffness);
  for (const NamedMaterial& m : given.materials) add(m.normal_stiffness, m.tangential_stiffness);
  for (const MaterialPair& m : given.material_pairs)
    add(m.normal_stiffness.value_or(0), m.tangential_stiffness.value_or(0));
  return all;
}

namespace {

bool is_moving_grain(const State& state, std::size_t b) {
  return state.bodies.freedom[b] != 0 && !state.shape_of(b).is_wall();
}

/// Mean equivalent radius of the bodies that can move (m).
double mean_radius(const State& state) {
  double sum = 0, count = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (is_moving_grain(state, b)) sum += state.shape_of(b).equivalent_radius(), ++count;
  return count > 0 ? sum / count : 1;
}

/// Springs of two bodies of materials a and b, with a Hertzian law or Material::characteristic_speed.
ReferenceSprings springs_of_radius(const Case& given, std::size_t a, std::size_t b, double radius) {
  return is_hertzian(given) ? hertz_springs(given, elastic_pair(given, a, b), radius, radius)
                            : springs_of_speed(given, a, b, radius, radius);
}

bool has_given_springs(const Case& given) { return !is_hertzian(given) && !given.material.characteristic_speed; }

}  // namespace

ReferenceSprings mean_springs(const Case& given, const State& state) {
  if (has_given_springs(given))
    return with_tangent(given, {given.material.tangential_stiffness, 0, 0, 0, given.material.normal_stiffness});
  return springs_of_radius(given, 0, 0, mean_radius(state));
}

double typical_stiffness(const Case& given, const State& state) {
  const std::size_t count = given.materials.size() + 1;
  std::vector<double> bodies(count);
  double all = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (is_moving_grain(state, b)) ++bodies[count > 1 ? state.bodies.material[b] : 0], ++all;
  if (all == 0 || bodies[0] == all) return mean_springs(given, state).normal;
  const std::vector<PairValues> springs = springs_by_pair(given);
  const double radius = mean_radius(state);
  const auto stiffness = [&](std::size_t a, std::size_t b) {
    return has_given_springs(given) ? springs[a * count + b].normal_stiffness
                                    : springs_of_radius(given, a, b, radius).normal;
  };
  double softness = 0;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      if (bodies[a] > 0 && bodies[b] > 0) softness += bodies[a] / all * (bodies[b] / all) / stiffness(a, b);
  return 1 / softness;
}

std::vector<PairValues> springs_by_pair(const Case& given) {
  const Material& first = given.material;
  std::vector<PairValues> own{{first.normal_stiffness, first.tangential_stiffness, first.friction}};
  for (const NamedMaterial& m : given.materials)
    own.push_back({m.normal_stiffness, m.tangential_stiffness, m.friction});
  const std::size_t count = own.size();
  const auto in_series = [](double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; };
  std::vector<PairValues> all;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      all.push_back(a == b ? own[a]
                           : PairValues{in_series(own[a].normal_stiffness, own[b].normal_stiffness),
                                        in_series(own[a].tangential_stiffness, own[b].tangential_stiffness),
                                        std::min(own[a].friction, own[b].friction)});
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

PairTable::PairTable(const Case& given, const State& state)
    : rotational_damping(given.material.rotational_damping),
      material_(given.material),
      law_(&*given.contact.law),
      count_(given.materials.size() + 1),
      by_rate_(given.material.normal_damping_rate.has_value()),
      hertzian_(law_->hertzian),
      speed_(given.material.characteristic_speed.value_or(0)),
      stiffness_ratio_(given.material.tangential_stiffness_ratio),
      table_(springs_by_pair(given)) {
  if (count_ > 255) throw std::invalid_argument("more than 255 materials");
  const Material& first = given.material;
  by_mass_ = by_rate_ || (!first.normal_damping && first.restitution && *first.restitution != 1);
  for (std::size_t a = 0; a < count_; ++a)
    for (std::size_t b = 0; b < count_; ++b) {
      PairValues& c = table_[a * count_ + b];
      if (hertzian_ || speed_ > 0) {
        const ElasticPair elastic = elastic_pair(given, a, b);
        c.modulus = elastic.modulus;
        c.ratio = elastic.ratio;
      }
      if (first.normal_damping)
        c.damping = *first.normal_damping;
      else if (first.normal_damping_rate)
        c.damping = *first.normal_damping_rate;
      else if (first.restitution)
        c.damping = hertzian_ ? hertz_damping_of_restitution(*first.restitution)
                              : damping_of_restitution(*first.restitution, speed_ > 0 ? 1 : c.normal_stiffness, 1);
      if (first.tangential_damping)
        c.tangential_damping = *first.tangential_damping;
      else if (first.tangential_damping_ratio >= 0)
        c.tangential_ratio = first.tangential_damping_ratio;
      else {
        const double ratio = hertzian_                ? 1 / c.ratio
                             : speed_ > 0             ? stiffness_ratio_
                             : c.normal_stiffness > 0 ? c.tangential_stiffness / c.normal_stiffness
                                                      : 0;
        c.tangential_ratio = law_->damping_ratio(ratio);
      }
      damped_ |= c.damping != 0 || c.tangential_damping != 0;
    }
  const Bodies& bodies = state.bodies;
  if (count_ > 1) of_body_ = bodies.material;
  const bool plane = state.dimension == 2;
  const int translation = plane ? free_x | free_y : free_x | free_y | free_z;
  const double over = given.contact.length == CharacteristicLength::sqrt_area_over_2pi ? 2 : 1;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const bool wall = state.shape_of(b).is_wall(), held = (bodies.freedom[b] & translation) == 0;
    if (plane || by_mass_ || speed_ > 0)
      inverse_mass_.push_back(wall || (held && given.contact.fixed_mass == FixedMass::infinite) ? 0
                                                                                                : 1 / bodies.mass[b]);
    if (plane) length_radius_.push_back(wall ? 0 : std::sqrt(state.shape_of(b).area() / (over * std::numbers::pi)));
  }
}

double PairTable::stiffness(const PairValues& m, double root_of_reduced_mass, double hertz_radius) const {
  return hooke_stiffness(0.375 * m.modulus, 0.5 * hertz_radius, root_of_reduced_mass * root_of_reduced_mass, speed_);
}

void PairTable::rename(std::span<const std::uint32_t> names) {
  const auto rename_in = [names](auto& by_body) {
    auto old = by_body;
    for (std::size_t k = 0; k < by_body.size(); ++k) by_body[k] = old[names[k]];
  };
  rename_in(of_body_);
  rename_in(inverse_mass_);
  rename_in(length_radius_);
}

double PairTable::normal_damping(std::size_t i, std::size_t j) const {
  const double of_pair = of(i, j).damping;
  if (material_.normal_damping) return of_pair;
  return by_rate_ ? of_pair * reduced_mass(i, j) : of_pair * std::sqrt(reduced_mass(i, j));
}

double PairTable::tangential_damping(double normal_damping, const PairValues& of) const {
  return material_.tangential_damping ? of.tangential_damping : of.tangential_ratio * normal_damping;
}

double PairTable::reference_damping(double stiffness, double reduced_mass) const {
  const Material& m = material_;
  if (m.normal_damping_rate) {  // Hertz contacts: times the contact radius K_n/(2 E*)
    const double factor = m.hertzian() ? stiffness / (0.75 * table_[0].modulus) : 1;
    return *m.normal_damping_rate * reduced_mass * factor;
  }
  if (!m.restitution) return m.normal_damping.value_or(0);
  if (m.hertzian()) return hertz_damping_of_restitution(*m.restitution) * std::sqrt(stiffness * reduced_mass);
  return damping_of_restitution(*m.restitution, stiffness, reduced_mass);
}

double PairTable::reference_tangential_damping(double normal_damping, ReferenceSprings springs) const {
  const Material& m = material_;
  if (m.stiffness_of_pair() && !m.tangential_damping && !(m.tangential_damping_ratio >= 0))
    return normal_damping * law_->damping_ratio(springs.tangential / springs.normal);
  return tangential_damping(normal_damping);
}

}  // namespace dem
