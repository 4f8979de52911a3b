// Placing outlines, comparing two overlaps, random shapes: tools of the tests of the overlap.
#pragma once
#include "geometry/contact_plane.hpp"
#include "geometry/overlap.hpp"
#include "prelude.hpp"
#include "support/random.hpp"

namespace dem::geometry::testing {

struct Method {
  const char* name;
  OverlapFunction function;
};
inline constexpr std::array<Method, 2> methods{{{"fast", overlap_fast}, {"exact", overlap_exact}}};

inline Overlap overlap_of(OverlapFunction function, const Outline& i, const Outline& j) {
  Overlap result;
  function({i, bounding_box(i), false}, {j, bounding_box(j), false}, result);
  return result;
}

template <class Map>
Outline mapped(Outline outline, Map map) {
  for (Vec2& v : outline) v = map(v);
  return outline;
}
inline Outline turned(const Outline& outline, double angle) { return mapped(outline, Turn::by(angle)); }
inline Outline shifted(const Outline& outline, Vec2 by) {
  return mapped(outline, [by](Vec2 v) { return v + by; });
}
/// Mirrored about the y axis, again counter-clockwise.
inline Outline mirrored(const Outline& outline) {
  return mapped(Outline(outline.rbegin(), outline.rend()), [](Vec2 v) { return Vec2{-v.x, v.y}; });
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
inline Outline rectangle(double left, double bottom, double right, double top) {
  return {{left, bottom}, {right, bottom}, {right, top}, {left, top}};
}
inline Vec2 centroid_of(const Outline& outline) { return area_properties(outline).centroid; }

/// Difference of two line angles, or 0 if both are undefined, or infinite if one is.
inline double line_difference(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : INFINITY;
  return std::abs(wrap_line_angle(a - b));
}

using test::uniform;

/// Vertices at increasing angles about the origin, radii in [smallest, 1]: star-shaped, in general not convex.
inline Outline random_star(std::mt19937_64& random, int n, double smallest) {
  Outline outline;
  const double start = uniform(random, 0, 2 * pi);
  for (int k = 0; k < n; ++k) {
    const double angle = start + 2 * pi * (k + uniform(random, -0.4, 0.4)) / n, r = uniform(random, smallest, 1);
    outline.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return outline;
}

/// Vertices on an ellipse along x, so convex.
inline Outline random_ellipse(std::mt19937_64& random, int n, double aspect) {
  Outline outline;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * pi * (k + uniform(random, -0.4, 0.4)) / n;
    outline.push_back({std::cos(angle), aspect * std::sin(angle)});
  }
  return outline;
}
/// The same in any direction.
inline Outline random_convex(std::mt19937_64& random, int n, double aspect) {
  const Outline outline = random_ellipse(random, n, aspect);
  return turned(outline, uniform(random, 0, 2 * pi));
}

}  // namespace dem::geometry::testing
