// Velocity Verlet, the baseline integrator. Its calls are those of gear5: predict, evaluate Bodies::force and torque,
// correct.
//
// Uses r_0 = x, r_1 = v Δt, r_2 = a Δt²/2 of Bodies::position and rotation. Prediction moves x ← x + vΔt + aΔt²/2 and
// extrapolates v ← v + aΔt. Forces are evaluated at that pose and velocity. Correction sets v to the velocity at the
// start plus Δt times the mean of the old and the new acceleration. The extrapolated velocity has an error O(Δt²), so
// the scheme keeps order two with damping. At the half-step velocity v + aΔt/2, as often coded, the order would drop to
// one. Rotation of assemblies with clusters: rigid_rotation.hpp. Start with gear_start_plain.
#pragma once
#include <cstddef>

#include "libdem/state/bodies.hpp"

namespace dem {

void verlet_predict(Bodies&, std::size_t first, std::size_t last);
inline void verlet_predict(Bodies& bodies) { verlet_predict(bodies, 0, bodies.size()); }

/// Δt in s.
void verlet_correct(Bodies&, double dt, std::size_t first, std::size_t last);
inline void verlet_correct(Bodies& bodies, double dt) { verlet_correct(bodies, dt, 0, bodies.size()); }

}  // namespace dem
