// Measures of one closed boundary of an overlap. Private to the fast overlaps, which share it for the same bits.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "geometry/overlap.hpp"
#include "geometry/two_lanes.hpp"

namespace dem::geometry {

/// b lies on the line from a to c, within round-off of coordinates of their size. e = b − a, f = c − b.
inline bool straight(TwoLanes e, TwoLanes f, TwoLanes a, TwoLanes b, TwoLanes c) {
  const TwoLanes line = c - a;
  const double off = cross(e, f), length2 = dot(line, line), size2 = std::max(dot(b, b), length2);
  return off * off <= 1e-30 * size2 * length2 && dot(e, f) > 0;
}

/// Appends the component with the boundary v(0) … v(n − 1) (n ≥ 3), which is counter-clockwise and relative to the
/// origin. side(k) of the edge from v(k) is +1 for an edge of j, −1 for one of i and 0 for both. There the gradient is
/// the mean of its two one-sided values. Returns null, and appends nothing, if the area is not positive in doubles.
template <class Vertex, class Side>
inline OverlapComponent* append_measures(Vertex v, std::size_t n, Side side, Vec2 origin, Overlap& out) {
  // All sums are about the first vertex, so that their round-off scales with this component.
  const TwoLanes base = v(0);
  double twice_area = 0, perimeter = 0, moment = 0;
  TwoLanes first{}, twice_gradient{}, low{}, high{}, a{};
  int crossings = 0;
  double before = side(n - 1);
  for (std::size_t k = 0; k < n; ++k) {
    const TwoLanes b = v(k + 1 < n ? k + 1 : 0) - base, e = b - a, a_and_b = a + b;
    const double w = cross(a, b), s = side(k);
    twice_area += w;
    first += w * a_and_b;
    perimeter += std::sqrt(dot(e, e));
    twice_gradient += s * e;
    moment += s * dot(e, a_and_b);  // |b|² − |a|²
    crossings += s != before;
    before = s;
    low = least(low, b);
    high = most(high, b);
    a = b;
  }
  if (!(twice_area > 1e-300)) return nullptr;  // also keeps `weight` below finite

  OverlapComponent& c = out.components.emplace_back();  // in place: a copy would wait for its stores
  c.area = 0.5 * twice_area;
  // The quotient of two tiny numbers may leave the component; its box bounds it.
  const double weight = 1 / (3 * twice_area);
  const Vec2 centroid{std::clamp(weight * first[0], low[0], high[0]), std::clamp(weight * first[1], low[1], high[1])};
  c.perimeter = perimeter;
  c.crossings = crossings;
  const Vec2 gradient = vec2(0.5 * twice_gradient);
  c.gradient = gradient;
  c.gradient_moment = 0.25 * moment - dot(centroid, gradient);
  c.centroid = origin + (vec2(base) + centroid);
  return &c;
}

}  // namespace dem::geometry
