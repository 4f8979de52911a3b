// A vector of the plane in the two lanes of a register. An operation on lanes is one instruction and gives the bits of
// the two operations on doubles.
#pragma once
#include "geometry/vector.hpp"

namespace dem::geometry {

typedef double TwoLanes __attribute__((vector_size(16)));

inline TwoLanes lanes(Vec2 a) { return TwoLanes{a.x, a.y}; }
inline Vec2 vec2(TwoLanes a) { return {a[0], a[1]}; }
inline TwoLanes swapped(TwoLanes a) { return __builtin_shufflevector(a, a, 1, 0); }
/// The first (second) lanes of a and b.
inline TwoLanes low_lanes(TwoLanes a, TwoLanes b) { return __builtin_shufflevector(a, b, 0, 2); }
inline TwoLanes high_lanes(TwoLanes a, TwoLanes b) { return __builtin_shufflevector(a, b, 1, 3); }
inline double sum(TwoLanes a) { return a[0] + a[1]; }
inline double difference(TwoLanes a) { return a[0] - a[1]; }
inline double dot(TwoLanes a, TwoLanes b) { return sum(a * b); }
inline double cross(TwoLanes a, TwoLanes b) { return difference(a * swapped(b)); }
/// As std::min(a, b) and std::max(a, b) in each lane.
inline TwoLanes least(TwoLanes a, TwoLanes b) { return b < a ? b : a; }
inline TwoLanes most(TwoLanes a, TwoLanes b) { return a < b ? b : a; }
inline TwoLanes magnitude(TwoLanes a) {
  typedef long long Bits __attribute__((vector_size(16)));
  return TwoLanes(Bits(a) & 0x7fffffffffffffffLL);
}

}  // namespace dem::geometry
