// Stability of the integrators on the damped oscillator x″ = −ω² x − 2 ζ ω x′. The spectral radius of the exact
// discrete map of one step decides. gear5 is PEC with the force at the predicted state. Velocity Verlet takes the force
// at the extrapolated velocity.
//
// Limits of ωΔt (polygon-dem reference, §2, growth 1e-9 per step), c_0 = 3/16 | 3/20 | velocity verlet.
//     ζ = 0 (0.31 | 0.10 | 2.00)        ζ = 0.004 (0.69 | 0.70 | 1.98)    ζ = 0.05 (0.627 | 0.65 | 1.81)
//     ζ = 0.3 (0.246 | 0.248 | 1.13)    ζ = 1 (0.080 | 0.080 | 0.47)      ζ ≫ 1 (≈ 0.08/ζ | 0.08/ζ | 0.5/ζ)
//
// Elongations by velocity change the limit, because tangential springs then see a sum of v Δt, not the place. To first
// order that adds a dashpot k_t Δt/2 with the predicted velocity, and takes one away with the corrected velocity.
//
// Limits of a purely tangential mode, c_0 = 3/16 | velocity verlet, growth 1e-6 per step.
//     ζ = 0: predicted (0.572 | 1.41), trapezoid (0.154 | 2.00), corrected (0.002 | 0.002).
//     ζ = 0.05: predicted (0.480 | 1.32), trapezoid (0.655 | 1.81), corrected (0.200 | 0.204).
//
// Dashpots that see the movement of a step, not the velocity at its end, allow more (twice as much for ζ ≫ 1).
#pragma once
#include <optional>

#include "libdem/case.hpp"

namespace dem {

struct Scheme {
  Integrator integrator = Integrator::gear5;
  GearCoefficients coefficients = GearCoefficients::velocity_dependent;  ///< of gear5
  std::optional<VelocitySource> elongation = {};  ///< the velocity in elongations; none if they are geometric
  friend constexpr bool operator==(const Scheme&, const Scheme&) = default;
};

/// Growth of an amplitude per step that the time-step check tolerates. Undamped gear5 is never exactly neutral. Its
/// growth per step (3/16 | 3/20) is (−8e-9 | +7e-10) at ωΔt = 0.1, (−5e-7 | +4e-6) at 0.3, (+2e-5 | +4e-5) at 0.4 and
/// +9e-4 at 0.6. A tolerance of 1e-9 would limit the 3/20 set to 0.10 because of invisible growth. With 1e-6 an
/// amplitude needs a million steps to grow by e, and the undamped limits become 0.326 | 0.248. For damping ratios from
/// 0.001 on the limit does not depend on the choice (to 0.2 %). The limit of a small damping ratio (0.69) would be
/// wrong for undamped contacts: there the amplitude grows by e in 400 steps.
inline constexpr double tolerated_growth = 1e-6;

/// Largest modulus of the eigenvalues of one step's map; ζ ≥ 0, ωΔt > 0. The tangential springs have `tangential_share`
/// of ω². It counts only with elongations by velocity.
double spectral_radius(Scheme, double damping_ratio, double omega_dt, double tangential_share = 0);

/// Largest ωΔt at which amplitudes grow by at most `growth` per step, accurate to 1e-5 (relative).
double stability_limit(Scheme, double damping_ratio, double tangential_share = 0, double growth = tolerated_growth);

}  // namespace dem
