// Relaxation of overlaps: pairs in closed form, no overlap in the end, cost in proportion to the number.
#include "libdem/assembly/push_apart.hpp"

#include "geometry/random.hpp"
#include "prelude.hpp"

namespace {

geometry::Cell cubic(double edge, bool periodic = true) {
  return {.vectors = {Vec3{edge, 0, 0}, Vec3{0, edge, 0}, Vec3{0, 0, edge}},
          .periodic = {periodic, periodic, periodic}};
}

/// Spheres of radii between `smallest` and 1, small ones the most, for a cell of this void ratio.
struct RandomBalls {
  std::vector<Ball> balls;
  double volume = 0;  ///< of the cell
  RandomBalls(std::size_t count, double smallest, double void_ratio) {
    geometry::Random random(1);
    for (std::size_t k = 0; k < count; ++k) {
      const double a = std::pow(smallest, -2.0), r = std::pow(a + random.uniform() * (1 - a), -0.5);
      balls.push_back({{}, r});
      volume += (1 + void_ratio) * 4 * pi / 3 * r * r * r;
    }
  }
  void drop_into(const geometry::Cell& cell, Vec3 origin) {
    geometry::Random random(2);
    for (Ball& ball : balls) {
      ball.position = origin;
      for (const Vec3 edge : cell.vectors) ball.position += random.uniform() * edge;
    }
  }
};

/// Smallest gap between two balls or their images, as a share of the sum of the radii.
double smallest_gap(std::span<const Ball> balls, const geometry::Cell& cell) {
  double least = 1;
  const auto images = [&](std::size_t a) { return cell.periodic[a] ? 1 : 0; };
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1; j < balls.size(); ++j)
      for (int a = -images(0); a <= images(0); ++a)
        for (int b = -images(1); b <= images(1); ++b)
          for (int c = -images(2); c <= images(2); ++c) {
            const Vec3 shift = double(a) * cell.vectors[0] + double(b) * cell.vectors[1] + double(c) * cell.vectors[2];
            const double sum = balls[i].radius + balls[j].radius;
            least = std::min(least, norm(balls[j].position + shift - balls[i].position) / sum - 1);
          }
  return least;
}

}  // namespace

// Each of two balls moves by half of 1.6 times the overlap and a ten thousandth of the sum of the radii.
BOOST_AUTO_TEST_CASE(overlapping_balls_move_symmetrically) {
  const auto closely = tolerance(1e-14);    // a few roundings of coordinates up to 10, seen near 1
  for (const double middle : {5.0, 0.0}) {  // inside, and across a periodic face
    OverlapRelaxation pair({{{middle - 0.45, 5, 5}, 1}, {{middle + 0.45, 5, 5}, 2}}, cubic(10), {}, 3);
    BOOST_TEST(pair.relax(0.5, 10));
    const double push = 0.5 * (1.6 * 0.6 + 1.5e-4);
    const auto wrapped = [](double x) { return x - 10 * std::floor(x / 10); };
    BOOST_TEST(pair.balls()[0].position.x == wrapped(middle - 0.45 - push), closely);
    BOOST_TEST(pair.balls()[1].position.x == wrapped(middle + 0.45 + push), closely);
  }
}

BOOST_AUTO_TEST_CASE(balls_at_one_place_are_parted) {
  OverlapRelaxation pair({{{5, 5, 5}, 1}, {{5, 5, 5}, 1}}, cubic(10), {}, 3);
  BOOST_TEST(pair.relax(1, 10));
  BOOST_TEST(smallest_gap(pair.balls(), cubic(10)) > 0);
}

BOOST_AUTO_TEST_CASE(no_overlap_is_left_of_random_balls) {
  for (const double smallest : {0.9, 0.3, 0.05})
    for (const int kind : {0, 1, 2, 3}) {
      RandomBalls some(400, smallest, 1.2);
      const double edge = std::cbrt(some.volume);
      geometry::Cell cell = cubic(edge, kind != 1);
      if (kind == 2) cell.vectors = {Vec3{edge, 0, 0}, Vec3{0.7 * edge, edge, 0}, Vec3{-0.4 * edge, 0.3 * edge, edge}};
      if (kind == 3) {  // flat, with walls below and above
        const double height = std::max(2.5, 0.4 * edge), width = std::sqrt(1.3 * some.volume / height);
        cell.vectors = {Vec3{width, 0, 0}, Vec3{0, width, 0}, Vec3{0, 0, height}};
        cell.periodic[2] = false;
      }
      const Vec3 origin{3, -2, 1};
      some.drop_into(cell, origin);
      OverlapRelaxation relaxation(some.balls, cell, origin, 3);
      BOOST_TEST_REQUIRE(relaxation.relax(1, 1000), smallest << " " << kind);
      BOOST_TEST(smallest_gap(relaxation.balls(), cell) >= 0, smallest << " " << kind);
      for (std::size_t k = 0; k < some.balls.size(); ++k) {
        const Ball& ball = relaxation.balls()[k];
        BOOST_TEST(ball.radius == some.balls[k].radius);
        for (std::size_t a = 0; a < 3; ++a) {
          const double s = dot(cell.reciprocal()[a], ball.position - origin);
          const double wall = cell.periodic[a] ? -1e-12 : ball.radius * norm(cell.reciprocal()[a]);
          BOOST_TEST((s >= wall && s <= 1 - wall), "axis " << a << ": " << s);
        }
      }
    }
}

// The neighbourhood of the last overlaps alone is visited, so that the cost per ball does not grow with their number.
BOOST_AUTO_TEST_CASE(visits_per_ball_do_not_depend_on_the_number) {
  const auto visits = [](std::size_t count) {
    RandomBalls some(count, 0.9, 1);
    const geometry::Cell cell = cubic(std::cbrt(some.volume));
    some.drop_into(cell, {});
    OverlapRelaxation relaxation(some.balls, cell, {}, 3);
    BOOST_TEST(relaxation.relax(1, 1000));
    return double(relaxation.visits()) / double(count);
  };
  const double few = visits(1000), many = visits(64000);
  BOOST_TEST(few < 15);
  BOOST_TEST(many < 1.15 * few);
}

BOOST_AUTO_TEST_CASE(what_has_no_room_is_given_up) {
  RandomBalls some(500, 0.9, 0.3);
  const geometry::Cell cell = cubic(std::cbrt(some.volume));
  some.drop_into(cell, {});
  OverlapRelaxation relaxation(some.balls, cell, {}, 3);
  BOOST_TEST(!relaxation.relax(1, 50));
  BOOST_TEST(double(relaxation.visits()) < 60 * 500.0);
  // The same balls have room at 0.9 of their size.
  BOOST_TEST(relaxation.relax(0.85, 1000));
}
