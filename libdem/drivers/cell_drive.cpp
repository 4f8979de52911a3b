#include "libdem/drivers/cell_drive.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "libdem/contacts/pair_table.hpp"
#include "libdem/drivers/cell_kick.hpp"
#include "libdem/state/assembly_error.hpp"
#include "libdem/state/groups.hpp"

namespace dem {

namespace {

using Square = Eigen::Matrix3d;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t estimate_interval = 50;  // steps between estimates of the stiffness
constexpr double steps_of_servo = 5;             // τ/Δt
constexpr double viscous_margin = 4;             // by which the answer of the dashpots may be overestimated
constexpr double integral_times = 10;            // τ of the integral part over τ
constexpr double steps_to_hold = 100;            // within the tolerance, in a row: from then on it is held
constexpr double approach_inertial_number = 5e-3;

Square square_of(const std::array<Vec3, 3>& columns) {
  Square m;
  for (int c = 0; c < 3; ++c) m.col(c) << columns[c].x, columns[c].y, columns[c].z;
  return m;
}

constexpr std::pair<int, int> axes_of(std::size_t p) { return {cell_component_axes[p][0], cell_component_axes[p][1]}; }
constexpr bool is_normal(std::size_t p) { return p < 3; }
constexpr bool exists(std::size_t p, int dimension) {
  return dimension == 3 || (axes_of(p).first < 2 && axes_of(p).second < 2);
}

double part(const Tensor3& t, std::size_t p) { return t.m[axes_of(p).first][axes_of(p).second]; }

Square gradient(const CellVector& rate) {
  Square l = Square::Zero();
  for (std::size_t p = 0; p < 6; ++p) l(axes_of(p).first, axes_of(p).second) = rate[p];
  return l;
}

/// True if what is held of a body is the same in every position of a turn about the axis.
bool held_alike(unsigned freedom, Vec3 axis) {
  const bool x = freedom & free_x, y = freedom & free_y, z = freedom & free_z;
  return (axis.x == 0 || y == z) && (axis.y == 0 || x == z) && (axis.z == 0 || x == y);
}

}  // namespace

CellDriver::CellDriver(const Case& given, const State& state) : dimension_(state.dimension) {
  for (int a = 0; a < dimension_; ++a)
    if (!state.cell.periodic[a])
      throw AssemblyError(fmt::format(
          "a stage drives the cell, which needs every direction periodic, but {} is not: set cell.periodic", "xyz"[a]));
  const bool deforms =
      std::ranges::any_of(given.stages, [](const Stage& stage) { return stage.cell && !stage.cell->turns(); });
  double mass = 0, size = 0;
  std::size_t count = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const Shape& shape = state.shape_of(b);
    if (shape.is_wall())
      throw AssemblyError("a stage drives the cell, but there are walls, which would have to deform with it");
    constexpr unsigned in_plane = free_x | free_y, in_space = in_plane | free_z;
    if (deforms && (state.bodies.freedom[b] & (dimension_ == 2 ? in_plane : in_space)) == 0)
      throw AssemblyError(
          fmt::format("a stage drives the cell, but {} is fixed and would stay behind while everything else moves with "
                      "the cell: free it, or take it out",
                      body_label(state, b)));
    for (const Stage& stage : given.stages)
      if (stage.cell && stage.cell->turns() && !held_alike(state.bodies.freedom[b], stage.cell->turn_axis))
        throw AssemblyError(fmt::format(
            "a stage turns the assembly, but {} is held in some directions, which do not turn with it: free "
            "it, or hold it in all directions",
            body_label(state, b)));
    solid_ += dimension_ == 2 ? shape.area() : shape.volume();
    mass += state.bodies.mass[b];
    size += 2 * shape.equivalent_radius();
    ++count;
  }
  diameter_ = size / double(count);
  density_ = mass / solid_;
  const ReferenceSprings springs = mean_springs(given, state);
  tangential_stiffness_ = springs.tangential;
  if (given.material.stiffness_of_pair()) tangential_share_ = springs.tangential / springs.normal;
  volume_ = std::abs(square_of(state.cell.vectors).determinant());
  reference_stiffness_ = 0.5 * springs.normal * double(count) * diameter_ * diameter_;
  check_cell_width(state, given.skin);
}

