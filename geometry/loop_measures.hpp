// Measures of one closed boundary of an overlap. Private to the fast overlaps, which share it for the same bits.
#pragma once
#include <algorithm>
#include <cmath>

#include "geometry/two_lanes.hpp"

namespace dem::geometry {

/// b lies on the line from a to c, within round-off of coordinates of their size. e = b − a, f = c − b.
inline bool straight(TwoLanes e, TwoLanes f, TwoLanes a, TwoLanes b, TwoLanes c) {
  const TwoLanes line = c - a;
  const double off = cross(e, f), length2 = dot(line, line), size2 = std::max(dot(b, b), length2);
  return off * off <= 1e-30 * size2 * length2 && dot(e, f) > 0;
}

/// One point, or a point in each lane: N is a double or a vector of doubles.
template <class N>
struct PointOf {
  N x, y;
};

/// Sums over the edges of a boundary, which is counter-clockwise and relative to an origin. They are about its first
/// vertex, so that their round-off scales with this component.
template <class N>
struct LoopSums {
  PointOf<N> base;  ///< the first vertex
  N twice_area{}, perimeter{}, moment{};
  PointOf<N> first{}, twice_gradient{}, low{}, high{}, start{};

  /// Adds the edge that ends at `vertex`. `side` is +1 for an edge of j, −1 for one of i and 0 for both. There the
  /// gradient is the mean of its two one-sided values.
  [[gnu::always_inline]] void add(const PointOf<N>& vertex, const N& side) {
    const PointOf<N> end{vertex.x - base.x, vertex.y - base.y}, edge{end.x - start.x, end.y - start.y},
        both{start.x + end.x, start.y + end.y};
    const N w = start.x * end.y - start.y * end.x;
    twice_area += w;
    first.x += w * both.x;
    first.y += w * both.y;
    perimeter += root(edge.x * edge.x + edge.y * edge.y);
    twice_gradient.x += side * edge.x;
    twice_gradient.y += side * edge.y;
    moment += side * (edge.x * both.x + edge.y * both.y);  // |end|² − |start|²
    low = {end.x < low.x ? end.x : low.x, end.y < low.y ? end.y : low.y};
    high = {high.x < end.x ? end.x : high.x, high.y < end.y ? end.y : high.y};
    start = end;
  }

  struct Measures {
    N area, perimeter, gradient_length, gradient_moment;
    PointOf<N> centroid, gradient;
  };
  /// The measures of the component. Its area must be positive: has_area().
  [[gnu::always_inline]] Measures measures(const PointOf<N>& origin) const {
    // The quotient of two tiny numbers may leave the component; its box bounds it.
    const N weight = 1 / (3 * twice_area);
    const PointOf<N> c{clamped(weight * first.x, low.x, high.x), clamped(weight * first.y, low.y, high.y)};
    const PointOf<N> gradient{0.5 * twice_gradient.x, 0.5 * twice_gradient.y};
    return {.area = 0.5 * twice_area,
            .perimeter = perimeter,
            .gradient_length = root(gradient.x * gradient.x + gradient.y * gradient.y),
            .gradient_moment = 0.25 * moment - (c.x * gradient.x + c.y * gradient.y),
            .centroid = {origin.x + (base.x + c.x), origin.y + (base.y + c.y)},
            .gradient = gradient};
  }
  /// Also keeps the quotient in measures() finite.
  [[gnu::always_inline]] auto has_area() const { return twice_area > 1e-300; }

 private:
  [[gnu::always_inline]] static N clamped(const N& v, const N& low, const N& high) {
    return v < low ? low : (high < v ? high : v);
  }
  [[gnu::always_inline]] static N root(const N& v) {
    if constexpr (sizeof(N) == sizeof(double)) {
      return std::sqrt(v);
    } else {
      N out{};
      for (unsigned k = 0; k < sizeof(N) / sizeof(double); ++k) out[k] = std::sqrt(v[k]);
      return out;
    }
  }
};

}  // namespace dem::geometry
