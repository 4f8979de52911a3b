#include "libdem/contacts/sphere_materials.hpp"

#include <cmath>
#include <stdexcept>

#include "libdem/contacts/pair_coefficients.hpp"
#include "libdem/laws/catalogue.hpp"

namespace dem {

SphereMaterials::SphereMaterials(const Case& given, const State& state) {
  count_ = given.materials.size() + 1;
  if (count_ > 255) throw std::invalid_argument("more than 255 materials");
  const laws::LawEntry* law = laws::find(given.contact.law);
  hertzian_ = law && law->hertzian;
  const Material& first = given.material;
  speed_ = first.characteristic_speed.value_or(0);
  stiffness_ratio_ = first.tangential_stiffness_ratio;
  const std::vector<PairSprings> springs = springs_by_pair(given);
  table_.resize(count_ * count_);
  for (std::size_t a = 0; a < count_; ++a)
    for (std::size_t b = 0; b < count_; ++b) {
      const PairSprings& s = springs[a * count_ + b];
      SphereCoefficients& c = table_[a * count_ + b];
      c.normal_stiffness = s.normal_stiffness;
      c.tangential_stiffness = s.tangential_stiffness;
      c.friction = s.friction;
      if (hertzian_ || speed_ > 0) {
        const ElasticPair elastic = elastic_pair(given, a, b);
        c.modulus = elastic.modulus;
        c.ratio = elastic.ratio;
      }
      if (first.normal_damping) c.damping = *first.normal_damping;
      else if (first.normal_damping_rate) c.damping = *first.normal_damping_rate;
      else if (first.restitution)
        c.damping = hertzian_ ? hertz_damping_of_restitution(*first.restitution) : damping_of_restitution(*first.restitution, speed_ > 0 ? 1 : s.normal_stiffness, 1);
      if (first.tangential_damping) c.tangential_damping = *first.tangential_damping;
      else if (first.tangential_damping_ratio >= 0) c.tangential_ratio = first.tangential_damping_ratio;
      else {
        const double ratio = hertzian_ ? 1 / c.ratio : speed_ > 0 ? stiffness_ratio_ : s.normal_stiffness > 0 ? s.tangential_stiffness / s.normal_stiffness : 0;
        c.tangential_ratio = law ? law->damping_ratio(ratio) : ratio;
      }
      damped_ |= c.damping != 0 || c.tangential_damping != 0;
    }
  by_rate_ = first.normal_damping_rate.has_value();
  by_mass_ = by_rate_ || (!first.normal_damping && first.restitution && *first.restitution != 1);
  const Bodies& bodies = state.bodies;
  if (count_ > 1) of_body_ = bodies.material;
  for (std::size_t b = 0; (by_mass_ || speed_ > 0) && b < bodies.size(); ++b) {
    const bool held = (bodies.freedom[b] & (free_x | free_y | free_z)) == 0, wall = state.shape_of(b).is_wall();
    inverse_mass_.push_back(wall || (held && given.contact.fixed_mass == FixedMass::infinite) ? 0 : 1 / bodies.mass[b]);
  }
}

double SphereMaterials::stiffness(const SphereCoefficients& m, double root_of_reduced_mass, double hertz_radius) const {
  return hooke_stiffness(0.375 * m.modulus, 0.5 * hertz_radius, root_of_reduced_mass * root_of_reduced_mass, speed_);
}

}  // namespace dem
