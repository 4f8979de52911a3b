// Walls whose velocity changes from stage to stage: tubes that are lifted, gates that open, conveyors.
#pragma once
#include "libdem/case.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Gives every [[wall]] of the case its velocity of this stage: Stage::wall_velocities, else WallSpec::velocity. Velocities are prescribed: contacts
/// see them, what the walls do to the assembly is boundary work. Parts of a shear box are not concerned. So none keeps the
/// velocity that another run has left it with (start_from).
void move_walls(const Case&, const Stage&, State&);

}  // namespace dem
