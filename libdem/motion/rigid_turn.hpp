// The rigid turn of a stage: all positions and directions turn about the cell's origin, without time or work.
#pragma once
#include <array>
#include <vector>

#include "libdem/state/state.hpp"

namespace dem {

struct RigidTurn {
  double angle = 0;    ///< in this step (rad)
  Vec3 axis{0, 0, 1};  ///< of any length
};

/// Turns bodies, their velocities and the cell.
void apply_turn(State&, const RigidTurn&);

/// During its life, shows a step of the turn as velocities: v Δt = Δθ × (x − origin) and ω Δt = Δθ at its end.
/// Otherwise contacts with elongation v Δt would miss the turn.
class ShownTurn {
 public:
  ShownTurn(State&, const RigidTurn&);
  ~ShownTurn();
  ShownTurn(const ShownTurn&) = delete;
  ShownTurn& operator=(const ShownTurn&) = delete;

 private:
  State& state_;
  ByBody<Vec3> moved_, turned_;  // earlier velocities times Δt
  std::array<Vec3, 3> cell_rate_;
};

}  // namespace dem
