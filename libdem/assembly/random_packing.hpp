// Bodies of random size, place and orientation in the cell, without overlap.
#pragma once
#include "libdem/assembly/generators.hpp"

namespace dem {

/// More random bodies than this are numbered by place, so that neighbours are near each other in memory.
inline constexpr std::size_t most_bodies_in_random_order = 20000;
inline bool is_made_by_place(const Case& c) {
  return c.assembly.random && c.assembly.random->count > most_bodies_in_random_order;
}

/// Adds the bodies of Assembly::random and sets the cell: a square or cube of the given void ratio, or the size that
/// the case gives. Sizes and places follow only from the seed. Bodies are dropped at random. Overlapping pairs are
/// pushed apart while the bodies grow. Many bodies have their full size from the start, and only neighbours of pushed
/// bodies are looked at again. The circles or spheres about the centroids that hold the bodies must not overlap. So
/// discs and spheres reach dense starts, long bodies only loose ones. Throws AssemblyError where there is no room at
/// this void ratio (naming the one reached) or sizes are meaningless, and GeometryError.
void add_random(const RandomSpec&, const Case&, GeneratedBodies& out);

}  // namespace dem
