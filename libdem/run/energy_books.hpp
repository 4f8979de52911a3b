// The books of the step: constant loads, works of holders and loads of bodies, and the present ledger.
#pragma once
#include <span>
#include <vector>

#include "libdem/contacts/contact_engine.hpp"
#include "libdem/measure/ledger.hpp"
#include "libdem/state/state.hpp"

namespace dem {

class EnergyBooks {
 public:
  explicit EnergyBooks(const State&);

  /// Gravity and applied forces.
  BaseLoads loads() const { return {base_force_, base_torque_}; }

  /// Books the work of every body that is not free, also of one that rests at the start: a driver may move it later.
  void follow_all_held(const State&);
  /// Books the work of motions of these held bodies, and of own forces, in their own accounts.
  void keep_apart(std::span<const std::size_t> bodies);
  bool has_own() const { return has_own_; }
  /// Bodies with a coordinate that follows a prescribed motion, in the order in which the forces on them are saved.
  std::span<const std::size_t> held() const { return held_; }

  /// Opens the books with the present energy and no work.
  void open(const State&, const ContactEngine&);
  /// Counts the work of constant loads from the present positions on.
  void count_from_here(const State&);
  /// Stores the forces on held bodies, with which the next trapezoid begins.
  void note_held(const State&);

  /// Work (J) of gravity and applied forces from the start to the present positions.
  double work_of_loads(const State&) const;

  /// Books the works of a step. `turned`: the step was a rigid turn, in which holders do no work.
  void book(const ContactWork&, const State&, bool turned, int threads);
  /// Books work (J) in one account: boundary_work of a driver on bodies, own_force_work of a caller's own forces,
  /// event_loss of springs that start anew.
  void book(double EnergyLedger::*account, double work);

  EnergyLedger ledger(const State&, const ContactEngine&) const;

  void fields(FieldVisitor&);
  /// Positions from which the work of constant loads counts. They follow from the case, unless a run starts from the
  /// results of another.
  void fields_of_start(FieldVisitor&);

 private:
  void add_work_of_loads(const State&, EnergyLedger&) const;
  Vec3 base_force(std::size_t b) const { return base_force_.empty() ? Vec3{} : base_force_[b]; }
  Vec3 base_torque(std::size_t b) const { return base_torque_.empty() ? Vec3{} : base_torque_[b]; }

  std::vector<Vec3> base_force_, base_torque_;         // empty where there are none
  std::vector<std::size_t> loaded_;                    // bodies that any of them does work on
  std::vector<Vec3> start_position_, start_rotation_;  // for their work; empty without loads
  std::vector<double> loaded_work_;                    // scratch of several threads
  std::vector<std::size_t> held_;                      // bodies with a coordinate that follows a prescribed motion
  std::vector<Vec3> held_force_, held_torque_;         // contact forces on them at the last evaluation
  std::vector<std::uint8_t> apart_;                    // of the held ones; empty without any
  bool has_own_ = false;
  EnergyLedger sums_;  // its accumulated entries
};

}  // namespace dem
