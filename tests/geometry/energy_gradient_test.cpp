// Gradient and moment of the overlap area: reference values (polygon-dem, §6) and central differences.
#include "overlap_tools.hpp"
#include "support/polygon_cases.hpp"

namespace dem::geometry::testing {
namespace {

/// Derivatives of the total area with respect to the placement of j and the angle of i.
struct Slopes {
  Vec2 by_position;  ///< of j
  double by_angle_j = 0, by_angle_i = 0;
};

Slopes slopes(const Overlap& overlap, Vec2 centre_i, Vec2 centre_j) {
  Slopes s;
  for (const OverlapComponent& c : overlap.components) {
    const Vec2 g = c.gradient;
    s.by_position += Vec2{g.y, -g.x};
    s.by_angle_j -= c.gradient_moment - dot(centre_j - c.centroid, g);
    s.by_angle_i += c.gradient_moment - dot(centre_i - c.centroid, g);
  }
  return s;
}

struct Placement {
  Vec2 i, j;
  double angle_i = 0, angle_j = 0;
};

Overlap at(OverlapFunction f, const Outline& i, const Outline& j, const Placement& p) {
  return overlap_of(f, shifted(turned(i, p.angle_i), p.i), shifted(turned(j, p.angle_j), p.j));
}

Slopes differences(OverlapFunction f, const Outline& i, const Outline& j, const Placement& p, double h) {
  const auto slope = [&](auto change) {
    Placement plus = p, minus = p;
    change(plus, h);
    change(minus, -h);
    return (at(f, i, j, plus).area() - at(f, i, j, minus).area()) / (2 * h);
  };
  return {{slope([](Placement& q, double d) { q.j.x += d; }), slope([](Placement& q, double d) { q.j.y += d; })},
          slope([](Placement& q, double d) { q.angle_j += d; }),
          slope([](Placement& q, double d) { q.angle_i += d; })};
}

// polygon-cases.json, energy_loop, at_R0_theta_0.3.
BOOST_AUTO_TEST_CASE(gradient_of_the_reference) {
  using namespace dem::test::pena2008;
  const Placement p{.i = {}, .j = loop_pair.start, .angle_i = 0, .angle_j = 0.3};
  for (const Method& method : methods) BOOST_TEST_CONTEXT(method.name) {
      const Overlap overlap = at(method.function, loop_pair.i, loop_pair.j, p);
      const Slopes s = slopes(overlap, p.i, p.j);
      BOOST_TEST(std::abs(overlap.area() - 0.0265847) < 1e-7);
      BOOST_TEST(norm(s.by_position - Vec2{-0.313026347, -0.316138274}) < 1e-9);
      BOOST_TEST(std::abs(s.by_angle_j - 0.008816085) < 1e-9);
    }
}

BOOST_AUTO_TEST_CASE(gradient_and_moment_by_central_differences) {
  std::mt19937_64 random(11);
  for (const Method& method : methods) {
    int states = 0, close = 0;
    for (int k = 0; k < 150; ++k) {
      const Outline i = random_star(random, 4 + k % 9, 0.4), j = random_star(random, 3 + k % 7, 0.4);
      const Placement p{.i = {uniform(random, -1, 1), 5},
                        .j = {uniform(random, -1, 1), 5 + uniform(random, -1, 1)},
                        .angle_i = uniform(random, -3, 3),
                        .angle_j = uniform(random, -3, 3)};
      const Overlap overlap = at(method.function, i, j, p);
      if (overlap.area() < 1e-3) continue;
      const Slopes a = slopes(overlap, p.i, p.j), b = differences(method.function, i, j, p, 1e-6);
      const double error = std::max({norm(a.by_position - b.by_position), std::abs(a.by_angle_i - b.by_angle_i),
                                     std::abs(a.by_angle_j - b.by_angle_j)});
      // At a corner of the gradient, where a vertex passes an edge, the difference is of first order.
      BOOST_TEST(error < 1e-5);
      ++states;
      close += error < 1e-8;
    }
    BOOST_TEST(states > 100);
    BOOST_TEST(close >= states * 95 / 100);
  }
}

// Where edges coincide the area has a kink: the gradient is the mean of its one-sided values.
BOOST_AUTO_TEST_CASE(coinciding_edges_give_the_mean_of_both_sides) {
  const Outline square = rectangle(-1, -1, 1, 1);
  const Placement p{.i = {}, .j = {1.5, 0}, .angle_i = 0, .angle_j = 0};  // tops and bottoms lie on each other
  for (const Method& method : methods) {
    const Overlap overlap = at(method.function, square, square, p);
    BOOST_TEST_REQUIRE(overlap.components.size() == 1U);
    BOOST_TEST(std::count(overlap.owners.begin(), overlap.owners.end(), Owner::both) == 2);
    BOOST_TEST(overlap.components[0].crossings == 4);
    const Slopes a = slopes(overlap, p.i, p.j), b = differences(method.function, square, square, p, 1e-6);
    BOOST_TEST(norm(a.by_position - Vec2{-2, 0}) < 1e-14);
    BOOST_TEST(norm(b.by_position - Vec2{-2, 0}) < 1e-8);
  }
}

}  // namespace
}  // namespace dem::geometry::testing
