// Random packings: sizes as asked for, no overlap, the void ratio asked for, the same from the same seed.
#include "libdem/state/random_packing.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "libdem/state/assembly.hpp"
#include "libdem/state/start_check.hpp"

using namespace dem;

namespace {

Case random_case(ShapeKind shape, std::size_t count, double void_ratio) {
  Case c;
  c.dimension = is_solid(shape) ? 3 : 2;
  c.periodic = {true, true, is_solid(shape)};
  c.material.normal_stiffness = 1;
  c.time.step = 1e-3;
  if (shape == ShapeKind::disc) c.contact.normal_force = NormalForce::overlap;
  RandomSpec r;
  r.shape = shape;
  r.count = count;
  r.spread = 0.1;
  r.void_ratio = void_ratio;
  r.cluster = {{{0, 0, 0}, 1}, {{0.9, 0.2, 0}, 0.6}};
  c.assembly.random = r;
  return c;
}

double void_ratio(const State& state) {
  double solid = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) solid += state.dimension == 2 ? state.shape_of(b).area() : state.shape_of(b).volume();
  const auto& v = state.cell.vectors;
  return std::abs(dot(v[0], cross(v[1], v[2]))) / solid - 1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_packings)

BOOST_AUTO_TEST_CASE(void_ratio_without_overlap) {
  struct Kind { ShapeKind shape; std::size_t count; double loose, dense; };
  for (const Kind& kind : {Kind{ShapeKind::disc, 300, 1.5, 0.27}, Kind{ShapeKind::polygon, 200, 1.5, 0.8}, Kind{ShapeKind::sphere, 300, 3, 0.8},
                           Kind{ShapeKind::cluster, 150, 6, 4}})
    for (double wanted : {kind.loose, kind.dense}) {
      Case c = random_case(kind.shape, kind.count, wanted);
      c.assembly.largest_start_overlap = 0;
      const State state = build_assembly(c);  // refuses overlaps
      BOOST_TEST(state.bodies.size() == kind.count);
      BOOST_TEST(void_ratio(state) == wanted, boost::test_tools::tolerance(1e-9));
    }
}

BOOST_AUTO_TEST_CASE(by_seed) {
  Case c = random_case(ShapeKind::disc, 100, 1);
  const State a = build_assembly(c), b = build_assembly(c);
  c.assembly.random->seed = 2;
  const State other = build_assembly(c);
  BOOST_TEST((a.bodies.position[0] == b.bodies.position[0]));
  BOOST_TEST((a.bodies.mass == b.bodies.mass));
  BOOST_TEST((a.bodies.position[0] != other.bodies.position[0]));
}

BOOST_AUTO_TEST_CASE(sizes_follow_their_distribution) {
  geometry::Random random(3);
  RandomSpec spec;
  const auto mean_of = [&](auto f) {
    double sum = 0;
    for (int k = 0; k < 100000; ++k) sum += f(random_radius(spec, random));
    return sum / 100000;
  };
  spec.radius = 2, spec.spread = 0.5;
  BOOST_TEST(std::abs(mean_of([](double r) { return r; }) - 2) < 0.005);
  BOOST_TEST(std::abs(mean_of([](double r) { return double(r < 1.75); }) - 0.25) < 0.005);
  spec.distribution = "log-normal";
  BOOST_TEST(std::abs(mean_of([](double r) { return std::log(r); }) - std::log(2)) < 0.01);
  BOOST_TEST(std::abs(mean_of([](double r) { return double(std::log(r / 2) < -0.5); }) - 0.158655) < 0.005);  // one σ below the median
  spec.smallest = 1.5, spec.largest = 3;
  BOOST_TEST(mean_of([](double r) { return double(r < 1.5 || r > 3); }) == 0);
  spec.distribution = "power-law";
  spec.exponent = 3;  // P(r < x) = (1.5⁻² − x⁻²)/(1.5⁻² − 3⁻²)
  BOOST_TEST(std::abs(mean_of([](double r) { return double(r < 2); }) - (1 / 2.25 - 0.25) / (1 / 2.25 - 1.0 / 9)) < 0.005);
  spec.distribution = "grades";
  spec.grade_radii = {1, 2, 4};
  spec.grade_shares = {5, 3, 2};
  BOOST_TEST(std::abs(mean_of([](double r) { return double(r == 2); }) - 0.3) < 0.005);
  spec.grade_shares = {1};
  BOOST_CHECK_THROW(random_radius(spec, random), AssemblyError);
  spec.distribution = "gamma";
  BOOST_CHECK_THROW(random_radius(spec, random), AssemblyError);
}

BOOST_AUTO_TEST_CASE(too_dense_is_refused_with_what_was_reached) {
  const auto names_it = [](const AssemblyError& e) {
    const std::string text = e.what();
    const auto at = text.find("down to about ");
    if (at == std::string::npos) return false;
    const double reached = std::stod(text.substr(at + 14));
    BOOST_TEST_MESSAGE(text);
    return reached > 0.1 && reached < 0.4;
  };
  BOOST_CHECK_EXCEPTION(build_assembly(random_case(ShapeKind::disc, 100, 0.05)), AssemblyError, names_it);
}

BOOST_AUTO_TEST_SUITE_END()
