// Matching of overlap components between steps (DESIGN §4, "Components") against brute force over all assignments.
#include "geometry/random.hpp"
#include "libdem/contacts/planar/component_matching.hpp"
#include "prelude.hpp"

namespace {

double cost(const std::vector<Vec2>& old_points, const std::vector<Vec2>& new_points, const std::vector<int>& match) {
  double sum = 0;
  for (std::size_t k = 0; k < match.size(); ++k)
    if (match[k] >= 0)
      sum += dot(new_points[k] - old_points[std::size_t(match[k])], new_points[k] - old_points[std::size_t(match[k])]);
  return sum;
}

/// The best of all assignments that match as many as possible, tried in the order of preference: low old numbers first.
std::vector<int> brute_force(const std::vector<Vec2>& old_points, const std::vector<Vec2>& new_points) {
  const int n_old = int(old_points.size()), n_new = int(new_points.size()), slots = std::max(n_old, n_new);
  std::vector<int> slot(std::size_t(slots), 0);
  std::iota(slot.begin(), slot.end(), 0);
  std::vector<int> best;
  double least = std::numeric_limits<double>::infinity();
  do {  // new k takes slot[k]; slots beyond the old ones mean unmatched
    std::vector<int> match;
    for (int k = 0; k < n_new; ++k) match.push_back(slot[std::size_t(k)] < n_old ? slot[std::size_t(k)] : -1);
    if (const double c = cost(old_points, new_points, match); c < least) {
      least = c;
      best = match;
    }
  } while (std::next_permutation(slot.begin(), slot.end()));
  return best;
}

std::vector<int> matched(const std::vector<Vec2>& old_points, const std::vector<Vec2>& new_points) {
  std::vector<int> match;
  match_components(old_points, new_points, match);
  return match;
}

using Match = std::vector<int>;

}  // namespace

BOOST_AUTO_TEST_CASE(round_off_decides_no_tie) {
  for (int step = 0; step < 200; ++step) {
    const Turn turn = Turn::by(0.1 * step);
    const Vec2 left = turn(Vec2{-0.3, 0.1}), right = turn(Vec2{0.3, 0.1}), low = turn(Vec2{0, -0.2}),
               high = turn(Vec2{0, 0.4});
    BOOST_REQUIRE((matched({left, right}, {low}) == Match{0}));
    BOOST_REQUIRE((matched({low}, {right, left}) == Match{0, -1}));
    BOOST_REQUIRE((matched({right, left}, {high, low}) == Match{0, 1}));
  }
}

/// Random points, and points of a grid with many ties.
BOOST_AUTO_TEST_CASE(random_points_against_all_assignments) {
  for (const bool grid : {false, true}) {
    geometry::Random random(grid ? 22 : 21);
    for (int trial = 0; trial < 4000; ++trial) {
      const auto count = [&] { return std::size_t(random.uniform() * 7); };
      std::vector<Vec2> old_points(count()), new_points(count());
      for (auto* points : {&old_points, &new_points})
        for (Vec2& p : *points) {
          p = {random.uniform(), random.uniform()};
          if (grid) p = {double(int(3 * p.x)), double(int(3 * p.y))};
        }
      BOOST_REQUIRE(matched(old_points, new_points) == brute_force(old_points, new_points));
    }
  }
}

BOOST_AUTO_TEST_CASE(many_components_that_moved_a_little) {
  // A comb of 40 teeth: everything moves by less than half the spacing, in any order.
  geometry::Random random(23);
  std::vector<Vec2> old_points, new_points;
  std::vector<int> order(40);
  for (int k = 0; k < 40; ++k) order[std::size_t(k)] = 7 * k % 40;
  for (int k = 0; k < 40; ++k) old_points.push_back({double(k), 0});
  for (int k : order) new_points.push_back({k + 0.4 * (random.uniform() - 0.5), 0.1 * random.uniform()});
  BOOST_TEST((matched(old_points, new_points) == order));
}
