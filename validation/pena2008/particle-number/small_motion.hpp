// Runs of a packing that was set moving a little: how fast a disturbance dies out, and the time step at which it grows.
#pragma once
#include <Eigen/Core>
#include <cstdint>

#include "libdem/case.hpp"
#include "libdem/measure/relaxation.hpp"

namespace dem::validation::pena2008::packed {

/// A packing in equilibrium with the velocities v of its bodies (x, y, spin of each), to be run at one time step.
struct Disturbed {
  Case packing;
  Eigen::VectorXd velocity;                       ///< m/s, rad/s
  Elongation elongation = Elongation::geometric;  ///< velocity: predicted
  double dt = 0;                                  ///< s
};

struct Decay {
  double rate = 0;  ///< 1/t_R of the kinetic energy (1/s)
  double r_squared = 0;
  std::size_t maxima = 0;
  bool same_contacts = true;  ///< no contact was gained or lost
  bool usable() const { return same_contacts && maxima >= 20 && r_squared > 0.999; }
};

/// Decay of the kinetic energy over `duration` (s): least squares over all its maxima. For a single mode.
Decay decay_of_mode(const Disturbed&, double duration);
/// Decay at late times: run until E_k has fallen to 1e-12 of its largest maximum, at most for `longest` (s); fit
/// between 1e-6 and 1e-12. Later than the reference's window (1e-3 to 1e-9), because a packing has modes of nearly the
/// same rate.
Decay late_decay(const Disturbed&, double longest);

/// Does the motion grow within `steps` steps: tenfold kinetic energy, other contacts, or more energy in the last
/// quarter than in the third?
bool grows(const Disturbed&, int steps);

/// Largest stable Δt (s) by bisection between `stable` and `unstable`, widened where they are not, to 0.5 %.
double largest_stable_step(Disturbed, double stable, double unstable, int steps);

/// Velocities along `shape` such that no body is displaced by more than `largest` (m) at angular frequency `omega`.
Eigen::VectorXd velocity_along(const Case& packing, const Eigen::VectorXd& shape, double omega, double largest);
/// Random velocities of all bodies with the same bound.
Eigen::VectorXd random_velocity(const Case& packing, double omega, double largest, std::uint64_t seed);

}  // namespace dem::validation::pena2008::packed
