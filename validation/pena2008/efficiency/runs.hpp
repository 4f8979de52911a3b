// Runs of the efficiency study: sliding discs, discs without friction, and the motion of two bodies beside a fine-step
// one.
#pragma once
#include <string>
#include <vector>

#include "libdem/case.hpp"

namespace dem::validation::pena2008 {

/// How the elongation is summed.
enum class Summation { cundall, trapezoid, geometric };
inline constexpr Summation summations[] = {Summation::cundall, Summation::trapezoid, Summation::geometric};
const char* name_of(Summation);
Case with(Case, Summation);

/// The guided test with disc j turned at a constant spin, ten times faster than its vibration moves the contact: it
/// slides all the time, at μ = 0.3.
Case sliding_case(double dt_over_tc, Summation);
/// The guided test without friction; undamped: without the normal dashpot too.
Case frictionless_case(double dt_over_tc, Summation, bool undamped);

/// Share of the steps of a run over 20 t_c in which the contact is at the Coulomb limit.
double sliding_share(const Case&);
/// Largest kinetic energy of the last hundredth of a run over `duration_in_tc` over that of the first.
double energy_ratio(const Case&, double duration_in_tc);

/// Positions of body j (x, y, a θ; a = 0.5 m) at 1, 2 … 20 t_c; the steps must divide t_c.
std::vector<double> trajectory(const Case&, double t_c, int steps_per_tc);
inline constexpr int trajectory_tc = 20;
/// Largest distance of two trajectories over the largest displacement of the second one.
double trajectory_error(const std::vector<double>&, const std::vector<double>& reference);

/// CPU time of a step of each case (s), the cases in turns so that the speed of the machine cancels in ratios; median
/// of `rounds`.
std::vector<double> step_costs(const std::vector<Case>&, int rounds, int steps);

/// Largest step at which the error, and that of all finer steps, is at most `tolerance`: between two tested steps by a
/// power law.
struct Admissible {
  double step = 0;
  bool at_least = false;  ///< the coarsest tested step is within the tolerance
};
/// `step` falls.
Admissible admissible_step(const std::vector<double>& step, const std::vector<double>& error, double tolerance);

}  // namespace dem::validation::pena2008
