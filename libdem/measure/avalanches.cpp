#include "libdem/measure/avalanches.hpp"

#include <algorithm>
#include <cmath>

namespace dem {

std::vector<SeriesEvent> drops(std::span<const double> series, double threshold) {
  std::vector<SeriesEvent> found;
  // The series may begin within a fall. Only a rise by the threshold shows where that fall ends and the next can begin.
  bool falling = true, cut_off = true;
  std::size_t high = 0, low = 0;
  for (std::size_t k = 1; k < series.size(); ++k) {
    if (!falling) {
      if (series[k] > series[high]) high = k;
      if (series[high] - series[k] >= threshold) falling = true, low = k;
    } else {
      if (series[k] < series[low]) low = k;
      if (series[k] - series[low] >= threshold) {
        if (!cut_off) found.push_back({high, low, series[high] - series[low]});
        falling = cut_off = false;
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

void add_aftershocks(AftershockRate& sum, std::span<const double> starts, std::span<const double> ends,
                     std::span<const double> sizes, double main_size, double begin, double end) {
  const std::size_t bins = sum.edges.size() - 1;
  sum.count.resize(bins), sum.exposure.resize(bins);
  for (std::size_t m = 0; m < starts.size(); ++m) {
    if (sizes[m] < main_size) {
      sum.others += 1;
      continue;
    }
    sum.mains += 1;
    std::size_t next = m + 1;
    while (next < starts.size() && sizes[next] < main_size) ++next;
    const double window = (next < starts.size() ? starts[next] : end) - ends[m];
    for (std::size_t b = 0; b < bins; ++b)
      sum.exposure[b] += std::max(0.0, std::min(window, sum.edges[b + 1]) - sum.edges[b]);
    for (std::size_t k = m + 1; k < next; ++k) {
      const auto above = std::upper_bound(sum.edges.begin(), sum.edges.end(), starts[k] - ends[m]) - sum.edges.begin();
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
