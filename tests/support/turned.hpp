// Rotation of a vector.
#pragma once
#include "geometry/vector.hpp"
#include "prelude.hpp"

namespace dem::test {

/// By `angle` about an axis of any length (Rodrigues).
inline Vec3 turned(Vec3 v, Vec3 axis, double angle) {
  const Vec3 n = (1 / norm(axis)) * axis;
  return std::cos(angle) * v + std::sin(angle) * cross(n, v) + (1 - std::cos(angle)) * dot(n, v) * n;
}

}  // namespace dem::test
