// One free coordinate under the program's Gear scheme: what orders and limits are measured on.
#pragma once
#include "libdem/case.hpp"

namespace dem::validation::pena2008 {

/// x″ = −ω² x − 2 ζ ω x′ from x = 1, x′ = 0.
struct Oscillator {
  double omega, ratio;
};
struct State1 {
  double x, v;
};
/// Scheme minus closed form at time `end`. exact_start: r_2 … r_5 from the equation; else r_2 alone, r_3 … r_5 = 0.
State1 error_after(const Oscillator&, GearCoefficients, bool exact_start, double end, int steps);

/// The force of x″ = −x changes once: a contact closes at x = 0 (free flight before), a spring starts to slip at |x| =
/// 1/2, or the force loses a tenth of its largest value as x passes 1/2.
enum class Event { closing, slip, jump };
inline constexpr double event_span = 4;  ///< Δt = event_span/steps
/// Error of x some time after the event (t = 4, 1.5 and 1.2), root mean square over starts that put the event at
/// `phases` places within a step.
double error_with_event(Event, int steps, int phases);

/// Factor by which 20 000 steps change the amplitude of a vibration.
double grown(GearCoefficients, double damping_ratio, double omega_dt);

}  // namespace dem::validation::pena2008
