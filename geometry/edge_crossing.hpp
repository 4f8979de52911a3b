// Crossing point of two edges. Private to the fast overlaps, which share it for the same bits.
#pragma once
#include <algorithm>
#include <cmath>

#include "geometry/polygon.hpp"
#include "geometry/predicates.hpp"
#include "geometry/two_lanes.hpp"

namespace dem::geometry {

/// The edge with its length in the sum norm (m), from its box.
struct MeasuredEdge {
  TwoLanes from, to;
  double length;
};
inline MeasuredEdge measured_edge(Vec2 from, Vec2 to, const Box& box) {
  return {lanes(from), lanes(to), box.high.x - box.low.x + box.high.y - box.low.y};
}
inline MeasuredEdge measured_edge(TwoLanes a, TwoLanes b) {
  const TwoLanes low = least(a, b), high = most(a, b);
  return {a, b, high[0] - low[0] + high[1] - low[1]};
}

/// Orientations of the two ends of an edge about another one.
struct EndOrientations {
  TwoLanes value, bound;
};
/// They tell whether edge e crosses edge f.
struct EdgeOrientations {
  EndOrientations of_e, of_f;
};

/// orientation_filtered() of the ends of the edge from a to b about that from c to d, and of the ends of the latter.
/// They share four differences, whose signs cancel.
inline EdgeOrientations edge_orientations(TwoLanes a, TwoLanes b, TwoLanes c, TwoLanes d) {
  const auto ends = [](TwoLanes left, TwoLanes right) {
    return EndOrientations{left - right, orientation_bound(magnitude(left) + magnitude(right))};
  };
  const TwoLanes ac = c - a, ad = d - a, bc = c - b, bd = d - b;
  const TwoLanes c_x = low_lanes(ac, bc), c_y = high_lanes(ac, bc), d_x = low_lanes(ad, bd), d_y = high_lanes(ad, bd);
  return {ends(c_x * d_y, c_y * d_x),
          ends(low_lanes(c_x, d_x) * high_lanes(c_y, d_y), low_lanes(c_y, d_y) * high_lanes(c_x, d_x))};
}

/// Crossing point of two edges in their interiors, relative to the origin.
inline TwoLanes crossing_point(const MeasuredEdge& e, const MeasuredEdge& f, const EdgeOrientations& o,
                               TwoLanes origin) {
  // Along the shorter edge, so that a small body stays precise against a long wall.
  const bool along_e = e.length <= f.length;
  const MeasuredEdge &s = along_e ? e : f, &other = along_e ? f : e;
  const EndOrientations& ends = along_e ? o.of_e : o.of_f;
  TwoLanes size = magnitude(ends.value);
  if (sum(ends.bound) > 1e-10 * sum(size)) {  // nearly parallel
    const Vec2 from = vec2(other.from), to = vec2(other.to);
    size = magnitude(TwoLanes{orientation_exact(from, to, vec2(s.from)), orientation_exact(from, to, vec2(s.to))});
  }
  const double t = size[0] / sum(size);
  const TwoLanes at = (s.from - origin) + t * (s.to - s.from);
  // Edges along an axis are common. A point on such an edge is exactly on it.
  return other.from == other.to ? other.from - origin : at;
}

}  // namespace dem::geometry
