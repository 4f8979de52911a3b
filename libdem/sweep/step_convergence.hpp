// How a result depends on the time step: order of convergence, limit at small steps, largest step within a tolerance.
#pragma once
#include <optional>
#include <vector>

namespace dem {

/// A result at one step.
struct StepResult {
  double step = 0, value = 0;
  double error = 0;  ///< standard error from replicates, 0 for a single run
};

struct StepConvergence {
  enum class Kind {
    ordered,      ///< differences between neighbouring steps fall by a power of the step
    independent,  ///< differences are small and do not fall: round-off or measurement accuracy
    scattered,    ///< differences are large and do not fall: chaotic case or too large steps
  };
  Kind kind = Kind::scattered;
  double order = 0;  ///< slope of ln|difference| over ln(step) by least squares, if ordered
  /// Limit at small steps: Richardson's extrapolation if ordered, else the mean over the smaller half of the steps.
  double limit = 0;
  double limit_error = 0;  ///< error of `limit`
  double spread = 0;       ///< largest |value/limit − 1| of all steps
  double scatter = 0;      ///< standard error of a value, relative to the limit, if scattered

  struct Threshold {
    double tolerance = 0;
    /// Largest step below which all values lie within the tolerance. Empty: unknown.
    std::optional<double> step;
    bool at_least = false;      ///< all steps that were run lie within
    bool extrapolated = false;  ///< none lies within; `step` follows from the order
  };
  std::vector<Threshold> thresholds;
};

/// `results` are ordered by falling step, each half of the one before. From the largest step on, results that are not
/// finite are left out. With `reciprocal` the order is that of 1/value. This suits relaxation times, whose inverse is
/// linear in the step (polygon-dem reference, §5). Throws std::invalid_argument with fewer than three values.
StepConvergence step_convergence(std::vector<StepResult> results, const std::vector<double>& tolerances,
                                 bool reciprocal = false);

/// Means over the replicates, with standard errors by two-way analysis of variance. The errors come from the scatter
/// left after removing the mean of each replicate and of each step. So replicates may differ equally at every step. The
/// indices are values[step][replicate]. A step at which a replicate has no value is not finite.
std::vector<StepResult> step_means(const std::vector<double>& steps, const std::vector<std::vector<double>>& values);

}  // namespace dem
