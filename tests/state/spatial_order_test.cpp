// Compact groups of 512, 64 and 8 bodies.
#include "libdem/state/spatial_order.hpp"

#include <ranges>

#include "geometry/random.hpp"
#include "prelude.hpp"

namespace {

/// Centres of the cells of an n³ grid in shuffled order.
std::vector<Vec3> shuffled_grid(int n, geometry::Random& random) {
  std::vector<Vec3> found;
  for (int k = 0; k < n * n * n; ++k) found.push_back({k % n + 0.5, k / n % n + 0.5, k / n / n + 0.5});
  for (std::size_t k = found.size(); k > 1; --k)
    std::swap(found[k - 1], found[std::min(k - 1, std::size_t(random.uniform() * double(k)))]);
  return found;
}

geometry::Cell cube(double edge, bool periodic) {
  return {.vectors = {Vec3{edge, 0, 0}, Vec3{0, edge, 0}, Vec3{0, 0, edge}},
          .periodic = {periodic, periodic, periodic}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(spatial_order_of_a_grid) {
  geometry::Random random(7);
  const std::vector<Vec3> grid = shuffled_grid(16, random);
  for (const bool periodic : {false, true}) {
    std::vector<Vec3> positions = grid;
    if (periodic)  // never wrapped: they may be in another image of the cell
      for (Vec3& x : positions) x.y += 16 * (int(x.x) % 3 - 1);
    const std::vector<std::uint32_t> order = spatial_order(positions, cube(16, periodic));
    BOOST_REQUIRE(std::ranges::is_permutation(order, std::views::iota(0u, 4096u)));
    for (const int edge : {8, 4, 2}) {
      const std::size_t group = std::size_t(edge * edge * edge);
      for (std::size_t first = 0; first < order.size(); first += group) {
        Vec3 low = grid[order[first]], high = low;
        for (std::size_t k = first; k < first + group; ++k) {
          const Vec3 x = grid[order[k]];
          low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
          high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
        }
        BOOST_REQUIRE((high - low == Vec3{edge - 1.0, edge - 1.0, edge - 1.0}));
      }
    }
    for (std::size_t k = 1; k < 8; ++k) BOOST_TEST(order[k - 1] < order[k]);
  }
}

/// Any number of bodies in a long box: groups are full, and of neighbours. Positions that are no numbers are allowed.
BOOST_AUTO_TEST_CASE(spatial_order_of_random_bodies) {
  geometry::Random random(11);
  std::vector<Vec3> positions;
  for (int k = 0; k < 3000; ++k) positions.push_back({6 * random.uniform(), random.uniform(), random.uniform()});
  geometry::Cell cell = cube(1, true);
  cell.vectors[0].x = 6;
  const std::vector<std::uint32_t> order = spatial_order(positions, cell);
  for (std::size_t first = 0; first + 512 <= order.size(); first += 512) {
    const auto [low, high] = std::ranges::minmax_element(std::span(order).subspan(first, 512), {},
                                                         [&](std::uint32_t b) { return positions[b].x; });
    BOOST_TEST(positions[*high].x - positions[*low].x < 1.3);  // 3000/512 groups one after another on a length of 6
  }
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const bool periodic : {false, true}) {
      positions[17].y = bad;
      BOOST_TEST(std::ranges::is_permutation(spatial_order(positions, cube(1, periodic)), std::views::iota(0u, 3000u)));
    }
}

BOOST_AUTO_TEST_CASE(spatial_order_of_ties_by_number) {
  const std::vector<Vec3> same(100, Vec3{0.5, 0.5, 0.5});
  for (const bool periodic : {false, true})
    BOOST_TEST(std::ranges::equal(spatial_order(same, cube(1, periodic)), std::views::iota(0u, 100u)));
  BOOST_TEST(spatial_order({}, cube(1, true)).empty());
}
