// Checks before the first step that the movements of a case are slow enough for its time step.
#pragma once
#include "libdem/case.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Throws AssemblyError with the body when its size or place is beyond all reason.
void check_sizes(const State&);

/// Throws AssemblyError with the key when bodies, walls or the motion of stages are too fast for one step. Limits are
/// the diameter of the smallest body (contacts would miss the rest), half a turn, and bounds::largest_step_strain of
/// the cell.
void check_motion(const Case&, const State&);

}  // namespace dem
