#include "libdem/contacts/pair_coefficients.hpp"

#include <cmath>
#include <limits>
#include <numbers>


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

PairCoefficients::PairCoefficients(const Case& given, const State& state) : material_(given.material) {
  normal_stiffness = material_.normal_stiffness;
  tangential_stiffness = material_.tangential_stiffness;
  friction = material_.friction;
  rotational_damping = material_.rotational_damping;
  if (material_.restitution) sqrt_damping_ = damping_of_restitution(*material_.restitution, normal_stiffness, 1);

  const Bodies& bodies = state.bodies;
  const double over = given.contact.length == CharacteristicLength::sqrt_area_over_2pi ? 2 : 1;
  inverse_mass_.reserve(bodies.size());
  length_radius_.reserve(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const bool wall = state.shape_of(b).half_plane;
    const bool held = (bodies.freedom[b] & (free_x | free_y)) == 0;
    const bool infinite = wall || (held && given.contact.fixed_mass == FixedMass::infinite);
    inverse_mass_.push_back(infinite ? 0 : 1 / bodies.mass[b]);
    length_radius_.push_back(wall ? 0 : std::sqrt(state.shape_of(b).area / (over * std::numbers::pi)));
  }
}

double PairCoefficients::normal_damping(std::size_t i, std::size_t j) const {
  if (material_.normal_damping) return *material_.normal_damping;
  return sqrt_damping_ * std::sqrt(reduced_mass(i, j));
}

double PairCoefficients::tangential_damping(double normal_damping) const {
  if (material_.tangential_damping) return *material_.tangential_damping;
  if (material_.tangential_damping_ratio >= 0) return material_.tangential_damping_ratio * normal_damping;
  return normal_stiffness > 0 ? normal_damping * tangential_stiffness / normal_stiffness : 0;
}

}  // namespace dem
