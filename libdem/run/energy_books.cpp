#include "libdem/run/energy_books.hpp"

#include <algorithm>
#include <cmath>

#include "libdem/measure/motion_sums.hpp"
#include "libdem/motion/coordinates.hpp"
#include "libdem/platform/parallel.hpp"
#include "libdem/state/groups.hpp"

namespace dem {
namespace {

/// True if a coordinate that is not free may move, so that its holder does work.
bool is_driven(const State& state, std::size_t b) {
  const Bodies& bodies = state.bodies;
  const unsigned freedom = bodies.freedom[b];
  if (state.shape_of(b).is_wall()) return true;  // a stage may move it
  if (freedom == free_in_plane || freedom == free_in_space) return false;
  if (bodies.group[b] == group_bottom_plate || bodies.group[b] == group_top_plate) return true;
  const Vec3 velocity = bodies.position[1][b], spin = bodies.rotation[1][b];
  return (!(freedom & free_x) && velocity.x != 0) || (!(freedom & free_y) && velocity.y != 0) ||
         (!(freedom & free_z) && velocity.z != 0) || (!(freedom & free_rx) && spin.x != 0) ||
         (!(freedom & free_ry) && spin.y != 0) || (!(freedom & free_rz) && spin.z != 0);
}

/// Work (J) on the coordinates of the bits of `freedom`, shifted down by 3 for rotations. z first: zero in the plane.
double selected_work(unsigned freedom, Vec3 force, Vec3 way) {
  return (freedom & free_z ? force.z * way.z : 0) + (freedom & free_x ? force.x * way.x : 0) +
         (freedom & free_y ? force.y * way.y : 0);
}

}  // namespace

EnergyBooks::EnergyBooks(const State& state) {
  const Bodies& bodies = state.bodies;
  const auto acts = [](Vec3 v) { return v != Vec3{}; };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    base_force_.push_back(state.shape_of(b).is_wall()
                              ? Vec3{}
                              : bodies.applied_force_on(b) + bodies.mass[b] * state.gravity);  // walls have no weight
    base_torque_.push_back(bodies.applied_torque_on(b));
    if (is_driven(state, b)) held_.push_back(b);
    if (bodies.freedom[b] != 0 && (acts(base_force_.back()) || acts(base_torque_.back()))) loaded_.push_back(b);
  }
  for (auto* base : {&base_force_, &base_torque_})
    if (std::ranges::none_of(*base, acts)) std::vector<Vec3>().swap(*base);  // `= {}` would keep the memory
  held_force_.resize(held_.size());
  held_torque_.resize(held_.size());
  if (acts(state.gravity) || std::ranges::any_of(bodies.applied_force, acts) ||
      std::ranges::any_of(bodies.applied_torque, acts)) {
    start_position_ = bodies.position[0].by_number();
    start_rotation_ = bodies.rotation[0].by_number();
  }
}

void EnergyBooks::follow_all_held(const State& state) {
  held_.clear();
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (state.bodies.freedom[b] != (state.dimension == 2 ? free_in_plane : free_in_space)) held_.push_back(b);
  held_force_.resize(held_.size());
  held_torque_.resize(held_.size());
}

void EnergyBooks::keep_apart(std::span<const std::size_t> bodies) {
  has_own_ = true;
  for (const std::size_t b : bodies)  // one that rests at the start is not among them yet
    if (std::ranges::find(held_, b) == held_.end()) held_.push_back(b);
  held_force_.resize(held_.size());
  held_torque_.resize(held_.size());
  apart_.resize(held_.size());
  for (std::size_t h = 0; h < held_.size(); ++h)
    if (std::ranges::find(bodies, held_[h]) != bodies.end()) apart_[h] = 1;
}

void EnergyBooks::open(const State& state, const ContactEngine& contacts) {
  sums_ = {};
  sums_.initial = kinetic_energy(state) + contacts.stored_normal() + contacts.stored_tangential();
}

void EnergyBooks::count_from_here(const State& state) {
  if (start_position_.empty()) return;
  start_position_ = state.bodies.position[0].by_number();
  start_rotation_ = state.bodies.rotation[0].by_number();
}

void EnergyBooks::note_held(const State& state) {
  for (std::size_t h = 0; h < held_.size(); ++h) {
    held_force_[h] = state.bodies.force[held_[h]] - base_force(held_[h]);
    held_torque_[h] = state.bodies.torque[held_[h]] - base_torque(held_[h]);
  }
}

