// Intermittent series: drops, bursts, and the rate of events after large ones. Law of their sizes: power_law.hpp.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace dem {

/// Change of a series from one extreme to the next.
struct SeriesEvent {
  std::size_t first = 0, last = 0;  ///< rows of the extremes
  double size = 0;                  ///< difference of the series, positive
};

/// Returns the falls from a maximum to the following minimum by at least `threshold` > 0, in order. A smaller rise does
/// not end a fall. A fall that the series cuts off at its start or end is left out, because its size is unknown. So
/// no fall counts before the series has risen by the threshold.
std::vector<SeriesEvent> drops(std::span<const double> series, double threshold);

/// Returns the rises of a positive series from a minimum to the next maximum by at least `factor` > 1 and `threshold`
/// (unit of the series). Falls by less than the factor do not end a rise. So an event in the decay of another counts by
/// itself when it multiplies the remaining value by `factor`. A rise that the series cuts off at its start or end is
/// left out.
std::vector<SeriesEvent> bursts(std::span<const double> series, double factor, double threshold);

/// Rate of the events after a main event, by the time since it.
struct AftershockRate {
  std::vector<double> edges;     ///< bin k: edges[k] to edges[k + 1] (s, or the unit of the times)
  std::vector<double> count;     ///< events in each bin
  std::vector<double> exposure;  ///< time observed in each bin, over all main events
  std::size_t mains = 0;
  double others = 0, observed = 0;  ///< events that are not main events; time in which they were counted
  double rate(std::size_t bin) const { return count[bin] / exposure[bin]; }
  double background() const { return others / observed; }
};

/// Adds the events of one run to `sum`, whose edges are set. Events are in the order of time. Main events have sizes ≥
/// main_size. Events after the end of a main event count until the next main event or `end`. `begin` starts the
/// observation.
void add_aftershocks(AftershockRate& sum, std::span<const double> starts, std::span<const double> ends,
                     std::span<const double> sizes, double main_size, double begin, double end);

/// Omori's law, rate ∝ t^−p, by maximum likelihood (Poisson counts of the bins from `first` to the last). There is no
/// fit with fewer than ten events. The 95 % interval comes from the likelihood ratio and is cut at [−1, 3].
struct RateDecay {
  double exponent = 0, low = 0, high = 0;
};
std::optional<RateDecay> fit_decay(const AftershockRate&, std::size_t first = 0);

}  // namespace dem
