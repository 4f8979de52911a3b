// Vertices of a placed polygon in cyclic order. Private to the overlaps of convex polygons.
#pragma once
#include <cstdint>
#include <span>

#include "geometry/predicates.hpp"
#include "geometry/two_lanes.hpp"

namespace dem::geometry {

/// The number of a vertex, or of the edge that starts there.
using Index = std::uint32_t;

struct Ring {
  const Vec2* vertices;
  Index size;
  TwoLanes shift;  ///< to the place of the polygon (m)

  // Adding −0 changes no number, not even −0.
  [[gnu::always_inline]] explicit Ring(std::span<const Vec2> v, Vec2 by = {})
      : vertices(v.data()), size(Index(v.size())), shift(by == Vec2{} ? TwoLanes{-0.0, -0.0} : lanes(by)) {}
  [[gnu::always_inline]] TwoLanes operator[](Index k) const { return lanes(vertices[k]) + shift; }
  Index after(Index k) const { return k + 1 < size ? k + 1 : 0; }
  Index count(Index from, Index to) const { return to >= from ? to - from : to + size - from; }
};

inline bool surely_left(TwoLanes a, TwoLanes b, TwoLanes p) {
  const Orientation o = orientation_filtered(a, b, p);
  return o.value > o.bound;
}
inline bool surely_right(TwoLanes a, TwoLanes b, TwoLanes p) {
  const Orientation o = orientation_filtered(a, b, p);
  return o.value < -o.bound;
}

/// True if the point is surely inside the convex polygon.
inline bool surrounds(const Ring& polygon, TwoLanes point) {
  TwoLanes from = polygon[polygon.size - 1];
  for (Index k = 0; k < polygon.size; ++k) {
    const TwoLanes to = polygon[k];
    if (!surely_left(from, to, point)) return false;
    from = to;
  }
  return true;
}

}  // namespace dem::geometry
