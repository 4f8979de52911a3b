#include "libdem/measure/power_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "geometry/random.hpp"

namespace dem {
namespace {

using geometry::Random;

constexpr std::size_t most_cutoffs = 100;  // tried; more cost time in each resampling and do not change the fit

struct Tail {
  double exponent = 0, distance = 0;
};

/// Fit to the sorted sizes from index `first` on. `sum_of_logs`: sum of their logarithms.
Tail fit_tail(std::span<const double> sorted, std::size_t first, double sum_of_logs) {
  const std::span<const double> tail = sorted.subspan(first);
  const double n = double(tail.size()), lower = tail.front(), log_sum = sum_of_logs - n * std::log(lower);
  Tail t;
  if (tail.back() == lower || !(log_sum > 0)) return {0, INFINITY};  // of equal sizes the sum is round-off of any sign
  t.exponent = 1 + n / log_sum;
  for (std::size_t k = 0; k < tail.size(); ++k) {
    const double model = 1 - std::pow(tail[k] / lower, 1 - t.exponent);
    t.distance = std::max({t.distance, std::abs(model - double(k) / n), std::abs(model - double(k + 1) / n)});
  }
  return t;
}

struct Cut {
  std::size_t first = 0;
  Tail tail;
};

/// Returns the given cutoff, or the one of least distance.
Cut choose_cut(std::span<const double> sorted, const PowerLawChoice& choice) {
  std::vector<double> logs(sorted.size() + 1, 0.0);  // [k]: sum over all from k on
  for (std::size_t k = sorted.size(); k-- > 0;) logs[k] = logs[k + 1] + std::log(sorted[k]);
  if (choice.lower) {
    const auto first = std::size_t(std::lower_bound(sorted.begin(), sorted.end(), *choice.lower) - sorted.begin());
    return {first, first < sorted.size() ? fit_tail(sorted, first, logs[first]) : Tail{0, INFINITY}};
  }
  Cut best{0, {0, INFINITY}};
  if (sorted.size() < choice.smallest_tail) return best;
  const std::size_t last = sorted.size() - choice.smallest_tail, stride = std::max<std::size_t>(1, last / most_cutoffs);
  for (std::size_t first = 0; first <= last; first += stride) {
    if (first > 0 && sorted[first] == sorted[first - 1]) continue;
    if (const Tail t = fit_tail(sorted, first, logs[first]); t.distance < best.tail.distance) best = {first, t};
  }
  return best;
}

std::vector<double> sorted_sizes(std::span<const double> sizes) {
  std::vector<double> sorted(sizes.begin(), sizes.end());
  for (const double x : sorted)
    if (!(x > 0) || !std::isfinite(x))
      throw std::invalid_argument(fmt::format("a power law needs positive sizes, found {}", x));
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, std::size_t(share * double(values.size())))];
}

/// Likelihood ratio of the power law to the exponential, both with the cutoff of the tail.
void compare_with_exponential(std::span<const double> tail, PowerLawFit& fit) {
  const double n = double(tail.size()), lower = tail.front();
  const double rate = 1 / (std::accumulate(tail.begin(), tail.end(), 0.0) / n - lower);
  double sum = 0, squares = 0;
  for (const double x : tail) {
    const double power = std::log((fit.exponent - 1) / lower) - fit.exponent * std::log(x / lower);
    const double difference = power - (std::log(rate) - rate * (x - lower));
    sum += difference;
    squares += difference * difference;
  }
  const double variance = squares / n - (sum / n) * (sum / n);
  if (!(variance > 0)) return;
  fit.against_exponential = sum / std::sqrt(n * variance);
  fit.against_exponential_chance = std::erfc(std::abs(fit.against_exponential) / std::sqrt(2.0));
}

/// Interval of the exponent from resampled data, and goodness from synthetic data: resampled below the lower end, drawn
/// from the law above it. `fit_of(sample)` has exponent and distance; `draw(random, pick)` is a synthetic size.
template <class FitOf, class Draw>
void judge_by_samples(const std::vector<double>& sorted, const PowerLawChoice& choice, TailFit& fit,
                      const FitOf& fit_of, const Draw& draw) {
  Random random(choice.seed);
  const auto pick = [&](std::size_t count) {
    return std::min(count - 1, std::size_t(random.uniform() * double(count)));
  };
  std::vector<double> exponents, sample(sorted.size());
  double farther = 0, compared = 0;
  for (int k = 0; k < choice.samples; ++k) {
    for (double& x : sample) x = sorted[pick(sorted.size())];
    std::sort(sample.begin(), sample.end());
    if (const auto t = fit_of(sample); std::isfinite(t.distance)) exponents.push_back(t.exponent);
    for (double& x : sample) x = draw(random, pick);
    std::sort(sample.begin(), sample.end());
    if (const auto t = fit_of(sample); std::isfinite(t.distance)) farther += t.distance >= fit.distance, compared += 1;
  }
  if (!exponents.empty()) fit.low = percentile(exponents, 0.025), fit.high = percentile(exponents, 0.975);
  fit.goodness = compared > 0 ? farther / compared : NAN;
}

