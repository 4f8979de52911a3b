// Common parts of the integrators: bodies as flat arrays of coordinates, and the response of a coordinate to a force.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "libdem/state/bodies.hpp"

namespace dem {

static_assert(sizeof(Vec3) == 3 * sizeof(double), "vectors of bodies are read as flat arrays of coordinates");
/// n vectors as 3n doubles: x, y, z of the body at place 0, then of that at place 1, …
inline double* coordinates(ByBody<Vec3>& v) { return reinterpret_cast<double*>(v.stored().data()); }
inline const double* coordinates(const ByBody<Vec3>& v) { return reinterpret_cast<const double*>(v.stored().data()); }

/// Keeps the coordinates of a vector that are free by the three lowest bits of `freedom`, and sets the others to zero.
inline Vec3 free_part(Vec3 a, unsigned freedom) {
  return {freedom & 1u ? a.x : 0.0, freedom & 2u ? a.y : 0.0, freedom & 4u ? a.z : 0.0};
}

/// Bodies per pass of a correction, so that the answers of a pass stay in the first-level cache.
inline constexpr std::size_t bodies_per_pass = 64;

/// True if all coordinates of all these bodies follow the forces on them, so that all are computed alike.
inline bool all_free(const std::uint8_t* freedom, std::size_t bodies) {
  if (bodies > 0 && freedom[0] != free_in_space) return false;  // soon known in the plane
  unsigned all = free_in_space;
  for (std::size_t b = 0; b < bodies; ++b) all &= freedom[b];
  return all == free_in_space;
}

/// Sets answer[3b + c] = scale / inertia[b] for each free coordinate c of the bodies, else 0. `shift` is 0 for the
/// position (inertia: mass) and 3 for the rotation (inertia: moment).
[[gnu::always_inline]] inline void fill_answers(const double* inertia, const std::uint8_t* freedom, int shift,
                                                double scale, std::size_t bodies, double* answer) {
  std::size_t b = 0;
  if (all_free(freedom, bodies)) {  // eight at a time, each number three times
    typedef double Eight __attribute__((vector_size(64), aligned(8), may_alias));
    for (; b + 8 <= bodies; b += 8) {
      const Eight a = scale / *reinterpret_cast<const Eight*>(inertia + b);
      *reinterpret_cast<Eight*>(answer + 3 * b) = __builtin_shufflevector(a, a, 0, 0, 0, 1, 1, 1, 2, 2);
      *reinterpret_cast<Eight*>(answer + 3 * b + 8) = __builtin_shufflevector(a, a, 2, 3, 3, 3, 4, 4, 4, 5);
      *reinterpret_cast<Eight*>(answer + 3 * b + 16) = __builtin_shufflevector(a, a, 5, 5, 6, 6, 6, 7, 7, 7);
    }
  }
  for (; b < bodies; ++b) {
    const double a = scale / inertia[b];
    const unsigned f = unsigned(freedom[b]) >> shift;
    answer[3 * b] = f & 1u ? a : 0.0;
    answer[3 * b + 1] = f & 2u ? a : 0.0;
    answer[3 * b + 2] = f & 4u ? a : 0.0;
  }
}

/// Derivatives at the start of the polynomial through a(0), a(h), … a(4h), h = Δt/4, by Newton's forward differences.
struct StartDifferences {
  double d4;          ///< fourth difference
  double h1, h2, h3;  ///< h a′, h² a″, h³ a‴ at the start
  explicit StartDifferences(const std::array<double, 5>& a) {
    const double d1 = a[1] - a[0], d2 = a[2] - 2 * a[1] + a[0];
    const double d3 = a[3] - 3 * a[2] + 3 * a[1] - a[0];
    d4 = a[4] - 4 * a[3] + 6 * a[2] - 4 * a[1] + a[0];
    h1 = d1 - d2 / 2 + d3 / 3 - d4 / 4, h2 = d2 - d3 + 11.0 / 12 * d4, h3 = d3 - 1.5 * d4;
  }
  /// r_{3+k} over Δt²/2, Δt = 4h: Δt³ a′/3!, Δt⁴ a″/4!, Δt⁵ a‴/5!.
  double term(int k) const { return k == 0 ? (4 * h1) / 3 : k == 1 ? (16 * h2) / 12 : (64 * h3) / 60; }
};

/// Gives a coordinate that is not free (one bit of Freedom) its velocity from now on (m/s or rad/s): r_1 = velocity Δt,
/// r_2 … r_5 = 0. The integrators rely on this form. A driver that changes a coordinate's speed must call this.
inline void prescribe_velocity(Bodies& bodies, std::size_t body, Freedom coordinate, double velocity, double dt) {
  const int index = coordinate == free_x || coordinate == free_rx   ? 0
                    : coordinate == free_y || coordinate == free_ry ? 1
                                                                    : 2;
  auto& terms = coordinate < free_rx ? bodies.position : bodies.rotation;
  for (int k = 1; k < gear_terms; ++k)
    (&terms[std::size_t(k)][body].x)[index] = k == 1 ? velocity * dt + 0.0 : 0.0;  // + 0.0: no −0
}

}  // namespace dem
