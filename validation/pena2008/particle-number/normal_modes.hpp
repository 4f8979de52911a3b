// Small motion of a packing about its equilibrium: M q″ + C q′ + K q = 0, q = (x, y, θ) of each body, from the contact
// forces of libdem itself, and the decay of its modes that follows.
#pragma once
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "libdem/case.hpp"

namespace dem::validation::pena2008::packed {

/// Matrices in 3n coordinates of the n moving bodies.
struct LinearSystem {
  Eigen::VectorXd inertia;                ///< diagonal of M (kg, kg, kg m²)
  Eigen::SparseMatrix<double> stiffness;  ///< K, elongation `geometric` (N/m, N, N m); symmetric but for the prestress
  Eigen::SparseMatrix<double> damping;    ///< C
  /// Σ_c b bᵀ, b·q′ the tangential velocity that elongation `velocity` integrates: k_t times it is the tangential
  /// stiffness.
  Eigen::SparseMatrix<double> tangential;
};

/// Central differences of ContactForces over positions, rotations and velocities, many bodies at a time: bodies two
/// contacts apart answer to different ones (Curtis, Powell, Reid, J. Inst. Math. Appl. 13 (1974) 117). `step` is the
/// displacement (m), smaller than the depth of every contact.
LinearSystem linearise(const Case&, double step);

/// A mode of M and the symmetric part of K, and what first-order perturbation says of its decay.
struct Mode {
  double omega = 0;       ///< angular frequency (1/s)
  Eigen::VectorXd shape;  ///< φ, φᵀMφ = 1
  double rate = 0;        ///< 1/t_R = φᵀCφ (1/s): decay of the kinetic energy for Δt → 0
  double tangential = 0;  ///< Σ_c (b·φ)² (1/kg)
  double damping_ratio() const { return rate / (2 * omega); }
};

/// All modes, by frequency (dense eigenproblem of 3n coordinates).
std::vector<Mode> all_modes(const LinearSystem&);
/// The `count` lowest modes by Lanczos on K⁻¹ (sparse Cholesky), and the `count` highest by Lanczos on K, by frequency.
std::vector<Mode> lowest_modes(const LinearSystem&, int count);
std::vector<Mode> highest_modes(const LinearSystem&, int count);

/// What a mode does under `velocity` (predicted): the spring runs ahead by half a step, which adds k_t Δt/2 to γ_t.
struct Prediction {
  double slope = 0;             ///< b of 1/t_R(Δt) = 1/t_R(0) + b Δt (1/s²): k_t/2 · Σ_c (b·φ)²
  double tangential_share = 0;  ///< f_t: tangential part of the strain energy
  /// Largest Δt at which t_R is within `tolerance` of its limit, t_R(Δt) ≥ (1 − tolerance) t_R(0) (s).
  double threshold(const Mode& mode, double tolerance) const { return tolerance / (1 - tolerance) * mode.rate / slope; }
};
Prediction predict(const Mode&, double tangential_stiffness);

/// Largest modulus of the eigenvalues of one step of gear5 on a single mode of which the share `tangential_share` of
/// the stiffness is that of springs fed by v Δt at the predicted state (`velocity`), share 0: by position
/// (`geometric`). ζ with the damping at Δt → 0. Coupling of modes by the extra damping is left out.
double modal_spectral_radius(double damping_ratio, double tangential_share, double omega_dt);
/// Largest ωΔt with a modulus below 1.
double modal_stability_limit(double damping_ratio, double tangential_share);

}  // namespace dem::validation::pena2008::packed
