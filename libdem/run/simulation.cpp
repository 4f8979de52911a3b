#include "libdem/run/simulation.hpp"

#include <fmt/format.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "libdem/assembly/assembly.hpp"
#include "libdem/assembly/start_check.hpp"
#include "libdem/drivers/catalogue.hpp"
#include "libdem/motion/gear5.hpp"
#include "libdem/platform/huge_pages.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/state/groups.hpp"

namespace dem {
namespace {

constexpr std::size_t many_bytes = std::size_t{4} << 20, many_bodies = 10000;
constexpr std::uint64_t tidying_interval = 1000;  // steps

/// True if the rotations of the previous evaluation are needed: elongation from geometry, works of couples on held or
/// loaded bodies. Contacts in the plane store them in any case; clusters need them for their offsets.
bool needs_rotations(const Case& c, const State& state) {
  const Bodies& bodies = state.bodies;
  bool held = false;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    held |= bodies.freedom[b] != free_in_space && !state.shape_of(b).is_wall();  // walls do not turn
  return c.dimension == 2 || bodies.has_orientations() || c.contact.elongation == Elongation::geometric || held ||
         std::ranges::any_of(bodies.applied_torque, [](Vec3 couple) { return couple != Vec3{}; });
}

}  // namespace

Simulation::Simulation(const Case& given)
    : case_(given),
      state_(build_assembly(given)),
      contacts_(make_contact_engine(given, state_)),
      health_(given, state_),
      motion_(given),
      books_(state_) {
  if (case_.time.step == 0) choose_step();
  std::erase_if(case_.assembly.bodies, [](const BodySpec& spec) { return spec.name.empty(); });
  case_.assembly.bodies.shrink_to_fit();
  drivers_ = make_drivers(case_, state_);
  if (std::ranges::any_of(case_.drivers, [](const DriverChoice& choice) { return choice.entry->outside; }))
    books_.follow_all_held(state_);
  for (const auto& driver : drivers_)
    if (driver->has_own_accounts()) books_.keep_apart(driver->held_apart());
  if (!needs_rotations(case_, state_) &&
      std::ranges::none_of(drivers_, [](const auto& driver) { return driver->needs_rotations(); }))
    for (auto* turns : {&state_.bodies.evaluated_rotation, &state_.bodies.evaluated_rotation_before}) turns->clear();
  scale_ = reference_scale(case_, state_);
  health_.check_step(case_, state_);
  check_motion(given, state_);
  begin_stage();
  start();
  count_fixed_bytes();
}

/// Chooses a share of the a-priori limit. The assembly was built with a step of 1 s. Scaling the velocities here gives
/// the bits of a given step.
void Simulation::choose_step() {
  double limit = apriori_limit().dt;
  if (const auto elongation = scheme_of(case_).elongation)
    limit = std::min(limit, apriori_limit_of(case_, state_, elongation).dt);
  if (!std::isfinite(limit))
    throw StepTooLarge(
        "time.step: found \"auto\", allowed a number > 0 for this assembly: no body can move, so that nothing limits "
        "the step");
  state_.dt = case_.time.step = rounded_down(automatic_step_share * limit);
  for (auto* velocities : {&state_.bodies.position[1], &state_.bodies.rotation[1]})
    for (Vec3& v : velocities->stored()) v = state_.dt * v;
  check_times(case_);
}

// The step of the method section. Every line is one action, in this order.
void Simulation::step(bool watched) {
  const bool had_forces = contacts_->has_forces();
  contacts_->make_room();
  contacts_->watch(watched ? Watch::energies : needs());
  Lap lap(times_ != nullptr);
  if (!drivers_.empty()) drive();
  predict();
  if (lap) times_->add(Phase::motion, lap.seconds());
  find_contacts();
  if (lap) times_->add(Phase::search, lap.seconds());
  const ContactWork work = evaluate_forces();
  if (lap) times_->add_evaluation(lap.seconds(), contacts_->times());
  motion_.correct(state_);
  if (lap) times_->add(Phase::motion, lap.seconds());
  books_.book(work, state_, motion_.turn().has_value(), case_.threads);
  for (const auto& driver : drivers_) driver->measure(world(), false);
  if (stages_.near_end(state_.time) && stages_.comes_to_end(world(), drivers_)) {
    if (lap) times_->add(Phase::measuring, lap.seconds());
    show_stage_end();
    if (lap) lap.seconds();  // observers time their own work
    stages_.go_on();
    begin_stage();
  }
  health_.check(*this);
  tidy_memory(had_forces);
  if (!lap) return;
  times_->add(Phase::measuring, lap.seconds());
  ++times_->steps;
}

void Simulation::profile() {
  times_ = std::make_unique<PhaseTimes>();
  contacts_->time_phases(true);
}

/// Quantities that the run itself reads after the next step. The servo and the end of a stage need forces, because the
/// next stage reads the stress. A step that may be the last needs all, because its row is always written.
Watch Simulation::needs() const {
  if (may_end_stage()) return stages_.index() + 1 == case_.stages.size() ? Watch::energies : Watch::forces;
  Watch most = Watch::motion;
  for (const auto& driver : drivers_) most = std::max(most, driver->needs());
  return most;
}

void Simulation::start() {
  for (const auto& driver : drivers_) driver->start(world());
  evaluate_at_once();
  for (const auto& driver : drivers_) driver->measure(world(), true);
  books_.note_held(state_);
  gear_start_plain(state_.bodies, state_.dt);
  // Smooth motion from the start gets proper higher derivatives. They are meaningless if a contact opens, closes or
  // slips within the first step (roughness). Elongation by velocity is undefined for a part of a step.
  if (case_.time.integrator == Integrator::gear5 && case_.contact.elongation == Elongation::geometric) {
    Bodies& bodies = state_.bodies;
    const std::tuple evaluated(bodies.evaluated_position, bodies.evaluated_rotation, bodies.evaluated_orientation);
    const std::tuple loads(bodies.force, bodies.torque);
    const auto restore_evaluated = [&] {
      std::tie(bodies.evaluated_position, bodies.evaluated_rotation, bodies.evaluated_orientation) = evaluated;
    };
    // itself, not a copy, which would lack its room for later steps
    std::unique_ptr<ContactEngine> contacts_at_start = std::move(contacts_);
    const double roughness = gear_start(bodies, state_.dt, [&](Bodies&) {
      contacts_.reset();  // first, because a copy of all contacts is large
      contacts_ = contacts_at_start->clone();
      restore_evaluated();
      evaluate_at_once();
    });
    contacts_ = std::move(contacts_at_start);
    restore_evaluated();
    std::tie(bodies.force, bodies.torque) = loads;
    if (!(roughness < 1e-3)) gear_start_plain(bodies, state_.dt);
  }
  books_.open(state_, *contacts_);
  health_.measure(*this);
}

void Simulation::drive() {
  std::optional<RigidTurn> turn;
  for (const auto& driver : drivers_) {
    books_.book(&EnergyLedger::boundary_work, driver->drive(world()));
    if (!turn) turn = driver->turn();
  }
  motion_.set_turn(turn);
  if (state_.dimension == 2) return;
  for (std::size_t b = state_.bodies.size(); b-- > 0 && state_.shape_of(b).is_wall();)
    if (state_.bodies.rotation[1][b] != Vec3{})
      throw std::logic_error("a driver turns " + wall_label(state_, b) + ", but walls in space cannot turn");
}

void Simulation::predict() {
  contacts_->note_start_velocities(state_);
  const double before = motion_.turn() ? books_.work_of_loads(state_) : 0;
  motion_.predict(state_);
  if (motion_.turn())  // it holds the bodies against gravity and applied forces
    books_.book(&EnergyLedger::boundary_work, before - books_.work_of_loads(state_));
  ++state_.step;
  state_.time += state_.dt;
  records_.forget();
  loads_.forget();
}

void Simulation::find_contacts() {
  try {
    contacts_->find_candidates(state_);
  } catch (const geometry::GeometryError& error) {
    if (state_.step == 0) throw;  // at step 0 the case is wrong; later the motion is
    const std::string found = blow_up_message(*this);
    throw BlowUp(!found.empty() ? found
                                : fmt::format("step {} (t = {:.6g} s): {}", state_.step, state_.time, error.what()));
  }
}

ContactWork Simulation::evaluate_forces() {
  const auto& turn = motion_.turn();
  const auto evaluate = [&] { return contacts_->evaluate(state_, books_.loads()); };
  const auto evaluate_shown = [&] {
    // The turn takes no time and is in no velocity. Elongation by velocity would miss the twist of the contacts and add
    // up the remaining motion of the bodies.
    const ShownTurn shown(state_, *turn);
    contacts_->note_start_velocities(state_);
    return evaluate();
  };
  ContactWork work = turn && case_.contact.elongation == Elongation::velocity ? evaluate_shown() : evaluate();
  // In a turn no contact moves. In the plane, work is a trapezoid of force over movement along lines that turn. A force
  // that changes meanwhile would seem to do work.
  if (turn && state_.dimension == 2) work.viscous = work.circulation = work.absolute = 0;
  if (const auto through = contacts_->went_through()) throw BlowUp(went_through_message(state_, *through));
  for (const auto& driver : drivers_) {
    const ContactWork more = driver->apply(world());
    if (turn) continue;
    work += more;
    if (driver->has_own_accounts()) books_.book(&EnergyLedger::own_force_work, driver->own_work());
  }
  return work;
}

/// Forces of a state to which no step leads.
void Simulation::evaluate_at_once() {
  find_contacts();
  contacts_->damp_velocities(true);
  evaluate_forces();
  contacts_->damp_velocities(false);
}

void Simulation::show_stage_end() {
  if (!at_stage_end_) return;
  at_stage_end_();
  records_.forget();  // the next stage may change friction and histories
  loads_.forget();
}

void Simulation::begin_stage() {
  books_.book(&EnergyLedger::event_loss, stages_.begin(world(), drivers_));
  health_.begin_stage(case_, state_.step);
}

/// Frees memory that only building an assembly or a list of candidates needs, now and then, if a list was built or
/// forces were dropped. The remaining memory gets huge pages. Small assemblies fit in caches.
void Simulation::tidy_memory(bool had_forces) {
  const bool untidy = (had_forces && !contacts_->has_forces()) || list_builds() != tidied_builds_;
  if (!untidy || state_.step < next_tidying_) return;
  tidied_builds_ = list_builds();
  next_tidying_ = state_.step + tidying_interval;
  if (state_.bodies.size() <= many_bodies) return;
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  use_huge_pages();
}

/// Long lists keep their memory only while they are requested at every step.
template <class T>
void Simulation::Seen<T>::forget() {
  if (!is_current && list.size() * sizeof(T) > many_bytes) std::vector<T>().swap(list);
  is_current = false;
}

std::span<const ContactRecord> Simulation::contacts() const {
  if (!records_.is_current) contacts_->records(state_, records_.list);
  records_.is_current = true;
  return records_.list;
}

std::span<const ContactLoad> Simulation::loads() const {
  if (!loads_.is_current) contacts_->loads(state_, loads_.list);
  loads_.is_current = true;
  return loads_.list;
}

}  // namespace dem
