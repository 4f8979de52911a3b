#include "libdem/simulation.hpp"

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libdem/drivers/wall_motion.hpp"
#include "libdem/huge_pages.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/motion/velocity_verlet.hpp"
#include "libdem/parallel.hpp"
#include "libdem/run_plan.hpp"
#include "libdem/simulation_setup.hpp"
#include "libdem/state/assembly.hpp"
#include "libdem/state/start_check.hpp"
#include "libdem/state/start_motion.hpp"

namespace dem {

namespace {
constexpr std::uint64_t health_interval = 16;  // steps between the cheap checks for a blow-up
constexpr std::uint64_t limit_interval = 1000;  // steps between measurements of the time-step limit near it; farther away more
constexpr std::size_t large_assembly = 10000;  // bodies (contacts): its memory is tidied up now and then
constexpr std::uint64_t balanced_checks = 10;  // in a row, health_interval steps apart: then the assembly is in balance

/// May a coordinate that is not free move, so that what holds it does work?
bool is_driven(const State& state, std::size_t b) {
  const Bodies& bodies = state.bodies;
  const unsigned freedom = bodies.freedom[b];
  if (state.shape_of(b).is_wall()) return true;  // a stage may move it
  if (freedom == free_in_plane || freedom == free_in_space) return false;
  if (bodies.group[b] == group_bottom_plate || bodies.group[b] == group_top_plate) return true;
  const Vec3 velocity = bodies.position[1][b], spin = bodies.rotation[1][b];
  return (!(freedom & free_x) && velocity.x != 0) || (!(freedom & free_y) && velocity.y != 0) || (!(freedom & free_z) && velocity.z != 0) ||
         (!(freedom & free_rx) && spin.x != 0) || (!(freedom & free_ry) && spin.y != 0) || (!(freedom & free_rz) && spin.z != 0);
}

/// Whether anybody compares the turns of the bodies from one evaluation to the next: elongation from geometry, mass damping, works of couples
/// on what is held or loaded. Contacts in the plane note them in any case, clusters need them for their offsets.
bool turns_are_compared(const Case& c, const State& state) {
  const Bodies& bodies = state.bodies;
  bool held = false;
  for (std::size_t b = 0; b < bodies.size(); ++b) held |= bodies.freedom[b] != free_in_space && !state.shape_of(b).is_wall();  // walls do not turn
  return c.dimension == 2 || bodies.has_orientations() || c.contact.elongation == Elongation::geometric || largest_mass_damping(c) > 0 ||
         held ||
         std::ranges::any_of(bodies.applied_torque, [](Vec3 couple) { return couple != Vec3{}; });
}

/// How to keep a limit of the time step. Strong damping is what makes it small where the damping ratio is not. `without_tangential`: the limit
/// of the same case without tangential damping, which is named where it costs half of the step or more.
std::string what_helps(const Case& c, double limit, double damping_ratio, double without_tangential) {
  const Material& m = c.material;
  std::string more;
  if (without_tangential >= 2 * limit) {
    const std::string now = m.tangential_damping               ? fmt::format(" ({:g} kg/s now", *m.tangential_damping)
                            : m.tangential_damping_ratio >= 0 ? fmt::format(" ({:g} now", m.tangential_damping_ratio)
                                                              : " (that of the law now";
    more = fmt::format(", a smaller material.{}{}; without tangential damping the limit is {:.3g} s)",
                       m.tangential_damping ? "tangential_damping" : "tangential_damping_ratio", now, without_tangential);
  }
  if (damping_ratio > 0.1)
    more += m.normal_damping ? ", less normal_damping" : ", a higher restitution (less damping)";
  return fmt::format("use time.step = {:.2g}{}, or time.override_limit = true to run all the same", 0.8 * limit, more);
}

Case without_tangential_damping(Case c) {
  c.material.tangential_damping = 0;
  return c;
}
}

Simulation::Simulation(const Case& given) : case_(given), state_(build_assembly(given)), contacts_(make_contact_engine(given, state_)) {
  const Bodies& bodies = state_.bodies;
  const std::size_t n = bodies.size();
  apriori_ = apriori_limit_of(case_, state_);
  if (case_.time.step == 0) choose_step();
  std::erase_if(case_.assembly.bodies, [](const BodySpec& spec) { return spec.name.empty(); });
  case_.assembly.bodies.shrink_to_fit();
  for (std::size_t b = 0; b < n; ++b) {
    base_force_.push_back(state_.shape_of(b).is_wall() ? Vec3{} : bodies.applied_force_on(b) + bodies.mass[b] * state_.gravity);  // walls have no weight
    base_torque_.push_back(bodies.applied_torque_on(b));
    if (is_driven(state_, b)) held_.push_back(b);
    if (bodies.freedom[b] != 0 && (base_force_.back() != Vec3{} || base_torque_.back() != Vec3{})) loaded_.push_back(b);
  }
  for (auto* base : {&base_force_, &base_torque_})
    if (std::ranges::all_of(*base, [](Vec3 v) { return v == Vec3{}; })) std::vector<Vec3>().swap(*base);  // `= {}` would keep the memory
  held_force_.resize(held_.size());
  held_torque_.resize(held_.size());
  const auto acts = [](Vec3 v) { return v != Vec3{}; };
  if (acts(state_.gravity) || std::ranges::any_of(bodies.applied_force, acts) || std::ranges::any_of(bodies.applied_torque, acts)) {
    start_position_ = bodies.position[0];
    start_rotation_ = bodies.rotation[0];
  }
  if (case_.plates) plates_.emplace(state_, state_.cell.periodic[0] ? state_.cell.vectors[0].x : case_.cell_size.x);
  if (case_.shear_box) shear_box_.emplace(*case_.shear_box, state_);
  if (std::ranges::any_of(case_.stages, [](const Stage& stage) { return stage.cell.has_value(); })) cell_.emplace(case_, state_);
  if (largest_mass_damping(case_) > 0) damping_.emplace(state_);
  if (!turns_are_compared(case_, state_))
    for (auto* turns : {&state_.bodies.evaluated_rotation, &state_.bodies.evaluated_rotation_before}) std::vector<Vec3>().swap(*turns);
  scale_ = reference_scale(case_, state_);
  if (plates_ && !(scale_.mean_diameter > 0)) throw AssemblyError("plates: there is nothing between them, no body of the case can move");
  if (state_.dt > apriori_.dt && !case_.time.override_limit)
    throw StepTooLarge(fmt::format("time.step: found {:g} s, allowed at most {:.4g} s for this assembly ({}); {}", state_.dt, apriori_.dt,
                                   apriori_.cause(), what_helps(case_, apriori_.dt, apriori_.damping_ratio, apriori_limit_of(without_tangential_damping(case_), state_).dt)));
  check_motion(given, state_, plates_ ? plates_->height() : 0);
  begin_stage();
  start();
}

/// A share of the a-priori limit, rounded down to two digits, so that the resolved case reads well. The assembly was built as if a step took 1 s:
/// what it holds of velocities gets its factor here, with the bits that a given step would have.
void Simulation::choose_step() {
  if (!std::isfinite(apriori_.dt))
    throw StepTooLarge("time.step: found \"auto\", allowed a number > 0 for this assembly: no body can move, so that nothing limits the step");
  const double step = automatic_step_share * apriori_.dt, unit = std::pow(10, std::floor(std::log10(step)) - 1);
  case_.time.step = std::stod(fmt::format("{:.1e}", std::floor(step / unit * (1 + 1e-9)) * unit));
  state_.dt = case_.time.step;
  for (auto* velocities : {&state_.bodies.position[1], &state_.bodies.rotation[1]})
    for (Vec3& v : *velocities) v = state_.dt * v;
}

// The step of the method section: every line is one action, in this order.
void Simulation::step(bool watched) {
  const bool had_forces = contacts_->has_forces();
  contacts_->make_room();
  contacts_->watch(watched ? Watch::energies : needs());
  drive();
  predict();
  find_contacts();
  const ContactWork work = evaluate_forces();
  correct();
  account(work);
  if (plates_) plates_->measure(state_);
  if (cell_) cell_->measure(state_, *contacts_);
  if (shear_box_) shear_box_->measure(state_);
  advance_stage();
  check_health();
  const bool untidy = (had_forces && !contacts_->has_forces()) || contacts_->list_builds() != tidied_builds_;
  if (untidy && state_.step >= next_tidying_) tidy_memory();
}

/// Building an assembly or a list takes more memory than keeping it: what was freed in between goes back to the system, what is kept gets
/// huge pages. After the first step, which no longer keeps the forces of the start, and after later ones. Small assemblies are in the caches.
void Simulation::tidy_memory() {
  tidied_builds_ = contacts_->list_builds();
  next_tidying_ = state_.step + limit_interval;
  if (state_.bodies.size() <= large_assembly) return;
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  use_huge_pages();
}

/// What the run looks at itself after the next step: forces, for the servo and where a stage may end, at which the next one reads the stress;
/// all, where it may be the last step, whose row is always written.
Watch Simulation::needs() const {
  if (may_end_stage()) return stage_ + 1 == case_.stages.size() ? Watch::energies : Watch::forces;
  return cell_ && cell_->has_servo() ? Watch::forces : Watch::motion;
}

bool Simulation::may_end_stage() const {
  if (finished()) return false;
  const Stage& stage = case_.stages[stage_];
  if (stage.cycles || stage.until_target || stage.stress_ratio || stage.void_ratio || (cell_ && cell_->turning())) return true;
  if ((stage.quiet || stage.unbalanced) && (state_.step + 1) % health_interval == 0) return true;
  const double pace = std::abs(cell_ ? cell_->stage_rate() : stage.shear_rate), ahead = 2 * state_.dt;
  return (stage.duration && state_.time + ahead - stage_start_time_ >= *stage.duration) ||
         (stage.strain && std::abs(strain() - stage_start_strain_) + pace * ahead >= *stage.strain);
}

void Simulation::start() {
  if (plates_) plates_->drive(state_);
  if (shear_box_) shear_box_->drive(state_);
  find_contacts();
  evaluate_forces();
  if (plates_) plates_->measure_start(state_);
  if (cell_) cell_->measure_start(state_, *contacts_);
  for (std::size_t h = 0; h < held_.size(); ++h) {
    held_force_[h] = state_.bodies.force[held_[h]] - base_force(held_[h]);
    held_torque_[h] = state_.bodies.torque[held_[h]] - base_torque(held_[h]);
  }
  gear_start_plain(state_.bodies, state_.dt);
  // Smooth motion from the start deserves proper higher derivatives; where a contact opens, closes or slips within the first step
  // they mean nothing (roughness), and elongation by velocity has no meaning for a part of a step.
  if (case_.time.integrator == Integrator::gear5 && case_.contact.elongation == Elongation::geometric) {
    const Bodies kept = state_.bodies;
    std::unique_ptr<ContactEngine> contacts_at_start = std::move(contacts_);  // itself, not a copy: it has its room for later steps
    const double roughness = gear_start(state_.bodies, state_.dt, [&](Bodies& bodies) {
      contacts_ = contacts_at_start->clone();
      bodies.evaluated_position = kept.evaluated_position;
      bodies.evaluated_rotation = kept.evaluated_rotation;
      bodies.evaluated_orientation = kept.evaluated_orientation;
      find_contacts();
      evaluate_forces();
    });
    contacts_ = std::move(contacts_at_start);
    if (!(roughness < 1e-3)) {
      state_.bodies = kept;
    } else {
      state_.bodies.evaluated_position = kept.evaluated_position;
      state_.bodies.evaluated_rotation = kept.evaluated_rotation;
      state_.bodies.evaluated_orientation = kept.evaluated_orientation;
      state_.bodies.force = kept.force;
      state_.bodies.torque = kept.torque;
    }
  }
  ledger_ = {};
  ledger_.initial = kinetic_energy(state_) + contacts_->stored_normal() + contacts_->stored_tangential();
  measure_step_limit();
}

void Simulation::drive() {
  if (plates_) plates_->drive(state_);
  if (shear_box_) shear_box_->drive(state_);
  if (!cell_) return;
  kinematic_ = cell_->turning();
  const double kicks = cell_->drive(state_, case_.threads, keeps_ledger());
  ledger_.boundary_work += kicks;
  ledger_.absolute_work += std::abs(kicks);
}

void Simulation::predict() {
  contacts_->note_start_velocities(state_);
  if (cell_) CellDriver::move(state_);
  if (kinematic_) cell_->turn(state_);
  else {
    parallel_parts(case_.threads, state_.bodies.size(), [&](std::size_t first, std::size_t last) {
      if (case_.time.integrator == Integrator::gear5) gear_predict(state_.bodies, first, last);
      else verlet_predict(state_.bodies, first, last);
    });
  }
  ++state_.step;
  state_.time += state_.dt;
  // Of large assemblies records are kept only while somebody asks for them at every step.
  if (!records_are_current_ && records_.size() > large_assembly) std::vector<ContactRecord>().swap(records_);
  records_are_current_ = false;
}

void Simulation::find_contacts() {
  try {
    contacts_->find_candidates(state_);
  } catch (const geometry::GeometryError& error) {
    if (state_.step == 0) throw;  // the case; later it is the motion
    const std::string found = blow_up_message(*this);
    throw BlowUp(!found.empty() ? found : fmt::format("step {} (t = {:.6g} s): {}", state_.step, state_.time, error.what()));
  }
}

ContactWork Simulation::evaluate_forces() {
  const BaseLoads base{base_force_, base_torque_};
  ContactWork work;
  if (kinematic_ && case_.contact.elongation == Elongation::velocity) {
    // The turn takes no time and is in nobody's velocity, but elongation by velocity sees nothing else: it would miss the twist of the
    // contacts and add up what the bodies have left of their motion.
    CellDriver::Motion kept = cell_->show_turn(state_);
    contacts_->note_start_velocities(state_);
    work = contacts_->evaluate(state_, base);
    CellDriver::hide_turn(state_, std::move(kept));
  } else {
    work = contacts_->evaluate(state_, base);
  }
  if (const auto through = contacts_->went_through())
    throw BlowUp(fmt::format("step {} (t = {:.6g} s): the centre of {} has gone through {}, at ({:.6g}, {:.6g}, {:.6g}) m. Likely cause: contacts too soft for "
                             "the load, or a time step in which it moves too far.",
                             state_.step, state_.time, body_label(state_, through->first), wall_label(state_, through->second),
                             state_.bodies.position[0][through->first].x, state_.bodies.position[0][through->first].y, state_.bodies.position[0][through->first].z));
  if (damping_) {
    const ContactWork damped = damping_->apply(state_, case_.threads);
    if (!kinematic_) work += damped;
  }
  return work;
}

void Simulation::correct() {
  if (kinematic_) return;
  parallel_parts(case_.threads, state_.bodies.size(), [&](std::size_t first, std::size_t last) {
    if (case_.time.integrator == Integrator::gear5)
      gear_correct(state_.bodies, state_.dt, gear_coefficients(case_.time.gear_coefficients), first, last);
    else
      verlet_correct(state_.bodies, state_.dt, first, last);
  });
}

std::span<const ContactRecord> Simulation::contacts() const {
  if (!records_are_current_) contacts_->records(state_, records_);
  records_are_current_ = true;
  return records_;
}

void Simulation::begin_stage() {
  stage_start_time_ = state_.time;
  stage_start_strain_ = strain();
  goals_ = {};
  was_loud_ = false;
  balanced_checks_ = 0;
  set_mass_damping();
  if (case_.time.limit_check_interval == 0) next_limit_check_ = std::min(next_limit_check_, state_.step + limit_interval);  // another load, another damping
  if (finished()) return;
  const Stage& stage = case_.stages[stage_];
  contacts_->override_friction(stage.friction);
  const double dropped = contacts_->set_history(stage.history);
  ledger_.event_loss += dropped;
  ledger_.absolute_work += std::abs(dropped);
  move_walls(case_, stage, state_);
  if (plates_) {
    plates_->start(stage, state_.time);
    goals_.height = plates_->height();
    goals_.stress = plates_->stress().normal_top;
  }
  if (shear_box_) shear_box_->start(stage, state_);
  if (!cell_) return;
  cell_->start(stage, stage_ + 1, state_, *contacts_);
  goals_.void_ratio = cell_->void_ratio();
  stage_start_strain_ = strain();
  started_above_ = stage.void_ratio && cell_->void_ratio() > *stage.void_ratio;
}

void Simulation::set_mass_damping() {
  if (damping_) damping_->set(finished() ? case_.material.mass_damping : case_.stages[stage_].mass_damping.value_or(case_.material.mass_damping));
}

void Simulation::advance_stage() {
  if (finished()) return;
  const Stage& stage = case_.stages[stage_];
  const double half = 0.5 * state_.dt;  // the step that comes nearest ends the stage
  const bool late = stage.duration && state_.time - stage_start_time_ >= *stage.duration - half;
  bool over = false;
  const double pace = cell_ ? cell_->stage_rate() : stage.shear_rate;
  if (stage.strain)  // gained in either direction
    over |= std::abs(strain() - stage_start_strain_) >= *stage.strain - 0.5 * std::abs(pace) * state_.dt;
  if (plates_) over |= plates_->cycles_over();
  if (shear_box_) over |= shear_box_->displacement_reached(state_);
  if (stage.until_target && plates_) over |= plates_->target_reached();
  if (cell_) over |= cell_stage_over(stage);
  if (stage.quiet && state_.step % health_interval == 0) {
    const double energy = kinetic_energy(state_);
    const bool quiet = energy < *stage.quiet;
    goals_.kinetic_energy = std::max(goals_.kinetic_energy, energy);
    over |= quiet && was_loud_;  // it has to fall below the limit: a stage that starts from rest is not over at once
    was_loud_ |= !quiet;
  }
  if (!over && !late) return;
  if (!over && !goals_of(stage).empty()) cut_short_.push_back(stage_);
  ++stage_;
  begin_stage();
}

/// Ends that need the whole cell's stress, volume or balance.
bool Simulation::cell_stage_over(const Stage& stage) {
  bool over = cell_->turned();
  if (stage.until_target && cell_->has_servo()) {
    if (const double error = cell_->largest_servo_error(); error > goals_.servo_error) goals_.servo_error = error;
    over |= cell_->target_reached(state_, stage.stress_tolerance, stage.stress_hold_time);
  }
  if (stage.stress_ratio) {
    const Tensor3& stress = cell()->stress();
    const double p = mean_pressure(stress, state_.dimension), q = deviator_stress(stress, state_.dimension);
    over |= p > 0 && q >= *stage.stress_ratio * p;
    if (goals_.stress_ratio == 0 && p > 0) goals_.stress_ratio = q / p;
  }
  if (stage.void_ratio) over |= started_above_ ? cell_->void_ratio() <= *stage.void_ratio : cell_->void_ratio() >= *stage.void_ratio;
  if (stage.unbalanced && state_.step % health_interval == 0) {
    const bool on_target = !cell_->has_servo() || cell_->largest_servo_error() <= case_.stages[stage_].cell->tolerance;
    const double index = mean_unbalanced_force(contacts(), state_.bodies);
    goals_.unbalanced_now = index;
    goals_.unbalanced = std::max(goals_.unbalanced, index);
    balanced_checks_ = on_target && index > 0 && index < *stage.unbalanced ? balanced_checks_ + 1 : 0;
    over |= balanced_checks_ >= balanced_checks;
  }
  return over;
}

double Simulation::stage_progress() const {
  if (finished()) return 1;
  const Stage& stage = case_.stages[stage_];
  const double elapsed = stage_time();
  double share = 0;
  const auto note = [&share](double done) {
    if (done > share) share = done;
  };
  const auto linear = [](double from, double now, double to) { return to != from ? (now - from) / (to - from) : 0; };
  const auto decay = [](double from, double now, double to) { return from > to && now > 0 ? std::log(from / now) / std::log(from / to) : 0; };
  // A target that has to be held for a time: what the approach takes, guessed from its share, and then that time.
  const auto with_hold = [&](double approach, double within_since, double hold) {
    if (within_since >= 0) return linear(0, elapsed, elapsed + std::max(0.0, hold - (state_.time - within_since)));
    return approach > 0 ? linear(0, elapsed, elapsed / std::min(approach, 0.99) + hold) : 0;
  };
  if (stage.duration) note(elapsed / *stage.duration);
  if (stage.strain) note(std::abs(strain() - stage_start_strain_) / *stage.strain);
  if (cell_) note(cell_->turned_share());
  if (shear_box_) note(shear_box_->displacement_share(state_));
  if (stage.quiet && was_loud_) note(decay(goals_.kinetic_energy, kinetic_energy(state_), *stage.quiet));
  if (plates_) {
    if (stage.cycles) note(plates_->cycles_done() / *stage.cycles);
    if (stage.until_target && stage.normal == PlateNormal::move_to_height) note(linear(goals_.height, plates_->height(), stage.height));
    if (stage.until_target && stage.normal == PlateNormal::hold_stress)
      note(with_hold(linear(goals_.stress, plates_->stress().normal_top, stage.normal_stress), plates_->within_since(), stage.stress_hold_time));
  }
  if (cell_) {
    if (stage.void_ratio) note(linear(goals_.void_ratio, cell_->void_ratio(), *stage.void_ratio));
    if (stage.until_target && cell_->has_servo())
      note(with_hold(decay(goals_.servo_error, cell_->largest_servo_error(), stage.stress_tolerance), cell_->within_since(), stage.stress_hold_time));
    if (stage.unbalanced) note(decay(goals_.unbalanced, goals_.unbalanced_now, *stage.unbalanced));
    if (stage.stress_ratio && goals_.stress_ratio > 0) {
      const Tensor3& stress = cell()->stress();
      note(linear(goals_.stress_ratio, deviator_stress(stress, state_.dimension) / mean_pressure(stress, state_.dimension), *stage.stress_ratio));
    }
  }
  return std::min(share, 1.0);
}

void Simulation::check_health() {
  if (state_.step >= next_limit_check_) measure_step_limit();
  if (state_.step < next_health_check_) return;
  next_health_check_ = state_.step + health_interval;
  if (const auto lost = shear_box_ ? shear_box_->lost_body(state_) : std::nullopt) {
    const Vec3 x = state_.bodies.position[0][*lost];
    throw BlowUp(fmt::format("step {} (t = {:.6g} s): {} has left the shear box, at ({:.6g}, {:.6g}, {:.6g}) m. Likely cause: contacts too soft for the load, an opening "
                             "wider than a sphere (shear_box.gap, shear_box.ledge), or a time step in which it moves too far.",
                             state_.step, state_.time, body_label(state_, *lost), x.x, x.y, x.z));
  }
  const std::string found = blow_up_message(*this);
  if (!found.empty()) throw BlowUp(found);
}

void Simulation::measure_step_limit() {
  limit_meter_.begin(state_.bodies, contacts_->size(), limit_options());
  if (state_.dimension == 2) limit_meter_.add(contacts());
  else contacts_->visit(state_, [this](std::span<const ContactRecord> some) { limit_meter_.add(some); });
  measured_ = limit_meter_.finish(scheme_of(case_));
  const double interval = case_.time.limit_check_interval;
  next_limit_check_ = state_.step + (interval > 0 ? std::uint64_t(std::ceil(interval / state_.dt)) : steps_to_next_check());
  if (state_.dt > measured_->dt && !case_.time.override_limit)
    throw StepTooLarge(fmt::format("step {}: time.step = {:g} s exceeds the limit {:.4g} s measured from the contacts ({}; {} with {}); {}",
                                   state_.step, state_.dt, measured_->dt, measured_->cause(), body_label(state_, measured_->contact.i),
                                   body_label(state_, measured_->contact.j), what_helps(case_, measured_->dt, measured_->damping_ratio, limit_without_tangential_damping())));
}

double Simulation::limit_without_tangential_damping() const {
  std::vector<ContactRecord> records;
  contacts_->records(state_, records);
  for (ContactRecord& contact : records) contact.tangential_damping = 0;
  return StepLimitMeter().measure(state_.bodies, records, scheme_of(case_), limit_options()).dt;
}

StepLimitMeter::Options Simulation::limit_options() const {
  return {.damp_while_sliding = case_.contact.damp_while_sliding, .rotational_damping = case_.material.rotational_damping,
          .mass_damping = damping_ ? damping_->alpha() : 0, .dimension = state_.dimension};
}

/// What the contacts are now may change before the next measurement: it comes the later the farther the step is from the limit. The
/// a-priori limit is about half of what a dense packing of spheres or discs has; an assembly that is still loose has that much at most.
std::uint64_t Simulation::steps_to_next_check() const {
  // Polygons whose faces are infinitely stiff at first touch (apriori_limit_of) have no such bound.
  if (case_.contact.normal_force == NormalForce::area_potential && case_.contact.potential_exponent < 2) return limit_interval;
  // Clusters may meet with more contacts than the a-priori limit counts: a loose assembly of them says nothing of the dense one.
  if (state_.bodies.has_orientations() && !(measured_->dt <= 2 * apriori_.dt)) return limit_interval;
  const double share = state_.dt / std::min(measured_->dt, 2 * apriori_.dt);
  return share > 0.7 ? limit_interval : share > 0.35 ? 3 * limit_interval : 10 * limit_interval;
}

}  // namespace dem
