// The run as pictures and snapshots see it.
#pragma once
#include "libdem/pictures/svg.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {

/// Valid until the next step.
AssemblyView view_of(const Simulation&);
/// Choices of the case for pictures.
FrameChoice frame_of(const AssemblyView&, const Case&);

}  // namespace dem
