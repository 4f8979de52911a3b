// The threshold T_t: the largest Δt/t_c at which the relaxation time of the two-disc test has reached its limit for Δt
// → 0 within a stated tolerance (Peña, Lind and Herrmann, Eq. 9, whose tolerance is not printed; polygon-dem reference,
// §5).
#pragma once
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "libdem/case.hpp"

namespace dem::validation::pena2008 {

/// t_R does not leave its limit by the tolerance at any step up to largest_studied_step.
inline constexpr double no_threshold = std::numeric_limits<double>::infinity();
inline constexpr double largest_studied_step = 0.1;  ///< Δt/t_c, of the source's figures

/// A vibration of a two-disc case with exact time integration, to first order in the damping.
struct SlowMode {
  double tangential_share = 0;  ///< f_t of its strain energy, in [0, 1]
  double damping_time = 0;      ///< τ = γ/k, mean over normal and tangential weighted by strain energy (t_c)
  double relaxation = 0;        ///< t_R/t_c
};
/// Slowest first. μ = 0: the contact slides freely and has no tangential part.
std::vector<SlowMode> slow_modes(const Case&);

/// 2·tol·τ/f_t of the mode that is slowest for Δt → 0 (reference, §5): the velocity elongation adds k_tΔt/2 to γ_t, so
/// that 1/t_R = (1 + f_t Δt/(2τ))/t_R(0). no_threshold where f_t = 0.
double predicted_threshold(const Case&, double tolerance);
/// The same without the first order in tol, and with every mode: where a second one decays hardly faster, it is the
/// slowest before the first has left the limit by the tolerance. 2τ/f_t (t_R/(t_R(0)(1 − tol)) − 1), the largest over
/// the modes.
double predicted_threshold_of_all_modes(const Case&, double tolerance);

/// From the spectrum of the step (step_map_modes): t_R of the slowest mode at Δt → 0 and the step at which it has left
/// that limit by the tolerance. The case has velocity elongation; its own step is not used.
double exact_threshold(const Case&, double tolerance);

/// From decays: t_R(0) with geometric elongation, then 1/t_R = 1/t_R(0) + bΔt through runs at the given steps (Δt/t_c,
/// least squares of b, weighted evenly).
struct MeasuredThreshold {
  double limit = 0;      ///< t_R(0)/t_c
  double slope = 0;      ///< b, per t_c²
  double scatter = 0;    ///< largest relative deviation of a run from the line
  bool usable = false;   ///< every fit was (RelaxationFit::Result::usable)
  double r_squared = 1;  ///< least of the fits
  /// no_threshold where b is too small to matter up to largest_studied_step.
  double at(double tolerance) const;
};
MeasuredThreshold measure_threshold(const Case&, std::span<const double> steps,
                                    const std::function<void(double)>& progress = {});

}  // namespace dem::validation::pena2008
