#include "libdem/state/spatial_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace dem {
namespace {

using Point = std::array<double, 3>;

/// Coordinates along the vectors of the cell (m), and their extents. Periodic coordinates are within the cell; others
/// count from the outermost body.
std::pair<std::vector<Point>, Point> coordinates(std::span<const Vec3> positions, const geometry::Cell& cell) {
  std::vector<Point> out(positions.size());
  Point extent;
  const auto rows = cell.reciprocal();
  for (std::size_t a = 0; a < 3; ++a) {
    const double edge = norm(cell.vectors[a]);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t b = 0; b < out.size(); ++b) {
      const double f = dot(rows[a], positions[b]), along = (cell.periodic[a] ? f - std::floor(f) : f) * edge;
      out[b][a] = std::isfinite(along) ? along : 0;
      low = std::min(low, out[b][a]);
      high = std::max(high, out[b][a]);
    }
    if (cell.periodic[a]) low = 0, high = edge;
    for (Point& x : out) x[a] -= low;
    extent[a] = high - low;
  }
  return {std::move(out), extent};
}

/// Bodies still to be ordered, and their box.
struct Part {
  std::size_t first, end;
  Point low, high;
  std::size_t size() const { return end - first; }
  std::size_t longest_edge() const {
    std::size_t axis = 0;
    for (std::size_t a = 1; a < 3; ++a)
      if (high[a] - low[a] > high[axis] - low[axis]) axis = a;
    return axis;
  }
};

}  // namespace

std::vector<std::uint32_t> spatial_order(std::span<const Vec3> positions, const geometry::Cell& cell) {
  std::vector<std::uint32_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto placed = coordinates(positions, cell);
  const auto& at = placed.first;
  const auto place = [&order](std::size_t k) { return order.begin() + std::ptrdiff_t(k); };
  std::vector<Part> parts{{0, order.size(), {0, 0, 0}, placed.second}};
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    // Cuts into halves of whole groups across the longest edge.
    std::size_t group = 512;
    while (group > 8 && part.size() <= group) group /= 8;
    if (part.size() <= group) {
      std::sort(place(part.first), place(part.end));
      continue;
    }
    const std::size_t middle = part.first + (part.size() + group - 1) / group / 2 * group, axis = part.longest_edge();
    std::nth_element(place(part.first), place(middle), place(part.end), [&, axis](std::uint32_t a, std::uint32_t b) {
      return at[a][axis] != at[b][axis] ? at[a][axis] < at[b][axis] : a < b;
    });
    Part left = part, right = part;
    left.end = right.first = middle;
    left.high[axis] = right.low[axis] = at[order[middle]][axis];
    parts.push_back(right);
    parts.push_back(left);
  }
  return order;
}

}  // namespace dem
