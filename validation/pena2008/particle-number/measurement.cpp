#include "validation/pena2008/particle-number/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "validation/pena2008/particle-number/normal_modes.hpp"
#include "validation/pena2008/particle-number/small_motion.hpp"

namespace dem::validation::pena2008::packed {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t dense_bodies = 256;  // up to here all modes are worked out
constexpr int some_modes = 30;             // else this many from either end
constexpr double periods = 12;             // of a decay: 24 maxima
constexpr double small = 1e-2;             // displacements over the depth of the lightest contact
constexpr int growth_steps = 2000;
constexpr double fixed_time = 300;  // t_c
constexpr double late_step = 5e-2;  // t_c

struct Modes {
  std::vector<Mode> low, high;  // the same where all are known
  bool all = false;
};

Modes modes_of(const LinearSystem& system, std::size_t bodies) {
  Modes modes;
  modes.all = bodies <= dense_bodies;
  if (modes.all) {
    modes.low = modes.high = all_modes(system);
  } else {
    modes.low = lowest_modes(system, some_modes);
    modes.high = highest_modes(system, some_modes);
  }
  return modes;
}

/// Δt/t_c at which the energy left after fixed_time is 5 % too small: every mode begins with the same energy.
double fixed_time_threshold(const std::vector<Mode>& modes, double k_t, double t_c) {
  const auto left = [&](double dt) {
    double sum = 0;
    for (const Mode& m : modes) sum += std::exp(-(m.rate + predict(m, k_t).slope * dt) * fixed_time * t_c);
    return sum;
  };
  double low = 0, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (left(middle * t_c) > 0.95 * left(0) ? low : high) = middle;
  }
  return low;
}

/// Least squares of relative errors of y = rate + slope x.
void fit_line(const std::vector<double>& x, const std::vector<double>& y, Measurement& m) {
  double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double weight = 1 / (y[k] * y[k]);
    w += weight, wx += weight * x[k], wxx += weight * x[k] * x[k], wy += weight * y[k], wxy += weight * x[k] * y[k];
  }
  m.fitted_slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  m.fitted_rate = (wy - m.fitted_slope * wx) / w;
  for (std::size_t k = 0; k < x.size(); ++k)
    m.nonlinearity = std::max(m.nonlinearity, std::abs((m.fitted_rate + m.fitted_slope * x[k]) / y[k] - 1));
}

void run_decays(const Packing& packing, const Mode& mode, const MeasurementChoice& choice, TaskProgress& progress,
                Measurement& m) {
  const double t_c = reference_duration();
  const Eigen::VectorXd start = velocity_along(packing.given, mode.shape, mode.omega, small * packing.smallest_depth);
  m.fewest_maxima = std::numeric_limits<double>::infinity();
  double work = 0, done = 0;  // in 1/Δt
  for (double dt : velocity_steps) work += dt >= choice.smallest_step ? 1 / dt : 0;
  for (double dt : geometric_steps) work += dt >= 2 * choice.smallest_step ? 1 / dt : 0;
  const auto rate = [&](Elongation elongation, double dt) {
    const Decay decay =
        decay_of_mode({packing.given, start, elongation, dt * t_c}, periods * 2 * std::numbers::pi / mode.omega);
    if (!decay.usable())
      throw std::runtime_error(fmt::format("decay at Δt/t_c = {:g}: {} maxima, R² = {:.5f}{}", dt, decay.maxima,
                                           decay.r_squared, decay.same_contacts ? "" : ", contacts changed"));
    m.worst_fit = std::max(m.worst_fit, 1 - decay.r_squared);
    m.fewest_maxima = std::min(m.fewest_maxima, double(decay.maxima));
    progress.done(0.2 + 0.6 * (done += 1 / dt) / work);
    return decay.rate * t_c;
  };
  std::vector<double> steps, rates;
  for (std::size_t k = 0; k < velocity_steps.size(); ++k) {
    m.velocity_rate[k] = nan;
    if (velocity_steps[k] < choice.smallest_step) continue;
    m.velocity_rate[k] = rate(Elongation::velocity, velocity_steps[k]);
    steps.push_back(velocity_steps[k]);
    rates.push_back(m.velocity_rate[k]);
  }
  fit_line(steps, rates, m);
  for (std::size_t k = 0; k < geometric_steps.size(); ++k)
    m.geometric_rate[k] =
        geometric_steps[k] >= 2 * choice.smallest_step ? rate(Elongation::geometric, geometric_steps[k]) : nan;
}

/// Predicted and measured stability limit (t_c). The run begins along the mode that is predicted to grow first, with a
/// tenth of random motion for those that nobody predicted.
void find_limit(const Packing& packing, const std::vector<Mode>& modes, Elongation elongation, double& predicted,
                double& measured) {
  const double t_c = reference_duration(), k_t = packing.given.material.tangential_stiffness;
  const Mode* first = nullptr;
  predicted = std::numeric_limits<double>::infinity();
  for (const Mode& mode : modes) {
    const double share = elongation == Elongation::velocity ? predict(mode, k_t).tangential_share : 0;
    const double limit = modal_stability_limit(mode.damping_ratio(), share) / mode.omega;
    if (limit < predicted) predicted = limit, first = &mode;
  }
  const double depth = packing.smallest_depth;
  Disturbed d{packing.given, velocity_along(packing.given, first->shape, first->omega, small * depth), elongation, 0};
  d.velocity += random_velocity(packing.given, first->omega, 0.1 * small * depth, 1);
  measured = largest_stable_step(d, 0.97 * predicted, 1.03 * predicted, growth_steps) / t_c;
  predicted /= t_c;
}

