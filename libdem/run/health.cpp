#include "libdem/run/health.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>

#include "libdem/drivers/mass_damping.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "libdem/platform/parallel.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/run/simulation_setup.hpp"
#include "libdem/state/groups.hpp"

namespace dem {
namespace {

// steps between measurements of the time-step limit at it; more if the step is below
constexpr std::uint64_t limit_interval = 1000;

bool moves(const State& state, std::size_t b) { return state.bodies.freedom[b] != 0; }

/// Ways to keep a limit of the time step. If the damping ratio is not small, strong damping makes the limit small.
/// `without_tangential` is the limit without tangential damping, named if that costs half of the step or more.
std::string what_helps(const Case& c, double limit, double damping_ratio, double without_tangential) {
  const Material& m = c.material;
  std::string more;
  if (without_tangential >= 2 * limit) {
    const std::string now = m.tangential_damping              ? fmt::format(" ({:g} kg/s now", *m.tangential_damping)
                            : m.tangential_damping_ratio >= 0 ? fmt::format(" ({:g} now", m.tangential_damping_ratio)
                                                              : " (that of the law now";
    more =
        fmt::format(", a smaller material.{}{}; without tangential damping the limit is {:.3g} s)",
                    m.tangential_damping ? "tangential_damping" : "tangential_damping_ratio", now, without_tangential);
  }
  if (damping_ratio > 0.1) more += m.normal_damping ? ", less normal_damping" : ", a higher restitution (less damping)";
  return fmt::format("use time.step = {:.2g}{}, or time.override_limit = true to run all the same", 0.8 * limit, more);
}

Case without_tangential_damping(Case c) {
  c.material.tangential_damping = 0;
  return c;
}

/// Work that all steps so far may have lost to round-off of positions (J). Every step may lose some last bits. Bodies
/// that touch by these bits alone swing with the energy of such a movement, kinetic and stored.
double hidden_work(const State& state) {
  const Bodies& bodies = state.bodies;
  const auto sizes = [](Vec3 force, Vec3 at) {
    return std::abs(force.x * at.x) + std::abs(force.y * at.y) + std::abs(force.z * at.z);
  };
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double work = 0, swing = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (moves(state, b)) {
      work += sizes(bodies.force[b], bodies.position[0][b]) + sizes(bodies.torque[b], bodies.rotation[0][b]);
      const double velocity = 4 * epsilon / state.dt * sizes({1, 1, 1}, bodies.position[0][b]);
      swing += bodies.mass[b] * velocity * velocity;
    }
  return 2 * epsilon * double(state.step) * work + swing;
}

/// Whether no body moved by `radius` or by half a turn in the last step. If false, a closer look decides.
bool all_move_little(const State& state, double radius, int threads) {
  const Bodies& bodies = state.bodies;
  constexpr double below = 0.99;  // far more than round-off
  std::atomic<bool> little = true;
  const auto look = [&](std::size_t first, std::size_t last) {
    const auto all_within = [&](const ByBody<Vec3>& values, double bound) {
      // False for NaN.
      return std::ranges::all_of(values.stored().subspan(first, last - first),
                                 [&](Vec3 v) { return dot(v, v) <= bound * bound; });
    };
    if (!(all_within(bodies.position[1], below * radius) && all_within(bodies.rotation[1], below * std::numbers::pi) &&
          all_within(bodies.position[0], 1e150)))
      little = false;
  };
  parallel_parts(threads, bodies.size(), look, bodies.share_begins);
  return little;
}

double smallest_radius(const State& state) {
  double radius = INFINITY;
  for (const Shape& shape : state.shapes) radius = std::min(radius, shape.bounding_radius());
  return radius;
}

struct EnergyGain {
  double present, supplied;  // J
};

/// Energy without work: the present energy exceeds initial plus remaining energy by as much as all exchanged so far.
std::optional<EnergyGain> gain_of_energy(const Simulation& run) {
  if (!run.keeps_ledger()) return {};  // without a ledger the source of energy is unknown
  const EnergyLedger ledger = run.ledger();
  const double present = ledger.kinetic + ledger.stored(), supplied = ledger.supplied() - ledger.accounted() + present;
  if (present - supplied > 0.5 * (ledger.absolute_work + ledger.initial) &&
      present - supplied > hidden_work(run.state()))
    return EnergyGain{present, supplied};
  return {};
}

StepLimitMeter::Options limit_options(const Simulation& run) {
  const Case& c = run.given();
  const MassDamping* damping = run.driver<MassDamping>();
  const auto history = history_of(c, run.stage()).value_or(TangentialHistory::whole);
  return {.damp_while_sliding = c.contact.damp_while_sliding,
          .rotational_damping = c.material.rotational_damping,
          .mass_damping = damping ? damping->alpha() : 0,
          .dimension = run.state().dimension,
          .spring_time = history == TangentialHistory::pseudo ? std::optional(run.state().dt)
                         : history == TangentialHistory::none ? std::optional(0.0)
                                                              : std::nullopt};
}

double limit_without_tangential_damping(const Simulation& run) {
  std::vector<ContactRecord> records;
  run.contact_engine().records(run.state(), records);
  for (ContactRecord& contact : records) contact.tangential_damping = 0;
  return StepLimitMeter().measure(run.state().bodies, records, scheme_of(run.given()), limit_options(run)).dt;
}

}  // namespace

Health::Health(const Case& given, const State& state)
    : apriori_(apriori_limit_of(given, state)), smallest_radius_(smallest_radius(state)) {}

void Health::check_step(const Case& given, const State& state) const {
  if (!(state.dt > apriori_.dt) || given.time.override_limit) return;
  throw StepTooLarge(fmt::format("time.step: found {:g} s, allowed at most {:.4g} s for this assembly ({}); {}",
                                 state.dt, apriori_.dt, apriori_.cause(),
                                 what_helps(given, apriori_.dt, apriori_.damping_ratio,
                                            apriori_limit_of(without_tangential_damping(given), state).dt)));
}

void Health::begin_stage(const Case& given, std::uint64_t step) {
  if (given.time.limit_check_interval == 0) next_measurement_ = std::min(next_measurement_, step + limit_interval);
}

void Health::check(const Simulation& run) {
  const State& state = run.state();
  if (state.step >= next_measurement_) measure(run);
  if (state.step < next_look_) return;
  next_look_ = state.step + looks_at_bodies.steps;
  for (const auto& driver : run.drivers())
    if (const auto trouble = driver->trouble(state))
      throw BlowUp(fmt::format("step {} (t = {:.6g} s): {}", state.step, state.time, *trouble));
  const bool looks_well = all_move_little(state, smallest_radius_, run.given().threads) && !gain_of_energy(run);
  if (looks_well) return;
  if (const std::string found = blow_up_message(run); !found.empty()) throw BlowUp(found);
}

void Health::measure(const Simulation& run) {
  const State& state = run.state();
  const Case& given = run.given();
  meter_.begin(state.bodies, run.contact_count(), limit_options(run));
  if (state.dimension == 2)
    meter_.add(run.contacts());
  else
    run.contact_engine().visit(state, [this](std::span<const ContactRecord> some) { meter_.add(some); });
  measured_ = meter_.finish(scheme_of(given));
  const double interval = given.time.limit_check_interval;
  next_measurement_ =
      state.step + (interval > 0 ? std::uint64_t(std::ceil(interval / state.dt)) : steps_to_next_measurement(run));
  if (state.dt > measured_->dt && !given.time.override_limit)
    throw StepTooLarge(fmt::format(
        "step {}: time.step = {:g} s exceeds the limit {:.4g} s measured from the contacts ({}; {} with {}); {}",
        state.step, state.dt, measured_->dt, measured_->cause(), body_label(state, measured_->contact.i),
        body_label(state, measured_->contact.j),
        what_helps(given, measured_->dt, measured_->damping_ratio, limit_without_tangential_damping(run))));
}

/// The contacts may change before the next measurement. The limit goes with the root of their stiffness. So the
/// interval goes with the stiffness at which the limit would be the step. A dense packing of spheres or discs has about
/// twice its a-priori limit, and a loose one may become dense.
std::uint64_t Health::steps_to_next_measurement(const Simulation& run) const {
  // This bound fails for polygons whose faces are infinitely stiff at first touch (apriori_limit_of).
  const ContactChoice& contact = run.given().contact;
  if (contact.normal_force == NormalForce::area_potential && contact.potential_exponent < 2) return limit_interval;
  // Clusters may have more contacts than the a-priori limit counts, and a loose assembly does not show the dense one.
  if (run.state().bodies.has_orientations() && !(measured_->dt <= 2 * apriori_.dt)) return limit_interval;
  const double share = run.state().dt / std::min(measured_->dt, 2 * apriori_.dt);
  return std::uint64_t(std::clamp(1 / (share * share), 1.0, 10.0) * limit_interval);
}

void Health::fields(FieldVisitor& f) {
  f("next_limit_measurement", next_measurement_, Hashed::no);
  f("next_look", next_look_, Hashed::no);
  if (f.loads()) measured_.reset();  // that of the assembly as it was made
}

std::string blow_up_message(const Simulation& run) {
  const State& state = run.state();
  const Bodies& bodies = state.bodies;
  const auto strongest = [&] {  // the contact to look at first
    const auto strength = [&](const ContactRecord& c) {
      return run.contact_engine().has_forces() ? norm(c.force) : c.normal_stiffness * c.overlap;
    };
    const ContactRecord* worst = nullptr;
    for (const ContactRecord& c : run.contacts())
      if (!worst || !(strength(c) <= strength(*worst))) worst = &c;
    return worst ? fmt::format("; strongest contact: {} with {}, overlap {:.3g} m", body_label(state, worst->key.i),
                               body_label(state, worst->key.j), worst->overlap)
                 : std::string("; no contact at this step");
  };
  const auto advice = [&] {
    const auto* box = run.given().driver_options<ShearBoxSpec>();
    const bool servo = box && box->plate == PlateLoad::servo;
    const std::string_view gain = servo ? "a shear_box.servo_gain above its limit, " : "";
    if (state.dt > run.apriori_limit().dt)
      return fmt::format(
          " Likely cause: a time step too large for the stiffest contact, {}or bodies that start too deep in each "
          "other.",
          gain);
    if (run.contacts().empty())
      return fmt::format(
          " Likely cause: {}a velocity, force or gravity of the case that is far too large; the time step is below its "
          "limit.",
          gain);
    return fmt::format(
        " Likely cause: {}a velocity, force or load of the case far beyond what its contacts can bear, or bodies that "
        "start too deep in each other; the time step is below its limit.",
        gain);
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!moves(state, b)) continue;
    const Vec3 step = bodies.position[1][b];
    const double turn = state.dimension == 2 ? bodies.rotation[1][b].z : norm(bodies.rotation[1][b]),
                 length = norm(step), radius = state.shape_of(b).bounding_radius();
    if (!std::isfinite(length) || !std::isfinite(turn) || !std::isfinite(norm(bodies.position[0][b])))
      return fmt::format("step {} (t = {:.6g} s): the motion of {} is no longer a number{}.{}", state.step, state.time,
                         body_label(state, b), strongest(), advice());
    if (length > radius || std::abs(turn) > std::numbers::pi)
      return fmt::format(
          "step {} (t = {:.6g} s): {} moves by {:.3g} m and turns by {:.3g} rad in one step, more than its own radius "
          "({:.3g} m) or half a turn{}.{}",
          state.step, state.time, body_label(state, b), length, turn, radius, strongest(), advice());
  }
  if (const auto gain = gain_of_energy(run))
    return fmt::format(
        "step {} (t = {:.6g} s): {:.3g} J of kinetic and stored energy where the ledger leaves {:.3g} J{}.{}",
        state.step, state.time, gain->present, gain->supplied, strongest(), advice());
  return {};
}

std::string went_through_message(const State& state, std::pair<std::size_t, std::size_t> body_and_wall) {
  const auto [body, wall] = body_and_wall;
  const Vec3 at = state.bodies.position[0][body];
  return fmt::format(
      "step {} (t = {:.6g} s): the centre of {} has gone through {}, at ({:.6g}, {:.6g}, {:.6g}) m. Likely cause: "
      "contacts too soft for the load, or a time step in which it moves too far.",
      state.step, state.time, body_label(state, body), wall_label(state, wall), at.x, at.y, at.z);
}

}  // namespace dem
