// Rotations as unit quaternions (Hamilton), scalar part first: q = (cos φ/2, sin φ/2 · axis). x = R(q) x′ turns from
// the body's axes to space.
#pragma once
#include <cmath>

#include "geometry/vector.hpp"
#include "libdem/case.hpp"

namespace dem {

constexpr Quaternion operator+(Quaternion a, Quaternion b) { return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Quaternion operator-(Quaternion a, Quaternion b) { return {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Quaternion operator*(double s, Quaternion a) { return {s * a.w, s * a.x, s * a.y, s * a.z}; }
constexpr double dot(Quaternion a, Quaternion b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }
/// Hamilton's product: R(a b) = R(a) R(b).
constexpr Quaternion operator*(Quaternion a, Quaternion b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
/// The inverse of a unit quaternion.
constexpr Quaternion conjugate(Quaternion q) { return {q.w, -q.x, -q.y, -q.z}; }
constexpr Vec3 vector_part(Quaternion q) { return {q.x, q.y, q.z}; }
constexpr Quaternion with_vector(double w, Vec3 v) { return {w, v.x, v.y, v.z}; }
inline Quaternion normalised(Quaternion q) { return (1 / std::sqrt(dot(q, q))) * q; }

/// R(q) a, from the body's axes to space. q has unit length.
constexpr Vec3 rotated(Quaternion q, Vec3 a) {
  const Vec3 v = vector_part(q), t = 2 * cross(v, a);
  return a + q.w * t + cross(v, t);
}
/// R(q)ᵀ a, from space to the body's axes.
constexpr Vec3 rotated_back(Quaternion q, Vec3 a) { return rotated(conjugate(q), a); }

/// The rotation by |v| about v (rad).
inline Quaternion quaternion_of(Vec3 rotation_vector) {
  const double half2 = 0.25 * dot(rotation_vector, rotation_vector);
  // sin(x)/x by its series where x is small, without division by zero or loss of digits.
  const double half = std::sqrt(half2);
  const double ratio = half2 < 1e-4 ? 1 - half2 / 6 * (1 - half2 / 20 * (1 - half2 / 42)) : std::sin(half) / half;
  return with_vector(std::cos(half), (0.5 * ratio) * rotation_vector);
}

/// The rotation vector (rad) of a unit quaternion, of length at most π.
inline Vec3 rotation_vector_of(Quaternion q) {
  if (q.w < 0) q = -1.0 * q;
  const Vec3 v = vector_part(q);
  const double s2 = dot(v, v), s = std::sqrt(s2);
  // 2 asin(s)/s by its series where s is small.
  const double ratio = s2 < 1e-4 ? 2 + s2 * (1.0 / 3 + s2 * (3.0 / 20 + s2 * (5.0 / 56))) : 2 * std::atan2(s, q.w) / s;
  return ratio * v;
}

}  // namespace dem
