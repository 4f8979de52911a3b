// Spheres in layers above a floor, to fall under gravity.
#pragma once
#include "libdem/assembly/generators.hpp"

namespace dem {

/// Adds the spheres of Assembly::rain. Neighbours in a layer are at least pitch − 2 jitter R apart along x or y, layers
/// are layer_spacing apart, and both must leave room for two radii: no spheres touch, whatever the seed. Sizes and
/// places follow from the seed alone; equal spheres without any operation that could differ between machines. Throws
/// AssemblyError: layers that do not fit into the plan area or hold fewer than `count` spheres, spheres that could
/// overlap, numbers that make no sense.
void add_rain(const RainSpec&, const Case&, GeneratedBodies& out);

}  // namespace dem
