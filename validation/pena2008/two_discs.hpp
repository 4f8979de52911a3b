// The two-disc test of Peña, Lind and Herrmann, Fig. 2 (polygon-dem reference, §1 and §5): its case, its run until it
// has decayed, and the exact spectrum of its step.
#pragma once
#include <functional>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/measure/relaxation.hpp"

namespace dem::validation::pena2008 {

inline constexpr double reference_restitution = 0.9875;  ///< ε_n (reference, §1)
inline constexpr double reference_stiffness = 4e8;       ///< k_n, N/m
inline constexpr double push = 1e-6;                     ///< F/(k_n · 1 m): unit of all displacements (m)

/// What the pushed disc may do; the literal set-up has no equilibrium (reference, §5).
enum class Reading { guided, guided_no_rotation, free_no_rotation };

/// t_c of two discs of radius 0.5 m and density 1 kg/m² (s).
double reference_duration(double k_n = reference_stiffness);

/// Disc i fixed at the origin, disc j above at 45°, just touching, pushed along −x with F = 1e-6 k_n · 1 m. μ = 500,
/// k_t/k_n = γ_t/γ_n = 1/3, form (G).
Case two_disc_case(Reading, double dt_over_tc, double k_n = reference_stiffness);
/// Elongation by v_t Δt with the velocity of the given source, else as the case.
Case with_velocity_elongation(Case, VelocitySource = VelocitySource::predicted);
/// k_t/k_n and ε_t/ε_n of the two-disc case; γ_t follows from ε_t and k_t as γ_n does (reference, §1, tangential
/// restitution).
Case with_ratios(Case, double stiffness_ratio, double restitution_ratio);

/// t_c of a two-disc case with its own material (s).
double contact_duration_of(const Case&);

struct RelaxationRun {
  double limit_in_tc = 8000;             ///< the run ends there at the latest
  double energy_limit = 1e4;             ///< in F · 1e-6 m: above it a growing vibration has said enough
  std::function<void(double)> progress;  ///< share of limit_in_tc
};
/// Runs the case until its kinetic energy has decayed (RelaxationFit) and returns the fit, its time in units of t_c.
RelaxationFit::Result relax(const Case&, const RelaxationRun& = {});
/// The guided case with rotation started 1e-4 of the displacement beside its equilibrium, and the limit that stops its
/// growth before the contact opens: for schemes that gain energy.
Case beside_equilibrium(Case);
inline RelaxationRun growing_run() { return {8000, 0.01, {}}; }

/// Where the disc comes to rest: displacements in F/k_n.
struct FinalState {
  double dx = 0, dy = 0, turn = 0;  ///< turn: a Δθ
  double elongation = 0;            ///< ξ
  double force_ratio = 0;           ///< |F_t/F_n|
};
FinalState settle(const Case&, double duration_in_tc = 9000);

/// A vibration of the two-disc test as the time steps leave it.
struct Mode {
  double relaxation = 0;  ///< t_R/t_c = −Δt/(2 t_c ln|λ|): E_k ~ exp(−t/t_R); negative: it grows
  double frequency = 0;   ///< rad per t_c
  double tangential = 0;  ///< share of the tangential movement in the contact's movement, in [0, 1]
};

/// Eigenvalues λ of one step of the two-disc case about its equilibrium, sticking (sliding freely where μ = 0) and with
/// the force so small that the normal does not turn: the linear map of the Gear terms of the free coordinates, and of ξ
/// where it is summed from velocities. Slowest (largest |λ|) first; modes at rest (λ = 1) are left out. 50 digits
/// inside, since at Δt/t_c = 1e-5 |λ| differs from 1 by 2e-8 only, and λ = 1 is a double eigenvalue of the scheme
/// without forces.
std::vector<Mode> step_map_modes(const Case&);
/// The same with increments of a geometric elongation taken from the corrected pose of the last step to the predicted
/// one, instead of from predicted to predicted as the program does it: a variant that reference §5 mentions.
std::vector<Mode> step_map_modes_from_corrected(const Case&);
/// The mode of largest |λ|.
Mode slowest_mode(const Case&);
/// The slowest of the modes in which the contact moves mostly along its plane.
Mode tangential_mode(const Case&);

}  // namespace dem::validation::pena2008
