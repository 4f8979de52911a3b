// Bricks of 8³ bodies, within a brick line by line.
#include "libdem/state/spatial_order.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <utility>

#include "geometry/random.hpp"

using namespace dem;

namespace {

/// Centres of the cells of an n³ grid in shuffled order.
std::vector<Vec3> shuffled_grid(int n, geometry::Random& random) {
  std::vector<Vec3> found;
  for (int k = 0; k < n * n * n; ++k) found.push_back({k % n + 0.5, k / n % n + 0.5, k / n / n + 0.5});
  for (std::size_t k = found.size(); k > 1; --k) std::swap(found[k - 1], found[std::min(k - 1, std::size_t(random.uniform() * double(k)))]);
  return found;
}

geometry::Cell cube(double edge, bool periodic) {
  geometry::Cell cell;
  cell.vectors = {Vec3{edge, 0, 0}, Vec3{0, edge, 0}, Vec3{0, 0, edge}};
  cell.periodic = {periodic, periodic, periodic};
  return cell;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(spatial_orders)

BOOST_AUTO_TEST_CASE(bricks_of_a_grid) {
  geometry::Random random(7);
  const std::vector<Vec3> grid = shuffled_grid(16, random);
  for (const bool periodic : {false, true}) {
    std::vector<Vec3> positions = grid;
    if (periodic)  // never wrapped: they may be in another image of the cell
      for (Vec3& x : positions) x.y += 16 * (int(x.x) % 3 - 1);
    const std::vector<std::uint32_t> order = spatial_order(positions, cube(16, periodic));
    BOOST_REQUIRE(order.size() == 4096u);
    for (int place = 0; place < 4096; ++place) {
      const int brick = place / 512, cell = place % 512;
      const Vec3 expected{brick % 2 * 8 + cell % 8 + 0.5, brick / 2 % 2 * 8 + cell / 8 % 8 + 0.5, brick / 4 * 8 + cell / 64 + 0.5};
      BOOST_REQUIRE(grid[order[std::size_t(place)]] == expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(ties_by_number) {
  const std::vector<Vec3> same(100, Vec3{0.5, 0.5, 0.5});
  std::vector<std::uint32_t> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 0u);
  for (const bool periodic : {false, true}) BOOST_TEST(spatial_order(same, cube(1, periodic)) == numbers, boost::test_tools::per_element());
  BOOST_TEST(spatial_order({}, cube(1, true)).empty());
}

BOOST_AUTO_TEST_SUITE_END()
