// Rain of spheres: places, no contact at the start, the same from the same seed. tests/bad-assemblies has rain that
// does not fit.
#include "building.hpp"

namespace {

/// Case A of the direct-shear reference: 1800 spheres of 5 mm above the floor of a box of 60 × 60 mm.
Case case_a() {
  Case c = springy_case(3);
  c.assembly.largest_start_overlap = 0;
  RainSpec& rain = c.assembly.generator.emplace<RainSpec>();
  rain.radius = 2.5e-3;
  rain.columns = rain.rows = 6;
  rain.count = 1800;
  rain.width = {0.06, 0.06};
  return c;
}

double smallest_gap(const State& state) {
  double least = INFINITY;
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, norm(state.bodies.position[0][i] - state.bodies.position[0][j]) -
                                  state.shape_of(i).radius() - state.shape_of(j).radius());
  return least;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rain_in_layers_of_the_reference) {
  const State state = build_assembly(case_a());
  BOOST_TEST(state.bodies.size() == 1800u);
  constexpr double r = 2.5e-3;
  BOOST_TEST(smallest_gap(state) > 0);
  double mean_x = 0, mean_y = 0, square_x = 0, square_y = 0, product = 0, furthest = 0;
  for (std::size_t k = 0; k < 1800; ++k) {
    const Vec3 at = state.bodies.position[0][k];
    const int layer = int(k / 36), row = int(k % 36 / 6), column = int(k % 6);
    BOOST_TEST(at.z == layer * (2.04 * r));  // no jitter along z
    const double x = (at.x - (column - 2.5) * 4 * r) / (0.99 * r), y = (at.y - (row - 2.5) * 4 * r) / (0.99 * r);
    furthest = std::max({furthest, std::abs(x), std::abs(y)});
    mean_x += x / 1800, mean_y += y / 1800, square_x += x * x / 1800, square_y += y * y / 1800, product += x * y / 1800;
    BOOST_TEST((std::abs(at.x) <= 0.03 - r && std::abs(at.y) <= 0.03 - r));
  }
  // Uniform in [−1, 1]: mean 0, mean square 1/3, no correlation. The standard errors are 0.0136, 0.007 and 0.0079.
  BOOST_TEST(furthest <= 1 + 1e-12);
  BOOST_TEST(furthest > 0.998);
  for (const double mean : {mean_x, mean_y}) BOOST_TEST(std::abs(mean) < 0.055);
  for (const double square : {square_x, square_y}) BOOST_TEST(std::abs(square - 1.0 / 3) < 0.028);
  BOOST_TEST(std::abs(product) < 0.032);
}

BOOST_AUTO_TEST_CASE(places_of_rain) {
  Case c = case_a();
  RainSpec& rain = std::get<RainSpec>(c.assembly.generator);
  rain.columns = 3, rain.rows = 2, rain.count = 0, rain.layers = 2;
  rain.radius = 1, rain.pitch = 3, rain.layer_spacing = 2.5, rain.jitter = 0;
  rain.centre = {10, -20}, rain.lowest = 7, rain.width = {9, 6};
  const State state = build_assembly(c);
  const auto& at = state.bodies.position[0];
  BOOST_TEST(at.size() == 12u);
  BOOST_TEST((at[0] == Vec3{7, -21.5, 7} && at[5] == Vec3{13, -18.5, 7} && at[11] == Vec3{13, -18.5, 9.5}));
  rain.count = 7;  // the second layer has one
  BOOST_TEST(build_assembly(c).bodies.size() == 7u);
}

BOOST_AUTO_TEST_CASE(bits_of_rain_by_seed) {
  Case c = case_a();
  const State a = build_assembly(c), b = build_assembly(c);
  BOOST_TEST((a.bodies.position[0] == b.bodies.position[0]));
  // No function of the mathematical library enters: the same everywhere. Another program worked out the digits.
  BOOST_TEST(a.bodies.position[0][0].x == -0x1.bf81d6fbe0204p-6);
  BOOST_TEST(a.bodies.position[0][1799].y == 0x1.bb02c43da8198p-6);
  std::get<RainSpec>(c.assembly.generator).seed = 2;
  BOOST_TEST((build_assembly(c).bodies.position[0] != a.bodies.position[0]));
}

BOOST_AUTO_TEST_CASE(graded_spheres_of_rain_do_not_touch) {
  Case c = case_a();
  RainSpec& rain = std::get<RainSpec>(c.assembly.generator);
  rain.distribution = "log-normal-by-mass";
  rain.median_diameter = 5e-3;
  rain.uniformity = 1.7;
  rain.width = {};
  rain.count = 500;
  const State state = build_assembly(c);
  BOOST_TEST(smallest_gap(state) > 0);
  double largest = 0;
  for (std::size_t k = 0; k < 500; ++k) largest = std::max(largest, state.shape_of(k).radius());
  BOOST_TEST(state.bodies.position[0][36].z == 2.04 * largest);
}
