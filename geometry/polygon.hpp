// Simple polygons: normalisation, checks, mass properties.
#pragma once
#include <span>
#include <vector>

#include "geometry/error.hpp"
#include "geometry/vector.hpp"

namespace dem::geometry {

/// Vertices in order, in any orientation and frame. The first vertex is not repeated at the end.
using Outline = std::vector<Vec2>;

struct Box {
  Vec2 low, high;
  bool overlaps(const Box& b) const {
    return low.x <= b.high.x && b.low.x <= high.x && low.y <= b.high.y && b.low.y <= high.y;
  }
};

/// Area (m², positive for counter-clockwise), centroid (m) and polar moment of area about the centroid (m⁴).
struct AreaProperties {
  double area = 0;
  Vec2 centroid;
  double polar_moment = 0;
};
/// Computes about a local origin, so that an outline far from the origin loses no digits.
AreaProperties area_properties(std::span<const Vec2> outline);

/// Throws GeometryError, naming the vertex, unless the outline is simple. A simple outline has at least three vertices,
/// finite coordinates, no repeated vertex and an area that is not zero. Its edges meet only in their common vertices
/// (exact predicates).
void check_simple(std::span<const Vec2> outline);

/// The checked outline (see check_simple), counter-clockwise, with unchanged coordinates.
Outline counter_clockwise(Outline outline);

/// A simple polygon in the frame of its body: counter-clockwise, centroid at the origin.
class Polygon {
 public:
  /// Checks (see check_simple), normalises the orientation and moves the centroid to the origin.
  explicit Polygon(std::span<const Vec2> outline);

  std::span<const Vec2> vertices() const { return vertices_; }
  Vec2 outline_centroid() const { return outline_centroid_; }  ///< centroid in the given outline (m)
  double area() const { return area_; }                        ///< m²
  double polar_moment() const { return polar_moment_; }        ///< about the centroid, m⁴ (times density: kg m²)
  double perimeter() const { return perimeter_; }              ///< m
  double bounding_radius() const { return bounding_radius_; }  ///< largest distance of a vertex (m)
  bool convex() const { return convex_; }                      ///< by exact predicates
  /// Least of |e × f| / (|e| + |f|) over neighbouring edges e and f (m); 0 if the polygon is not convex.
  double convexity_margin() const { return convexity_margin_; }

 private:
  std::vector<Vec2> vertices_;
  Vec2 outline_centroid_;
  double area_ = 0, polar_moment_ = 0, perimeter_ = 0, bounding_radius_ = 0;
  double convexity_margin_ = INFINITY;
  bool convex_ = true;
};

}  // namespace dem::geometry
