// The frame of a contact in space, which tangential laws need. Source: linear-frictional-contact reference, §3 (swing,
// twist), §10 (transports for comparison).
//
// The frame has a unit normal n from i to j, a unit vector direction_1 ⟂ n and direction_2 = n × direction_1. From one
// step to the next the frame follows the pair by two rotations. The *swing* is the smallest rotation from n0 to n1; the
// *twist* turns about n1 by the mean spin. Both carry a history in frame components, exact in length and tangency.
//
// These functions run in the loop over the contacts: inline, no trigonometric function for the usual small turns.
#pragma once
#include <cmath>

#include "geometry/vector.hpp"
#include "libdem/case.hpp"

namespace dem {

/// The velocity of an elongation, from those now and at the start of the step.
template <class V>
inline V of_source(VelocitySource source, const V& now, const V& start) {
  if (source == VelocitySource::predicted) return now;
  return source == VelocitySource::corrected ? start : 0.5 * (start + now);
}

/// tan(x)/x as a function of x².
inline double tan_over_argument(double x_squared) {
  // The series is exact to rounding below the limit: its next term is 1382/155925 x¹⁰ < 1e-17.
  if (x_squared < 1e-3)
    return 1 + x_squared * (1.0 / 3 + x_squared * (2.0 / 15 + x_squared * (17.0 / 315 + x_squared * (62.0 / 2835))));
  const double x = std::sqrt(x_squared);
  return std::tan(x) / x;
}

/// A unit vector perpendicular to the unit vector n: the coordinate axis least along n, made perpendicular.
inline Vec3 any_direction(Vec3 n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const Vec3 axis = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const Vec3 v = axis - dot(axis, n) * n;
  return (1 / norm(v)) * v;
}

/// True if the normal turned by nearly π in one step. Then no smallest rotation is defined; histories are dropped (§3).
inline bool turned_over(Vec3 n0, Vec3 n1) { return !(1 + dot(n0, n1) >= 1e-6); }

/// Turns v ⟂ n0 by the smallest rotation that takes the unit vector n0 to n1. Not for normals that turned over.
inline Vec3 swing(Vec3 v, Vec3 n0, Vec3 n1) { return v - (dot(v, n1) / (1 + dot(n0, n1))) * (n0 + n1); }

/// tan(φ/2) of the twist about n1 in a step with mean rotation w = ½(Δθ_i + Δθ_j) (rad). If `exact`, `φ = 2
/// atan(tan(|w|/2) w·n1/|w|)`, which reproduces a rigid rotation to rounding. Otherwise the standard form φ = w·n1,
/// which differs by O(|w|³).
inline double twist_half_tangent(Vec3 w, Vec3 n1, bool exact) {
  const double half = 0.5 * dot(w, n1);
  return half * tan_over_argument(exact ? 0.25 * dot(w, w) : half * half);
}

/// Turns v ⟂ n about the unit vector n by φ, given tan(φ/2).
inline Vec3 twisted(Vec3 v, Vec3 n, double half_tangent) {
  const double t = half_tangent, s = 1 / (1 + t * t);
  return ((1 - t * t) * s) * v + (2 * t * s) * cross(n, v);
}

/// direction_1 at the end of the step, from that at its start. Each step removes what rounding leaves of v·n1 and |v| −
/// 1, so that rounding does not add up over a long run. Normals that turned over get a new direction.
inline Vec3 carried_direction(Vec3 direction_1, Vec3 n0, Vec3 n1, double half_tangent) {
  if (turned_over(n0, n1)) return any_direction(n1);
  Vec3 v = twisted(swing(direction_1, n0, n1), n1, half_tangent);
  v -= dot(v, n1) * n1;
  return (1.5 - 0.5 * dot(v, v)) * v;  // one Newton step for 1/|v|
}

/// Map of a stored tangential vector by a transport: from components in the frame at the start of the step to those at
/// the end. The frame turns as in carried_direction(). For transports that follow the frame the map is the identity.
struct TransportMatrix {
  double m[4] = {1, 0, 0, 1};  ///< in the plane, row by row, for laws::LawEntry::transform
  double from_normal[2] = {};  ///< `none`: in-plane components of a unit vector along n0
  double to_normal[2] = {};    ///< `none`: components of directions 1 and 2 along n1
  double normal = 1;           ///< `none`: n0·n1
  bool keeps_length = false;   ///< `projection-rescaled`: the result is stretched to the length before
};
/// False if the next step carries nothing of a history: with an option `history` that is not "true" it holds no spring.
inline bool carries_force(const laws::LawChoice& law) {
  return law.history().value_or(TangentialHistory::whole) == TangentialHistory::whole;
}
inline bool follows_frame(Transport t) { return t == Transport::swing_twist || t == Transport::exact; }

/// `from_1` and `to_1` are direction_1 at the start and at the end, w is the mean rotation vector (rad).
inline TransportMatrix transport_matrix(Transport transport, Vec3 n0, Vec3 from_1, Vec3 n1, Vec3 to_1, Vec3 w) {
  if (follows_frame(transport)) return {};
  const Vec3 from_2 = cross(n0, from_1), to_2 = cross(n1, to_1);
  // Projection on the new plane: old components along the new directions.
  TransportMatrix t{{dot(from_1, to_1), dot(from_2, to_1), dot(from_1, to_2), dot(from_2, to_2)}};
  t.normal = 0;
  t.keeps_length = transport == Transport::projection_rescaled;
  if (transport == Transport::projection_twirl) {  // the published f − φ f × n with φ = w·n1, after the projection
    const double phi = dot(w, n1), a = t.m[0], b = t.m[1];
    t.m[0] -= phi * t.m[2];
    t.m[1] -= phi * t.m[3];
    t.m[2] += phi * a;
    t.m[3] += phi * b;
  } else if (transport == Transport::none) {  // fixed in space
    t.from_normal[0] = dot(n0, to_1);
    t.from_normal[1] = dot(n0, to_2);
    t.to_normal[0] = dot(from_1, n1);
    t.to_normal[1] = dot(from_2, n1);
    t.normal = dot(n0, n1);
  }
  return t;
}

/// Applies the matrix to a history whose first two numbers are the tangential vector. Needs laws::LawEntry::transform.
/// `out_of_plane` is what transport `none` leaves along the normal, in the unit of the history. The friction check
/// ignores it.
template <class Transform>
inline void transport_history(const TransportMatrix& t, Transform transform, double* history, double& out_of_plane) {
  if (t.keeps_length) {
    const double a = history[0], b = history[1], length = std::hypot(a, b),
                 kept = std::hypot(t.m[0] * a + t.m[1] * b, t.m[2] * a + t.m[3] * b);
    const double stretch = kept > 0 ? length / kept : 1;  // normals at right angles may leave nothing
    const double m[4] = {stretch * t.m[0], stretch * t.m[1], stretch * t.m[2], stretch * t.m[3]};
    return transform(history, m);
  }
  const double left = t.to_normal[0] * history[0] + t.to_normal[1] * history[1] + t.normal * out_of_plane;
  transform(history, t.m);
  history[0] += t.from_normal[0] * out_of_plane;
  history[1] += t.from_normal[1] * out_of_plane;
  out_of_plane = left;
}

}  // namespace dem
