// Stability of the integrators on the damped oscillator x″ = −ω² x − 2 ζ ω x′, from the spectral radius of the exact
// discrete map of one step: gear5 (PEC, force at the predicted state) or velocity verlet (force at the extrapolated
// velocity).
//
// Limits of ωΔt (polygon-dem reference, §2, growth 1e-9 a step), c_0 = 3/16 | 3/20 | velocity verlet:
//     ζ = 0:    0.31 | 0.10 | 2.00      ζ = 0.004: 0.69  | 0.70  | 1.98      ζ = 0.05: 0.627 | 0.65  | 1.81
//     ζ = 0.3:  0.246| 0.248| 1.13      ζ = 1:     0.080 | 0.080 | 0.47      ζ ≫ 1:    ≈ 0.08/ζ | 0.08/ζ | 0.5/ζ
#pragma once
#include "libdem/case.hpp"

namespace dem {

struct Scheme {
  Integrator integrator = Integrator::gear5;
  GearCoefficients coefficients = GearCoefficients::velocity_dependent;  ///< of gear5
  friend constexpr bool operator==(const Scheme&, const Scheme&) = default;
};

/// Growth of an amplitude per step that the time-step check tolerates. Undamped gear5 is never exactly neutral: its
/// growth per step (3/16 | 3/20) is −8e-9 | +7e-10 at ωΔt = 0.1, −5e-7 | +4e-6 at 0.3, +2e-5 | +4e-5 at 0.4, +9e-4 at
/// 0.6. With 1e-9 the 3/20 set would be held to 0.10 for the sake of a growth that nobody can see; with 1e-6 an
/// amplitude needs a million steps to grow by e, and the undamped limits become 0.326 | 0.248. For damping ratios from
/// 0.001 on the limit does not depend on the choice (to 0.2 %). Taking the limit of a small damping ratio for undamped
/// contacts (0.69) would be wrong: there the amplitude grows by e in 400 steps.
inline constexpr double tolerated_growth = 1e-6;

/// Largest modulus of the eigenvalues of one step's map; ζ ≥ 0, ωΔt > 0.
double spectral_radius(Scheme, double damping_ratio, double omega_dt);

/// Largest ωΔt at which amplitudes grow by no more than `growth` a step; to 1e-5 relative.
double stability_limit(Scheme, double damping_ratio, double growth = tolerated_growth);

}  // namespace dem
