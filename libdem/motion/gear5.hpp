// Gear's predictor-corrector of fifth order for second-order equations, in Nordsieck form (polygon-dem reference, §2).
//
// A coordinate is kept as r_k = (Δt^k/k!) d^k x/dt^k, k = 0 … 5, in Bodies::position and Bodies::rotation. One step is
// gear_predict, one evaluation of Bodies::force and torque at the predicted pose and velocity r_1/Δt, and gear_correct
// (PEC).
//

// Coordinates that are not free keep r_1 = prescribed velocity · Δt and r_2 … r_5 = 0 (see prescribe_velocity).
// Prediction moves them; correction leaves them alone. Assemblies with clusters keep six terms of a quaternion instead
// of the rotation (rigid_rotation.hpp). Operations do not depend on the start of a range, so threads may share ranges.
#pragma once
#include <array>
#include <cstddef>
#include <functional>

#include "libdem/case.hpp"
#include "libdem/state/bodies.hpp"

namespace dem {

/// c_0 … c_5 of the correction r_k = r_k^p + c_k D, D = a Δt²/2 − r_2^p.
using GearCoefficientSet = std::array<double, gear_terms>;

constexpr GearCoefficientSet gear_coefficients_from(double c_0) {
  return {c_0, 251.0 / 360, 1.0, 11.0 / 18, 1.0 / 6, 1.0 / 60};
}
inline constexpr GearCoefficientSet gear_by_velocity = gear_coefficients_from(3.0 / 16),
                                    gear_by_position = gear_coefficients_from(3.0 / 20);
/// c_0 = 3/16 if forces depend on the velocity (default), 3/20 if they depend on the position only.
constexpr const GearCoefficientSet& gear_coefficients(GearCoefficients choice) {
  return choice == GearCoefficients::velocity_dependent ? gear_by_velocity : gear_by_position;
}

/// r^p = P r, P_kl = binomial(l, k), for bodies first … last − 1.
void gear_predict(Bodies&, std::size_t first, std::size_t last);
inline void gear_predict(Bodies& bodies) { gear_predict(bodies, 0, bodies.size()); }

/// Correction of the predicted state from Bodies::force/mass and torque/moment (Δt in s).
void gear_correct(Bodies&, double dt, const GearCoefficientSet&, std::size_t first, std::size_t last);
inline void gear_correct(Bodies& bodies, double dt, const GearCoefficientSet& c) {
  gear_correct(bodies, dt, c, 0, bodies.size());
}

/// Evaluates Bodies::force and torque at position[0], rotation[0] and the velocities position[1]/Δt, rotation[1]/Δt of
/// the bodies. The evaluation must be a function of that state alone and must not change it. Histories (elongations,
/// contact ages) keep their start values. The movement of a contact leads from the start pose to the pose of the call.
/// Forces that depend explicitly on time are taken at the start.
using ForceEvaluation = std::function<void(Bodies&)>;

/// Starts r_2 … r_5 of all free coordinates from forces alone, so that the scheme has order five on smooth motion. Four
/// classical Runge–Kutta steps (fourth order) of Δt/4 lead forward from the start. The five accelerations on them are
/// interpolated by a polynomial in time, whose derivatives at the start give r_3 … r_5. Steps go forward only, because
/// earlier motion need not obey the same forces (contacts that just closed). The last of the 18 evaluations is at the
/// start, and the bodies return to that state. Returns the roughness: the largest fourth difference of an acceleration
/// over the largest acceleration. Angular accelerations count times the radius of gyration. The roughness is of order
/// (ωΔt/4)⁴ on smooth motion. Above about 1e-3 a contact opened, closed, slipped or jumped within the first step. Then
/// the derivatives are meaningless; use gear_start_plain.
double gear_start(Bodies&, double dt, const ForceEvaluation&);

/// Start for motion that is not smooth, such as a packing. Sets r_2 = a Δt²/2 of free coordinates from the present
/// forces and torques, and r_3 … r_5 = 0. Reduces the order to two (reference §2), as contact events do. Also for
/// velocity_verlet.
void gear_start_plain(Bodies&, double dt);

}  // namespace dem
