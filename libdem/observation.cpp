#include "libdem/observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "libdem/measure/dimensionless.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/profiles.hpp"
#include "libdem/measure/stress.hpp"
#include "libdem/state/start_check.hpp"

namespace dem {

namespace {

/// Area that the free bodies share: between the plates, else the cell, else the box around the bodies (m²).
double free_area(const Simulation& run) {
  const State& state = run.state();
  const auto width = state.cell.vectors[0].x;
  if (const Plates* plates = run.plates()) {
    // The plates' centroids bound H; half of each plate particle belongs to the plate.
    return width * std::max(plates->height() - run.mean_diameter(), 0.0);
  }
  if (state.cell.periodic[0] && state.cell.periodic[1]) return width * state.cell.vectors[1].y;
  Vec2 low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (state.shape_of(b).half_plane) continue;
    const double r = state.shape_of(b).bounding_radius;
    const Vec3& p = state.bodies.position[0][b];
    low = {std::min(low.x, p.x - r), std::min(low.y, p.y - r)};
    high = {std::max(high.x, p.x + r), std::max(high.y, p.y + r)};
  }
  return (state.cell.periodic[0] ? width : high.x - low.x) * (high.y - low.y);
}

double current_shear_rate(const Simulation& run) { return run.plates() && !run.finished() ? run.plates()->shear_rate() : 0; }

/// Pressure on the assembly (N/m): of the plates where there are any, else the mean pressure of the free bodies.
double pressure(const Simulation& run, const Tensor3& stress) {
  return run.plates() ? run.plates()->stress().normal() : mean_pressure(stress);
}

}  // namespace

AssemblyView view_of(const Simulation& run) {
  const State& s = run.state();
  return {s.bodies, s.shapes, s.groups, run.contacts(), s.cell, s.cell_origin, s.dt, s.step, s.time, run.strain()};
}

std::vector<Column> series_columns(const Simulation& run) {
  std::vector<Column> c{{"step", "1", "number of the time step"},
                        {"time", "s", "simulated time"},
                        {"strain", "1", "shear strain of the plates"},
                        {"stage", "1", "number of the stage, from 1"}};
  if (run.plates()) {
    c.insert(c.end(), {{"height", "m", "distance of the plates' mean heights"},
                       {"wall_stress_yy_bottom", "N/m", "normal force of the bottom plate per length, compression positive"},
                       {"wall_stress_yy_top", "N/m", "same of the top plate"},
                       {"wall_stress_xy_bottom", "N/m", "shear force of the bottom plate per length, positive against its motion in positive shear"},
                       {"wall_stress_xy_top", "N/m", "same of the top plate"},
                       {"shear_ratio", "1", "wall shear stress over wall normal stress, means of both plates"},
                       {"servo_error", "1", "(normal stress - target)/target while a stress is held"}});
  }
  c.insert(c.end(), {{"stress_xx", "N/m", "Love-Weber stress of the free bodies, tension positive"},
                     {"stress_xy", "N/m", "force along x, face normal along y"},
                     {"stress_yx", "N/m", "force along y, face normal along x"},
                     {"stress_yy", "N/m", "tension positive"},
                     {"contacts", "1", "contacts of free bodies"},
                     {"coordination", "1", "mean number of contacts of a free body"},
                     {"mechanical_coordination", "1", "same over bodies with two or more contacts"},
                     {"sliding_fraction", "1", "contacts at the Coulomb limit over contacts"},
                     {"fabric_xx", "1", "mean of n_x n_x over contacts"},
                     {"fabric_xy", "1", "mean of n_x n_y over contacts"},
                     {"fabric_yy", "1", "mean of n_y n_y over contacts"},
                     {"largest_overlap", "1", "largest overlap over the smaller body's equivalent diameter"},
                     {"unbalanced_force", "1", "rms resultant on free bodies over rms contact force"},
                     {"inertial_number", "1", "shear rate x diameter x sqrt(density/pressure)"},
                     {"stiffness_number", "1", "normal stiffness over pressure"},
                     {"kinetic_translation", "J", "kinetic energy of translation of free coordinates"},
                     {"kinetic_rotation", "J", "kinetic energy of rotation of free coordinates"},
                     {"undefined_planes", "1", "contact evaluations so far whose plane had no direction"},
                     {"step_limit", "s", "largest stable time step by the last measurement of the contact network"}});
  for (const LedgerColumn& l : ledger_columns()) c.push_back(l.column);
  return c;
}

