// Sizes of bodies drawn from a distribution.
#pragma once
#include "geometry/random.hpp"
#include "libdem/case.hpp"

namespace dem {

/// A radius of the distribution (m). `dimension`: the mass of bodies goes with that power of their size. Throws
/// AssemblyError where the numbers of the distribution make none.
double random_radius(const SizeDistribution&, geometry::Random&, int dimension);

/// σ of ln D of a log-normal distribution by mass: ln C_u/(z60 − z10), z the quantiles of the normal distribution.
double log_normal_width(double uniformity);

}  // namespace dem
