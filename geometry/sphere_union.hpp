// Mass properties of a union of overlapping spheres: the body that a cluster of spheres is.
//
// Method. By the divergence theorem all moments are integrals over the surface of the union,
//     V = 1/3 ∮ x·n dA,   ∫ x_a dV = 1/4 ∮ x_a x·n dA,   ∫ x_a x_b dV = 1/5 ∮ x_a x_b x·n dA,
// and that surface is the part of each sphere that no other sphere covers. On a parallel of the sphere (constant polar
// angle) the uncovered part is a set of exact azimuth intervals, over which the integrand, a trigonometric polynomial,
// is integrated in closed form. Between consecutive break points (poles, extremes of the circles where other spheres
// cut, crossings of two circles) what is left is a smooth function of the polar coordinate with square roots at the
// ends; z = mid − half cos t removes them, and Gauss–Legendre rules of 20 points on halved intervals finish it to
// round-off. No grid, and no branch on how spheres overlap.
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

/// Volume (m³), centroid (m) and inertia tensor about the centroid at unit density, ∫ (r² δ_ab − x_a x_b) dV (m⁵), of
/// the union.
struct SolidProperties {
  double volume = 0;
  Vec3 centroid;
  std::array<std::array<double, 3>, 3> inertia{};
};

/// About 1e-13 relative; spheres may coincide, contain each other, touch or lie apart. Throws GeometryError when there
/// is no sphere, or for a radius that is not positive or a number that is not finite, naming the sphere (counted from
/// 1).
SolidProperties sphere_union(std::span<const Sphere>);

}  // namespace dem::geometry