void EnergyBooks::book(const ContactWork& work, const State& state, bool turned, int threads) {
  sums_.friction += work.friction;
  sums_.viscous += work.viscous;
  sums_.circulation += work.circulation;
  sums_.event_loss += work.event_loss;
  if (!turned) sums_.boundary_work += work.by_cell;
  sums_.absolute_work += work.absolute;
  const Bodies& bodies = state.bodies;
  const auto moved = [&](std::size_t b) { return bodies.evaluated_position[b] - bodies.evaluated_position_before[b]; };
  const bool compared = !bodies.evaluated_rotation.empty();  // else nothing held or loaded turns against a couple
  const auto turn_of = [&](std::size_t b) {
    return compared ? bodies.evaluated_rotation[b] - bodies.evaluated_rotation_before[b] : Vec3{};
  };
  // Coordinates that are not free are held. The holding forces do the opposite of the contacts' work on them.
  for (std::size_t h = 0; h < held_.size(); ++h) {
    const std::size_t b = held_[h];
    const unsigned held = ~unsigned(bodies.freedom[b]);
    const Vec3 force = bodies.force[b] - base_force(b), torque = bodies.torque[b] - base_torque(b);
    const double done = 0.5 * (selected_work(held, held_force_[h] + force, moved(b)) +
                               selected_work(held >> 3, held_torque_[h] + torque, turn_of(b)));
    if (!turned) {
      (has_own_ && apart_[h] ? sums_.own_motion_work : sums_.boundary_work) -= done;
      sums_.absolute_work += std::abs(done);
    }
    held_force_[h] = force;
    held_torque_[h] = torque;
  }
  add_in_order(threads, loaded_.size(), loaded_work_, sums_.absolute_work, [&](std::size_t k) {
    const std::size_t b = loaded_[k];
    const unsigned freedom = bodies.freedom[b];
    double done = 0;
    if (!base_force_.empty()) done += std::abs(selected_work(freedom, base_force_[b], moved(b)));
    if (!base_torque_.empty()) done += std::abs(selected_work(freedom >> 3, base_torque_[b], turn_of(b)));
    return done;
  });
}

void EnergyBooks::book(double EnergyLedger::*account, double work) {
  sums_.*account += work;
  sums_.absolute_work += std::abs(work);
}

/// The work of constant forces is a function of the positions.
void EnergyBooks::add_work_of_loads(const State& state, EnergyLedger& l) const {
  const Bodies& bodies = state.bodies;
  for (std::size_t b = 0; b < start_position_.size(); ++b) {
    const Vec3 moved = free_part(bodies.position[0][b] - start_position_[b], bodies.freedom[b]);
    l.gravity_work += bodies.mass[b] * dot(state.gravity, moved);
    l.applied_work += dot(bodies.applied_force_on(b), moved);
    l.applied_work +=
        selected_work(bodies.freedom[b] >> 3, bodies.applied_torque_on(b), bodies.rotation[0][b] - start_rotation_[b]);
  }
}

double EnergyBooks::work_of_loads(const State& state) const {
  EnergyLedger l;
  add_work_of_loads(state, l);
  return l.gravity_work + l.applied_work;
}

EnergyLedger EnergyBooks::ledger(const State& state, const ContactEngine& contacts) const {
  EnergyLedger l = sums_;
  l.kinetic = kinetic_energy(state);
  l.stored_normal = contacts.stored_normal();
  l.stored_tangential = contacts.stored_tangential();
  add_work_of_loads(state, l);
  return l;
}

void EnergyBooks::fields(FieldVisitor& f) {
  f("initial", sums_.initial, Hashed::no);
  f("boundary_work", sums_.boundary_work, Hashed::no);
  if (has_own_) {
    f("own_motion_work", sums_.own_motion_work, Hashed::no);
    f("own_force_work", sums_.own_force_work, Hashed::no);
  }
  f("friction", sums_.friction, Hashed::no);
  f("viscous", sums_.viscous, Hashed::no);
  f("circulation", sums_.circulation, Hashed::no);
  f("event_loss", sums_.event_loss, Hashed::no);
  f("absolute_work", sums_.absolute_work, Hashed::no);
  f("held_force", held_force_, Hashed::no);
  f("held_torque", held_torque_, Hashed::no);
}

void EnergyBooks::fields_of_start(FieldVisitor& f) {
  f("position", start_position_, Hashed::no);
  f("rotation", start_rotation_, Hashed::no);
}

}  // namespace dem
