// What a checkpoint holds and the hash sees. Shapes, masses and choices are not in it: they follow from the case, which the results folder keeps.
// Everything that a step reads and changes is; whoever adds such a thing adds it here and changes `layout_text`.
#include <fmt/format.h>

#include <cstring>

#include "libdem/simulation.hpp"
#include "libdem/state/state_hash.hpp"

namespace dem {

namespace {

constexpr std::string_view layout_text = "bodies 3: r0-r5, force, torque, evaluated now and before, orientations; cell 1; contacts 6; plates 2; cell drive 2; shear box 1; mass damping 1; run 7; observer 4; folder 1";

std::span<const double> flat(const std::vector<Vec3>& v) { return {v.empty() ? nullptr : &v.front().x, 3 * v.size()}; }
std::span<const double> flat(const std::vector<Quaternion>& v) { return {v.empty() ? nullptr : &v.front().w, 4 * v.size()}; }

template <class T>
void restore(std::vector<T>& v, const ArchiveReader& archive, const std::string& name) {
  const std::vector<double> values = archive.doubles(name);
  if (values.size() * sizeof(double) != sizeof(T) * v.size()) throw std::runtime_error("the checkpoint does not fit the case: it holds another number of bodies (" + name + ")");
  std::memcpy(static_cast<void*>(v.data()), values.data(), values.size() * sizeof(double));
}

/// Cell vectors now, at the last evaluation and at the one before, and the rate of the present step.
std::array<double, 36> cell_numbers(const State& state) {
  std::array<double, 36> all{};
  std::size_t at = 0;
  for (const auto* vectors : {&state.cell.vectors, &state.evaluated_cell.vectors, &state.evaluated_cell_before.vectors, &state.cell_rate})
    for (const Vec3& v : *vectors)
      for (const double x : {v.x, v.y, v.z}) all[at++] = x;
  return all;
}

void restore_cell(State& state, const std::vector<double>& all) {
  if (all.size() != 36) throw std::runtime_error("the checkpoint does not fit this version of the program");
  std::size_t at = 0;
  for (auto* vectors : {&state.cell.vectors, &state.evaluated_cell.vectors, &state.evaluated_cell_before.vectors, &state.cell_rate})
    for (Vec3& v : *vectors)
      for (double* x : {&v.x, &v.y, &v.z}) *x = all[at++];
}

/// Calls f(name, array) for all arrays of the bodies that a step changes; those of orientations only where there are any.
template <class BodiesType, class F>
void for_each_array(BodiesType& bodies, F f) {
  for (std::size_t k = 0; k < std::size_t(gear_terms); ++k) {
    f("bodies/position_" + std::to_string(k), bodies.position[k]);
    f("bodies/rotation_" + std::to_string(k), bodies.rotation[k]);
  }
  f("bodies/force", bodies.force);
  f("bodies/torque", bodies.torque);
  f("bodies/evaluated_position", bodies.evaluated_position);
  f("bodies/evaluated_position_before", bodies.evaluated_position_before);
  if (!bodies.evaluated_rotation.empty()) {
    f("bodies/evaluated_rotation", bodies.evaluated_rotation);
    f("bodies/evaluated_rotation_before", bodies.evaluated_rotation_before);
  }
  if (!bodies.has_orientations()) return;
  for (std::size_t k = 0; k < std::size_t(gear_terms); ++k)
    if (!bodies.orientation[k].empty()) f("bodies/orientation_" + std::to_string(k), bodies.orientation[k]);
  f("bodies/evaluated_orientation", bodies.evaluated_orientation);
  f("bodies/evaluated_orientation_before", bodies.evaluated_orientation_before);
}

}  // namespace

std::uint64_t Simulation::layout() {
  StateHash h;
  for (char c : layout_text) h.add(std::uint64_t(static_cast<unsigned char>(c)));
  h.add(std::uint64_t(sizeof(PlanarContact)));
  return h.value();
}

void Simulation::save(ArchiveWriter& archive) const {
  for_each_array(state_.bodies, [&](const std::string& name, const auto& v) { archive.put(name, flat(v)); });
  archive.put("cell", std::span<const double>(cell_numbers(state_)));
  contacts_->save(archive);
  if (plates_) plates_->save(archive);
  if (const CellDriver* driver = cell()) driver->save(archive);
  if (shear_box_) shear_box_->save(archive);
  if (damping_) damping_->save(archive);
  const std::uint64_t counts[] = {state_.step, stage_, next_limit_check_, next_health_check_, was_loud_, started_above_, balanced_checks_};
  archive.put("run/counts", std::span<const std::uint64_t>(counts));
  const double clock[] = {state_.time, state_.dt, stage_start_time_, stage_start_strain_};
  archive.put("run/clock", std::span<const double>(clock));
  const double goals[] = {goals_.height, goals_.stress, goals_.void_ratio, goals_.stress_ratio, goals_.kinetic_energy, goals_.servo_error, goals_.unbalanced, goals_.unbalanced_now};
  archive.put("run/goals", std::span<const double>(goals));
  const double energies[] = {ledger_.initial, ledger_.boundary_work, ledger_.friction, ledger_.viscous, ledger_.circulation,
                             ledger_.event_loss, ledger_.absolute_work};
  archive.put("run/ledger", std::span<const double>(energies));
  std::vector<std::uint64_t> cut_short{cut_short_.size()};  // how many, then which: a case may go on with a state of other stages
  cut_short.insert(cut_short.end(), cut_short_.begin(), cut_short_.end());
  archive.put("run/cut_short", std::span<const std::uint64_t>(cut_short));
  archive.put("run/held_force", flat(held_force_));
  archive.put("run/held_torque", flat(held_torque_));
}

std::size_t Simulation::checkpoint_bytes() const {
  std::size_t bytes = 8192 + 48 * held_force_.size() + contacts_->archive_bytes();
  for_each_array(state_.bodies, [&](const std::string&, const auto& v) { bytes += flat(v).size_bytes(); });
  return bytes;
}

void Simulation::load(const ArchiveReader& archive) {
  for_each_array(state_.bodies, [&](const std::string& name, auto& v) { restore(v, archive, name); });
  restore_cell(state_, archive.doubles("cell"));
  contacts_->load(archive);
  const auto counts = archive.integers("run/counts");
  const auto clock = archive.doubles("run/clock");
  const auto goals = archive.doubles("run/goals");
  const auto energies = archive.doubles("run/ledger");
  if (counts.size() != 7 || clock.size() != 4 || goals.size() != 8 || energies.size() != 7) throw std::runtime_error("the checkpoint does not fit this version of the program");
  if (clock[1] != state_.dt) throw std::runtime_error("the checkpoint was written with another time.step");
  state_.step = counts[0];
  stage_ = counts[1];
  next_limit_check_ = counts[2];
  next_health_check_ = counts[3];
  was_loud_ = counts[4] != 0;
  started_above_ = counts[5] != 0;
  balanced_checks_ = counts[6];
  const Stage* stage = finished() ? nullptr : &case_.stages[stage_];
  state_.time = clock[0];
  if (stage) contacts_->override_friction(stage->friction);
  if (stage) contacts_->resume_history(stage->history);
  if (shear_box_) {
    if (stage) shear_box_->resume(*stage);
    shear_box_->load(archive);
  }
  if (plates_) {
    if (stage) plates_->start(*stage, state_.time);
    plates_->load(archive);
  }
  if (cell_) {
    if (stage) cell_->start(*stage, stage_ + 1, state_, *contacts_);
    cell_->load(archive);
  }
  set_mass_damping();
  if (damping_) damping_->load(archive);
  stage_start_time_ = clock[2];
  stage_start_strain_ = clock[3];
  goals_ = {goals[0], goals[1], goals[2], goals[3], goals[4], goals[5], goals[6], goals[7]};
  ledger_ = {};
  ledger_.initial = energies[0];
  ledger_.boundary_work = energies[1];
  ledger_.friction = energies[2];
  ledger_.viscous = energies[3];
  ledger_.circulation = energies[4];
  ledger_.event_loss = energies[5];
  ledger_.absolute_work = energies[6];
  restore(held_force_, archive, "run/held_force");
  restore(held_torque_, archive, "run/held_torque");
  const auto cut_short = archive.integers("run/cut_short");
  if (cut_short.empty() || cut_short[0] + 1 != cut_short.size()) throw std::runtime_error("the checkpoint does not fit this version of the program");
  cut_short_.clear();
  for (const std::uint64_t k : std::span(cut_short).subspan(1))
    if (k < case_.stages.size()) cut_short_.push_back(k);
  records_are_current_ = false;
}

std::size_t Simulation::saved_stage(const ArchiveReader& archive) {
  const auto counts = archive.integers("run/counts");
  if (counts.size() != 7) throw std::runtime_error("the checkpoint does not fit this version of the program");
  return std::size_t(counts[1]);
}

void Simulation::take_over(const ArchiveReader& archive, bool same_law) {
  for_each_array(state_.bodies, [&](const std::string& name, auto& v) { restore(v, archive, name); });
  restore_cell(state_, archive.doubles("cell"));
  const auto counts = archive.integers("run/counts");
  const auto clock = archive.doubles("run/clock");
  if (counts.size() != 7 || clock.size() != 4) throw std::runtime_error("the checkpoint does not fit this version of the program");
  if (clock[1] != state_.dt) throw std::runtime_error(fmt::format("start_from: that run has time.step = {:g}, this one {:g}; they have to be the same", clock[1], state_.dt));
  state_.step = counts[0];
  state_.time = clock[0];
  contacts_ = make_contact_engine(case_, state_);
  if (same_law) contacts_->load(archive);
  if (plates_) plates_->load(archive);
  if (shear_box_) shear_box_->load(archive);
  next_limit_check_ = next_health_check_ = 0;
  stage_ = 0;
  records_are_current_ = false;
  if (!same_law) {  // as they lie: normal forces at once, tangential ones from nothing
    find_contacts();
    evaluate_forces();
    for (std::size_t h = 0; h < held_.size(); ++h) {
      held_force_[h] = state_.bodies.force[held_[h]] - base_force(held_[h]);
      held_torque_[h] = state_.bodies.torque[held_[h]] - base_torque(held_[h]);
    }
  } else {
    restore(held_force_, archive, "run/held_force");
    restore(held_torque_, archive, "run/held_torque");
  }
  if (!start_position_.empty()) start_position_ = state_.bodies.position[0], start_rotation_ = state_.bodies.rotation[0];
  ledger_ = {};
  begin_stage();
  ledger_ = {};
  ledger_.initial = kinetic_energy(state_) + contacts_->stored_normal() + contacts_->stored_tangential();
  measure_step_limit();
}

std::uint64_t Simulation::hash() const {
  StateHash h;
  const Bodies& bodies = state_.bodies;
  for (const auto* terms : {&bodies.position, &bodies.rotation})
    for (const auto& r : *terms) h.add(std::span<const Vec3>(r));
  h.add(std::span<const Vec3>(bodies.evaluated_position));
  h.add(std::span<const Vec3>(bodies.evaluated_rotation));
  if (bodies.has_orientations()) {
    for (const auto& r : bodies.orientation) h.add(std::span<const Quaternion>(r));
    h.add(std::span<const Quaternion>(bodies.evaluated_orientation));
  }
  contacts_->hash(h);
  if (plates_) plates_->hash(h);
  if (shear_box_) shear_box_->hash(h);
  if (cell_) {
    cell_->hash(h);
    for (const auto* vectors : {&state_.cell.vectors, &state_.cell_rate}) h.add(std::span<const Vec3>(*vectors));
    h.add(balanced_checks_);
  }
  h.add(state_.step);
  h.add(state_.time);
  h.add(std::uint64_t(stage_));
  h.add(stage_start_time_);
  h.add(stage_start_strain_);
  h.add(std::uint64_t(was_loud_));
  return h.value();
}

}  // namespace dem
