// Motion of bodies and cell in a step: by an integrator, or by the rigid turn of a stage.
#pragma once
#include <optional>

#include "libdem/case.hpp"
#include "libdem/motion/rigid_turn.hpp"
#include "libdem/state/state.hpp"

namespace dem {

class Motion {
 public:
  explicit Motion(const Case&);

  /// Sets the rigid turn of the next step. Without a turn, the step integrates.
  void set_turn(const std::optional<RigidTurn>& turn) { turn_ = turn; }
  const std::optional<RigidTurn>& turn() const { return turn_; }

  /// Moves the cell at its rate, and the bodies to the pose at which contacts are evaluated.
  void predict(State&) const;
  /// Corrects the bodies by Bodies::force and torque; a turn needs no correction.
  void correct(State&) const;

 private:
  template <class F>
  void move_in_parts(const Bodies&, F&& share) const;

  TimeChoice choice_;
  int threads_;
  bool moves_cell_;  // a stage drives it
  std::optional<RigidTurn> turn_;
};

/// Moves the cell vectors at State::cell_rate through one step.
void move_cell(State&);

}  // namespace dem