void series_row(const Simulation& run, std::vector<double>& row) {
  row.clear();
  const State& s = run.state();
  const auto contacts = run.contacts();
  const std::vector<std::uint8_t> set = free_bodies(s.bodies);
  const Tensor3 stress = contact_stress(contacts, s.bodies, free_area(run), set);
  const double p = pressure(run, stress);
  row.insert(row.end(), {double(s.step), s.time, run.strain(), double(std::min(run.stage() + 1, std::max<std::size_t>(1, run.given().stages.size())))});
  if (const Plates* plates = run.plates()) {
    const WallStress& w = plates->stress();
    const double normal = w.normal();
    row.insert(row.end(), {plates->height(), w.normal_bottom, w.normal_top, w.shear_bottom, w.shear_top,
                           normal > 0 ? w.shear() / normal : std::numeric_limits<double>::quiet_NaN(), plates->servo_error()});
  }
  const ContactCounts counts = count_contacts(contacts, s.bodies, set);
  const Tensor3 fabric = fabric_tensor(contacts, set);
  const auto overlap = largest_overlap(contacts, s.bodies, s.shapes);
  const KineticEnergy kinetic = kinetic_energy(s.bodies, s.dt);
  row.insert(row.end(), {stress.xx(), stress.xy(), stress.yx(), stress.yy(), double(counts.contacts), counts.coordination,
                         counts.mechanical_coordination, counts.sliding_fraction(), fabric.xx(), fabric.xy(), fabric.yy(),
                         overlap ? overlap->relative : 0, unbalanced_force_index(contacts, s.bodies),
                         inertial_number(current_shear_rate(run), run.mean_diameter(), run.given().material.density, p),
                         stiffness_number(run.given().material.normal_stiffness, p), kinetic.translation, kinetic.rotation,
                         double(run.undefined_planes()), run.measured_limit() ? run.measured_limit()->dt : std::numeric_limits<double>::quiet_NaN()});
  const EnergyLedger ledger = run.ledger();
  for (const LedgerColumn& l : ledger_columns()) row.push_back(l.value(ledger));
}

namespace {

ProfileBins bins_of(const Simulation& run) {
  const auto [low, high] = run.start_extent();
  return {low, high, std::size_t(std::max(1.0, std::round((high - low) / run.mean_diameter())))};
}

Profile current_profile(const Simulation& run) {
  const State& s = run.state();
  return velocity_profile(s.bodies, s.shapes, s.dt, bins_of(run), ProfileWeight::area, free_bodies(s.bodies));
}

}  // namespace

std::vector<SeriesColumn> profile_columns(const Simulation& run) {
  if (!run.plates()) return {};
  const Profile p = current_profile(run);
  return {{{"velocity_x", "m/s", "area-weighted mean velocity along x of the free bodies in the bin"}, p.y},
          {{"velocity_y", "m/s", "same along y"}, p.y},
          {{"shear_rate", "1/s", "dv_x/dy from neighbouring bins"}, p.y},
          {{"spin", "1/s", "mean spin, counter-clockwise positive"}, p.y},
          {{"area", "m2", "area of the bodies whose centroid lies in the bin"}, p.y}};
}

void profile_row(const Simulation& run, std::vector<double>& values) {
  values.clear();
  if (!run.plates()) return;
  const Profile p = current_profile(run);
  for (const auto* v : {&p.u_x, &p.u_y, &p.shear, &p.rotation, &p.weight}) values.insert(values.end(), v->begin(), v->end());
}

