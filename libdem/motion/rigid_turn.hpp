// The rigid turn of a stage: everything that has a place or a direction turns about the cell's origin. It takes no time
// and does no work.
#pragma once
#include <array>
#include <vector>

#include "libdem/state/state.hpp"

namespace dem {

struct RigidTurn {
  double angle = 0;    ///< in this step (rad)
  Vec3 axis{0, 0, 1};  ///< of any length
};

/// Turns bodies and cell. The velocities turn with them.
void apply_turn(State&, const RigidTurn&);

/// Shows a step of the turn as velocities, v Δt = Δθ × (x − origin) and ω Δt = Δθ at its end, while the object lives.
/// Contacts whose elongation is v Δt would not see the turn otherwise.
class ShownTurn {
 public:
  ShownTurn(State&, const RigidTurn&);
  ~ShownTurn();
  ShownTurn(const ShownTurn&) = delete;
  ShownTurn& operator=(const ShownTurn&) = delete;

 private:
  State& state_;
  std::vector<Vec3> moved_, turned_;  // velocities times Δt before
  std::array<Vec3, 3> cell_rate_;
};

}  // namespace dem
