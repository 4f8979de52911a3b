// What one packing says about the admissible time step: theory from its normal modes beside runs of it.
#pragma once
#include <array>
#include <vector>

#include "libdem/sweep/tasks.hpp"
#include "validation/pena2008/particle-number/packing.hpp"

namespace dem::validation::pena2008::packed {

/// Δt/t_c at which decays are run.
inline constexpr std::array<double, 6> velocity_steps{1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2};
inline constexpr std::array<double, 3> geometric_steps{2e-2, 5e-2, 1e-1};
inline constexpr std::array<double, 3> tolerances{0.05, 0.02, 0.01};

struct MeasurementChoice {
  PackingInput packing;
  double smallest_step =
      1e-3;  ///< of velocity_steps: smaller ones are left out; of geometric_steps: those below twice as much
  bool late_decay = false;  ///< also the decay of a random disturbance
};

/// All times in t_c of the reference, rates in 1/t_c, b in 1/t_c². NaN: not measured.
struct Measurement {
  // The packing.
  double bodies = 0, rattlers = 0, coordination = 0, overlap = 0, unbalanced = 0;
  // Theory: slowest-decaying mode, highest frequency, stability limits.
  double omega = 0, rate = 0, slope = 0, tangential_share = 0;
  double gap = 0;  ///< rate of the second slowest mode over that of the slowest
  double highest_omega = 0, highest_damping_ratio = 0;
  double velocity_limit_predicted = 0, geometric_limit_predicted = 0;
  double fixed_time_threshold =
      0;  ///< 5 % of the energy left at 300 t_c, equal energies of all modes at the start; N ≤ 256
  // Runs.
  std::array<double, velocity_steps.size()> velocity_rate{};
  std::array<double, geometric_steps.size()> geometric_rate{};
  double worst_fit = 0;  ///< largest 1 − R² of these runs
  double fewest_maxima = 0;
  double fitted_rate = 0, fitted_slope = 0;        ///< 1/t_R = 1/t_R(0) + bΔt through velocity_rate
  double nonlinearity = 0;                         ///< largest relative distance of a rate from that line
  double velocity_limit = 0, geometric_limit = 0;  ///< stability, by bisection
  /// Random disturbance at Δt = 0.05 t_c: rate at late times over that of the slowest mode at this Δt (predicted), and
  /// R².
  double late_velocity = 0, late_velocity_fit = 0, late_geometric = 0, late_geometric_fit = 0;

  double threshold(double tolerance) const { return tolerance / (1 - tolerance) * fitted_rate / fitted_slope; }
  double predicted_threshold(double tolerance) const { return tolerance / (1 - tolerance) * rate / slope; }
  /// Largest relative change of the rate under `geometric` from its smallest step to those up to `largest_step`.
  double geometric_change(double largest_step) const;
  std::vector<double> numbers() const;
  static Measurement from(const std::vector<double>&);
};

/// Makes the packing, works out its modes and runs it. Throws std::runtime_error where there is no packing or a decay
/// is not one of a single mode (fewer than 20 maxima, R² below 0.999, contacts that changed).
Measurement measure(const MeasurementChoice&, TaskProgress&);

/// τ = γ/k in t_c, the same for all contacts.
double damping_time();

}  // namespace dem::validation::pena2008::packed
