#include "libdem/sweep/step_convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dem {
namespace {

constexpr double least_fall = 0.75;     // ratio of a difference to the one before; order 0.4
constexpr double steady = 0.98;         // R² of ln|difference| over ln(step)
constexpr double small_spread = 0.005;  // relative; below it there is no dependence

struct Line {
  double slope = 0, r_squared = 0;
};

Line line_through(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = double(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    sx += x[k];
    sy += y[k];
    sxx += x[k] * x[k];
    sxy += x[k] * y[k];
    syy += y[k] * y[k];
  }
  const double vx = sxx - sx * sx / n, vy = syy - sy * sy / n, c = sxy - sx * sy / n;
  return {c / vx, vy > 0 ? c * c / (vx * vy) : 0};
}

/// The stretch of differences that fall, up to the smallest steps. Nothing without such a stretch.
struct Fall {
  std::size_t first, last;  // indices of the differences
  double order;
};
std::optional<Fall> falling(const std::vector<StepResult>& r, const std::vector<double>& f,
                            const std::vector<double>& error) {
  const std::size_t n = f.size() - 1;
  const bool replicated = std::ranges::any_of(error, [](double e) { return e > 0; });
  const std::size_t needed = replicated ? 2 : 3;
  std::vector<double> d(n);
  for (std::size_t k = 0; k < n; ++k) d[k] = f[k] - f[k + 1];
  const auto counts = [&](std::size_t k) {
    return d[k] != 0 && std::abs(d[k]) > 2 * std::hypot(error[k], error[k + 1]);
  };
  for (std::size_t last = n; last-- > 0;) {
    // A larger difference after the stretch would be scatter, not the rest of a convergence.
    bool quiet = true;
    for (std::size_t k = last + 1; k < n; ++k)
      quiet &= std::abs(d[k]) <= std::max(std::abs(d[last]), 2 * std::hypot(error[k], error[k + 1]));
    if (!quiet || !counts(last)) continue;
    std::size_t first = last;
    while (first > 0 && last - (first - 1) < 4 && counts(first - 1) && d[first - 1] * d[last] > 0 &&
           std::abs(d[first]) <= least_fall * std::abs(d[first - 1]))
      --first;
    if (last - first + 1 < needed) continue;
    std::vector<double> x, y;
    for (std::size_t k = first; k <= last; ++k) x.push_back(std::log(r[k].step)), y.push_back(std::log(std::abs(d[k])));
    const Line line = line_through(x, y);
    if (line.r_squared > steady) return Fall{first, last, line.slope};
  }
  return std::nullopt;
}

}  // namespace