/// p ∝ x^−α e^(−λx) for x ≥ 1 on a grid: sums for the moments, and the distribution. The grid is uniform in u, with
/// x = 1 + s (e^u − 1). The scale s is the smaller of 1 and the mean of x − 1. With s = 1 the grid is uniform in ln x.
/// Sizes that lie close to the lower end have a fine grid there.
class CutoffLaw {
 public:
  /// `largest` and `mean`: largest and mean size over the lower end.
  CutoffLaw(double largest, double mean)
      : scale_(std::min(1.0, mean - 1)), step_(std::log((reach * largest - (1 - scale_)) / scale_) / cells) {
    for (int k = 0; k <= cells; ++k) {
      const double u = k * step_, scaled = scale_ * std::exp(u), x = (1 - scale_) + scaled;
      x_.push_back(x);
      log_.push_back(scale_ < 1 ? std::log(x) : u);
      per_u_.push_back(scaled / x);
    }
  }

  struct Moments {
    double log_norm = 0, log = 0, x = 0, log_log = 0, log_x = 0, x_x = 0;  // means and covariances of ln x and x
  };
  Moments moments(double exponent, double rate) const {
    double sums[6] = {};
    for (int k = 0; k <= cells; ++k) {
      const double w = weight(k) * density(k, exponent, rate), l = log_[k], x = x_[k];
      const double terms[6] = {1, l, x, l * l, l * x, x * x};
      for (int m = 0; m < 6; ++m) sums[m] += w * terms[m];
    }
    Moments out{std::log(sums[0] * step_) - rate, sums[1] / sums[0], sums[2] / sums[0], 0, 0, 0};
    out.log_log = sums[3] / sums[0] - out.log * out.log;
    out.log_x = sums[4] / sums[0] - out.log * out.x;
    out.x_x = sums[5] / sums[0] - out.x * out.x;
    return out;
  }

  /// Share below x at the grid's points.
  std::vector<double> distribution(double exponent, double rate) const {
    std::vector<double> share(std::size_t(cells) + 1, 0.0);
    for (int k = 1; k <= cells; ++k)
      share[k] = share[k - 1] + 0.5 * (density(k, exponent, rate) + density(k - 1, exponent, rate));
    for (double& s : share) s /= share.back();
    return share;
  }
  double share_below(const std::vector<double>& distribution, double x) const {
    const double u = std::log(scale_ < 1 ? 1 + (x - 1) / scale_ : x);
    const double at = std::min(u / step_, double(cells) - 1e-9);
    const int k = int(at);
    return distribution[k] + (at - k) * (distribution[k + 1] - distribution[k]);
  }
  double quantile(const std::vector<double>& distribution, double share) const {
    const auto above = std::upper_bound(distribution.begin() + 1, distribution.end() - 1, share) - distribution.begin();
    const double from = distribution[above - 1], part = (share - from) / std::max(distribution[above] - from, 1e-300);
    return (1 - scale_) + scale_ * std::exp((double(above - 1) + std::clamp(part, 0.0, 1.0)) * step_);
  }

 private:
  static constexpr int cells = 400;
  static constexpr double reach = 20;  // density beyond this many times the largest size is neglected
  static double weight(int k) { return k == 0 || k == cells ? 0.5 : 1.0; }
  /// Of u, times a constant.
  double density(int k, double exponent, double rate) const {
    return per_u_[k] * std::exp((1 - exponent) * log_[k] - rate * (x_[k] - 1));
  }
  double scale_, step_;
  std::vector<double> log_, x_, per_u_;  // ln x, x, d(ln x)/du
};

struct CutoffTail {
  double mean = 0;  // of the sizes
  double exponent = 0, rate = 0, distance = INFINITY, standard_error = 0, log_likelihood = 0,
         exponential_likelihood = 0;
};

