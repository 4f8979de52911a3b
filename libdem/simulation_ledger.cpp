// The books of the step: works of what holds and loads bodies, and the ledger as it stands.
#include <cmath>

#include "libdem/parallel.hpp"
#include "libdem/simulation.hpp"

namespace dem {

namespace {

/// The part of a movement that the integrator is free to make.
Vec3 free_part(const Bodies& bodies, std::size_t b, Vec3 moved) {
  if (!(bodies.freedom[b] & free_x)) moved.x = 0;
  if (!(bodies.freedom[b] & free_y)) moved.y = 0;
  if (!(bodies.freedom[b] & free_z)) moved.z = 0;
  return moved;
}

/// Work of a force or couple on the coordinates that the bits of `freedom` select, rotations shifted down by 3 (J). z first: in the plane
/// it is zero.
double selected_work(unsigned freedom, Vec3 force, Vec3 way) {
  return (freedom & free_z ? force.z * way.z : 0) + (freedom & free_x ? force.x * way.x : 0) + (freedom & free_y ? force.y * way.y : 0);
}

}  // namespace

void Simulation::account(const ContactWork& work) {
  ledger_.friction += work.friction;
  ledger_.viscous += work.viscous;
  ledger_.circulation += work.circulation;
  ledger_.event_loss += work.event_loss;
  if (!kinematic_) ledger_.boundary_work += work.by_cell;
  ledger_.absolute_work += work.absolute;
  const Bodies& bodies = state_.bodies;
  const auto moved = [&](std::size_t b) { return bodies.evaluated_position[b] - bodies.evaluated_position_before[b]; };
  const bool compared = !bodies.evaluated_rotation.empty();  // else nothing held or loaded turns against a couple
  const auto turned = [&](std::size_t b) { return compared ? bodies.evaluated_rotation[b] - bodies.evaluated_rotation_before[b] : Vec3{}; };
  // What holds the coordinates that are not free does the opposite of the contacts' work on them.
  for (std::size_t h = 0; h < held_.size(); ++h) {
    const std::size_t b = held_[h];
    const unsigned held = ~unsigned(bodies.freedom[b]);
    const Vec3 force = bodies.force[b] - base_force(b), torque = bodies.torque[b] - base_torque(b);
    const double done = 0.5 * (selected_work(held, held_force_[h] + force, moved(b)) + selected_work(held >> 3, held_torque_[h] + torque, turned(b)));
    if (!kinematic_) {
      ledger_.boundary_work -= done;
      ledger_.absolute_work += std::abs(done);
    }
    held_force_[h] = force;
    held_torque_[h] = torque;
  }
  add_in_order(case_.threads, loaded_.size(), loaded_work_, ledger_.absolute_work, [&](std::size_t k) {
    const std::size_t b = loaded_[k];
    const unsigned freedom = bodies.freedom[b];
    return std::abs(selected_work(freedom, base_force(b), moved(b))) + std::abs(selected_work(freedom >> 3, base_torque(b), turned(b)));
  });
}

EnergyLedger Simulation::ledger() const {
  EnergyLedger l = ledger_;
  l.kinetic = kinetic_energy(state_);
  l.stored_normal = contacts_->stored_normal();
  l.stored_tangential = contacts_->stored_tangential();
  // Constant forces: their work is a function of the positions.
  const Bodies& bodies = state_.bodies;
  for (std::size_t b = 0; b < start_position_.size(); ++b) {
    const Vec3 moved = free_part(bodies, b, bodies.position[0][b] - start_position_[b]);
    l.gravity_work += bodies.mass[b] * dot(state_.gravity, moved);
    l.applied_work += dot(bodies.applied_force_on(b), moved);
    l.applied_work += selected_work(bodies.freedom[b] >> 3, bodies.applied_torque_on(b), bodies.rotation[0][b] - start_rotation_[b]);
  }
  return l;
}

}  // namespace dem
