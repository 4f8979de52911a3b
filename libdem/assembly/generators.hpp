// Bodies from the generators of a case, with plates.
#pragma once
#include <vector>

#include "geometry/random.hpp"
#include "libdem/case.hpp"

namespace dem {

/// A circle or sphere without further properties.
struct Ball {
  Vec3 position;      ///< m
  double radius = 0;  ///< m
};

struct GeneratedBodies {
  /// Plain spheres of the generator. They come before `bodies`. As body specs they would take ten times the memory.
  std::vector<Ball> spheres;
  std::vector<BodySpec> bodies;
  /// Cell of the case, or else the space that the generator filled (m). 0 where neither is known.
  Vec3 cell_origin, cell_size;
  Vec3 cell_tilt;  ///< xy, xz, yz (m)
};

/// The specification of a plain sphere.
BodySpec sphere_spec(const Ball&);

/// Makes the bodies of the generator, then the listed bodies, then added plates. With `plates.from_rows` the first and
/// last row of the generator are the plates. Throws AssemblyError and GeometryError (naming the grain).
GeneratedBodies generate_bodies(const Case&);

// Two of these generators, and the sizes that they draw.

/// More random bodies than this are numbered by place, so that neighbours are near each other in memory.
inline constexpr std::size_t most_bodies_in_random_order = 20000;
inline bool is_made_by_place(const Case& c) {
  const auto* random = c.assembly.made_by<RandomSpec>();
  return random && random->count > most_bodies_in_random_order;
}

/// Adds random bodies and sets the cell: a square or cube of the given void ratio, or the size that the case gives.
/// Sizes and places follow only from the seed. Bodies are dropped at random. Overlapping pairs are pushed apart while
/// the bodies grow. Many bodies have their full size from the start, and only neighbours of pushed bodies are looked at
/// again. The circles or spheres about the centroids that hold the bodies must not overlap. So discs and spheres reach
/// dense starts, long bodies only loose ones. Throws AssemblyError where there is no room at this void ratio (naming
/// the one reached) or sizes are meaningless, and GeometryError.
void add_random(const RandomSpec&, const Case&, GeneratedBodies& out);

/// Adds the spheres of a rain. Neighbours in a layer are at least pitch − 2 jitter R apart along x or y, and
/// layers are layer_spacing apart. Both must leave room for two radii, so that no spheres touch for any seed. Sizes and
/// places follow only from the seed. Equal spheres need no operation that could differ between machines. Throws
/// AssemblyError for layers that do not fit into the plan area or hold fewer than `count` spheres. It also throws for
/// spheres that could overlap and for numbers without meaning.
void add_rain(const RainSpec&, const Case&, GeneratedBodies& out);

/// A random radius of the distribution (m). The mass of bodies goes with their size to the power `dimension`. Throws
/// AssemblyError where the numbers do not define a distribution.
double random_radius(const SizeDistribution&, geometry::Random&, int dimension);

/// σ of ln D of a log-normal distribution by mass, ln C_u/(z60 − z10), with quantiles z of the normal distribution.
double log_normal_width(double uniformity);

}  // namespace dem
