// Mass properties of a union of overlapping spheres. A cluster of spheres is such a body.
//
// Method. By the divergence theorem all moments are integrals over the surface of the union.
//     V = 1/3 ∮ x·n dA,   ∫ x_a dV = 1/4 ∮ x_a x·n dA,   ∫ x_a x_b dV = 1/5 ∮ x_a x_b x·n dA.
// That surface consists of the parts of spheres that no other sphere covers. On a parallel of a sphere (constant polar
// angle) the uncovered part is a set of exact azimuth intervals. The integrand is a trigonometric polynomial and is
// integrated over them in closed form. Break points of the polar coordinate are the poles, the extremes of the circles
// where other spheres cut, and the crossings of two circles. Between them the rest is a smooth function with square
// roots at the ends. z = mid − half cos t removes the roots. Gauss–Legendre rules of 20 points on halved intervals then
// reach round-off. The method has no grid and no branch on how spheres overlap.
#pragma once
#include <array>
#include <span>

#include "geometry/error.hpp"
#include "geometry/vector.hpp"

namespace dem::geometry {

struct Sphere {
  Vec3 centre;        ///< m
  double radius = 0;  ///< m
};

/// Properties of the union at unit density. The inertia tensor is about the centroid, ∫ (r² δ_ab − x_a x_b) dV.
struct SolidProperties {
  double volume = 0;
  Vec3 centroid;
  std::array<std::array<double, 3>, 3> inertia{};
};

/// Accurate to about 1e-13 relative. Spheres may coincide, contain each other, touch or lie apart. Throws GeometryError
/// without a sphere, and for a radius that is not positive or a number that is not finite. The message names the sphere
/// (counted from 1).
SolidProperties sphere_union(std::span<const Sphere>);

}  // namespace dem::geometry
