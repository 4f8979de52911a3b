// Intermittent series: drops and bursts, and the rate of events after large ones. The law of their sizes:
// power_law.hpp.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace dem {

/// From an extreme of a series to the next one.
struct SeriesEvent {
  std::size_t first = 0, last = 0;  ///< rows of the extremes
  double size = 0;                  ///< difference of the series, positive
};

/// Falls from a maximum to the following minimum by at least `threshold` > 0, in order. A rise by less than the
/// threshold does not end a fall, a fall by less does not begin one. A fall that has not ended with the series is left
/// out: its size is not known.
std::vector<SeriesEvent> drops(std::span<const double> series, double threshold);

/// Rises of a positive series from a minimum to the following maximum by at least the factor `factor` > 1 and by at
/// least `threshold` (unit of the series). Falls by less than the factor do not end a rise, so that an event in the
/// decay of another counts as one of its own when it doubles (say) what is left. A rise that has not ended with the
/// series is left out.
std::vector<SeriesEvent> bursts(std::span<const double> series, double factor, double threshold);

/// Rate of the events that follow a main one, by the time since it.
struct AftershockRate {
  std::vector<double> edges;     ///< of the bins: bin k from edges[k] to edges[k + 1] (s, or any unit of the times)
  std::vector<double> count;     ///< events in each
  std::vector<double> exposure;  ///< time observed in each, over all main events
  std::size_t mains = 0;
  double others = 0, observed = 0;  ///< events that are not main ones, and the time in which they were counted
  double rate(std::size_t bin) const { return count[bin] / exposure[bin]; }
  double background() const { return others / observed; }
};

/// Events in the order of time, from `starts` to `ends`. Main events: sizes ≥ main_size. What starts after the end of
/// one counts, until the next one starts or until `end`; `begin` and `end`: of the observation. Adds to `sum` (several
/// runs of one kind), of which the edges are set.
void add_aftershocks(AftershockRate& sum, std::span<const double> starts, std::span<const double> ends,
                     std::span<const double> sizes, double main_size, double begin, double end);

/// Omori's law, rate ∝ t^−p, by maximum likelihood (Poisson counts of the bins from `first` to the last); none with
/// fewer than ten events. Interval of 95 % by the likelihood ratio, cut at [−1, 3].
struct RateDecay {
  double exponent = 0, low = 0, high = 0;
};
std::optional<RateDecay> fit_decay(const AftershockRate&, std::size_t first = 0);

}  // namespace dem