/// Newton's method: the likelihood of an exponential family is concave. Sizes in units of the first.
CutoffTail fit_cutoff_tail(std::span<const double> sorted) {
  const double n = double(sorted.size()), lower = sorted.front();
  double mean_log = 0, mean = 0;
  for (const double x : sorted) mean_log += std::log(x / lower) / n, mean += x / lower / n;
  CutoffTail t;
  t.mean = mean;
  if (!(mean > 1 + 1e-9)) return t;
  const CutoffLaw law(sorted.back() / lower, mean);
  const auto likelihood = [&](double exponent, double rate) {
    return n * (-exponent * mean_log - rate * mean - law.moments(exponent, rate).log_norm);
  };
  double exponent = 0, rate = 1 / (mean - 1), now = likelihood(exponent, rate);
  t.exponential_likelihood = now;
  for (int k = 0; k < 100; ++k) {
    const auto m = law.moments(exponent, rate);
    const double ga = m.log - mean_log, gr = m.x - mean, d = m.log_log * m.x_x - m.log_x * m.log_x;
    if (!(d > 0)) return t;
    double da = (m.x_x * ga - m.log_x * gr) / d, dr = (m.log_log * gr - m.log_x * ga) / d, share = 1;
    while (share > 1e-9 && (rate + share * dr <= 0 || likelihood(exponent + share * da, rate + share * dr) < now))
      share /= 2;
    exponent += share * da, rate += share * dr;
    const double next = likelihood(exponent, rate);
    t.standard_error = std::sqrt(m.x_x / (n * d));
    if (next - now < 1e-10 * n) break;
    now = next;
  }
  t.exponent = exponent, t.rate = rate;
  t.log_likelihood = likelihood(exponent, rate);
  const auto distribution = law.distribution(exponent, rate);
  t.distance = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const double model = law.share_below(distribution, sorted[k] / lower);
    t.distance = std::max({t.distance, std::abs(model - double(k) / n), std::abs(model - double(k + 1) / n)});
  }
  return t;
}

constexpr std::size_t lower_ends = 20;  // number tried between the smallest size and the median

std::pair<std::size_t, CutoffTail> choose_lower_end(std::span<const double> sorted, const PowerLawChoice& choice) {
  if (choice.lower) {
    const auto first = std::size_t(std::lower_bound(sorted.begin(), sorted.end(), *choice.lower) - sorted.begin());
    return {first,
            sorted.size() - first >= choice.smallest_tail ? fit_cutoff_tail(sorted.subspan(first)) : CutoffTail{}};
  }
  std::pair<std::size_t, CutoffTail> best;
  for (std::size_t k = 0; k <= lower_ends; ++k) {
    const std::size_t first = sorted.size() / 2 * k / lower_ends;
    if (sorted.size() - first < choice.smallest_tail) break;
    if (const CutoffTail t = fit_cutoff_tail(sorted.subspan(first)); t.distance < best.second.distance)
      best = {first, t};
  }
  return best;
}

}  // namespace

PowerLawFit fit_power_law(std::span<const double> sizes, const PowerLawChoice& choice) {
  const std::vector<double> sorted = sorted_sizes(sizes);
  const Cut cut = choose_cut(sorted, choice);
  if (!std::isfinite(cut.tail.distance) || sorted.size() - cut.first < choice.smallest_tail)
    throw std::invalid_argument(
        fmt::format("a power law needs {} sizes above its cutoff that are not all equal, found {}",
                    choice.smallest_tail, sorted.size() - cut.first));
  const std::span<const double> tail = std::span(sorted).subspan(cut.first);
  PowerLawFit fit;
  fit.lower = tail.front();
  fit.exponent = cut.tail.exponent;
  fit.count = tail.size();
  fit.standard_error = (fit.exponent - 1) / std::sqrt(double(fit.count));
  fit.distance = cut.tail.distance;
  compare_with_exponential(tail, fit);

  judge_by_samples(
      sorted, choice, fit, [&](const std::vector<double>& sample) { return choose_cut(sample, choice).tail; },
      [&](Random& random, const auto& pick) {
        return random.uniform() * double(sorted.size()) < double(tail.size()) || cut.first == 0
                   ? fit.lower * std::pow(1 - random.uniform(), -1 / (fit.exponent - 1))
                   : sorted[pick(cut.first)];
      });
  return fit;
}

CutoffPowerLawFit fit_cutoff_power_law(std::span<const double> sizes, const PowerLawChoice& choice) {
  const std::vector<double> sorted = sorted_sizes(sizes);
  const auto [first, tail] = choose_lower_end(sorted, choice);
  if (!std::isfinite(tail.distance))
    throw std::invalid_argument(
        fmt::format("a power law with a cutoff needs {} different sizes with a finite scale, found {} sizes",
                    choice.smallest_tail, sorted.size()));
  CutoffPowerLawFit fit;
  fit.lower = sorted[first];
  fit.exponent = tail.exponent;
  fit.scale = fit.lower / tail.rate;
  fit.standard_error = tail.standard_error;
  fit.count = sorted.size() - first;
  fit.distance = tail.distance;
  // Twice the difference is χ² with one degree of freedom.
  fit.exponential_chance = std::erfc(std::sqrt(std::max(0.0, tail.log_likelihood - tail.exponential_likelihood)));

  const CutoffLaw law(sorted.back() / fit.lower, tail.mean);
  const auto distribution = law.distribution(tail.exponent, tail.rate);
  judge_by_samples(
      sorted, choice, fit, [&](const std::vector<double>& sample) { return choose_lower_end(sample, choice).second; },
      [&, first = first](Random& random, const auto& pick) {
        return first == 0 || random.uniform() * double(sorted.size()) < double(fit.count)
                   ? fit.lower * law.quantile(distribution, random.uniform())
                   : sorted[pick(first)];
      });
  return fit;
}

}  // namespace dem
