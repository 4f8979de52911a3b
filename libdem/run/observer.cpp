#include "libdem/run/observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "libdem/assembly/assembly.hpp"
#include "libdem/assembly/start_check.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/laws/jaeger.hpp"
#include "libdem/measure/dimensionless.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/stress.hpp"

namespace dem {
namespace {

constexpr double most_bins = 1e6;

/// Work around closed loops of two polygons (polygon-dem reference, §6), as a share of all work. It is 0 to 6 % with
/// area-gradient and 3 to 63 % with edge-mean. It is not known for other planes and for laws in space.
std::optional<RunNumbers::KnownCirculation> known_circulation(const Case& c) {
  if (c.contact.normal_force != NormalForce::area_over_length) return {};
  if (c.contact.plane == geometry::ContactPlane::area_gradient)
    return {{0.06, "area-over-length with the plane area-gradient"}};
  if (c.contact.plane == geometry::ContactPlane::edge_mean)
    return {{0.63, "area-over-length with the plane edge-mean"}};
  return {};
}

/// Median of the largest coordinate of the free bodies (m).
double usual_distance(const State& state, std::span<const std::uint8_t> is_free) {
  std::vector<double> distances;
  for (std::size_t b = 0; b < is_free.size(); ++b)
    if (const Vec3 x = state.bodies.position[0][b]; is_free[b])
      distances.push_back(std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}));
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + std::ptrdiff_t(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  return *middle;
}

std::string numbers_of_planes() {
  std::string text = "definition of the plane:";
  for (std::size_t p = 0; p < geometry::contact_planes.size(); ++p)
    text += fmt::format("{} {} {}", p > 0 ? "," : "", p, geometry::contact_planes[p].name);
  return text;
}

std::vector<Column> columns_of_jumps() {
  return {
      {"step", "1", "step number"},
      {"time", "s", "time at the end of the step in which the plane jumped"},
      {"plane", "1", numbers_of_planes()},
      {"i", "1", "first body of the contact"},
      {"j", "1", "second body of the contact"},
      {"image_x", "1", "periodic image of the second body along the first direction"},
      {"image_y", "1", "periodic image of the second body along the second direction"},
      {"component", "1", "number of the overlap component of the pair"},
      {"jump_deg", "deg",
       "turn of the plane that no movement explains; 180: the plane stayed, but its normal turned round"},
      {"area", "m2", "overlap area at the jump"},
      {"chord", "m", "length of the gradient of the overlap area: of the chord where the boundaries cross twice"},
      {"merged_or_split", "1", "1: parts of the overlap merged or split there"},
  };
}

}  // namespace

RunObserver::RunObserver(const Simulation& run)
    : row_columns_(row_columns(run)),
      free_(free_bodies(run.state().bodies)),
      first_step_(run.step_count()),
      lost_(run.state()) {
  const State& state = run.state();
  if (run.driver<Plates>()) {
    start_position_ = state.bodies.position[0].by_number();
    start_rotation_ = state.bodies.rotation[0].by_number();
    // Bins of about a diameter over the start height.
    bins_.low = INFINITY;
    for (std::size_t b = 0; b < state.bodies.size(); ++b)
      if (free_[b]) bins_.low = std::min(bins_.low, state.bodies.position[0][b].y);
    bin_height_ = run.scale().mean_diameter;
    bins_.low -= bin_height_ / 2;
    const double bins = std::round(run.driver<Plates>()->height() / bin_height_);
    if (!(bins <= most_bins))
      throw AssemblyError(fmt::format(
          "plates.gap: found plates {:g} mean diameters apart, allowed at most {:g}: profiles have a bin for each",
          bins, most_bins));
    bins_.count = std::max<std::size_t>(1, std::size_t(bins));
    bins_.high = bins_.low + double(bins_.count) * bin_height_;
    make_profile_columns();
    started_elsewhere_ = !run.given().start_from.empty();
  }
  if (run.plane_watch() && run.plane_watch()->watches_all_planes()) columns_.jumps = columns_of_jumps();

  for (const RowColumn& column : row_columns_) columns_.series.push_back(column.column);
  smallest_limit_ = run.apriori_limit().dt;
  limit_source_ = run.apriori_limit().describe();
}

void RunObserver::make_profile_columns() {
  std::vector<double> centres;
  for (std::size_t k = 0; k < bins_.count; ++k) centres.push_back(bins_.low + (double(k) + 0.5) * bin_height_);
  columns_.profiles = {{"step", "1", "step number"},
                       {"time", "s", "time"},
                       {"strain", "1", "shear strain"},
                       {"velocity_x", "m/s", "mean velocity along x of the free bodies in the bin", centres},
                       {"shear_rate", "1/s", "its derivative with height", centres},
                       {"displacement_x", "m", "mean displacement along x since the start", centres},
                       {"shear_strain", "1", "its derivative with height", centres},
                       {"rotation", "rad", "mean rotation since the start, counter-clockwise positive", centres}};
}

