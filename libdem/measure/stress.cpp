#include "libdem/measure/stress.hpp"

#include <cmath>

namespace dem {
namespace {

/// Ḣ H⁻¹ of the cell's vectors: the velocity gradient of the mean motion (1/s).
Tensor3 velocity_gradient(const geometry::Cell& cell, const std::array<Vec3, 3>& rate) {
  const auto& [a, b, c] = cell.vectors;
  const double volume = dot(a, cross(b, c));
  Tensor3 l;
  l.add(1 / volume, rate[0], cross(b, c));
  l.add(1 / volume, rate[1], cross(c, a));
  l.add(1 / volume, rate[2], cross(a, b));
  return l;
}

}  // namespace

Tensor3 contact_stress(ContactLoads contacts, double volume) {
  Tensor3 sum;
  for (const ContactLoad& c : contacts) sum.add(1, c.force, c.branch);
  return sum *= 1 / volume;
}

double cell_volume(const geometry::Cell& cell) {
  const auto& [a, b, c] = cell.vectors;
  return std::abs(dot(a, cross(b, c)));
}

Tensor3 kinetic_stress_of_cell(const State& state) {
  const Bodies& bodies = state.bodies;
  const Tensor3 l = velocity_gradient(state.cell, state.cell_rate);
  const auto fluctuation = [&](std::size_t b) {
    return state.velocity(b) - l * (bodies.position[0][b] - state.cell_origin);
  };
  double mass = 0;
  Vec3 momentum;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    mass += bodies.mass[b];
    momentum += bodies.mass[b] * fluctuation(b);
  }
  Tensor3 sum;
  if (mass == 0) return sum;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Vec3 v = fluctuation(b) - 1 / mass * momentum;
    sum.add(-bodies.mass[b], v, v);
  }
  return sum *= 1 / cell_volume(state.cell);
}

}  // namespace dem
