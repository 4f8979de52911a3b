// Fields of each part of the run, for checkpoint and hash. Shapes, masses and choices come from the case.
#include <fmt/format.h>

#include <algorithm>

#include "libdem/assembly/generators.hpp"
#include "libdem/drivers/cell_kick.hpp"
#include "libdem/motion/gear5.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/state/state_hash.hpp"
#include "libdem/state/view.hpp"

namespace dem {
namespace {

void fields_of_bodies(FieldVisitor& f, Bodies& bodies) {
  const auto terms = [&f](const char* name, auto& all) {
    for (std::size_t k = 0; k < all.size(); ++k) f(fmt::format("{}_{}", name, k), all[k]);
  };
  terms("position", bodies.position);
  terms("rotation", bodies.rotation);
  f("evaluated_position", bodies.evaluated_position);
  f("evaluated_rotation", bodies.evaluated_rotation);
  if (bodies.has_orientations()) {
    terms("orientation", bodies.orientation);
    f("evaluated_orientation", bodies.evaluated_orientation);
    f("evaluated_orientation_before", bodies.evaluated_orientation_before, Hashed::no);
  }
  f("evaluated_position_before", bodies.evaluated_position_before, Hashed::no);
  f("evaluated_rotation_before", bodies.evaluated_rotation_before, Hashed::no);
  f("force", bodies.force, Hashed::no);
  f("torque", bodies.torque, Hashed::no);
}

void fields_of_cell(FieldVisitor& f, State& state) {  // the hash has them from the driver of the cell
  f("vectors", state.cell.vectors, Hashed::no);
  f("evaluated_vectors", state.evaluated_cell.vectors, Hashed::no);
  f("evaluated_vectors_before", state.evaluated_cell_before.vectors, Hashed::no);
  f("rate", state.cell_rate, Hashed::no);
}

}  // namespace

/// Hash of the radii by body. The generator of many random bodies numbers them by place, so that other places mean
/// other radii.
std::uint64_t hash_of_radii(const State& state) {
  StateHash hash;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) hash.add(state.shape_of(b).bounding_radius());
  return hash.value();
}

// The order of the parts is that of the hash.
void Simulation::for_each_part(const std::function<void(const std::string&, const Fields&)>& visit) {
  visit("bodies", [this](FieldVisitor& f) { fields_of_bodies(f, state_.bodies); });
  visit("cell", [this](FieldVisitor& f) { fields_of_cell(f, state_); });
  visit("contacts", [this](FieldVisitor& f) { contacts_->fields(f); });
  visit("books", [this](FieldVisitor& f) { books_.fields(f); });
  if (!case_.start_from.empty()) visit("start", [this](FieldVisitor& f) { books_.fields_of_start(f); });
  for_each_driver_part(visit);
  visit("run", [this](FieldVisitor& f) { fields_of_run(f); });
  if (is_made_by_place(case_))
    visit("packing", [this](FieldVisitor& f) {
      std::uint64_t radii = hash_of_radii(state_);
      f.words("radii", {&radii, 1}, Hashed::no);
    });
}

/// A checkpoint holds no radii: its bodies are made again from the seed. Another version may make others.
void Simulation::check_packing(const ArchiveReader& archive) const {
  if (!is_made_by_place(case_)) return;
  if (archive.has("packing/radii") && archive.integers("packing/radii") == std::vector{hash_of_radii(state_)}) return;
  throw LayoutError(
      fmt::format("{} belongs to another random packing: its bodies have other radii than those that this build of "
                  "version {} makes from the case; go on with the build that wrote it and the same [assembly]",
                  archive.origin(), this_build().program_version));
}

void Simulation::for_each_driver_part(const std::function<void(const std::string&, const Fields&)>& visit) {
  for (const auto& driver : drivers_)
    visit(driver->name(), [this, &driver](FieldVisitor& f) { driver->fields(f, state_); });
}

void Simulation::fields_of_run(FieldVisitor& f) {
  stages_.fields(f, case_, state_);
  health_.fields(f);
  double step = state_.dt;
  f("dt", step, Hashed::no);
  if (f.loads() && step != state_.dt) throw std::runtime_error("the checkpoint was written with another time.step");
}

// A visitor that does not load changes nothing.
void Simulation::save(ArchiveWriter& archive) const {
  const_cast<Simulation*>(this)->for_each_part(
      [&](const std::string& part, const Fields& fields) { save_fields(archive, part, fields); });
}

std::uint64_t Simulation::hash() const {
  StateHash h;
  const_cast<Simulation*>(this)->for_each_part(
      [&](const std::string&, const Fields& fields) { hash_fields(h, fields); });
  return h.value();
}