void CellDriver::begin(const Stage& stage, std::size_t number, const World& world) {
  const State& state = world.state;
  // A run with start_from begins with another cell and with contacts.
  volume_ = std::abs(square_of(state.cell.vectors).determinant());
  stress_is_current_ = false;
  worst_ = worst_record();
  drive_ = stage.cell.value_or(CellDrive{});
  controlled_ = 0;
  mean_components_ = 0;
  turned_ = 0;
  stage_strain_ = 0;
  within_since_ = -1;
  record_ = {};
  record_.tolerance = drive_.tolerance;
  record_.stage = double(number);
  integral_ = {};
  next_estimate_ = state.step;
  scale_ = 0;
  double fastest = 0;
  for (std::size_t p = 0; p < 6; ++p) {
    const CellComponent& c = drive_.component[p];
    if (drive_.turns() || !exists(p, dimension_)) continue;
    if (c.mode == CellComponent::Mode::rate) {
      fastest = std::max(fastest, std::abs(c.rate));
      continue;
    }
    controlled_ |= 1u << p;
    if (c.mode == CellComponent::Mode::mean_pressure) ++mean_components_;
    scale_ = std::max(scale_, std::abs(c.mode == CellComponent::Mode::stress ? c.stress : drive_.mean_pressure));
  }
  feed_forward_ = has_servo() && fastest > 0;
  if (has_servo() || scale_ == 0) update(world);
  if (scale_ == 0) {  // all targets zero: what the assembly carries otherwise
    for (int a = 0; a < dimension_; ++a) scale_ += std::abs(stress_.m[a][a]) / dimension_;
    if (scale_ == 0) scale_ = 1e-4 * reference_stiffness_ / volume_;
  }
  largest_rate_ = drive_.largest_rate;
  if (largest_rate_ == 0)  // slow beside the time in which the stress moves a body by its size
    largest_rate_ = std::max(approach_inertial_number * std::sqrt(scale_ / density_) / diameter_, 10 * fastest);
  if (has_servo() && state.step > 0) {  // at step 0 the contacts are not found yet
    estimate_stiffness(state, world.contacts);
    next_estimate_ = state.step + estimate_interval;
  }
}

double CellDriver::stage_rate() const {
  double largest = 0;
  for (std::size_t p = 0; p < 6; ++p) {
    const CellComponent& c = drive_.component[p];
    if (exists(p, dimension_) && c.mode == CellComponent::Mode::rate && std::abs(c.rate) > std::abs(largest))
      largest = c.rate;
  }
  return largest;
}

double CellDriver::deviatoric_rate() const {
  double trace = 0, square = 0;
  for (int a = 0; a < dimension_; ++a) trace += rate_[a] / dimension_;
  for (int a = 0; a < dimension_; ++a) square += 2 * (rate_[a] - trace) * (rate_[a] - trace);
  for (std::size_t p = 3; p < 6; ++p) square += rate_[p] * rate_[p];
  return std::sqrt(square);
}

double CellDriver::target_gap(std::size_t p) const {
  const CellComponent& c = drive_.component[p];
  if (c.mode == CellComponent::Mode::stress) return c.stress - part(stress_, p);
  double others = 0;
  for (int b = 0; b < dimension_; ++b)
    if (drive_.component[b].mode != CellComponent::Mode::mean_pressure) others += part(stress_, b);
  return (-dimension_ * drive_.mean_pressure - others) / mean_components_ - part(stress_, p);
}

double CellDriver::servo_error(std::size_t p) const {
  if (!controls(p)) return nan;
  const CellComponent& c = drive_.component[p];
  const double target = !is_normal(p)                           ? 0
                        : c.mode == CellComponent::Mode::stress ? std::abs(c.stress)
                                                                : drive_.mean_pressure;
  return -target_gap(p) / (target > 0 ? target : scale_);
}

double CellDriver::largest_servo_error() const {
  double largest = nan;
  for (std::size_t p = 0; p < 6; ++p)
    if (const double e = std::abs(servo_error(p)); !(e <= largest) && controls(p)) largest = e;
  return largest;
}

