// The cell of an assembly, and the least leaning vectors of its lattice.
#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "geometry/vector.hpp"

namespace dem::geometry {

/// Periodic cell. Columns a, b, c are the cell vectors (m). Any set of directions may be periodic. Positions are never
/// wrapped: a body keeps its coordinates when it leaves the cell, and a pair stores the image of j that i meets.
struct Cell {
  std::array<Vec3, 3> vectors{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  std::array<bool, 3> periodic{false, false, false};
  /// Rows of the inverse of the matrix of the vectors (1/m): the fractional coordinate is s_a = row_a · x.
  std::array<Vec3, 3> reciprocal() const {
    const auto& [a, b, c] = vectors;
    const double volume = dot(a, cross(b, c));
    return {(1 / volume) * cross(b, c), (1 / volume) * cross(c, a), (1 / volume) * cross(a, b)};
  }
  /// Shift of the image (m): k_a a + k_b b + k_c c.
  Vec3 shift(std::array<std::int16_t, 3> image) const {
    return double(image[0]) * vectors[0] + double(image[1]) * vectors[1] + double(image[2]) * vectors[2];
  }
};

/// Distances between opposite faces (m) of the cell with the least leaning vectors of the same lattice.
std::array<double, 3> reduced_widths(const Cell&, bool planar);

/// That cell, and its reciprocal rows. The fractional coordinate is s_a = row_a · x. width_a = 1/|row_a| is the
/// distance of the cell's two faces. Hence |Δs_a| width_a ≤ |Δx|, on which every search rests.
struct ReducedCell {
  Cell cell;
  std::array<Vec3, 3> row;
  std::array<double, 3> width{};
  /// Vectors of this cell in terms of the given ones.
  std::array<std::array<int, 3>, 3> of_given{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  bool any_periodic = false, reduced = false;
  double narrowest = std::numeric_limits<double>::infinity();  ///< smallest periodic width

  /// `planar`: z, and the cell vector c, are ignored. Throws GeometryError if the vectors are not independent.
  ReducedCell(const Cell&, bool planar);
};

/// The largest number of cells to an image.
inline constexpr double largest_image = std::numeric_limits<std::int16_t>::max();

/// Nearest integer, ties to even, for |x| < 2^51. (std::nearbyint is a library call on a generic x86-64.)
inline double nearest_integer(double x) {
  constexpr double magic = 6755399441055744.0;  // 1.5 · 2^52
  return (x + magic) - magic;
}

}  // namespace dem::geometry