StepConvergence step_convergence(std::vector<StepResult> r, const std::vector<double>& tolerances, bool reciprocal) {
  std::size_t begin = r.size();  // all values from here on are finite
  while (begin > 0 && std::isfinite(r[begin - 1].value)) --begin;
  r.erase(r.begin(), r.begin() + std::ptrdiff_t(begin));
  if (r.size() < 3)
    throw std::invalid_argument(fmt::format(
        "found {} time steps with a result, counted from the smallest, allowed at least three; the table has "
        "the reasons; take smaller steps (--from) or more of them (--halvings)",
        r.size()));
  const std::size_t n = r.size();
  std::vector<double> f(n), error(n);
  for (std::size_t k = 0; k < n; ++k) {
    f[k] = reciprocal ? 1 / r[k].value : r[k].value;
    error[k] = reciprocal ? r[k].error / (r[k].value * r[k].value) : r[k].error;
  }

  StepConvergence c;
  double limit = 0;
  if (const auto fall = falling(r, f, error)) {
    c.kind = StepConvergence::Kind::ordered;
    c.order = fall->order;
    const double whole = std::round(c.order), order = whole >= 1 && std::abs(c.order - whole) < 0.15 ? whole : c.order;
    const auto extrapolated = [&](std::size_t k) {
      return f[k + 1] - (f[k] - f[k + 1]) / (std::pow(r[k].step / r[k + 1].step, order) - 1);
    };
    limit = extrapolated(fall->last);
    c.limit_error = std::max(std::abs(limit - extrapolated(fall->last - 1)), error[fall->last + 1]);
  } else {
    const std::size_t half = n / 2;
    double sum = 0, squares = 0;
    for (std::size_t k = half; k < n; ++k) sum += f[k];
    limit = sum / double(n - half);
    for (std::size_t k = half; k < n; ++k) squares += (f[k] - limit) * (f[k] - limit);
    const double deviation = n - half > 1 ? std::sqrt(squares / double(n - half - 1)) : 0;
    c.limit_error = std::max(deviation, error.back()) / std::sqrt(double(n - half));
    c.scatter = std::max(deviation, error.back()) / std::abs(limit);
  }
  c.limit = reciprocal ? 1 / limit : limit;
  c.limit_error = reciprocal ? c.limit_error / (limit * limit) : c.limit_error;
  std::vector<double> away(n);
  for (std::size_t k = 0; k < n; ++k) {
    away[k] = std::abs(r[k].value / c.limit - 1);
    c.spread = std::max(c.spread, away[k]);
  }
  if (c.kind != StepConvergence::Kind::ordered)
    c.kind = c.spread < small_spread ? StepConvergence::Kind::independent : StepConvergence::Kind::scattered;

  for (const double tolerance : tolerances) {
    StepConvergence::Threshold t{tolerance, std::nullopt, false, false};
    const bool scattered = c.kind == StepConvergence::Kind::scattered;
    const auto within = [&](std::size_t k) {
      return away[k] <= tolerance + (scattered ? 2 * std::max(c.scatter, r[k].error / std::abs(c.limit)) : 0);
    };
    std::size_t k = n;
    while (k > 0 && within(k - 1)) --k;
    if (scattered && 2 * c.scatter > tolerance) {
      // The scatter hides a deviation of this size.
    } else if (k == 0) {
      t.step = r[0].step;
      t.at_least = true;
    } else if (k < n) {
      // Interpolates by a power law between a step that is too large and one that is not.
      const double a = std::max(away[k], 1e-300), b = away[k - 1];
      const double share = scattered || b <= a ? 0 : std::clamp(std::log(tolerance / a) / std::log(b / a), 0.0, 1.0);
      t.step = r[k].step * std::pow(r[k - 1].step / r[k].step, share);
    } else if (c.kind == StepConvergence::Kind::ordered) {
      t.step = r[n - 1].step * std::pow(tolerance / away[n - 1], 1 / c.order);
      t.extrapolated = true;
    }
    c.thresholds.push_back(t);
  }
  return c;
}

std::vector<StepResult> step_means(const std::vector<double>& steps, const std::vector<std::vector<double>>& values) {
  std::vector<StepResult> results;
  std::vector<std::size_t> good;  // steps where every replicate has a value
  for (std::size_t k = 0; k < steps.size(); ++k) {
    double sum = 0;
    for (const double v : values[k]) sum += v;
    results.push_back({steps[k], sum / double(values[k].size()), 0});
    if (std::isfinite(sum)) good.push_back(k);
  }
  const std::size_t replicates = values.empty() ? 0 : values[0].size();
  if (replicates < 2 || good.size() < 2) return results;
  std::vector<double> own(replicates, 0);
  double mean = 0, squares = 0;
  for (const std::size_t k : good)
    for (std::size_t s = 0; s < replicates; ++s) own[s] += values[k][s] / double(good.size());
  for (const double m : own) mean += m / double(replicates);
  for (const std::size_t k : good)
    for (std::size_t s = 0; s < replicates; ++s) {
      const double rest = values[k][s] - own[s] - results[k].value + mean;
      squares += rest * rest;
    }
  const double variance = squares / double((replicates - 1) * (good.size() - 1));
  for (const std::size_t k : good) results[k].error = std::sqrt(variance / double(replicates));
  return results;
}

}  // namespace dem
