// Power laws of sizes, with a lower end and with a cutoff by a finite system, by maximum likelihood.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dem {

/// Of a density p(x) with the factor x^−α for x ≥ lower, by maximum likelihood.
struct TailFit {
  double lower = 0;           ///< x_min
  double exponent = 0;        ///< α
  double standard_error = 0;  ///< of α: (α − 1)/√n, or from the curvature of the likelihood
  double low = 0, high = 0;   ///< 95 % interval of α by resampling the data, with a new lower end each time
  std::size_t count = 0;      ///< n: sizes ≥ lower
  double distance = 0;        ///< Kolmogorov-Smirnov distance of the sizes ≥ lower
  /// share of synthetic data of this law that lie farther from their own fit; the law is unlikely below 0.1
  double goodness = 0;
};

/// Density p(x) ∝ x^−α: α = 1 + n/Σ ln(x/x_min) (Clauset, Shalizi, Newman, SIAM Review 51 (2009) 661).
struct PowerLawFit : TailFit {
  /// Log-likelihood ratio to the exponential with the same lower cutoff, over its standard deviation (Vuong). Positive
  /// values favour the power law. The sign is meaningful only if the probability by chance is small.
  double against_exponential = 0, against_exponential_chance = 1;
};

struct PowerLawChoice {
  std::optional<double> lower;     ///< none: the cutoff of least Kolmogorov-Smirnov distance
  std::size_t smallest_tail = 50;  ///< least number of sizes above the cutoff
  int samples = 200;               ///< for interval and goodness
  std::uint64_t seed = 1;
};

/// Throws std::invalid_argument if sizes are not positive and finite, or too few or equal above the cutoff.
PowerLawFit fit_power_law(std::span<const double> sizes, const PowerLawChoice& = {});

/// Density p(x) ∝ x^−α e^(−x/scale): a power law that a finite system cuts off. α = 0 gives the exponential, an
/// infinite scale the pure power law.
struct CutoffPowerLawFit : TailFit {
  double scale = 0;
  /// probability of a likelihood ratio to the exponential (α = 0) as large as found, if α were 0 (χ², Wilks)
  double exponential_chance = 1;
};

/// Without `choice.lower`, takes the lower end of least Kolmogorov-Smirnov distance among the sizes up to their median,
/// to fit the bulk, not the largest events. Throws like fit_power_law, and if no scale > 0 has a maximum likelihood.
CutoffPowerLawFit fit_cutoff_power_law(std::span<const double> sizes, const PowerLawChoice& = {});

}  // namespace dem
