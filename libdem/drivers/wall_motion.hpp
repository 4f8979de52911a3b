// Walls whose velocity changes from stage to stage: tubes that are lifted, gates that open, conveyors.
#pragma once
#include "libdem/case.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// Whether a stage of the case moves walls.
bool moves_walls(const Case&);
/// Gives every [[wall]] of the case its velocity of this stage: Stage::wall_velocities, else WallSpec::velocity. Velocities are prescribed: contacts
/// see them, what the walls do to the assembly is boundary work. Parts of a shear box are not concerned.
void move_walls(const Case&, const Stage&, State&);

}  // namespace dem
