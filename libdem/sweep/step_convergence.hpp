// How a result depends on the time step: order of convergence, limit at small steps, the largest step within a
// tolerance.
#pragma once
#include <optional>
#include <vector>

namespace dem {

/// A result at one step.
struct StepResult {
  double step = 0, value = 0;
  double error = 0;  ///< standard error, from replicates; 0: one run alone
};

struct StepConvergence {
  enum class Kind {
    ordered,      ///< differences between neighbouring steps fall by a power of the step
    independent,  ///< they are small and do not fall: round-off, or the accuracy of the measurement
    scattered,    ///< they are not small and do not fall: the case is chaotic, or the steps are too large
  };
  Kind kind = Kind::scattered;
  double order = 0;  ///< kind = ordered: slope of ln|difference| over ln(step), least squares
  double limit = 0;  ///< at small steps: Richardson's extrapolation; else the mean over the smaller half of the steps
  double limit_error = 0;  ///< of it
  double spread = 0;       ///< largest |value/limit − 1| of all steps
  double scatter = 0;      ///< kind = scattered: standard error of a value, relative to the limit

  struct Threshold {
    double tolerance = 0;
    std::optional<double>
        step;               ///< the largest below which all values lie within the tolerance; nothing: cannot be told
    bool at_least = false;  ///< all steps that were run do
    bool extrapolated = false;  ///< none does: by the order
  };
  std::vector<Threshold> thresholds;
};

/// `results`: by falling step, each half of the one before; values that are not finite are left out from the large end
/// on. `reciprocal`: the order is that of 1/value, as for relaxation times, whose inverse is linear in the step
/// (polygon-dem reference, §5). Throws std::invalid_argument with fewer than three values.
StepConvergence step_convergence(std::vector<StepResult> results, const std::vector<double>& tolerances,
                                 bool reciprocal = false);

/// Means over the replicates, with standard errors from what is left of the scatter when each replicate's and each
/// step's own mean is taken away (two-way analysis of variance): replicates may differ from each other at every step
/// alike. values[step][replicate]; steps at which a replicate has no value are not finite.
std::vector<StepResult> step_means(const std::vector<double>& steps, const std::vector<std::vector<double>>& values);

}  // namespace dem
