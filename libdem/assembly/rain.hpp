// Spheres in layers above a floor, to fall under gravity.
#pragma once
#include "libdem/assembly/generators.hpp"

namespace dem {

/// Adds the spheres of Assembly::rain. Neighbours in a layer are at least pitch − 2 jitter R apart along x or y, and
/// layers are layer_spacing apart. Both must leave room for two radii, so that no spheres touch for any seed. Sizes and
/// places follow only from the seed. Equal spheres need no operation that could differ between machines. Throws
/// AssemblyError for layers that do not fit into the plan area or hold fewer than `count` spheres. It also throws for
/// spheres that could overlap and for numbers without meaning.
void add_rain(const RainSpec&, const Case&, GeneratedBodies& out);

}  // namespace dem
