// Sizes of bodies drawn from a distribution.
#pragma once
#include "geometry/random.hpp"
#include "libdem/case.hpp"

namespace dem {

/// A random radius of the distribution (m). The mass of bodies goes with their size to the power `dimension`. Throws
/// AssemblyError where the numbers do not define a distribution.
double random_radius(const SizeDistribution&, geometry::Random&, int dimension);

/// σ of ln D of a log-normal distribution by mass, ln C_u/(z60 − z10), with quantiles z of the normal distribution.
double log_normal_width(double uniformity);

}  // namespace dem
