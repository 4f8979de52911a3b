// Measures of one closed boundary of an overlap. Private to the fast overlaps, which share it for the same bits.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "geometry/overlap.hpp"

namespace dem::geometry {

/// b lies on the line from a to c, within round-off of coordinates of their size.
inline bool straight(Vec2 a, Vec2 b, Vec2 c) {
  const Vec2 e = b - a, f = c - b, line = c - a;
  const double off = cross(e, f), size2 = std::max(dot(b, b), dot(line, line));
  return off * off <= 1e-30 * size2 * dot(line, line) && dot(e, f) > 0;
}

/// Appends the component with the boundary v[0] … v[n − 1] (n ≥ 3), which is counter-clockwise and relative to the
/// origin. side(k) of the edge from v[k] is +1 for an edge of j, −1 for one of i and 0 for both. There the gradient is
/// the mean of its two one-sided values. Returns null, and appends nothing, if the area is not positive in doubles.
template <class Side>
inline OverlapComponent* append_measures(const Vec2* v, std::size_t n, Side side, Vec2 origin, Overlap& out) {
  // All sums are about the first vertex, so that their round-off scales with this component. Plain doubles stay in
  // registers.
  const Vec2 base = v[0];
  double twice_area = 0, perimeter = 0, moment = 0, first_x = 0, first_y = 0, gradient_x = 0, gradient_y = 0;
  double low_x = 0, low_y = 0, high_x = 0, high_y = 0;
  double ax = 0, ay = 0;
  int crossings = 0;
  double before = side(n - 1);
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 next = v[k + 1 < n ? k + 1 : 0];
    const double bx = next.x - base.x, by = next.y - base.y, ex = bx - ax, ey = by - ay;
    const double w = ax * by - ay * bx, s = side(k);
    twice_area += w;
    first_x += w * (ax + bx);
    first_y += w * (ay + by);
    perimeter += std::sqrt(ex * ex + ey * ey);
    gradient_x += s * ex;
    gradient_y += s * ey;
    moment += s * (ex * (ax + bx) + ey * (ay + by));  // |b|² − |a|²
    crossings += s != before;
    before = s;
    low_x = std::min(low_x, bx);
    low_y = std::min(low_y, by);
    high_x = std::max(high_x, bx);
    high_y = std::max(high_y, by);
    ax = bx;
    ay = by;
  }
  if (!(twice_area > 1e-300)) return nullptr;  // also keeps `weight` below finite

  OverlapComponent& c = out.components.emplace_back();  // in place: a copy would wait for its stores
  c.area = 0.5 * twice_area;
  // The quotient of two tiny numbers may leave the component; its box bounds it.
  const double weight = 1 / (3 * twice_area);
  const Vec2 centroid{std::clamp(weight * first_x, low_x, high_x), std::clamp(weight * first_y, low_y, high_y)};
  c.perimeter = perimeter;
  c.crossings = crossings;
  const Vec2 gradient{0.5 * gradient_x, 0.5 * gradient_y};
  c.gradient = gradient;
  c.gradient_moment = 0.25 * moment - dot(centroid, gradient);
  c.centroid = origin + (base + centroid);
  return &c;
}

}  // namespace dem::geometry
