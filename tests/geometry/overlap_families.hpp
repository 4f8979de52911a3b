// Families of random pairs of outlines, and what makes them.
#pragma once
#include "overlap_tools.hpp"
#include "refusals.hpp"

namespace dem::geometry::testing {

using Random = std::mt19937_64;
struct Pair {
  Outline i, j;
};
struct Family {
  const char* name;
  Pair (*make)(Random&);
};

inline int whole(Random& random, int low, int high) { return low + int(random() % std::uint64_t(high - low + 1)); }
inline double power(Random& random, double low, double high) { return std::pow(10, uniform(random, low, high)); }

inline Vec2 direction(Random& random) { return Turn::by(uniform(random, -pi, pi))({1, 0}); }
inline bool simple(const Outline& outline) {
  return refusal([&] { check_simple(outline); }) == "accepted";
}

/// On a grid of 1/64, so that sums, reflections and halves of coordinates are exact.
inline Outline dyadic(const Outline& outline) {
  return mapped(outline, [](Vec2 v) { return Vec2{std::round(v.x * 64) / 64, std::round(v.y * 64) / 64}; });
}
inline Outline reflected(const Outline& outline, Vec2 twice_centre) {
  return mapped(outline, [&](Vec2 v) { return twice_centre - v; });
}
inline Vec2 corner(const Outline& o, std::size_t k) { return o[k % o.size()]; }
/// The edge that starts at vertex k.
inline Vec2 edge(const Outline& o, std::size_t k) { return corner(o, k + 1) - corner(o, k); }

/// Thinner than 2^-1 and not than 2^-thinnest.
template <int thinnest>
Pair parallel_slivers(Random& r) {
  const double width = std::ldexp(1, -whole(r, 1, thinnest)), tilt = whole(r, -8, 8) / 8.;
  const auto sliver = [&](double x, double y, double length) {
    return mapped(rectangle(x, y, x + length, y + width), [&](Vec2 v) { return Vec2{v.x, v.y + tilt * v.x}; });
  };
  return {sliver(0, 0, 1), sliver(whole(r, -8, 8) / 8., width * whole(r, -4, 4) / 4., whole(r, 1, 8) / 4.)};
}

// Two of the same shape, or of two shapes that `shape` draws.
template <Outline (*shape)(Random&)>
Pair identical(Random& r) {
  const Outline s = shape(r);
  return {s, s};
}
template <Outline (*shape)(Random&)>
Pair shared_edge(Random& r) {
  const Outline s = shape(r);
  const std::size_t k = r() % s.size();
  return {s, reflected(s, corner(s, k) + corner(s, k + 1))};
}
template <Outline (*shape)(Random&)>
Pair sliding_along_an_edge(Random& r) {
  const Outline s = shape(r);
  const std::size_t k = r() % s.size();
  return {s, shifted(s, (whole(r, -64, 64) / 64.) * edge(s, k))};
}
template <Outline (*shape)(Random&)>
Pair vertex_on_vertex(Random& r) {
  const Outline s = shape(r), t = shape(r);
  return {s, shifted(t, corner(s, r()) - corner(t, r()))};
}
template <Outline (*shape)(Random&)>
Pair vertex_on_edge(Random& r) {
  const Outline s = shape(r), t = shape(r);
  const std::size_t k = r() % s.size();
  return {s, shifted(t, 0.5 * (corner(s, k) + corner(s, k + 1)) - corner(t, r()))};
}

/// Half of the pairs turned, half far from the origin. Common vertices stay common, points on edges move by round-off.
inline Pair anywhere(Random& random, Pair pair) {
  if (random() % 2) {
    const double angle = uniform(random, 0, 2 * pi);
    pair = {turned(pair.i, angle), turned(pair.j, angle)};
  }
  if (random() % 2) pair = {shifted(pair.i, {1000, -700}), shifted(pair.j, {1000, -700})};
  return pair;
}

}  // namespace dem::geometry::testing
