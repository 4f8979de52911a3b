#include "libdem/run/same_forces.hpp"

#include <algorithm>
#include <tuple>

#include "libdem/contacts/pair_table.hpp"

namespace dem {

bool has_forces_of(const Case& c, std::size_t stage, const Case& other, std::size_t other_stage) {
  const auto same_material = [](const auto& a, const auto& b) {
    return std::tie(a.density, a.shear_modulus, a.poisson_ratio) ==
           std::tie(b.density, b.shear_modulus, b.poisson_ratio);
  };
  const auto same_pair = [](const PairValues& a, const PairValues& b) {
    return a.normal_stiffness == b.normal_stiffness && a.tangential_stiffness == b.tangential_stiffness;
  };
  const auto of_pair = [](const Material& m) {
    return std::tie(m.hertz_normal_stiffness, m.hertz_tangential_stiffness, m.characteristic_speed,
                    m.tangential_stiffness_ratio);
  };
  const auto by_area = [](const ContactChoice& k) { return std::tie(k.normal_force, k.potential_exponent, k.length); };
  const auto mass_damping = [](const Case& of, std::size_t k) {
    return of.stages[k].mass_damping.value_or(of.material.mass_damping);
  };
  return c.gravity == other.gravity && c.assembly.bodies == other.assembly.bodies &&
         mass_damping(c, stage) == mass_damping(other, other_stage) &&
         std::ranges::equal(springs_by_pair(c), springs_by_pair(other), same_pair) &&
         same_material(c.material, other.material) && of_pair(c.material) == of_pair(other.material) &&
         std::ranges::equal(c.materials, other.materials, same_material) &&
         by_area(c.contact) == by_area(other.contact);
}

}  // namespace dem
