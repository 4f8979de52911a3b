// Bodies of random size, place and orientation in the cell, without overlap.
#pragma once
#include "libdem/assembly/generators.hpp"

namespace dem {

/// Adds the bodies of Assembly::random and sets the cell: a square or cube of the given void ratio, or the size that
/// the case gives. Sizes and places follow only from the seed. Bodies are dropped at random as small ones. They grow to
/// their size while overlapping pairs are pushed apart. The circles or spheres about the centroids that hold the bodies
/// must not overlap. So discs and spheres reach dense starts, long bodies only loose ones. More than 20 000 bodies are
/// numbered by place, so that neighbours are near each other in memory. Fewer bodies keep the random order. Throws
/// AssemblyError where there is no room at this void ratio (naming the one reached) or sizes are meaningless, and
/// GeometryError.
void add_random(const RandomSpec&, const Case&, GeneratedBodies& out);

}  // namespace dem