/// Rates of the controlled components from the stress of the last evaluation.
void CellDriver::command(double dt) {
  for (std::size_t p = 0; p < 6; ++p)
    rate_[p] = drive_.turns() || !exists(p, dimension_) || controls(p) ? 0 : drive_.component[p].rate;
  if (!has_servo()) return;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
  std::array<std::size_t, 6> of{};
  int n = 0;
  for (std::size_t p = 0; p < 6; ++p)
    if (controls(p)) of[n++] = p;
  // Stress that a component holds. With mean_pressure it has also a share of the other normal stresses.
  const auto against = [&](const std::array<CellVector, 6>& m, std::size_t p, std::size_t q) {
    double a = m[p][q];
    if (drive_.component[p].mode == CellComponent::Mode::mean_pressure)
      for (int b = 0; b < dimension_; ++b)
        if (drive_.component[b].mode != CellComponent::Mode::mean_pressure) a += m[b][q] / mean_components_;
    return a;
  };
  const double time = steps_of_servo * dt, least = 0.1 * reference_stiffness_ / volume_;
  Small stiff(n, n), a(n, n);
  Vector gap(n), steady(n);
  for (int r = 0; r < n; ++r) {
    const std::size_t p = of[r];
    gap(r) = target_gap(p);
    steady(r) = 0;
    for (int c = 0; c < n; ++c) {
      stiff(r, c) = against(stiffness_, p, of[c]);
      if (r == c) stiff(r, c) = std::max(stiff(r, c), least);
      a(r, c) = stiff(r, c) * time + viscous_margin * against(viscosity_, p, of[c]);
    }
    for (std::size_t q = 0; q < 6; ++q)
      if (!controls(q)) steady(r) -= against(stiffness_, p, q) * rate_[q];
  }
  if (feed_forward_) {  // the stress that the given rates would cost, before the integral has it
    const Vector start = stiff.partialPivLu().solve(steady);
    for (int r = 0; r < n; ++r) integral_[of[r]] = std::clamp(start(r), -largest_rate_, largest_rate_);
    feed_forward_ = false;
  }
  const Vector answer = a.partialPivLu().solve(gap);
  for (int r = 0; r < n; ++r) {
    const std::size_t p = of[r];
    const double wanted = answer(r) + integral_[p];
    rate_[p] = std::clamp(wanted, -largest_rate_, largest_rate_);
    if (rate_[p] == wanted) integral_[p] += dt / (integral_times * time) * answer(r);
  }
}

double CellDriver::drive(const World& world) {
  State& state = world.state;
  turn_.reset();
  if (turning()) {
    turn_ = RigidTurn{drive_.turn_angle / double(drive_.turn_steps), drive_.turn_axis};
    ++turned_;
  }
  command(state.dt);
  const Square h = square_of(state.cell.vectors), x = state.dt * gradient(rate_);
  // (e^X − 1)/Δt: the terms left out are below 1e-16 of X for |X| < 1e-3.
  const Square grown = x * (Square::Identity() + x / 2 * (Square::Identity() + x / 3 * (Square::Identity() + x / 4)));
  const Square rate = grown * h / state.dt, change = rate - square_of(state.cell_rate);
  for (std::size_t p = 0; p < 6; ++p) strain_[p] += state.dt * rate_[p];
  if (!drive_.turns()) {
    double pace = 0, largest = 0;  // of the component with the largest given rate, else of the volume
    for (std::size_t p = 0; p < 6; ++p)
      if (!controls(p) && std::abs(rate_[p]) > largest) largest = std::abs(pace = rate_[p]);
    if (largest == 0) pace = rate_[0] + rate_[1] + rate_[2];
    stage_strain_ += state.dt * pace;
  }
  if (change.isZero(0)) return 0;
  for (int c = 0; c < 3; ++c) state.cell_rate[c] = {rate(0, c), rate(1, c), rate(2, c)};
  const Square k = change * h.inverse();
  const CellKick kick{{Vec3{k(0, 0), k(0, 1), k(0, 2)}, {k(1, 0), k(1, 1), k(1, 2)}, {k(2, 0), k(2, 1), k(2, 2)}},
                      state.cell_origin,
                      state.dt};
  return kick_bodies(world, kick, kicks_);
}

