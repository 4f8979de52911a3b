#include "libdem/run_observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <set>

#include "libdem/cell_columns.hpp"
#include "libdem/measure/dimensionless.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/stress.hpp"
#include "libdem/run_plan.hpp"
#include "libdem/state/assembly.hpp"
#include "libdem/state/start_check.hpp"
#include "libdem/wall_columns.hpp"

namespace dem {
namespace {

constexpr std::size_t most_tracked = 16;
constexpr double most_bins = 1e6;

const std::vector<Column> always = {
    {"step", "1", "step number"},
    {"time", "s", "time"},
    {"stage", "1", "number of the stage, from 1"},
    {"contacts", "1", "contacts, overlap components counted singly"},
    {"coordination", "1", "mean number of contacts of a free body, rattlers included"},
    {"mechanical_coordination", "1", "mean number of contacts of a free body, over those with two or more contacts"},
    {"rattlers", "1", "free bodies with fewer than two contacts"},
    {"sliding_fraction", "1", "fraction of contacts at the Coulomb limit"},
    {"largest_overlap", "1", "largest overlap, in diameters of the smaller body"},
    {"unbalanced_force", "1", "root mean square resultant on free bodies over that of the contact forces"},
    {"fabric_anisotropy", "1", "difference of the principal values of the fabric tensor of contact normals"},
};

const std::vector<Column> of_plates = {
    {"strain", "1", "shear strain, time integral of the shear rate"},
    {"height", "m", "distance of the plates, between the mean heights of their centroids"},
    {"wall_normal_bottom", "N/m", "normal stress on the bottom plate, compression positive"},
    {"wall_normal_top", "N/m", "normal stress on the top plate, compression positive"},
    {"wall_shear_bottom", "N/m", "shear stress by the bottom plate, positive as in shear along +x at the top"},
    {"wall_shear_top", "N/m", "shear stress by the top plate, positive along +x on the assembly"},
    {"shear_ratio", "1", "mean wall shear stress over mean wall normal stress (compression positive); nan unless the normal stress is positive"},
    {"stress_xx", "N/m", "mean stress between the plates' mean heights (Love-Weber), tension positive"},
    {"stress_xy", "N/m", "mean stress between the plates' mean heights: force along x, face normal along y"},
    {"stress_yx", "N/m", "mean stress between the plates' mean heights: force along y, face normal along x"},
    {"stress_yy", "N/m", "mean stress between the plates' mean heights, tension positive"},
    {"inertial_number", "1", "inertial number of the mean wall normal stress; inf unless that is positive"},
    {"stiffness_number", "1", "normal stiffness over mean wall normal stress; inf unless that is positive"},
};

bool cyclic(const Case& c) {
  return std::ranges::any_of(c.stages, [](const Stage& stage) { return stage.cycles.has_value(); });
}

const std::vector<Column> of_histories = {
    {"history_legs", "1", "legs of a contact's history, mean over the contacts"},
    {"history_bytes", "byte", "memory that all histories need, room that is kept for more not included"},
};

const std::vector<Column> of_checked_histories = {
    {"history_exact_legs", "1", "legs of a contact's exact history, mean over the contacts"},
    {"history_merge_error", "1", "largest difference of a tangential force from that of the exact history so far, over f F_n"},
};

/// What closed loops of two polygons gave (polygon-dem reference, §6): 0 to 6 % of the work with area-gradient, 3 to 63 % with edge-mean. Of other
/// planes and of laws in space nothing of the kind is known.
std::optional<RunNumbers::KnownCirculation> known_circulation(const Case& c) {
  if (c.contact.normal_force != NormalForce::area_over_length) return {};
  if (c.contact.plane == geometry::ContactPlane::area_gradient) return {{0.06, "area-over-length with the plane area-gradient"}};
  if (c.contact.plane == geometry::ContactPlane::edge_mean) return {{0.63, "area-over-length with the plane edge-mean"}};
  return {};
}

const std::vector<Column> of_jumps = {
    {"step", "1", "step number"},
    {"time", "s", "time at the end of the step in which the plane jumped"},
    {"plane", "1", "definition of the plane: 0 area-gradient, 1 chord, 2 edge-mean, 3 edge-mean-unsigned, 4 edge-mean-branch, 5 edge-axial"},
    {"i", "1", "first body of the contact"},
    {"j", "1", "second body of the contact"},
    {"image_x", "1", "periodic image of the second body along the first direction"},
    {"image_y", "1", "periodic image of the second body along the second direction"},
    {"component", "1", "number of the overlap component of the pair"},
    {"jump_deg", "deg", "turn of the plane that no movement explains; 180: the plane stayed, but its normal turned round"},
    {"area", "m2", "overlap area at the jump"},
    {"chord", "m", "length of the gradient of the overlap area: of the chord where the boundaries cross twice"},
    {"merged_or_split", "1", "1: parts of the overlap merged or split there"},
};

}  // namespace

RunObserver::RunObserver(const Simulation& run) : columns_(always), free_(free_bodies(run.state().bodies)), first_step_(run.step_count()), lost_(run.state()) {
  const State& state = run.state();
  if (run.plates()) {
    start_position_ = state.bodies.position[0];
    start_rotation_ = state.bodies.rotation[0];
    columns_.insert(columns_.end(), of_plates.begin(), of_plates.end());
    if (cyclic(run.given())) columns_.push_back({"cycles", "1", "strain cycles of the stage that are done"});
    width_ = state.cell.periodic[0] ? state.cell.vectors[0].x : run.given().cell_size.x;
    // Bins of about a diameter over the start height.
    bins_.low = INFINITY;
    for (std::size_t b = 0; b < state.bodies.size(); ++b)
      if (free_[b]) bins_.low = std::min(bins_.low, state.bodies.position[0][b].y);
    bins_.low -= run.mean_diameter() / 2;
    const double bins = std::round(run.plates()->height() / run.mean_diameter());
    if (!(bins <= most_bins)) throw AssemblyError(fmt::format("plates.gap: found plates {:g} mean diameters apart, allowed at most {:g}: profiles have a bin for each", bins, most_bins));
    bins_.count = std::max<std::size_t>(1, std::size_t(bins));
    bins_.high = bins_.low + double(bins_.count) * run.mean_diameter();
    std::vector<double> centres;
    for (std::size_t k = 0; k < bins_.count; ++k)
      centres.push_back(bins_.low + (double(k) + 0.5) * run.mean_diameter());
    for (const Column& column :
         {Column{"velocity_x", "m/s", "mean velocity along x of the free bodies in the bin"},
          Column{"shear_rate", "1/s", "its derivative with height"},
          Column{"displacement_x", "m", "mean displacement along x since the start"},
          Column{"shear_strain", "1", "its derivative with height"},
          Column{"rotation", "rad", "mean rotation since the start, counter-clockwise positive"}})
      profile_columns_.push_back({column, centres, "m"});
  }
  if (run.cell()) std::ranges::copy(cell_columns(state.dimension), std::back_inserter(columns_));
  if (run.shear_box()) std::ranges::copy(shear_box_columns(), std::back_inserter(columns_));
  std::ranges::copy(wall_columns(run), std::back_inserter(columns_));
  if (const auto memory = run.contact_engine().history_memory()) {
    columns_.insert(columns_.end(), of_histories.begin(), of_histories.end());
    if (memory->checked) columns_.insert(columns_.end(), of_checked_histories.begin(), of_checked_histories.end());
  }
  for (const LedgerColumn& entry : ledger_columns()) columns_.push_back(entry.column);
  if (run.plane_watch() && run.plane_watch()->watches_all_planes()) jump_columns_ = of_jumps;

  std::set<std::string> taken;
  for (const BodySpec& spec : run.given().assembly.bodies) {
    const auto at = std::ranges::find(state.bodies.name, spec.name);
    const std::string word = column_word(spec.name);
    if (spec.name.empty() || at == state.bodies.name.end() || tracked_.size() == most_tracked ||
        !taken.insert(word).second)
      continue;
    tracked_.push_back(std::size_t(at - state.bodies.name.begin()));
    for (const auto& [part, unit, what] : body_columns)
      columns_.push_back({fmt::format("{}_{}", word, part), unit, fmt::format("{} body '{}'", what, spec.name)});
  }
  smallest_limit_ = run.apriori_limit().dt;
  limit_source_ = run.apriori_limit().describe();
}

void RunObserver::note_limit(const Simulation& run) {
  // Once measured, the a-priori bound no longer counts: it is meant to lie below.
  const auto& measured = run.measured_limit();
  if (!measured || !(measured->dt < smallest_limit_)) return;
  smallest_limit_ = measured->dt;
  limit_source_ = measured->describe();
}

void RunObserver::StageMean::add(double stage_number, double value) {
  if (stage != stage_number) {
    *this = with_this_stage();
    stage = stage_number, sum = rows = 0;
  }
  sum += value;
  rows += 1;
}

RunObserver::StageMean RunObserver::StageMean::with_this_stage() const {
  StageMean all = *this;
  if (rows > 0 && !(sum / rows <= worst)) all.worst = sum / rows, all.worst_stage = stage;
  return all;
}

void RunObserver::note_stage(const Simulation& run, double inertial, double stiffness) {
  if (run.finished()) return;
  const double number = double(run.stage() + 1);
  const Stage& stage = run.given().stages[run.stage()];
  if (std::isfinite(stiffness) && stiffness > 0) softness_.add(number, 1 / stiffness);
  if ((stage.shear_rate != 0 || (run.cell() && run.cell()->stage_rate() != 0)) && std::isfinite(inertial)) inertial_.add(number, inertial);
  if (!run.plates() || stage.normal != PlateNormal::hold_stress) return;
  if (held_stage_ != number) held_stage_ = number, held_ = 0;
  const double error = run.plates()->servo_error(), size = std::abs(error);
  if (size <= stage.stress_tolerance) held_ = 1;  // before that the plates still approach
  if (held_ == 0) return;
  servo_sum_ += error;
  servo_squares_ += error * error;
  servo_rows_ += 1;
  if (size > largest_servo_error_) largest_servo_error_ = size, largest_servo_stage_ = number;
}

std::vector<double> RunObserver::row(const Simulation& run) {
  const State& state = run.state();
  const auto contacts = run.contacts();
  const ContactCounts counts = count_contacts(contacts, state.bodies, free_);
  const auto overlap = largest_overlap(contacts, state.bodies, state.shapes);
  const auto fabric = planar_principal(fabric_tensor(contacts, free_));
  std::vector<double> row{double(run.step_count()),
                          run.time(),
                          double(std::min(run.stage() + 1, run.given().stages.size())),
                          double(counts.contacts),
                          counts.coordination,
                          counts.mechanical_coordination,
                          double(counts.rattlers),
                          counts.sliding_fraction(),
                          overlap ? overlap->relative : 0,
                          unbalanced_force_index(contacts, state.bodies),
                          fabric.first - fabric.second};
  double inertial = NAN, stiffness = NAN;
  if (const Plates* plates = run.plates()) {
    const WallStress& wall = plates->stress();
    const double normal = wall.normal();
    stiffness = stiffness_number(run.given().material.normal_stiffness, normal);
    const Tensor3 stress = contact_stress(contacts, state.bodies, width_ * plates->height());
    const double rate = plates->shear_rate();  // of the last stage when the run is over
    inertial = inertial_number(rate, run.mean_diameter(), run.given().material.density, normal);
    row.insert(row.end(), {run.strain(), plates->height(), wall.normal_bottom, wall.normal_top, wall.shear_bottom,
                           wall.shear_top, normal > 0 ? wall.shear() / normal : NAN, stress.xx(), stress.xy(),
                           stress.yx(), stress.yy(), inertial, stiffness});
    if (cyclic(run.given())) row.push_back(plates->cycles_done());
  }
  if (run.cell()) {
    std::ranges::copy(cell_row(run, free_), std::back_inserter(row));
    inertial = cell_inertial_number(run);
    stiffness = cell_stiffness_number(run);
  }
  if (run.shear_box()) std::ranges::copy(shear_box_row(run), std::back_inserter(row));
  std::ranges::copy(wall_row(run), std::back_inserter(row));
  if (const auto memory = run.contact_engine().history_memory()) {
    row.insert(row.end(), {memory->mean_length(), double(memory->bytes)});
    if (memory->checked) row.insert(row.end(), {memory->exact_length(), memory->merge_error});
  }
  const EnergyLedger ledger = run.ledger();
  for (const LedgerColumn& entry : ledger_columns()) row.push_back(entry.booked && !run.keeps_ledger() ? NAN : entry.value(ledger));
  for (const std::size_t b : tracked_) {
    const Vec3 x = state.bodies.position[0][b], v = state.velocity(b);
    row.insert(row.end(), {x.x, x.y, state.bodies.rotation[0][b].z, v.x, v.y, state.spin(b)});
  }
  if (overlap && overlap->relative > largest_overlap_) {
    largest_overlap_ = overlap->relative;
    overlap_i_ = overlap->contact.i;
    overlap_j_ = overlap->contact.j;
    overlap_time_ = run.time();
  }
  const double of_stage = row[2];
  any_overlap_.add(of_stage, row[8]);
  if (const auto loaded = largest_network_overlap(contacts, state.bodies, state.shapes, free_)) network_overlap_.add(of_stage, loaded->relative);
  if (lost_since_ < 0 && !lost_.find(state).empty()) lost_since_ = run.time();
  note_limit(run);
  note_stage(run, inertial, stiffness);
  return row;
}

std::vector<double> RunObserver::profiles(const Simulation& run) const {
  const State& state = run.state();
  const Profile velocity = velocity_profile(state.bodies, state.shapes, state.dt, bins_, ProfileWeight::area, free_);
  const Profile moved = displacement_profile(state.bodies, state.shapes, start_position_, start_rotation_, bins_,
                                             ProfileWeight::area, free_);
  std::vector<double> all;
  for (const auto* part : {&velocity.u_x, &velocity.shear, &moved.u_x, &moved.shear, &moved.rotation})
    all.insert(all.end(), part->begin(), part->end());
  return all;
}

std::vector<std::vector<double>> RunObserver::jumps(const Simulation& run) const {
  std::vector<std::vector<double>> rows;
  for (const PlaneJump& jump : run.plane_watch()->last_jumps())
    rows.push_back({double(run.step_count()), run.time(), double(jump.plane), double(jump.key.i), double(jump.key.j),
                    double(jump.key.image[0]), double(jump.key.image[1]), double(jump.key.feature),
                    jump.size * (180 / std::numbers::pi), jump.area, jump.chord, jump.merged_or_split ? 1.0 : 0.0});
  return rows;
}

RunNumbers RunObserver::numbers(const Simulation& run) const {
  RunNumbers n;
  n.time_step = run.state().dt;
  n.smallest_step_limit = smallest_limit_;
  n.step_limit_source = limit_source_;
  if (largest_overlap_ > 0) {
    n.largest_overlap = largest_overlap_;
    n.largest_overlap_where = fmt::format("{} and {} at t = {:.6g} s", body_label(run.state(), std::size_t(overlap_i_)),
                                          body_label(run.state(), std::size_t(overlap_j_)), overlap_time_);
  }
  if (run.keeps_ledger()) n.ledger = run.ledger();
  n.law_has_potential = run.law_has_potential();
  const auto label = [&](double number) { return number >= 1 ? stage_label(run.given(), std::size_t(number) - 1) : std::string(); };
  const auto tell = [&](const StageMean& mean, std::optional<double>& value, std::string& stage) {
    const StageMean all = mean.with_this_stage();
    if (all.worst >= 0) value = all.worst, stage = label(all.worst_stage);
  };
  // Bodies with one contact each make no network: then every contact counts, over all rows, so that an impact weighs as long as it lasts.
  if (largest_overlap_ > 0) tell(network_overlap_.rows > 0 || network_overlap_.worst >= 0 ? network_overlap_ : any_overlap_, n.network_overlap, n.network_overlap_stage);
  tell(inertial_, n.inertial_number, n.inertial_number_stage);
  tell(softness_, n.stiffness_number, n.stiffness_number_stage);
  if (n.stiffness_number) n.stiffness_number = 1 / *n.stiffness_number;
  n.known_circulation = known_circulation(run.given());
  if (const auto lost = lost_.find(run.state()); !lost.empty()) {
    n.lost.emplace();
    n.lost->count = lost.size();
    n.lost->movable = std::size_t(std::ranges::count(free_, 1));
    n.lost->from_start = std::size_t(std::ranges::count_if(lost, [&](std::size_t b) { return std::ranges::binary_search(lost_.astray(), b); }));
    n.lost->has_holder = lost_.has_holder();
    n.lost->since = lost_since_ >= 0 ? lost_since_ : run.time();
    n.lost->which = first_few(run.state(), lost);
  }
  if (const auto memory = run.contact_engine().history_memory()) {
    n.histories = {memory->mean_length(), memory->legs, memory->bytes, {}, memory->merge_error};
    n.histories->allowed_error = run.given().contact.merge_error;
    n.histories->merged = run.given().contact.merge_error > 0 || run.given().contact.merge_slope > 0;
    if (memory->checked) n.histories->exact_length = memory->exact_length();
  }
  n.contact_steps = contact_steps_;
  if (run.plane_watch() && run.given().contact.normal_force != NormalForce::overlap) {  // discs have no contact plane to choose
    const PlanarContacts& watch = *run.plane_watch();
    n.undefined_planes = watch.undefined_planes();
    n.plane_jumps = watch.plane_jumps();
    n.merging_plane_jumps = watch.merging_plane_jumps();
    if (watch.watches_all_planes())
      for (std::size_t p = 0; p < geometry::contact_planes.size(); ++p)
        n.jumps_of_each_plane.push_back({std::string(geometry::contact_planes[p].name), watch.jumps_of_each_plane()[p]});
  }
  if (servo_rows_ > 0) {
    n.servo_error = servo_sum_ / servo_rows_;
    n.servo_scatter = std::sqrt(servo_squares_ / servo_rows_);
  }
  n.largest_servo_error = largest_servo_error_;
  n.largest_servo_error_stage = label(largest_servo_stage_);
  if (run.cell()) n.cell_servo = run.cell()->worst_record();
  if (n.cell_servo) n.cell_servo_stage = label(n.cell_servo->stage);
  for (const std::uint64_t k : run.stages_cut_short()) {
    const Stage& stage = run.given().stages[k];
    n.cut_short.push_back(fmt::format("{} after {:g} s, before {}", stage_label(run.given(), k), *stage.duration, goals_of(stage)));
  }
  return n;
}

template <class Self>
auto RunObserver::sums_of(Self& o) {
  std::vector<decltype(&o.largest_overlap_)> sums{&o.largest_overlap_, &o.overlap_i_,      &o.overlap_j_,           &o.overlap_time_,        &o.smallest_limit_, &o.held_stage_, &o.held_,
                                                  &o.servo_sum_,       &o.servo_squares_,  &o.servo_rows_,          &o.largest_servo_error_, &o.largest_servo_stage_, &o.lost_since_};
  for (auto* mean : {&o.network_overlap_, &o.any_overlap_, &o.inertial_, &o.softness_})
    sums.insert(sums.end(), {&mean->stage, &mean->sum, &mean->rows, &mean->worst, &mean->worst_stage});
  return sums;
}

void RunObserver::save(ArchiveWriter& archive) const {
  std::vector<double> sums;
  for (const double* sum : sums_of(*this)) sums.push_back(*sum);
  archive.put("observer/sums", std::span<const double>(sums));
  const std::array counts{contact_steps_, first_step_};
  archive.put("observer/counts", std::span<const std::uint64_t>(counts));
  archive.put_text("observer/limit_source", limit_source_);
  lost_.save(archive);
}

void RunObserver::load(const ArchiveReader& archive) {
  const auto saved = archive.doubles("observer/sums");
  const auto counts = archive.integers("observer/counts");
  const auto sums = sums_of(*this);
  if (saved.size() != sums.size() || counts.size() != 2) throw FileError("the checkpoint does not fit this version of the program");
  for (std::size_t k = 0; k < sums.size(); ++k) *sums[k] = saved[k];
  contact_steps_ = counts[0];
  first_step_ = counts[1];
  limit_source_ = archive.text("observer/limit_source");
  lost_.load(archive);
}

}  // namespace dem