/// Rate at late times over that of the mode which then is the slowest.
void run_late(const Packing& packing, const std::vector<Mode>& modes, const MeasurementChoice& choice,
              Elongation elongation, double& ratio, double& fit) {
  const double dt = late_step * reference_duration(), k_t = packing.given.material.tangential_stiffness;
  double slowest = std::numeric_limits<double>::infinity();
  for (const Mode& mode : modes)
    slowest = std::min(slowest, mode.rate + (elongation == Elongation::velocity ? predict(mode, k_t).slope * dt : 0));
  // Ten times as large as a single mode is started: what is fitted is a hundred times smaller.
  const Eigen::VectorXd start =
      random_velocity(packing.given, modes.front().omega, 10 * small * packing.smallest_depth, choice.packing.seed);
  const Decay decay = late_decay({packing.given, start, elongation, dt}, 60 / slowest);
  ratio = decay.maxima >= 20 && decay.same_contacts ? decay.rate / slowest : nan;
  fit = decay.r_squared;
}

template <class M, class Visit>
void each_number(M& m, Visit visit) {
  for (auto* x : {&m.bodies,
                  &m.rattlers,
                  &m.coordination,
                  &m.overlap,
                  &m.unbalanced,
                  &m.omega,
                  &m.rate,
                  &m.slope,
                  &m.tangential_share,
                  &m.gap,
                  &m.highest_omega,
                  &m.highest_damping_ratio,
                  &m.velocity_limit_predicted,
                  &m.geometric_limit_predicted,
                  &m.fixed_time_threshold,
                  &m.worst_fit,
                  &m.fewest_maxima,
                  &m.fitted_rate,
                  &m.fitted_slope,
                  &m.nonlinearity,
                  &m.velocity_limit,
                  &m.geometric_limit,
                  &m.late_velocity,
                  &m.late_velocity_fit,
                  &m.late_geometric,
                  &m.late_geometric_fit})
    visit(*x);
  for (auto& x : m.velocity_rate) visit(x);
  for (auto& x : m.geometric_rate) visit(x);
}

}  // namespace

double damping_time() {
  const Material m = reference_material();
  return *m.normal_damping / m.normal_stiffness / reference_duration();
}

double Measurement::geometric_change(double largest_step) const {
  double base = nan, change = 0;
  for (std::size_t k = 0; k < geometric_steps.size() && geometric_steps[k] <= largest_step; ++k) {
    if (std::isnan(base))
      base = geometric_rate[k];
    else
      change = std::max(change, std::abs(geometric_rate[k] / base - 1));
  }
  return change;
}

std::vector<double> Measurement::numbers() const {
  std::vector<double> all;
  each_number(*this, [&](const double& x) { all.push_back(x); });
  return all;
}

Measurement Measurement::from(const std::vector<double>& numbers) {
  Measurement m;
  std::size_t k = 0;
  each_number(m, [&](double& x) { x = numbers.at(k++); });
  return m;
}

Measurement measure(const MeasurementChoice& choice, TaskProgress& progress) {
  const double t_c = reference_duration();
  const Packing packing = make_packing(choice.packing);
  progress.done(0.2);
  const double k_t = packing.given.material.tangential_stiffness;
  const std::size_t bodies = packing.given.assembly.bodies.size();
  Measurement m;
  m.bodies = double(bodies);
  m.rattlers = packing.rattlers;
  m.coordination = packing.coordination;
  m.overlap = packing.mean_overlap;
  m.unbalanced = packing.unbalanced;

  const Modes modes = modes_of(linearise(packing.given, std::min(1e-7, 0.1 * packing.smallest_depth)), bodies);
  std::vector<const Mode*> by_rate;
  for (const Mode& mode : modes.low) by_rate.push_back(&mode);
  std::sort(by_rate.begin(), by_rate.end(), [](const Mode* a, const Mode* b) { return a->rate < b->rate; });
  const Mode& slowest = *by_rate.front();
  m.omega = slowest.omega * t_c;
  m.rate = slowest.rate * t_c;
  m.gap = by_rate[1]->rate / slowest.rate;
  m.slope = predict(slowest, k_t).slope * t_c * t_c;
  m.tangential_share = predict(slowest, k_t).tangential_share;
  m.highest_omega = modes.high.back().omega * t_c;
  m.highest_damping_ratio = modes.high.back().damping_ratio();
  m.fixed_time_threshold = modes.all ? fixed_time_threshold(modes.low, k_t, t_c) : nan;

  run_decays(packing, slowest, choice, progress, m);
  find_limit(packing, modes.high, Elongation::velocity, m.velocity_limit_predicted, m.velocity_limit);
  progress.done(0.9);
  find_limit(packing, modes.high, Elongation::geometric, m.geometric_limit_predicted, m.geometric_limit);
  m.late_velocity = m.late_velocity_fit = m.late_geometric = m.late_geometric_fit = nan;
  if (choice.late_decay) {
    run_late(packing, modes.low, choice, Elongation::velocity, m.late_velocity, m.late_velocity_fit);
    run_late(packing, modes.low, choice, Elongation::geometric, m.late_geometric, m.late_geometric_fit);
  }
  return m;
}

}  // namespace dem::validation::pena2008::packed
