// How the periodic cell has changed since it was last looked at.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>

#include "geometry/cell.hpp"

namespace dem {

/// F = H H₀⁻¹ takes points of the earlier cell H₀ to the cell H now; an undeformed cell has F = 1.
struct CellDeformation {
  std::array<Vec3, 3> rows{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};  ///< of F
  double size = 0;  ///< |F − 1| (Frobenius norm): the smallest stretch is at least 1 − size
};

inline CellDeformation cell_deformation(const geometry::Cell& now, const geometry::Cell& earlier) {
  CellDeformation d;
  const auto rows = earlier.reciprocal();
  double square = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      double sum = 0;
      for (std::size_t a = 0; a < 3; ++a) sum += (&now.vectors[a].x)[r] * (&rows[a].x)[c];
      (&d.rows[std::size_t(r)].x)[c] = sum;
      square += (sum - (r == c)) * (sum - (r == c));
    }
  d.size = std::sqrt(square);
  return d;
}

}  // namespace dem
