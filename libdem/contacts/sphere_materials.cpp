#include "libdem/contacts/sphere_materials.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libdem/contacts/pair_coefficients.hpp"

namespace dem {

namespace {

struct Springs {
  double normal = 0, tangential = 0, friction = 0;
};

double in_series(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }

}  // namespace

SphereMaterials::SphereMaterials(const Case& given, const State& state) {
  count_ = given.materials.size() + 1;
  if (count_ > 255) throw std::invalid_argument("more than 255 materials");
  const Material& first = given.material;
  std::vector<Springs> own{{first.normal_stiffness, first.tangential_stiffness, first.friction}};
  for (const NamedMaterial& m : given.materials) own.push_back({m.normal_stiffness, m.tangential_stiffness, m.friction});
  const auto of_name = [&](const std::string& name) {
    if (name.empty()) return std::size_t(0);
    for (std::size_t m = 0; m < given.materials.size(); ++m)
      if (given.materials[m].name == name) return m + 1;
    throw std::invalid_argument("unknown material '" + name + "' in a pair of materials");
  };
  table_.resize(count_ * count_);
  for (std::size_t a = 0; a < count_; ++a)
    for (std::size_t b = 0; b < count_; ++b) {
      Springs s = a == b ? own[a] : Springs{in_series(own[a].normal, own[b].normal), in_series(own[a].tangential, own[b].tangential),
                                            std::min(own[a].friction, own[b].friction)};
      for (const MaterialPair& pair : given.material_pairs) {
        const std::size_t p = of_name(pair.first), q = of_name(pair.second);
        if (!((p == a && q == b) || (p == b && q == a))) continue;
        s.normal = pair.normal_stiffness.value_or(s.normal);
        s.tangential = pair.tangential_stiffness.value_or(s.tangential);
        s.friction = pair.friction.value_or(s.friction);
      }
      SphereCoefficients& c = table_[a * count_ + b];
      c.normal_stiffness = s.normal;
      c.tangential_stiffness = s.tangential;
      c.friction = s.friction;
      if (first.normal_damping) c.damping = *first.normal_damping;
      else if (first.restitution) c.damping = damping_of_restitution(*first.restitution, s.normal, 1);
      if (first.tangential_damping) c.tangential_damping = *first.tangential_damping;
      else if (first.tangential_damping_ratio >= 0) c.tangential_ratio = first.tangential_damping_ratio;
      else c.tangential_ratio = s.normal > 0 ? s.tangential / s.normal : 0;
      damped_ |= c.damping != 0 || c.tangential_damping != 0;
    }
  by_mass_ = !first.normal_damping && first.restitution && *first.restitution != 1;
  const Bodies& bodies = state.bodies;
  if (count_ > 1) of_body_ = bodies.material;
  for (std::size_t b = 0; by_mass_ && b < bodies.size(); ++b) {
    const bool held = (bodies.freedom[b] & (free_x | free_y | free_z)) == 0;
    inverse_mass_.push_back(held && given.contact.fixed_mass == FixedMass::infinite ? 0 : 1 / bodies.mass[b]);
  }
}

}  // namespace dem