void Simulation::count_fixed_bytes() {
  fixed_bytes_ = 16384;  // names and other fields of a few numbers
  for_each_part([this](const std::string& part, const Fields& fields) {
    if (part != "contacts") fixed_bytes_ += bytes_of_fields(fields);
  });
}

void Simulation::load(const ArchiveReader& archive) {
  check_packing(archive);
  const auto take = [&](const std::string& part, const Fields& fields) { load_fields(archive, part, fields); };
  for_each_part(take);
  contacts_->arrange(state_);
  stages_.resume(world(), drivers_);
  for_each_driver_part(take);  // again, because resume() has set them to the start of the stage
  records_.is_current = loads_.is_current = false;
}

/// Forces and energies of the present positions, where they are others than those of the run that the state comes from.
void Simulation::evaluate_anew() {
  Bodies& bodies = state_.bodies;
  const std::tuple velocities(bodies.position[1], bodies.rotation[1]);
  const double step = state_.dt;
  if (case_.contact.elongation == Elongation::velocity) {  // contacts would move by another step: by next to none
    constexpr double next_to_none = 0x1p-100;
    state_.dt = next_to_none * step;
    for (auto* terms : {&bodies.position[1], &bodies.rotation[1]})
      for (Vec3& moved : terms->stored()) moved = next_to_none * moved;
  }
  evaluate_at_once();
  state_.dt = step;
  std::tie(bodies.position[1], bodies.rotation[1]) = velocities;
  books_.note_held(state_);
}

void Simulation::change_forces(double residual) {
  evaluate_anew();
  gear_start_plain(state_.bodies, state_.dt);  // else the first step moves by the accelerations of the other case
  books_.book(&EnergyLedger::event_loss, ledger().residual() - residual);
}

/// The cell rests from now on, and so does the mean flow of the bodies: they lose the velocities that their images had.
void Simulation::rest_cell() {
  if (std::ranges::all_of(state_.cell_rate, [](Vec3 rate) { return rate == Vec3{}; })) return;
  const std::array<Vec3, 3> across = state_.cell.reciprocal();
  Tensor3 flow;  // the gradient of its velocity, Ḣ H⁻¹ (1/s)
  for (std::size_t a = 0; a < 3; ++a) flow.add(1, state_.cell_rate[a], across[a]);
  CellKick kick{{}, state_.cell_origin, state_.dt};
  for (std::size_t a = 0; a < 3; ++a) kick.rows[a] = {-flow.m[a][0], -flow.m[a][1], -flow.m[a][2]};
  std::vector<double> works;
  kick_bodies(world(), kick, works);
  state_.cell_rate = {};
}

void Simulation::take_over(const ArchiveReader& archive, bool keep_histories, bool same_forces,
                           std::optional<TangentialHistory> history) {
  check_packing(archive);
  load_fields(archive, "bodies", [this](FieldVisitor& f) { fields_of_bodies(f, state_.bodies); });
  load_fields(archive, "cell", [this](FieldVisitor& f) { fields_of_cell(f, state_); });
  if (!archive.has("run/layout")) throw other_layout(archive, "run");
  const double step = archive.doubles("run/dt").at(0);
  if (step != state_.dt)
    throw std::runtime_error(fmt::format(
        "start_from: that run has time.step = {:g}, this one {:g}; they have to be the same", step, state_.dt));
  if (std::ranges::none_of(case_.stages, [](const Stage& stage) { return stage.cell.has_value(); })) rest_cell();
  state_.step = archive.integers("run/step").at(0);
  state_.time = archive.doubles("run/time").at(0);
  contacts_ = make_contact_engine(case_, state_);
  if (keep_histories) load_fields(archive, "contacts", [this](FieldVisitor& f) { contacts_->fields(f); });
  if (keep_histories && history) contacts_->resume_history(history);
  contacts_->arrange(state_);
  for (const auto& driver : drivers_)
    if (driver->outlives_run())
      load_fields(archive, driver->name(), [&](FieldVisitor& f) { driver->fields(f, state_); });
  health_.check_soon();
  stages_.rewind();
  records_.is_current = loads_.is_current = false;
  if (!keep_histories) {  // contacts start anew: normal forces at once, tangential forces from zero
    evaluate_at_once();
    books_.note_held(state_);
    gear_start_plain(state_.bodies, state_.dt);
  } else {
    load_fields(archive, "books", [this](FieldVisitor& f) { books_.fields(f); });
  }
  books_.count_from_here(state_);
  begin_stage();
  if (keep_histories && !same_forces) {
    evaluate_anew();
    gear_start_plain(state_.bodies, state_.dt);  // else the first step moves by the accelerations of the other run
  }
  if (!keep_histories || !same_forces)
    for (const auto& driver : drivers_) driver->measure(world(), true);
  books_.open(state_, *contacts_);
  health_.measure(*this);
}

}  // namespace dem
