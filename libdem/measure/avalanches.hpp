// Intermittent series: drops and bursts, the distribution of their sizes, and the rate of events after large ones.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dem {

/// From an extreme of a series to the next one.
struct SeriesEvent {
  std::size_t first = 0, last = 0;  ///< rows of the extremes
  double size = 0;                  ///< difference of the series, positive
};

/// Falls from a maximum to the following minimum by at least `threshold` > 0, in order. A rise by less than the threshold does not end
/// a fall, a fall by less does not begin one. A fall that has not ended with the series is left out: its size is not known.
std::vector<SeriesEvent> drops(std::span<const double> series, double threshold);

/// Rises of a positive series from a minimum to the following maximum by at least the factor `factor` > 1 and by at least `threshold`
/// (unit of the series). Falls by less than the factor do not end a rise, so that an event in the decay of another counts as one of its
/// own when it doubles (say) what is left. A rise that has not ended with the series is left out.
std::vector<SeriesEvent> bursts(std::span<const double> series, double factor, double threshold);

/// Density p(x) ∝ x^−α for x ≥ lower, by maximum likelihood (Clauset, Shalizi, Newman, SIAM Review 51 (2009) 661).
struct PowerLawFit {
  double lower = 0;          ///< x_min
  double exponent = 0;       ///< α = 1 + n/Σ ln(x/x_min)
  double standard_error = 0; ///< (α − 1)/√n
  double low = 0, high = 0;  ///< 95 % interval of α by resampling the data; the cutoff is chosen anew each time
  std::size_t count = 0;     ///< n: sizes ≥ lower
  double distance = 0;       ///< Kolmogorov-Smirnov distance of the sizes ≥ lower
  double goodness = 0;       ///< share of synthetic data of this law that lie farther from their own fit; below 0.1: no power law
  /// Logarithm of the likelihood ratio to the exponential with the same lower cutoff over its standard deviation (Vuong): positive
  /// favours the power law. Its sign means something when the probability of such a value by chance is small.
  double against_exponential = 0, against_exponential_chance = 1;
};

struct PowerLawChoice {
  std::optional<double> lower;     ///< none: the cutoff of least Kolmogorov-Smirnov distance
  std::size_t smallest_tail = 50;  ///< sizes that must lie above the cutoff
  int samples = 200;               ///< for interval and goodness
  std::uint64_t seed = 1;
};

/// Throws std::invalid_argument on sizes that are not positive and finite, when fewer than smallest_tail lie above the cutoff (or all
/// are equal there).
PowerLawFit fit_power_law(std::span<const double> sizes, const PowerLawChoice& = {});

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

/// Times ascending. Main events: sizes ≥ main_size. What follows one is observed until the next one or until `end`.
/// Adds to `sum` (several runs of one kind), of which the edges are set.
void add_aftershocks(AftershockRate& sum, std::span<const double> times, std::span<const double> sizes, double main_size, double begin,
                     double end);

/// Omori's law, rate ∝ t^−p, by maximum likelihood (Poisson counts of the bins from `first` to the last); none with fewer than ten
/// events. Interval of 95 % by the likelihood ratio, cut at [−1, 3].
struct RateDecay {
  double exponent = 0, low = 0, high = 0;
};
std::optional<RateDecay> fit_decay(const AftershockRate&, std::size_t first = 0);

}  // namespace dem