void RunObserver::note_stage(const Simulation& run, double number, double inertial, double stiffness) {
  if (number == 0) return;  // a case without stages
  const Stage& stage = run.given().stages[std::size_t(number) - 1];
  if (std::isfinite(stiffness) && stiffness > 0) softness_.add(number, 1 / stiffness);
  if ((stage.shear_rate != 0 || (run.driver<CellDriver>() && run.driver<CellDriver>()->stage_rate() != 0)) &&
      std::isfinite(inertial))
    inertial_.add(number, inertial);
  if (!run.driver<Plates>() || stage.normal != PlateNormal::hold_stress) return;
  if (held_stage_ != number) {
    never_held_ = stages_never_held();
    held_stage_ = number, held_ = 0;
  }
  const double error = run.driver<Plates>()->servo_error(), size = std::abs(error);
  if (size <= stage.stress_tolerance) held_ = 1;  // before that the plates still approach
  if (held_ == 0) return;
  servo_sum_ += error;
  servo_squares_ += error * error;
  servo_rows_ += 1;
  if (size > largest_servo_error_) largest_servo_error_ = size, largest_servo_stage_ = number;
}

/// Counted from 0, also those that only approach their stress.
std::vector<std::uint64_t> RunObserver::stages_never_held() const {
  std::vector<std::uint64_t> all = never_held_;
  if (held_stage_ > 0 && held_ == 0) all.push_back(std::uint64_t(held_stage_) - 1);
  return all;
}

std::vector<double> RunObserver::row(const Simulation& run) {
  const State& state = run.state();
  const RowLook look(run, free_);
  std::vector<double> row;
  for (const RowColumn& column : row_columns_) row.push_back(column.value(look));
  const std::optional<LargestOverlap>& overlap = look.overlap();
  if (overlap && overlap->relative > largest_overlap_) {
    largest_overlap_ = overlap->relative;
    overlap_i_ = overlap->contact.i;
    overlap_j_ = overlap->contact.j;
    overlap_time_ = run.time();
  }
  const double of_stage = look.stage_number();
  any_overlap_.add(of_stage, look.largest_overlap());
  const auto loaded = largest_network_overlap(look.contacts(), state.bodies, state.shapes, free_);
  network_overlap_.add(of_stage, loaded ? loaded->relative : 0);
  if (lost_since_ < 0 && !lost_.find(state).empty()) lost_since_ = run.time();
  if (const auto& measured = run.measured_limit(); measured && measured->dt < smallest_limit_) {
    smallest_limit_ = measured->dt;
    limit_source_ = measured->describe();
  }
  note_stage(run, of_stage, look.inertial_number(), look.stiffness_number());
  return row;
}

