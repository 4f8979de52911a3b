#include "libdem/measure/avalanches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "geometry/random.hpp"

namespace dem {
namespace {

using geometry::Random;

constexpr std::size_t most_cutoffs = 100;  // tried; more do not change the fit, they cost time in each resampling

struct Tail {
  double exponent = 0, distance = 0;
};

/// Fit to the sorted sizes from `first` on; `sum_of_logs`: of those.
Tail fit_tail(std::span<const double> sorted, std::size_t first, double sum_of_logs) {
  const std::span<const double> tail = sorted.subspan(first);
  const double n = double(tail.size()), lower = tail.front(), log_sum = sum_of_logs - n * std::log(lower);
  Tail t;
  if (!(log_sum > 0)) return {0, INFINITY};
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

/// The cutoff of least distance, or the one asked for.
Cut choose_cut(std::span<const double> sorted, const PowerLawChoice& choice) {
  std::vector<double> logs(sorted.size() + 1, 0.0);  // of all from k on
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

}  // namespace

std::vector<SeriesEvent> drops(std::span<const double> series, double threshold) {
  std::vector<SeriesEvent> found;
  bool falling = false;
  std::size_t high = 0, low = 0;
  for (std::size_t k = 1; k < series.size(); ++k) {
    if (!falling) {
      if (series[k] > series[high]) high = k;
      if (series[high] - series[k] >= threshold) falling = true, low = k;
    } else {
      if (series[k] < series[low]) low = k;
      if (series[k] - series[low] >= threshold) {
        found.push_back({high, low, series[high] - series[low]});
        falling = false;
        high = k;
      }
    }
  }
  return found;
}

std::vector<SeriesEvent> bursts(std::span<const double> series, double factor, double threshold) {
  std::vector<double> turned(series.size());
  for (std::size_t k = 0; k < series.size(); ++k) turned[k] = -std::log(series[k]);
  std::vector<SeriesEvent> found;
  for (SeriesEvent event : drops(turned, std::log(factor))) {
    event.size = series[event.last] - series[event.first];
    if (event.size >= threshold) found.push_back(event);
  }
  return found;
}

PowerLawFit fit_power_law(std::span<const double> sizes, const PowerLawChoice& choice) {
  std::vector<double> sorted(sizes.begin(), sizes.end());
  for (const double x : sorted)
    if (!(x > 0) || !std::isfinite(x)) throw std::invalid_argument(fmt::format("a power law needs positive sizes, found {}", x));
  std::sort(sorted.begin(), sorted.end());
  const Cut cut = choose_cut(sorted, choice);
  if (!std::isfinite(cut.tail.distance) || sorted.size() - cut.first < choice.smallest_tail)
    throw std::invalid_argument(fmt::format("a power law needs {} different sizes above its cutoff, found {}", choice.smallest_tail,
                                            sorted.size() - cut.first));
  const std::span<const double> tail = std::span(sorted).subspan(cut.first);
  PowerLawFit fit;
  fit.lower = tail.front();
  fit.exponent = cut.tail.exponent;
  fit.count = tail.size();
  fit.standard_error = (fit.exponent - 1) / std::sqrt(double(fit.count));
  fit.distance = cut.tail.distance;
  compare_with_exponential(tail, fit);

  Random random(choice.seed);
  const auto pick = [&](std::size_t count) { return std::min(count - 1, std::size_t(random.uniform() * double(count))); };
  std::vector<double> exponents, sample(sorted.size());
  double farther = 0, compared = 0;
  for (int k = 0; k < choice.samples; ++k) {
    for (double& x : sample) x = sorted[pick(sorted.size())];
    std::sort(sample.begin(), sample.end());
    if (const Cut c = choose_cut(sample, choice); std::isfinite(c.tail.distance)) exponents.push_back(c.tail.exponent);
    // Synthetic data: below the cutoff as the data, above it from the law.
    for (double& x : sample)
      x = random.uniform() * double(sorted.size()) < double(tail.size()) || cut.first == 0
              ? fit.lower * std::pow(1 - random.uniform(), -1 / (fit.exponent - 1))
              : sorted[pick(cut.first)];
    std::sort(sample.begin(), sample.end());
    if (const Cut c = choose_cut(sample, choice); std::isfinite(c.tail.distance))
      farther += c.tail.distance >= fit.distance, compared += 1;
  }
  if (!exponents.empty()) fit.low = percentile(exponents, 0.025), fit.high = percentile(exponents, 0.975);
  fit.goodness = compared > 0 ? farther / compared : NAN;
  return fit;
}

void add_aftershocks(AftershockRate& sum, std::span<const double> times, std::span<const double> sizes, double main_size, double begin,
                     double end) {
  const std::size_t bins = sum.edges.size() - 1;
  sum.count.resize(bins), sum.exposure.resize(bins);
  for (std::size_t m = 0; m < times.size(); ++m) {
    if (sizes[m] < main_size) {
      sum.others += 1;
      continue;
    }
    sum.mains += 1;
    std::size_t next = m + 1;
    while (next < times.size() && sizes[next] < main_size) ++next;
    const double window = (next < times.size() ? times[next] : end) - times[m];
    for (std::size_t b = 0; b < bins; ++b)
      sum.exposure[b] += std::max(0.0, std::min(window, sum.edges[b + 1]) - sum.edges[b]);
    for (std::size_t k = m + 1; k < next; ++k) {
      const auto above = std::upper_bound(sum.edges.begin(), sum.edges.end(), times[k] - times[m]) - sum.edges.begin();
      if (above > 0 && std::size_t(above) <= bins) sum.count[std::size_t(above) - 1] += 1;
    }
  }
  sum.observed += end - begin;
}

std::optional<RateDecay> fit_decay(const AftershockRate& rate, std::size_t first) {
  double events = 0;
  std::vector<double> middle, count, exposure;
  for (std::size_t b = first; b < rate.count.size(); ++b) {
    if (!(rate.exposure[b] > 0)) continue;
    middle.push_back(0.5 * (std::log(rate.edges[b]) + std::log(rate.edges[b + 1])));
    count.push_back(rate.count[b]);
    exposure.push_back(rate.exposure[b]);
    events += rate.count[b];
  }
  if (events < 10 || middle.size() < 2) return {};
  // The amplitude is eliminated: it makes the expected number of events right for each p.
  const auto likelihood = [&](double p) {
    double expected = 0, sum = 0;
    for (std::size_t b = 0; b < middle.size(); ++b) {
      expected += exposure[b] * std::exp(-p * middle[b]);
      sum -= count[b] * p * middle[b];
    }
    return sum - events * std::log(expected);
  };
  constexpr double low = -1, high = 3, step = 0.005;
  constexpr double half_chi_square = 1.92;  // half of the 95 % point of χ² with one degree of freedom
  RateDecay best;
  double most = -INFINITY;
  for (double p = low; p <= high; p += step)
    if (const double l = likelihood(p); l > most) most = l, best.exponent = p;
  best.low = best.high = best.exponent;
  while (best.low > low && likelihood(best.low) > most - half_chi_square) best.low -= step;
  while (best.high < high && likelihood(best.high) > most - half_chi_square) best.high += step;
  return best;
}

}  // namespace dem
