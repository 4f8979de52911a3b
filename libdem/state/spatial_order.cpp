#include "libdem/state/spatial_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace dem {

std::vector<std::uint32_t> spatial_order(std::span<const Vec3> positions, const geometry::Cell& cell) {
  const std::size_t n = positions.size();
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  if (n < 2) return order;
  // Coordinates in units of the cell, [0, 1) where periodic; elsewhere along its vectors between the outermost bodies.
  const auto rows = cell.reciprocal();
  std::array<double, 3> low, high, extent, per_unit;
  std::vector<std::array<double, 3>> s(n);
  for (std::size_t a = 0; a < 3; ++a) {
    low[a] = std::numeric_limits<double>::infinity();
    high[a] = -low[a];
    for (std::size_t b = 0; b < n; ++b) {
      const double f = dot(rows[a], positions[b]);
      s[b][a] = cell.periodic[a] ? f - std::floor(f) : f;
      low[a] = std::min(low[a], s[b][a]);
      high[a] = std::max(high[a], s[b][a]);
    }
    if (cell.periodic[a]) low[a] = 0, high[a] = 1;
    extent[a] = (high[a] - low[a]) * norm(cell.vectors[a]);
    per_unit[a] = high[a] > low[a] ? 1 / (high[a] - low[a]) : 0;
  }
  // About one body a cell, of equal edges; a flat or thin assembly has one layer or line of cells.
  double edge = 0;
  std::array<double, 3> sorted = extent;
  std::sort(sorted.begin(), sorted.end());
  for (int axes = 3; axes > 0; --axes) {
    double volume = 1;
    for (int a = 3 - axes; a < 3; ++a) volume *= sorted[std::size_t(a)];
    edge = std::pow(volume / double(n), 1.0 / axes);
    if (sorted[std::size_t(3 - axes)] >= edge) break;
  }
  std::array<std::uint64_t, 3> bricks, cells;  // bricks an axis, cells a brick
  for (std::size_t a = 0; a < 3; ++a) {
    const double count = edge > 0 ? std::clamp(std::floor(extent[a] / edge), 1.0, 65536.0) : 1;
    bricks[a] = std::uint64_t(std::max(1.0, std::round(count / 8)));
    cells[a] = std::uint64_t(std::max(1.0, std::round(count / double(bricks[a]))));
  }
  std::vector<std::uint64_t> key(n);
  for (std::size_t b = 0; b < n; ++b) {
    std::uint64_t brick = 0, in_brick = 0;
    for (std::size_t a = 3; a-- > 0;) {
      const std::uint64_t count = bricks[a] * cells[a];
      const double f = (s[b][a] - low[a]) * per_unit[a] * double(count);
      const std::uint64_t c = f > 0 ? std::min(std::uint64_t(f), count - 1) : 0;  // also when it is not a number
      brick = brick * bricks[a] + c / cells[a];
      in_brick = in_brick * cells[a] + c % cells[a];
    }
    key[b] = brick * (cells[0] * cells[1] * cells[2]) + in_brick;
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] != key[b] ? key[a] < key[b] : a < b; });
  return order;
}

}  // namespace dem