void CellDriver::estimate_stiffness(const State& state, const ContactEngine& contacts) {
  // The records of a sphere are larger than all else that is kept of it. So they are not kept between estimates.
  std::vector<ContactRecord> records;
  contacts.records(state, records);
  stiffness_ = viscosity_ = {};
  for (const ContactRecord& contact : records) {
    const std::array n{contact.normal.x, contact.normal.y, contact.normal.z},
        l{contact.branch.x, contact.branch.y, contact.branch.z};
    const double sticking = tangential_share_ > 0 ? tangential_share_ * contact.normal_stiffness
                                                  : std::max(contact.tangential_stiffness, tangential_stiffness_);
    for (std::size_t p = 0; p < 6; ++p)
      for (std::size_t q = 0; q < 6; ++q) {
        const auto [a, b] = axes_of(p);
        const auto [c, d] = axes_of(q);
        const double along = n[a] * n[c], across = (a == c ? 1 : 0) - along;
        const double arms = l[b] * l[d] / volume_;
        stiffness_[p][q] += (contact.normal_stiffness * along + sticking * across) * arms;
        viscosity_[p][q] += (contact.normal_damping * along + contact.tangential_damping * across) * arms;
      }
  }
  for (auto* sums : {&stiffness_, &viscosity_})
    for (CellVector& row : *sums) contacts.add_other_parts(row);
}

void CellDriver::read(const World& world) {
  const State& state = world.state;
  volume_ = std::abs(square_of(state.cell.vectors).determinant());
  stress_is_current_ = false;
  if (!has_servo()) return;
  update(world);
  if (state.step < next_estimate_) return;
  next_estimate_ = state.step + estimate_interval;
  estimate_stiffness(state, world.contacts);
}

void CellDriver::update(const World& world) const {
  if (stress_is_current_) return;
  stress_ = world.contacts.virial(world.state);
  stress_ *= 1 / volume_;
  stress_is_current_ = true;
}

const Tensor3& CellDriver::stress() const {
  if (!stress_is_current_)
    throw std::logic_error("the stress of the cell was asked for after a step without Simulation::driver()");
  return stress_;
}

std::optional<ServoRecord> CellDriver::worst_record() const {
  if (!has_servo() || record_.steps == 0) return worst_;
  if (worst_ && worst_->share() >= record_.share()) return worst_;
  return record_;
}

void CellDriver::measure(const World& world, bool start) {
  read(world);
  if (start || !has_servo()) return;
  const double error = largest_servo_error();
  record_.row = error <= drive_.tolerance ? record_.row + 1 : 0;
  if (!record_.held && record_.row >= steps_to_hold) {  // the approach does not count
    record_.held = true;
    record_.squares = record_.steps = record_.largest = 0;
  }
  const double kept = stage_rate() == 0 ? std::exp(-1 / steps_to_hold) : 1;
  record_.squares = kept * record_.squares + error * error;
  record_.steps = kept * record_.steps + 1;
  // Never below the root mean square: an error that dies out leaves a mean of what it was.
  record_.largest = std::max({std::sqrt(kept) * record_.largest, error, record_.mean()});
}

bool CellDriver::target_reached(const State& state, double tolerance, double hold_time) {
  if (!(largest_servo_error() <= tolerance))
    within_since_ = -1;
  else if (within_since_ < 0)
    within_since_ = state.time;
  return within_since_ >= 0 && state.time - within_since_ >= hold_time;
}

void CellDriver::fields(FieldVisitor& f, State& state) {
  f("volume", volume_);
  f("stage_strain", stage_strain_);
  f("within_since", within_since_);
  f.number("next_estimate", next_estimate_);
  f.number("turned", turned_);
  f("rates", rate_);
  f("strains", strain_);
  f("integral", integral_);
  f("stiffness", stiffness_);
  f("viscosity", viscosity_);
  f("cell_vectors", state.cell.vectors);
  f("cell_rate", state.cell_rate);
  f("feed_forward", feed_forward_, Hashed::no);
  f("scale", scale_, Hashed::no);
  f("largest_rate", largest_rate_, Hashed::no);
  f("stress", stress_, Hashed::no);
  if (f.loads()) stress_is_current_ = true;
  const auto record = [&f](const std::string& name, ServoRecord& r) {
    f(name + "/squares", r.squares, Hashed::no);
    f(name + "/steps", r.steps, Hashed::no);
    f(name + "/largest", r.largest, Hashed::no);
    f(name + "/row", r.row, Hashed::no);
    f(name + "/held", r.held, Hashed::no);
  };
  record("record", record_);  // its stage and tolerance follow from the case
  bool any = worst_.has_value();
  f("has_worst", any, Hashed::no);
  ServoRecord worst = worst_.value_or(ServoRecord{});
  record("worst", worst);
  f("worst/tolerance", worst.tolerance, Hashed::no);
  f("worst/stage", worst.stage, Hashed::no);
  if (f.loads()) worst_ = any ? std::optional(worst) : std::nullopt;
}

}  // namespace dem
