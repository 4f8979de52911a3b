// Orientation of three points, decided exactly. A floating-point filter is here; exact numbers (geometry/cgal) decide
// where it fails.
#pragma once
#include <cmath>

#include "geometry/two_lanes.hpp"

namespace dem::geometry {

/// The determinant |b − a, c − a| (twice the signed area of the triangle) of the given doubles. It is computed exactly
/// and rounded once, so the sign is exact. Takes no memory for coordinates of similar magnitude.
double orientation_exact(Vec2 a, Vec2 b, Vec2 c);

/// The determinant in doubles and a bound of its error.
struct Orientation {
  double value, bound;
  bool certain() const { return std::abs(value) > bound; }
};

/// Shewchuk's first filter (Discrete Comput. Geom. 18 (1997) 305, bound A) of a determinant that is the difference of
/// two products, from the sum of their sizes. The added constant covers underflow.
template <class T>
[[gnu::always_inline]] inline T orientation_bound(T sizes) {
  return 3.3306690738754716e-16 * sizes + 1e-300;
}
inline Orientation orientation_filtered(Vec2 a, Vec2 b, Vec2 c) {
  const double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x);
  return {left - right, orientation_bound(std::abs(left) + std::abs(right))};
}
inline Orientation orientation_filtered(TwoLanes a, TwoLanes b, TwoLanes c) {
  const TwoLanes products = (a - c) * swapped(b - c);
  return {difference(products), orientation_bound(sum(magnitude(products)))};
}

/// +1: a, b, c turn left (counter-clockwise). −1: they turn right. 0: they are collinear. Exact.
inline int orientation_sign(const Orientation& o, Vec2 a, Vec2 b, Vec2 c) {
  const double value = o.certain() ? o.value : orientation_exact(a, b, c);
  return (value > 0) - (value < 0);
}
inline int orientation_sign(Vec2 a, Vec2 b, Vec2 c) { return orientation_sign(orientation_filtered(a, b, c), a, b, c); }

/// True if p, known to lie on the line through a and b (a ≠ b), lies strictly between them.
inline bool strictly_between(Vec2 p, Vec2 a, Vec2 b) {
  if (a.x != b.x) return a.x < b.x ? a.x < p.x && p.x < b.x : b.x < p.x && p.x < a.x;
  return a.y < b.y ? a.y < p.y && p.y < b.y : b.y < p.y && p.y < a.y;
}

/// True if a and b, known to be collinear with v and different from v, lie on the same side of v.
inline bool same_direction(Vec2 v, Vec2 a, Vec2 b) {
  return a.x != v.x ? (a.x > v.x) == (b.x > v.x) && b.x != v.x : (a.y > v.y) == (b.y > v.y) && b.y != v.y;
}

}  // namespace dem::geometry
