// Is what a case moves slow enough for its time step? Judged before the first one.
#pragma once
#include "libdem/case.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Throws AssemblyError, with the key, when a body has a size or a place beyond all reason: it names the body.
void check_sizes(const State&);

/// Throws AssemblyError, with the key, when something would pass the diameter of the smallest body in one step
/// (contacts would never see it), turn by half a turn, or strain the cell by more than bounds::largest_step_strain:
/// bodies, walls and what stages prescribe.
void check_motion(const Case&, const State&);

}  // namespace dem