std::vector<double> RunObserver::profiles(const Simulation& run) const {
  const State& state = run.state();
  const Profile velocity = velocity_profile(state.bodies, state.shapes, state.dt, bins_, free_);
  const Profile moved =
      displacement_profile(state.bodies, state.shapes, start_position_, start_rotation_, bins_, free_);
  std::vector<double> all{double(state.step), state.time, run.strain()};
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
  if (const PhaseTimes* times = run.phase_times()) n.phases = *times;
  n.smallest_step_limit = smallest_limit_;
  n.step_limit_source = limit_source_;
  if (largest_overlap_ > 0) {
    n.largest_overlap = largest_overlap_;
    n.largest_overlap_where = fmt::format("{} and {} at t = {:.6g} s", body_label(run.state(), std::size_t(overlap_i_)),
                                          body_label(run.state(), std::size_t(overlap_j_)), overlap_time_);
  }
  if (run.keeps_ledger()) n.ledger = run.ledger();
  n.law_has_potential = run.law_has_potential();
  const auto label = [&](double number) {
    return number >= 1 ? stage_label(run.given(), std::size_t(number) - 1) : std::string();
  };
  const auto tell = [&](const StageMean& mean, std::optional<double>& value, std::string& stage) {
    const StageMean all = mean.with_this_stage();
    if (all.worst >= 0) value = all.worst, stage = label(all.worst_stage);
  };
  // Means over all rows of a stage weigh an impact by its duration. Without a network every contact counts.
  if (largest_overlap_ > 0)
    tell(network_overlap_.with_this_stage().worst > 0 ? network_overlap_ : any_overlap_, n.network_overlap,
         n.network_overlap_stage);
  if (n.network_overlap && run.scale().mean_diameter > 0) {  // of bodies that can move
    n.distance = usual_distance(run.state(), free_);
    n.round_off =
        std::numeric_limits<double>::epsilon() * n.distance / (*n.network_overlap * run.scale().mean_diameter);
  }
  tell(inertial_, n.inertial_number, n.inertial_number_stage);
  tell(softness_, n.stiffness_number, n.stiffness_number_stage);
  if (n.stiffness_number) n.stiffness_number = 1 / *n.stiffness_number;
  n.known_circulation = known_circulation(run.given());
  if (const auto lost = lost_.find(run.state()); !lost.empty()) {
    const auto was_astray = [&](std::size_t b) { return std::ranges::binary_search(lost_.astray(), b); };
    n.lost = {lost.size(),
              std::size_t(std::ranges::count(free_, 1)),
              std::size_t(std::ranges::count_if(lost, was_astray)),
              lost_.has_holder(),
              lost_since_ >= 0 ? lost_since_ : run.time(),
              first_few(run.state(), lost)};
  }
  if (const auto memory = run.contact_engine().history_memory()) {
    n.histories = {memory->mean_length(), memory->legs, memory->bytes, {}, memory->merge_error};
    if (const auto* merging = run.given().contact.law.options_if<laws::Jaeger>()) {
      n.histories->allowed_error = merging->merge_error;
      n.histories->merged = merging->merge_error > 0 || merging->merge_slope > 0 || merging->merge_slope_plain > 0;
    }
    if (memory->checked) n.histories->exact_length = memory->exact_length();
  }
  n.contact_steps = contact_steps_;
  if (run.plane_watch() &&
      run.given().contact.normal_force != NormalForce::overlap) {  // discs have no contact plane to choose
    const PlanarContacts& watch = *run.plane_watch();
    n.undefined_planes = watch.undefined_planes();
    n.plane_jumps = watch.plane_jumps();
    n.merging_plane_jumps = watch.merging_plane_jumps();
    if (watch.watches_all_planes())
      for (std::size_t p = 0; p < geometry::contact_planes.size(); ++p)
        n.jumps_of_each_plane.push_back(
            {std::string(geometry::contact_planes[p].name), watch.jumps_of_each_plane()[p]});
  }
  if (servo_rows_ > 0) {
    n.servo_error = servo_sum_ / servo_rows_;
    n.servo_scatter = std::sqrt(servo_squares_ / servo_rows_);
  }
  n.largest_servo_error = largest_servo_error_;
  n.largest_servo_error_stage = label(largest_servo_stage_);
  if (run.driver<CellDriver>()) n.cell_servo = run.driver<CellDriver>()->worst_record();
  if (n.cell_servo) n.cell_servo_stage = label(n.cell_servo->stage);
  for (const std::uint64_t k : stages_never_held())
    if (k < run.given().stages.size() && !run.given().stages[k].until_target)  // a resumed case may have other stages
      n.never_held.push_back(stage_label(run.given(), k));
  for (const std::uint64_t k : run.stages_cut_short()) {
    const Stage& stage = run.given().stages[k];
    n.cut_short.push_back(
        fmt::format("{} after {:g} s, before {}", stage_label(run.given(), k), *stage.duration, goals_of(stage)));
  }
  return n;
}

void RunObserver::fields(FieldVisitor& f) {
  f("largest_overlap", largest_overlap_);
  f("overlap_i", overlap_i_);
  f("overlap_j", overlap_j_);
  f("overlap_time", overlap_time_);
  f("smallest_limit", smallest_limit_);
  f.text("limit_source", limit_source_);
  f("held_stage", held_stage_);
  f("held", held_);
  f.list("never_held", never_held_, Hashed::no);
  f("servo_sum", servo_sum_);
  f("servo_squares", servo_squares_);
  f("servo_rows", servo_rows_);
  f("largest_servo_error", largest_servo_error_);
  f("largest_servo_stage", largest_servo_stage_);
  f("lost_since", lost_since_);
  const auto mean = [&f](const std::string& name, StageMean& m) {
    f(name + "/stage", m.stage);
    f(name + "/sum", m.sum);
    f(name + "/rows", m.rows);
    f(name + "/worst", m.worst);
    f(name + "/worst_stage", m.worst_stage);
  };
  mean("network_overlap", network_overlap_);
  mean("any_overlap", any_overlap_);
  mean("inertial_number", inertial_);
  mean("softness", softness_);
  f("contact_steps", contact_steps_);
  f("first_step", first_step_);
  lost_.fields(f);
  if (!started_elsewhere_) return;
  f("start_position", start_position_);
  f("start_rotation", start_rotation_);
  f("profile_low", bins_.low);
  f("profile_high", bins_.high);
  std::uint64_t count = bins_.count;
  f("profile_count", count);
  if (!f.loads()) return;
  bins_.count = count;
  make_profile_columns();
}

void RunObserver::save(ArchiveWriter& archive) const {
  // Saving changes nothing.
  save_fields(archive, "observer", [this](FieldVisitor& f) { const_cast<RunObserver*>(this)->fields(f); });
}

void RunObserver::load(const ArchiveReader& archive) {
  load_fields(archive, "observer", [this](FieldVisitor& f) { fields(f); });
}

}  // namespace dem
