// Quantities that a simulation computes once from its case, with their checks.
#pragma once

#include <optional>

#include "libdem/case.hpp"
#include "libdem/motion/limit/step_limit.hpp"
#include "libdem/state/state.hpp"

namespace dem {

struct ReferenceScale {
  double contact_duration = 0;                        ///< t_c = π/√(k_n/m_r − η²) of two mean free bodies (s)
  double mean_diameter = 0;                           ///< equivalent diameter of free bodies (m)
  double mean_mass = 0;                               ///< kg
  double mean_density = 0;                            ///< mass of all free bodies over their area or volume
  double normal_damping = 0, tangential_damping = 0;  ///< of two mean free bodies (kg/s)
};
ReferenceScale reference_scale(const Case&, const State&);

Scheme scheme_of(const Case&);
std::optional<TangentialHistory> history_of(const Case&, std::size_t stage);  ///< empty: the law has no such choice

/// Smallest a-priori limit of all free bodies (see SmallestLimit), each in its stiffest possible surroundings. The
/// check before a run leaves out the elongation, because with few contacts larger steps are stable, and published
/// sweeps have them. The measured limit knows it, and so do automatic steps.
AprioriLimit apriori_limit_of(const Case&, const State&, std::optional<VelocitySource> elongation = {});

/// Checks that need the time step, for a case whose step was chosen later. Throws AssemblyError.
void check_times(const Case&);

}  // namespace dem
