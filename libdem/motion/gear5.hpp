// Gear's predictor-corrector of fifth order for second-order equations, in Nordsieck form (polygon-dem reference, §2).
//
// A coordinate is kept as r_k = (Δt^k/k!) d^k x/dt^k, k = 0 … 5, in Bodies::position and Bodies::rotation. One step is
//     gear_predict;  evaluate Bodies::force and torque at the predicted pose and velocity r_1/Δt;  gear_correct
// (PEC: one evaluation a step). Coordinates that are not free keep r_1 = prescribed velocity · Δt and r_2 … r_5 = 0
// (see prescribe_velocity): prediction moves them, correction leaves them alone. Assemblies with clusters keep the six
// terms of a quaternion instead of those of the rotation: rigid_rotation.hpp. Every coordinate is advanced by the same
// operations wherever a range starts, so ranges may be given to threads.
#pragma once
#include <array>
#include <cstddef>
#include <functional>

#include "libdem/case.hpp"
#include "libdem/state/bodies.hpp"

namespace dem {

/// c_0 … c_5 of the correction r_k = r_k^p + c_k D, D = a Δt²/2 − r_2^p.
using GearCoefficientSet = std::array<double, gear_terms>;

/// c_0 = 3/16 where forces depend on the velocity (default), 3/20 where they depend on the position only.
constexpr GearCoefficientSet gear_coefficients(GearCoefficients choice) {
  return {choice == GearCoefficients::velocity_dependent ? 3.0 / 16 : 3.0 / 20,
          251.0 / 360,
          1.0,
          11.0 / 18,
          1.0 / 6,
          1.0 / 60};
}

/// r^p = P r, P_kl = binomial(l, k), for bodies first … last − 1.
void gear_predict(Bodies&, std::size_t first, std::size_t last);
inline void gear_predict(Bodies& bodies) { gear_predict(bodies, 0, bodies.size()); }

/// Correction of the predicted state from Bodies::force/mass and torque/moment (Δt in s).
void gear_correct(Bodies&, double dt, const GearCoefficientSet&, std::size_t first, std::size_t last);
inline void gear_correct(Bodies& bodies, double dt, const GearCoefficientSet& c) {
  gear_correct(bodies, dt, c, 0, bodies.size());
}

/// Evaluates Bodies::force and torque at position[0], rotation[0] and the velocities position[1]/Δt, rotation[1]/Δt as
/// they are in the bodies at the call. It must be a function of that state alone: histories (elongations, contact ages)
/// are read as they are at the start and never advanced; the movement of a contact is that from the start pose to the
/// pose of the call. It may not change positions or velocities. Forces that depend explicitly on time are taken at the
/// start.
using ForceEvaluation = std::function<void(Bodies&)>;

/// Starts the higher derivatives: r_2 … r_5 of all free coordinates from forces alone, so that the scheme has its order
/// five on smooth motion. Four Runge–Kutta steps (classical, fourth order) of Δt/4 forward from the start, which the
/// bodies do not keep; the five accelerations on them are interpolated by a polynomial in time, whose derivatives at
/// the start are r_3 … r_5. Forward only, because the motion before the start need not obey the same forces (contacts
/// that just closed). The last of the 18 evaluations is at the start, which position[0], position[1] (and rotation)
/// hold again on return. Returns the roughness: largest fourth difference of an acceleration, in units of the largest
/// acceleration, angular ones times the radius of gyration. It is of order (ωΔt/4)⁴ on smooth motion; above about 1e-3
/// a contact opened, closed, slipped or jumped within the first step, the derivatives mean nothing, and
/// gear_start_plain should be used.
double gear_start(Bodies&, double dt, const ForceEvaluation&);

/// Start for motion that is not smooth, what a packing uses: r_2 = a Δt²/2 of free coordinates from Bodies::force and
/// torque as they are, r_3 … r_5 = 0. Reduces the order to two (reference §2), as every contact event does. Also starts
/// velocity_verlet.
void gear_start_plain(Bodies&, double dt);

/// Terms for another time step: r_k ← r_k ratio^k, ratio = new Δt / old Δt.
void gear_rescale(Bodies&, double ratio);

}  // namespace dem
