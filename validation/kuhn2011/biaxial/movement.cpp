#include "validation/kuhn2011/biaxial/movement.hpp"

#include <algorithm>
#include <cmath>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/drivers/cell_drive.hpp"

namespace dem::validation::kuhn2011 {

namespace {

constexpr double cosine_of_corner = 0.70710678118654752;

Vec3 turn_of(const State& state, std::size_t b, const std::vector<Vec3>& before) {
  return state.bodies.rotation[0][b] - before[b];
}

}  // namespace

MovementWatch::MovementWatch(const Simulation& run, const Choice& choice)
    : choice_(choice), turned_(run.state().bodies.rotation[0].by_number()) {
  for (const ContactRecord& c : run.contacts()) followed_.push_back(begin(run, c, true));
}

MovementWatch::~MovementWatch() = default;

laws::JaegerCoefficients MovementWatch::coefficients(const FollowedContact& c) const {
  laws::JaegerCoefficients k;
  static_cast<laws::Hertz&>(k) = c.hertz;
  k.friction = friction;
  return k;
}

FollowedContact MovementWatch::begin(const Simulation& run, const ContactRecord& record, bool from_start) {
  FollowedContact c;
  const State& state = run.state();
  c.key = record.key;
  c.normal = record.normal;
  c.direction = any_direction(record.normal);
  c.branch = record.branch;
  c.overlap = record.overlap;
  c.from_start = from_start;
  const double r_i = state.shape_of(record.key.i).equivalent_radius(),
               r_j = state.shape_of(record.key.j).equivalent_radius();
  c.hertz = {laws::Hertz::modulus_of(shear_modulus, poisson_ratio), laws::Hertz::ratio_of(poisson_ratio),
             laws::Hertz::radius_of(r_i, r_j)};
  const laws::JaegerCoefficients k = coefficients(c);
  laws::JaegerContact(k, c.history, pool_)
      .step(0.5 * c.overlap, {0, 0});  // what moved along the contact since first touch within the step is left out
  if (from_start) keep_point(run, c);
  return c;
}

void MovementWatch::keep_point(const Simulation& run, FollowedContact& c) const {
  const double strain = run.driver<CellDriver>() ? -run.driver<CellDriver>()->strains()[2] : 0;
  const PathPoint point{strain, 0.5 * c.overlap, 0.5 * c.shift[0], 0.5 * c.shift[1]};
  if (run.step_count() % choice_.path_every == 0) c.path.push_back(point);
  if (strain >= choice_.zoom_from && strain <= choice_.zoom_to) c.zoom.push_back(point);
}

/// The movement as the engine has it (contacts/contact_frame.hpp).
void MovementWatch::move(const Simulation& run, FollowedContact& c, const ContactRecord& record) {
  const State& state = run.state();
  const std::size_t i = record.key.i, j = record.key.j;
  const double r_i = state.shape_of(i).equivalent_radius(), r_j = state.shape_of(j).equivalent_radius();
  const Vec3 n0 = c.normal, n1 = record.normal, turn_i = turn_of(state, i, turned_),
             turn_j = turn_of(state, j, turned_);
  const Vec3 arm_i = 0.5 * (sphere_arm(r_i, c.overlap, n0) + sphere_arm(r_i, record.overlap, n1));
  const Vec3 arm_j = -0.5 * (sphere_arm(r_j, c.overlap, n0) + sphere_arm(r_j, record.overlap, n1));
  const Vec3 movement =
      pair_movement({}, record.branch - c.branch, chord_rotation(turn_i), chord_rotation(turn_j), arm_i, arm_j);
  const double half_tangent = twist_half_tangent(0.5 * (turn_i + turn_j), n1, true);
  c.direction = carried_direction(c.direction, n0, n1, half_tangent);
  const Vec2 shift = tangential_movement(movement, n0, n1, c.direction, half_tangent);
  const double change = record.overlap - c.overlap;

  const double along = shift.x * c.last[0] + shift.y * c.last[1],
               sizes = std::hypot(shift.x, shift.y) * std::hypot(c.last[0], c.last[1]);
  if (along < 0) c.reversals += 1;
  if (sizes > 0 && along < cosine_of_corner * sizes) c.corners += 1;
  if (change * c.last_overlap_change < 0) c.normal_reversals += 1;

  const laws::JaegerCoefficients k = coefficients(c);
  const laws::StepRegime regime =
      laws::JaegerContact(k, c.history, pool_).step(0.5 * record.overlap, {0.5 * shift.x, 0.5 * shift.y});
  for (StepKinds* kinds : {&c.kinds, &kinds_}) {
    if (regime == laws::StepRegime::stick) kinds->stick += 1;
    if (regime == laws::StepRegime::slip) kinds->slip += 1;
    if (regime == laws::StepRegime::slide) kinds->slide += 1;
    if (regime == laws::StepRegime::retrace || regime == laws::StepRegime::unchanged) kinds->retrace += 1;
  }
  c.shift = {c.shift[0] + shift.x, c.shift[1] + shift.y};
  c.last = {shift.x, shift.y};
  c.last_overlap_change = change;
  c.normal = n1;
  c.branch = record.branch;
  c.overlap = record.overlap;
  if (c.from_start) keep_point(run, c);
}

void MovementWatch::observe(const Simulation& run) {
  std::vector<FollowedContact> now;
  auto old = followed_.begin();
  const auto lost = [&](FollowedContact& c) {
    const laws::JaegerCoefficients k = coefficients(c);
    laws::JaegerContact(k, c.history, pool_).clear();
  };
  for (const ContactRecord& record : run.contacts()) {
    for (; old != followed_.end() && old->key < record.key; ++old) lost(*old);
    if (old != followed_.end() && old->key == record.key) {
      now.push_back(std::move(*old++));
      move(run, now.back(), record);
    } else {
      now.push_back(begin(run, record, false));
    }
  }
  for (; old != followed_.end(); ++old) lost(*old);
  followed_ = std::move(now);
  turned_ = run.state().bodies.rotation[0].by_number();
}

double MovementWatch::largest_difference(const Simulation& run) const {
  double largest = 0;
  const auto records = run.contacts();
  for (std::size_t k = 0; k < followed_.size(); ++k) {  // both in the order of their keys
    const FollowedContact& c = followed_[k];
    if (!c.from_start) continue;
    largest = std::max(largest, std::abs(records[k].elongation - 2 * std::hypot(c.history.held_1, c.history.held_2)) /
                                    (2 * c.hertz.ratio * friction * c.history.z));
  }
  return largest;
}

Movement watch_movement(const Case& c, std::size_t rows, double zoom_width, TaskProgress& progress) {
  Simulation run(c);
  const double end = *c.stages.back().strain,
               steps = end / (std::abs(run.driver<CellDriver>()->stage_rate()) * c.time.step);
  MovementWatch::Choice choice;
  choice.path_every = std::max<std::uint64_t>(1, std::uint64_t(steps / 1000));
  choice.zoom_from = 0.5 * end;
  choice.zoom_to = 0.5 * end + zoom_width;
  MovementWatch watch(run, choice);
  Movement out;
  out.contacts_at_start = double(watch.contacts().size());
  while (!run.finished()) {
    run.step();
    watch.observe(run);
    if (double(run.step_count()) < double(out.rows.size() + 1) * steps / double(rows) && !run.finished()) continue;
    out.rows.push_back({-run.driver<CellDriver>()->strains()[2], watch.kinds()});
    watch.reset_kinds();
    progress.done(run.stage_progress());
  }
  out.steps = double(run.step_count());
  out.difference = watch.largest_difference(run);
  std::vector<const FollowedContact*> alive;
  for (const FollowedContact& f : watch.contacts()) {
    out.legs.push_back(double(f.history.legs()));
    if (!f.from_start) continue;
    alive.push_back(&f);
    out.survivors.push_back(
        {f.kinds.stick, f.kinds.slip, f.kinds.slide, f.kinds.retrace, f.reversals, f.corners, f.normal_reversals});
  }
  std::ranges::sort(alive, {}, [](const FollowedContact* f) { return f->reversals; });
  if (!alive.empty()) out.shown = *alive[alive.size() / 2];
  return out;
}

std::vector<double> Movement::pack() const {
  std::vector<double> out{steps,
                          difference,
                          contacts_at_start,
                          double(rows.size()),
                          double(legs.size()),
                          double(survivors.size()),
                          double(shown.path.size()),
                          shown.reversals,
                          shown.corners};
  for (const Row& r : rows)
    out.insert(out.end(), {r.strain, r.kinds.stick, r.kinds.slip, r.kinds.slide, r.kinds.retrace});
  out.insert(out.end(), legs.begin(), legs.end());
  for (const auto& s : survivors) out.insert(out.end(), s.begin(), s.end());
  for (const auto* path : {&shown.path, &shown.zoom})
    for (const PathPoint& p : *path) out.insert(out.end(), {p.strain, p.normal, p.along_1, p.along_2});
  return out;
}

Movement Movement::unpack(const std::vector<double>& n) {
  Movement m;
  m.steps = n[0], m.difference = n[1], m.contacts_at_start = n[2];
  m.shown.reversals = n[7], m.shown.corners = n[8];
  const auto rows = std::size_t(n[3]), legs = std::size_t(n[4]), survivors = std::size_t(n[5]),
             path = std::size_t(n[6]);
  std::size_t k = 9;
  for (; m.rows.size() < rows; k += 5) m.rows.push_back({n[k], {n[k + 1], n[k + 2], n[k + 3], n[k + 4]}});
  for (; m.legs.size() < legs; ++k) m.legs.push_back(n[k]);
  for (; m.survivors.size() < survivors; k += 7) {
    auto& s = m.survivors.emplace_back();
    std::copy_n(n.begin() + std::ptrdiff_t(k), 7, s.begin());
  }
  for (; k + 4 <= n.size(); k += 4)
    (m.shown.path.size() < path ? m.shown.path : m.shown.zoom).push_back({n[k], n[k + 1], n[k + 2], n[k + 3]});
  return m;
}

}  // namespace dem::validation::kuhn2011
