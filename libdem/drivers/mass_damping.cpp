#include "libdem/drivers/mass_damping.hpp"

#include <algorithm>
#include <cmath>

#include "libdem/measure/motion_sums.hpp"
#include "libdem/motion/coordinates.hpp"
#include "libdem/platform/parallel.hpp"

namespace dem {
namespace {

// v̄ of a point: Ḣ H⁻¹ (x − origin).
class MeanMotion {
 public:
  explicit MeanMotion(const State& state) : origin_(state.cell_origin), rate_(state.cell_rate) {
    for (const Vec3& v : rate_) moves_ |= v != Vec3{};
    across_ = state.cell.reciprocal();
  }
  Vec3 velocity(Vec3 x) const {
    if (!moves_) return {};
    const Vec3 r = x - origin_;
    return dot(across_[0], r) * rate_[0] + dot(across_[1], r) * rate_[1] + dot(across_[2], r) * rate_[2];
  }

 private:
  Vec3 origin_;
  std::array<Vec3, 3> rate_, across_;  // rows of H⁻¹
  bool moves_ = false;
};

}  // namespace

MassDamping::MassDamping(const State& state) : force_(state.bodies.size()), torque_(state.bodies.size()) {}

void MassDamping::begin(const Stage& stage, std::size_t number, const World& world) {
  alpha_ = stage.mass_damping.value_or(world.given.material.mass_damping);
  if (number > 1) return;
  // The state may be that of another run: the first step books from its velocities.
  const State& state = world.state;
  const Bodies& bodies = state.bodies;
  const MeanMotion mean(state);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Vec3 own = state.velocity(b) - mean.velocity(bodies.position[0][b]);
    force_[b] = free_part((-alpha_ * bodies.mass[b]) * own, bodies.freedom[b]);
    torque_[b] = free_part(-alpha_ * spin_momentum(bodies, b, state.angular_velocity(b)), bodies.freedom[b] >> 3);
  }
}

ContactWork MassDamping::apply(const World& world) {
  State& state = world.state;
  Bodies& bodies = state.bodies;
  const MeanMotion mean(state);
  const auto damp = [&](std::size_t b) {
    ContactWork work;
    const unsigned freedom = bodies.freedom[b];
    if (freedom == 0) return work;
    const Vec3 flow = mean.velocity(bodies.position[0][b]), spin = spin_momentum(bodies, b, state.angular_velocity(b));
    const Vec3 force = free_part((-alpha_ * bodies.mass[b]) * (state.velocity(b) - flow), freedom);
    const Vec3 torque = free_part(-alpha_ * spin, freedom >> 3);
    const Vec3 mean_force = 0.5 * (force_[b] + force), mean_torque = 0.5 * (torque_[b] + torque);
    const double by_flow = state.dt * dot(mean_force, flow);
    const double done = dot(mean_force, bodies.evaluated_position[b] - bodies.evaluated_position_before[b]) +
                        dot(mean_torque, bodies.evaluated_rotation[b] - bodies.evaluated_rotation_before[b]);
    work.viscous += by_flow - done;
    work.by_cell += by_flow;
    work.absolute += std::abs(done);
    force_[b] = force;
    torque_[b] = torque;
    bodies.force[b] += force;
    bodies.torque[b] += torque;
    return work;
  };
  ContactWork total;
  add_in_order(world.given.threads, bodies.size(), of_body_, total, damp);
  return total;
}

void MassDamping::fields(FieldVisitor& f, State&) {
  f("force", force_, Hashed::no);
  f("torque", torque_, Hashed::no);
}

double largest_mass_damping(const Case& given) {
  double largest = given.material.mass_damping;
  for (const Stage& stage : given.stages) largest = std::max(largest, stage.mass_damping.value_or(0));
  return largest;
}

}  // namespace dem
