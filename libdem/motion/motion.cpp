#include "libdem/motion/motion.hpp"

#include <algorithm>

#include "libdem/motion/gear5.hpp"
#include "libdem/motion/velocity_verlet.hpp"
#include "libdem/platform/parallel.hpp"

namespace dem {

void move_cell(State& state) {
  for (std::size_t a = 0; a < 3; ++a)
    if (state.cell_rate[a] != Vec3{}) state.cell.vectors[a] += state.dt * state.cell_rate[a];
}

Motion::Motion(const Case& given)
    : choice_(given.time),
      threads_(given.threads),
      moves_cell_(std::ranges::any_of(given.stages, [](const Stage& stage) { return stage.cell.has_value(); })) {}

template <class F>
void Motion::move_in_parts(const Bodies& bodies, F&& share) const {
  parallel_parts(
      threads_, bodies.size(), [&](std::size_t first, std::size_t last) { bodies.without_copies(first, last, share); },
      bodies.share_begins);
}

void Motion::predict(State& state) const {
  if (moves_cell_) move_cell(state);
  if (turn_) {
    apply_turn(state, *turn_);
    return;
  }
  const auto share = [&](std::size_t first, std::size_t last) {
    if (choice_.integrator == Integrator::gear5)
      gear_predict(state.bodies, first, last);
    else
      verlet_predict(state.bodies, first, last);
  };
  move_in_parts(state.bodies, share);
}

void Motion::correct(State& state) const {
  if (turn_) return;
  const auto share = [&](std::size_t first, std::size_t last) {
    if (choice_.integrator == Integrator::gear5)
      gear_correct(state.bodies, state.dt, gear_coefficients(choice_.gear_coefficients), first, last);
    else
      verlet_correct(state.bodies, state.dt, first, last);
  };
  move_in_parts(state.bodies, share);
}

}  // namespace dem
