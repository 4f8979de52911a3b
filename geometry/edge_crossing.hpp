// Crossing point of two edges. Private to the fast overlaps, which share it for the same bits.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/polygon.hpp"
#include "geometry/predicates.hpp"

namespace dem::geometry {

/// The edge with its length in the sum norm (m), from its box.
struct MeasuredEdge {
  Vec2 from, to;
  double length;
};
inline MeasuredEdge measured_edge(Vec2 from, Vec2 to, const Box& box) {
  return {from, to, box.high.x - box.low.x + box.high.y - box.low.y};
}
inline MeasuredEdge measured_edge(Vec2 a, Vec2 b) {
  return measured_edge(a, b, {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}});
}

/// Orientations that tell whether edge e crosses edge f: of the ends of e about f, then of the ends of f about e.
using EdgeOrientations = std::array<Orientation, 4>;

/// Crossing point of two edges in their interiors, relative to the origin.
inline Vec2 crossing_point(const MeasuredEdge& e, const MeasuredEdge& f, const EdgeOrientations& o, Vec2 origin) {
  // Along the shorter edge, so that a small body stays precise against a long wall.
  const bool along_e = e.length <= f.length;
  const MeasuredEdge &s = along_e ? e : f, &other = along_e ? f : e;
  const Orientation &first = o[along_e ? 0 : 2], &second = o[along_e ? 1 : 3];
  double p = std::abs(first.value), q = std::abs(second.value);
  if (first.bound + second.bound > 1e-10 * (p + q)) {  // nearly parallel
    p = std::abs(orientation_exact(other.from, other.to, s.from));
    q = std::abs(orientation_exact(other.from, other.to, s.to));
  }
  const double t = p / (p + q);
  Vec2 at = (s.from - origin) + t * (s.to - s.from);
  // Edges along an axis are common. A point on such an edge is exactly on it.
  if (other.from.x == other.to.x) at.x = other.from.x - origin.x;
  if (other.from.y == other.to.y) at.y = other.from.y - origin.y;
  return at;
}

}  // namespace dem::geometry
