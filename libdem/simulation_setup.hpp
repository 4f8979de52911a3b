// What a simulation works out once from its case, and the checks it makes on the way.
#pragma once
#include <string>

#include "libdem/case.hpp"
#include "libdem/motion/step_limit.hpp"
#include "libdem/state/state.hpp"

namespace dem {

class Simulation;

struct ReferenceScale {
  double contact_duration = 0;  ///< t_c of two mean free bodies (s)
  double mean_diameter = 0;     ///< equivalent diameter of free bodies (m)
  double mean_mass = 0;         ///< kg
  double normal_damping = 0, tangential_damping = 0;  ///< of two mean free bodies (kg/s)
};
ReferenceScale reference_scale(const Case&, const State&);

Scheme scheme_of(const Case&);

/// Smallest of the a-priori limits of all free bodies (see apriori_step_limit), each with the stiffest surroundings it can meet.
AprioriLimit apriori_limit_of(const Case&, const State&);

/// Kinetic energy of free coordinates (J).
double kinetic_energy(const State&);

/// Empty while the run is healthy; else a sentence with step, body or contact and cause: a number that is not finite, a body that
/// moves farther than its own radius in one step, energy from nowhere.
std::string blow_up_message(const Simulation&);

}  // namespace dem
