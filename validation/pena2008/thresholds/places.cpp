#include "validation/pena2008/thresholds/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dem::validation::pena2008 {

namespace {

std::vector<ThresholdPlace> places(const ThresholdGrid& g, bool quick) {
  std::vector<ThresholdPlace> all;
  const auto add = [&](std::size_t reading, double friction, double stiffness, double restitution, bool decay) {
    ThresholdPlace p;
    p.reading = reading, p.friction = friction, p.stiffness_ratio = stiffness, p.restitution_ratio = restitution,
    p.decay = decay;
    all.push_back(std::move(p));
  };
  for (std::size_t r = 0; r < threshold_readings.size(); ++r) {
    for (double k : g.stiffness)
      for (double e : g.restitution) {
        const bool on_axis = k == reference_stiffness_ratio || e == reference_restitution_ratio;
        add(r, 500, k, e, quick ? k == reference_stiffness_ratio && e == reference_restitution_ratio : on_axis);
      }
    for (double mu : g.friction)
      if (mu != 500) add(r, mu, reference_stiffness_ratio, reference_restitution_ratio, true);
  }
  return all;
}

std::vector<double> work_out(ThresholdPlace p, bool quick, TaskProgress& progress) {
  const Case c = p.given();
  std::vector<double> numbers;
  for (double tolerance : threshold_tolerances) numbers.push_back(exact_threshold(c, tolerance));
  for (double tolerance : threshold_tolerances) numbers.push_back(predicted_threshold(c, tolerance));
  const SlowMode mode = slow_modes(c).front();
  numbers.insert(numbers.end(),
                 {mode.tangential_share, mode.damping_time,
                  c.material.tangential_damping.value() / c.material.tangential_stiffness / contact_duration_of(c)});
  MeasuredThreshold m;
  if (p.decay) {
    // Steps about the threshold itself; where there is none, or in the quick set, larger ones and the straight line in
    // Δt.
    double centre = numbers[0];
    if (!std::isfinite(centre)) centre = 0.03;
    std::vector<double> steps{centre, 2 * centre, 3 * centre};
    if (quick) steps = {2 * centre, 4 * centre};
    m = measure_threshold(c, steps, [&](double share) { progress.done(share); });
  }
  numbers.insert(numbers.end(), {m.limit, m.slope, m.scatter, double(m.usable), m.r_squared});
  return numbers;
}

}  // namespace

Case ThresholdPlace::given() const {
  Case c = two_disc_case(threshold_readings[reading].reading, 1e-3);
  c.material.friction = friction;
  return with_velocity_elongation(with_ratios(c, stiffness_ratio, restitution_ratio));
}

ThresholdGrid threshold_grid(bool quick) {
  if (quick)
    return {{0, 0.1, 1.1, 500}, {0.1, reference_stiffness_ratio, 1}, {0.98, reference_restitution_ratio, 1.01}};
  return {{0, 0.01, 0.1, 0.3, 0.5, 0.9, 1.1, 1.2, 2, 10, 100, 500},
          {0.01, 0.02, 0.05, 0.1, 0.2, reference_stiffness_ratio, 0.5, 0.8, 1},
          {0.98, 0.985, 0.99, 0.995, 1, 1.0025, reference_restitution_ratio, 1.008, 1.01}};
}

std::vector<ThresholdPlace> work_out_places(StudyRun& run) {
  std::vector<ThresholdPlace> all = places(threshold_grid(run.quick()), run.quick());
  std::string what = fmt::format("exact, predicted at 5, 2, 1 %, decays at {}", run.quick() ? "2, 4" : "1, 2, 3");
  std::vector<double> cost;
  for (const ThresholdPlace& p : all) {
    what +=
        fmt::format("; {} {:g} {:g} {:g} {}", p.reading, p.friction, p.stiffness_ratio, p.restitution_ratio, p.decay);
    cost.push_back(p.decay ? (p.reading == 2 ? 40 : 10) : 1);
  }
  const auto results = run.tasks(
      "grid", all.size(),
      [&](std::size_t k, TaskProgress& progress) { return work_out(all[k], run.quick(), progress); }, what, cost);
  for (std::size_t k = 0; k < all.size(); ++k) {
    ThresholdPlace& p = all[k];
    p.done = results[k].done;
    p.message = results[k].message;
    if (!p.done) continue;
    const auto& x = results[k].numbers;
    std::copy_n(x.begin(), 3, p.exact.begin());
    std::copy_n(x.begin() + 3, 3, p.predicted.begin());
    p.tangential_share = x[6], p.damping_time = x[7], p.tangential_time = x[8];
    p.measured = {x[9], x[10], x[11], x[12] > 0, x[13]};
  }
  return all;
}

const ThresholdPlace& reference_place(const std::vector<ThresholdPlace>& all, std::size_t reading, double friction) {
  for (const ThresholdPlace& p : all)
    if (p.reading == reading && p.friction == friction && p.stiffness_ratio == reference_stiffness_ratio &&
        p.restitution_ratio == reference_restitution_ratio)
      return p;
  throw std::out_of_range("the reference place is not in the grid");
}

}  // namespace dem::validation::pena2008
