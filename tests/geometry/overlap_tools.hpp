// What the tests of the overlap share: placing outlines, comparing two overlaps, random shapes.
#pragma once
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "geometry/contact_plane.hpp"
#include "geometry/overlap.hpp"

namespace dem::geometry::testing {

struct Method {
  const char* name;
  OverlapFunction function;
};
inline constexpr std::array<Method, 2> methods{{{"fast", overlap_fast}, {"exact", overlap_exact}}};

inline PlacedPolygon placed(const Outline& outline) {
  return {.vertices = outline, .box = bounding_box(outline), .convex = false};
}

inline Overlap overlap_of(OverlapFunction function, const Outline& i, const Outline& j) {
  Overlap result;
  function(placed(i), placed(j), result);
  return result;
}

inline Outline turned(Outline outline, double angle) {
  const Turn turn = Turn::by(angle);
  for (Vec2& v : outline) v = turn(v);
  return outline;
}
inline Outline shifted(Outline outline, Vec2 by) {
  for (Vec2& v : outline) v += by;
  return outline;
}
/// Mirrored about the y axis, again counter-clockwise.
inline Outline mirrored(const Outline& outline) {
  Outline result;
  for (auto v = outline.rbegin(); v != outline.rend(); ++v) result.push_back({-v->x, v->y});
  return result;
}
/// With a vertex in the middle of every edge.
inline Outline split_edges(const Outline& outline) {
  Outline result;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    result.push_back(outline[k]);
    result.push_back(0.5 * (outline[k] + outline[(k + 1) % outline.size()]));
  }
  return result;
}

inline double perimeter_of(const Outline& outline) {
  double sum = 0;
  for (std::size_t k = 0; k < outline.size(); ++k) sum += norm(outline[(k + 1) % outline.size()] - outline[k]);
  return sum;
}
inline Vec2 centroid_of(const Outline& outline) { return area_properties(outline).centroid; }

/// Difference of two line angles, or 0 if both are undefined, or infinite if one is.
inline double line_difference(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : INFINITY;
  return std::abs(wrap_line_angle(a - b));
}

inline double uniform(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}

/// Vertices at increasing angles about the origin, radii in [smallest, 1]: star-shaped, in general not convex.
inline Outline random_star(std::mt19937_64& random, int n, double smallest) {
  Outline outline;
  const double start = uniform(random, 0, 2 * std::numbers::pi);
  for (int k = 0; k < n; ++k) {
    const double angle = start + 2 * std::numbers::pi * (k + uniform(random, -0.4, 0.4)) / n;
    const double r = uniform(random, smallest, 1);
    outline.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return outline;
}

/// Vertices on an ellipse along x, so convex.
inline Outline random_ellipse(std::mt19937_64& random, int n, double aspect) {
  Outline outline;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * (k + uniform(random, -0.4, 0.4)) / n;
    outline.push_back({std::cos(angle), aspect * std::sin(angle)});
  }
  return outline;
}
/// The same in any direction.
inline Outline random_convex(std::mt19937_64& random, int n, double aspect) {
  const Outline outline = random_ellipse(random, n, aspect);
  return turned(outline, uniform(random, 0, 2 * std::numbers::pi));
}

}  // namespace dem::geometry::testing
