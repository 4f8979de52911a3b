// A 3×3 tensor, row by row; 2D results fill the upper left 2×2 block.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>

#include "geometry/vector.hpp"

namespace dem {

struct Tensor3 {
  std::array<std::array<double, 3>, 3> m{};
  double xx() const { return m[0][0]; }
  double xy() const { return m[0][1]; }
  double yx() const { return m[1][0]; }
  double yy() const { return m[1][1]; }

  /// this += s a⊗b
  void add(double s, Vec3 a, Vec3 b) {
    const double u[] = {s * a.x, s * a.y, s * a.z}, v[] = {b.x, b.y, b.z};
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 3; ++c) m[r][c] += u[r] * v[c];
  }
  friend Vec3 operator*(const Tensor3& t, Vec3 v) {
    const auto row = [&](std::size_t r) { return t.m[r][0] * v.x + t.m[r][1] * v.y + t.m[r][2] * v.z; };
    return {row(0), row(1), row(2)};
  }
  Tensor3& operator+=(const Tensor3& b) {
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 3; ++c) m[r][c] += b.m[r][c];
    return *this;
  }
  Tensor3& operator*=(double s) {
    for (auto& row : m)
      for (double& x : row) x *= s;
    return *this;
  }
};

/// Mean pressure, compression positive; stress has tension positive. In the plane −(σ_xx + σ_yy)/2, in space −(σ_xx +
/// σ_yy + σ_zz)/3.
inline double mean_pressure(const Tensor3& stress, int dimension) {
  return dimension == 2 ? -0.5 * (stress.xx() + stress.yy()) : -(stress.m[0][0] + stress.m[1][1] + stress.m[2][2]) / 3;
}

/// Norm √(d:d) of the deviator d = t − (trace/D) 1 of the symmetric part.
inline double deviator_norm(const Tensor3& t, int dimension) {
  const auto n = std::size_t(dimension);
  double mean = 0, square = 0;
  for (std::size_t a = 0; a < n; ++a) mean += t.m[a][a] / dimension;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      const double d = 0.5 * (t.m[a][b] + t.m[b][a]) - (a == b ? mean : 0);
      square += d * d;
    }
  return std::sqrt(square);
}

/// Deviator stress q ≥ 0. In space √(3/2) √(s:s), which is |σ_1 − σ_3| in triaxial loading. In the plane (σ_1 − σ_2)/2,
/// and q/p is the sine of the mobilised friction angle.
inline double deviator_stress(const Tensor3& stress, int dimension) {
  return std::sqrt(dimension == 2 ? 0.5 : 1.5) * deviator_norm(stress, dimension);
}

/// Planar principal values of the symmetric part, first ≥ second. `direction` is that of the first in (−π/2, π/2]
/// (rad).
struct Principal {
  double first = 0, second = 0, direction = 0;
};
inline Principal planar_principal(const Tensor3& t) {
  const double mean = 0.5 * (t.xx() + t.yy()), half = 0.5 * (t.xx() - t.yy()), shear = 0.5 * (t.xy() + t.yx());
  const double r = std::hypot(half, shear);
  return {mean + r, mean - r, 0.5 * std::atan2(shear, half)};
}

}  // namespace dem
