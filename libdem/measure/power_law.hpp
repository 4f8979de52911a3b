// Power laws of sizes, with a lower end and with a cutoff by a finite system, by maximum likelihood.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dem {

/// Density p(x) ∝ x^−α for x ≥ lower, by maximum likelihood (Clauset, Shalizi, Newman, SIAM Review 51 (2009) 661).
struct PowerLawFit {
  double lower = 0;           ///< x_min
  double exponent = 0;        ///< α = 1 + n/Σ ln(x/x_min)
  double standard_error = 0;  ///< (α − 1)/√n
  double low = 0, high = 0;   ///< 95 % interval of α by resampling the data; the cutoff is chosen anew each time
  std::size_t count = 0;      ///< n: sizes ≥ lower
  double distance = 0;        ///< Kolmogorov-Smirnov distance of the sizes ≥ lower
  double goodness =
      0;  ///< share of synthetic data of this law that lie farther from their own fit; below 0.1: no power law
  /// Logarithm of the likelihood ratio to the exponential with the same lower cutoff over its standard deviation
  /// (Vuong): positive favours the power law. Its sign means something when the probability of such a value by chance
  /// is small.
  double against_exponential = 0, against_exponential_chance = 1;
};

struct PowerLawChoice {
  std::optional<double> lower;     ///< none: the cutoff of least Kolmogorov-Smirnov distance
  std::size_t smallest_tail = 50;  ///< sizes that must lie above the cutoff
  int samples = 200;               ///< for interval and goodness
  std::uint64_t seed = 1;
};

/// Throws std::invalid_argument on sizes that are not positive and finite, when fewer than smallest_tail lie above the
/// cutoff (or all are equal there).
PowerLawFit fit_power_law(std::span<const double> sizes, const PowerLawChoice& = {});

/// Density p(x) ∝ x^−α e^(−x/scale) for x ≥ lower, by maximum likelihood: a power law that a finite system cuts off. α
/// = 0 is the exponential, an infinite scale the pure power law.
struct CutoffPowerLawFit {
  double lower = 0;
  double exponent = 0, scale = 0;
  double standard_error = 0;  ///< of α, from the curvature of the likelihood
  double low = 0, high = 0;   ///< 95 % interval of α by resampling, the lower end chosen anew each time
  std::size_t count = 0;      ///< sizes ≥ lower
  double distance = 0;        ///< Kolmogorov-Smirnov
  double goodness = 0;        ///< as of PowerLawFit
  double exponential_chance =
      1;  ///< of a likelihood ratio to the exponential (α = 0) as large as found, were that true (χ², Wilks)
};

/// `choice.lower` none: the lower end of least Kolmogorov-Smirnov distance among the sizes up to their median, so that
/// the fit is one of the bulk and not of the largest events. Throws like fit_power_law, and when the likelihood has no
/// maximum with scale > 0.
CutoffPowerLawFit fit_cutoff_power_law(std::span<const double> sizes, const PowerLawChoice& = {});

}  // namespace dem
