#include "libdem/motion/rigid_turn.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dem {

void apply_turn(State& state, const RigidTurn& turn) {
  const double angle = turn.angle;
  const Vec3 axis = (1 / norm(turn.axis)) * turn.axis;
  const double c = std::cos(angle), s = std::sin(angle), half_s = std::sin(angle / 2);
  const auto turned = [&](Vec3 v) { return c * v + s * cross(axis, v) + (1 - c) * dot(axis, v) * axis; };
  const Quaternion q{std::cos(angle / 2), half_s * axis.x, half_s * axis.y, half_s * axis.z};
  const auto followed = [&](Quaternion r) {
    return Quaternion{q.w * r.w - q.x * r.x - q.y * r.y - q.z * r.z, q.w * r.x + q.x * r.w + q.y * r.z - q.z * r.y,
                      q.w * r.y - q.x * r.z + q.y * r.w + q.z * r.x, q.w * r.z + q.x * r.y - q.y * r.x + q.z * r.w};
  };
  for (Vec3& v : state.cell.vectors) v = turned(v);
  if (state.dimension == 2) state.cell.vectors[2] = {0, 0, 1};
  Bodies& bodies = state.bodies;
  for (Vec3& x : bodies.position[0].stored()) x = state.cell_origin + turned(x - state.cell_origin);
  for (Vec3& r : bodies.rotation[0].stored()) r += angle * axis;
  for (std::size_t k = 1; k < std::size_t(gear_terms); ++k)
    for (auto* terms : {&bodies.position, &bodies.rotation})
      for (Vec3& v : (*terms)[k].stored()) v = turned(v);
  for (auto& terms : bodies.orientation)
    for (Quaternion& r : terms.stored()) r = followed(r);
}

ShownTurn::ShownTurn(State& state, const RigidTurn& turn)
    : state_(state), moved_(state.bodies.position[1]), turned_(state.bodies.rotation[1]), cell_rate_(state.cell_rate) {
  Bodies& bodies = state.bodies;
  const Vec3 vector = (turn.angle / norm(turn.axis)) * turn.axis;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    bodies.position[1][b] = cross(vector, bodies.position[0][b] - state.cell_origin);
  bodies.rotation[1].fill(vector);
  for (std::size_t a = 0; a < std::size_t(state.dimension); ++a)
    state.cell_rate[a] = (1 / state.dt) * cross(vector, state.cell.vectors[a]);
}

ShownTurn::~ShownTurn() {
  state_.bodies.position[1] = std::move(moved_);
  state_.bodies.rotation[1] = std::move(turned_);
  state_.cell_rate = cell_rate_;
}

}  // namespace dem