void RunMonitor::look(const Simulation& run) {
  const State& s = run.state();
  const auto overlap = largest_overlap(run.contacts(), s.bodies, s.shapes);
  if (overlap && overlap->relative > largest_overlap_) {
    largest_overlap_ = overlap->relative;
    overlap_i_ = overlap->contact.i;
    overlap_j_ = overlap->contact.j;
    overlap_time_ = s.time;
  }
  for (double limit : {run.apriori_limit().dt, run.measured_limit() ? run.measured_limit()->dt : std::numeric_limits<double>::infinity()})
    if (std::isfinite(limit) && (smallest_limit_ == 0 || limit < smallest_limit_)) smallest_limit_ = limit;
  contact_steps_ += double(run.contact_count()) * (double(s.step) - last_step_);
  last_step_ = double(s.step);
  const Plates* plates = run.plates();
  if (!plates) return;
  const double p = plates->stress().normal(), rate = current_shear_rate(run);
  if (rate > 0 && p > 0) {
    largest_inertial_number_ = std::max(largest_inertial_number_, inertial_number(rate, run.mean_diameter(), run.given().material.density, p));
  }
  if (p > 0 && (rate > 0 || plates->target_reached())) {
    const double k = stiffness_number(run.given().material.normal_stiffness, p);
    smallest_stiffness_number_ = smallest_stiffness_number_ == 0 ? k : std::min(smallest_stiffness_number_, k);
  }
  const double error = std::abs(plates->servo_error());
  if (!std::isfinite(error)) servo_reached_ = 0;
  else if (plates->target_reached()) servo_reached_ = 1;
  if (servo_reached_ > 0 && std::isfinite(error)) largest_servo_error_ = std::max(largest_servo_error_, error);
}

RunNumbers RunMonitor::numbers(const Simulation& run) const {
  RunNumbers n;
  n.time_step = run.state().dt;
  if (smallest_limit_ > 0) n.smallest_step_limit = smallest_limit_;
  n.step_limit_source = run.measured_limit() && run.measured_limit()->dt < run.apriori_limit().dt ? run.measured_limit()->describe() : run.apriori_limit().describe();
  n.largest_overlap = largest_overlap_;
  if (largest_overlap_ > 0)
    n.largest_overlap_where = fmt::format("{} and {} at t = {:.6g} s", body_label(run.state(), std::size_t(overlap_i_)), body_label(run.state(), std::size_t(overlap_j_)), overlap_time_);
  n.ledger = run.ledger();
  n.law_has_potential = run.law_has_potential();
  if (largest_inertial_number_ > 0) n.inertial_number = largest_inertial_number_;
  if (smallest_stiffness_number_ > 0) n.stiffness_number = smallest_stiffness_number_;
  n.contact_steps = std::uint64_t(contact_steps_);
  n.undefined_planes = run.undefined_planes();
  if (largest_servo_error_ >= 0) n.servo_error = largest_servo_error_;
  return n;
}

void RunMonitor::save(ArchiveWriter& archive) const {
  const std::array v{largest_overlap_, overlap_i_, overlap_j_, overlap_time_, smallest_limit_, largest_inertial_number_, smallest_stiffness_number_,
                     largest_servo_error_, contact_steps_, last_step_, servo_reached_};
  archive.put("monitor", std::span<const double>(v));
}

void RunMonitor::load(const ArchiveReader& archive) {
  const auto v = archive.doubles("monitor");
  if (v.size() != 11) throw std::runtime_error("the checkpoint does not fit this version of the program (monitor)");
  largest_overlap_ = v[0]; overlap_i_ = v[1]; overlap_j_ = v[2]; overlap_time_ = v[3]; smallest_limit_ = v[4];
  largest_inertial_number_ = v[5]; smallest_stiffness_number_ = v[6]; largest_servo_error_ = v[7]; contact_steps_ = v[8];
  last_step_ = v[9]; servo_reached_ = v[10];
}

}  // namespace dem
