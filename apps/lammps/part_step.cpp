// The step of a part.
#include "apps/lammps/part.hpp"
#include "libdem/drivers/driver.hpp"

namespace dem {

std::optional<std::pair<std::size_t, std::size_t>> Part::went_through() const {
  if (through_ == 0) return {};
  const auto code = std::size_t(through_) - 1;
  return std::pair(code / walls_.size(), first_wall_ + code % walls_.size());
}

Watch Part::needs() {
  if (stages_.may_end(world(), drivers_)) {
    const bool snapshot = case_.output.contacts || stages_.index() + 1 == case_.stages.size();
    return snapshot ? Watch::energies : Watch::forces;
  }
  Watch most = Watch::motion;
  for (const auto& driver : drivers_) most = std::max(most, driver->needs());
  return most;
}

void Part::note_time() {
  if (timed_steps_++ % Times::together != 0) return;
  const double now = MPI_Wtime();
  if (timed_steps_ == 1)
    first_step_at_ = now;
  else
    fastest_ = std::min(fastest_, (now - block_at_) / Times::together);
  block_at_ = now;
}

void Part::note_traffic() {
  const std::size_t copies = exchange_.copies();
  traffic_.copies += copies;
  traffic_.motion += 8.0 * double(copies * motion_doubles(state_.bodies, state_.dimension == 2));
  traffic_.loads += 8.0 * double(copies * load_doubles(state_.dimension == 2));
}

Part::Times Part::times() const { return {MPI_Wtime() - first_step_at_, fastest_, exchange_.waited()}; }

Wish Part::step(bool watched, Wish wish) {
  note_time();
  wish_ = wish;
  contacts_.make_room();
  contacts_.watch(watched ? Watch::energies : needs());
  for (const auto& driver : drivers_) books_.book(&EnergyLedger::boundary_work, driver->drive(world()));
  contacts_.note_start_velocities(state_);
  motion_.predict(state_);
  ++state_.step;
  state_.time += state_.dt;
  find_contacts();
  ContactWork work = contacts_.evaluate(state_, {base_force_, base_torque_});
  exchange_.add_loads(state_.bodies);
  note_traffic();
  if (const auto through = contacts_.went_through(); through && through_here_ == 0)
    through_here_ =
        double(number_of_[through->first]) * double(walls_.size()) + double(through->second - own_ - ghosts_) + 1;
  for (const auto& driver : drivers_) work += driver->apply(world());
  motion_.correct(state_);
  books_.book(work, state_, false, 1);
  for (const auto& driver : drivers_) driver->measure(world(), false);
  stage_over_ = stages_.near_end(state_.time) && stages_.comes_to_end(world(), drivers_);
  return wish_;
}

void Part::change_stage() {
  stage_over_ = false;
  stages_.go_on();
  books_.book(&EnergyLedger::event_loss, stages_.begin(world(), drivers_));
}

}  // namespace dem
