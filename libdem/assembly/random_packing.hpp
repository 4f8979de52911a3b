// Bodies of random size, place and orientation in the cell, without overlap.
#pragma once
#include "libdem/assembly/generators.hpp"

namespace dem {

/// Adds the bodies of Assembly::random and sets the cell: a square or cube of the void ratio asked for, or the size the
/// case gives. Sizes and places follow from the seed alone. Bodies are dropped at random as small ones and grown to
/// their size while overlapping pairs are pushed apart. What must not overlap are the circles or spheres about the
/// centroids that hold the bodies, so discs and spheres reach dense starts, long bodies only loose ones. More than 20
/// 000 bodies are numbered by place, so that a step finds neighbours near each other in memory; fewer in the order of
/// the dice. Throws AssemblyError: no room at this void ratio (naming the one that was reached), sizes that make no
/// sense; GeometryError.
void add_random(const RandomSpec&, const Case&, GeneratedBodies& out);

}  // namespace dem
