// Plain vectors of two and three doubles, as kernels store and pass them. No library type, so that this header costs
// nothing.
#pragma once
#include <cmath>

namespace dem {

struct Vec2 {
  double x = 0, y = 0;
  constexpr Vec2& operator+=(Vec2 b) { return *this = {x + b.x, y + b.y}; }
  constexpr Vec2& operator-=(Vec2 b) { return *this = {x - b.x, y - b.y}; }
  friend constexpr bool operator==(Vec2, Vec2) = default;
};
constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
constexpr Vec2 operator-(Vec2 a) { return {-a.x, -a.y}; }
constexpr Vec2 operator*(double s, Vec2 a) { return {s * a.x, s * a.y}; }
constexpr double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
/// z component of a × b.
constexpr double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
/// ẑ × a: a turned by +90°.
constexpr Vec2 turned_left(Vec2 a) { return {-a.y, a.x}; }
inline double norm(Vec2 a) { return std::sqrt(dot(a, a)); }

struct Vec3 {
  double x = 0, y = 0, z = 0;
  constexpr Vec3& operator+=(Vec3 b) { return *this = {x + b.x, y + b.y, z + b.z}; }
  constexpr Vec3& operator-=(Vec3 b) { return *this = {x - b.x, y - b.y, z - b.z}; }
  friend constexpr bool operator==(Vec3, Vec3) = default;
};
constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double norm(Vec3 a) { return std::sqrt(dot(a, a)); }
inline bool is_finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
/// The part in the plane z = 0.
constexpr Vec2 planar(Vec3 a) { return {a.x, a.y}; }
/// A vector of the plane z = 0.
constexpr Vec3 spatial(Vec2 a) { return {a.x, a.y, 0}; }

/// cos and sin of an angle, evaluated once and applied to many vectors.
struct Turn {
  double c = 1, s = 0;
  static Turn by(double angle) { return {std::cos(angle), std::sin(angle)}; }
  constexpr Vec2 operator()(Vec2 a) const { return {c * a.x - s * a.y, s * a.x + c * a.y}; }
  /// The opposite turn: from the global frame into that of the body.
  constexpr Vec2 back(Vec2 a) const { return {c * a.x + s * a.y, -s * a.x + c * a.y}; }
};

}  // namespace dem
