// Flat facets in space, and where a sphere touches a surface made of them.
//
// A sphere touches a surface at the local minima of the distance from its centre to the whole surface. Each convex
// facet has one nearest point. That point is a minimum unless it also lies on another facet that comes nearer still. So
// a sphere on the edge between two facets of a plane, or on an edge or corner of a block, has one contact. A sphere in
// a corner of a room has one contact with each wall, however the walls are cut into facets. No list of neighbours is
// needed.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geometry/error.hpp"
#include "geometry/vector.hpp"

namespace dem::geometry {

struct Facet {
  bool triangle = false;
  Vec3 origin;  ///< first corner (triangle), or where the bounds are 0 (rectangle) (m)
  /// Triangle: from the first corner to the others (m). Rectangle: unit vectors along its edges.
  Vec3 edge_1, edge_2;
  Vec3 normal;  ///< unit, along edge_1 × edge_2
  /// Rectangle: bounds along its edges (m). Infinite where the facet has no end.
  double low_1 = 0, high_1 = 0, low_2 = 0, high_2 = 0;

  /// These three throw GeometryError where the input spans no facet: no area, or edges of a rectangle that are not
  /// perpendicular.
  static Facet plane(Vec3 point, Vec3 normal);
  static Facet rectangle(Vec3 corner, Vec3 edge_1, Vec3 edge_2);
  static Facet of_triangle(Vec3 a, Vec3 b, Vec3 c);
  bool bounded() const;
  std::size_t sides() const { return triangle ? 3 : 4; }
  /// Corners of a bounded facet in order (m). The fourth one only for a rectangle.
  std::array<Vec3, 4> corners() const;
};

struct FacetPoint {
  Vec3 point;           ///< m
  bool inside = false;  ///< not on an edge or a corner
};

/// The point of a triangle that is nearest to x. Signs of scalar products decide between corners, edges and face.
FacetPoint nearest_on_triangle(const Facet&, Vec3 x);

inline FacetPoint nearest_point(const Facet& f, Vec3 x) {
  if (f.triangle) return nearest_on_triangle(f, x);
  const Vec3 d = x - f.origin;
  const double a = dot(d, f.edge_1), b = dot(d, f.edge_2);
  const double p = std::clamp(a, f.low_1, f.high_1), q = std::clamp(b, f.low_2, f.high_2);
  const bool inside = p == a && q == b;
  // Foot on the face along the normal. It is exact where the normal is an axis, however far the origin lies.
  if (inside) return {x - dot(d, f.normal) * f.normal, true};
  return {f.origin + p * f.edge_1 + q * f.edge_2, false};
}

/// A rigid surface of facets. Copies share their data.
class FacetSurface {
 public:
  /// Throws GeometryError where there is no facet.
  explicit FacetSurface(std::vector<Facet>);
  std::span<const Facet> facets() const { return *facets_; }
  bool bounded() const { return bounded_; }
  /// Corners of the box around the bounded facets (m). `low` is above `high` where there are none.
  Vec3 low() const { return low_; }
  Vec3 high() const { return high_; }

  /// Writes to `out` the numbers of facets nearer to x than `reach`, ascending.
  void near(Vec3 x, double reach, std::vector<std::uint32_t>& out) const;

  struct Touch {
    Vec3 point;
    double distance = 0;
    std::uint32_t facet = 0;
  };
  /// Writes to `out`, by facet, the local minima of the distance from x to the surface of the facets `among`. Points
  /// nearer to each other than `tolerance` (m) count as one.
  void touches(Vec3 x, std::span<const std::uint32_t> among, double tolerance, std::vector<Touch>& out) const;

 private:
  struct Tree;
  std::shared_ptr<const std::vector<Facet>> facets_;
  std::shared_ptr<const Tree> tree_;  // of the bounded facets; null where they are few
  std::vector<std::uint32_t> unbounded_;
  bool bounded_ = true;
  Vec3 low_, high_;
};

}  // namespace dem::geometry
