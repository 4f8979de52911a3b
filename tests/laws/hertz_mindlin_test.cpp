// Law hertz-mindlin: the tables of the jaeger-contact reference, §14, and closed forms.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "laws/mindlin_contact.hpp"

using namespace mindlin_contact;

BOOST_AUTO_TEST_SUITE(hertz_mindlin)

/// §14, the first table: stations of U2, the chords cut into equal parts. All printed digits.
BOOST_AUTO_TEST_CASE(proportional_loading_and_unloading) {
  struct Row {
    int parts;
    std::array<double, 4> turning_points, single_reversal;
  };
  const std::vector<Row> table{
      {1, {0.516619, 1.000000, 0.112086, -1.000000}, {0.511393, 1.000000, 0.094065, -1.000000}},
      {5, {0.484370, 0.920223, 0.104758, -0.937358}, {0.483469, 0.919062, 0.100445, -0.943880}},
      {50, {0.477566, 0.901943, 0.101539, -0.903725}, {0.477479, 0.901834, 0.101127, -0.904314}},
      {5000, {0.476829, 0.900019, 0.101253, -0.900037}, {0.476828, 0.900018, 0.101249, -0.900043}}};
  for (const Row& row : table) {
    for (const auto memory : {turning_points, single_reversal}) {
      Single s(material(0.5), memory);
      const auto at = proportional(s, row.parts);
      const auto& expected = memory == turning_points ? row.turning_points : row.single_reversal;
      for (std::size_t k = 0; k < 4; ++k) {
        BOOST_TEST_CONTEXT(row.parts << " parts, station " << k + 1 << (memory == turning_points ? ", A" : ", B"))
        BOOST_TEST(std::abs(at[k] - expected[k]) <= 0.5000001e-6);
      }
    }
  }
}

/// The same stations from the exact contact, and the error of both models in proportion to the length of the steps.
BOOST_AUTO_TEST_CASE(converges_at_first_order) {
  Exact exact{material(0.5)};
  const auto expected = proportional(exact, 1);
  for (const double e : {expected[1] - 0.9, expected[3] + 0.9}) BOOST_TEST(std::abs(e) < 1e-12);
  for (const auto memory : {turning_points, single_reversal}) {
    std::array<double, 4> coarse{}, fine{};
    Single a(material(0.5), memory), b(material(0.5), memory);
    coarse = proportional(a, 2000);
    fine = proportional(b, 4000);
    for (std::size_t k = 0; k < 4; ++k) {
      const double order = std::log2(std::abs(coarse[k] - expected[k]) / std::abs(fine[k] - expected[k]));
      BOOST_TEST_CONTEXT("station " << k + 1) BOOST_TEST(std::abs(order - 1) < 0.15);
    }
  }
}

/// §14, the sequence at constant normal force: A goes to the values of Jäger, B misses every second reversal.
BOOST_AUTO_TEST_CASE(reversals_at_constant_normal_force) {
  const std::array<double, 6> jaeger{1.00000, 0.08866, -0.72459, 0.49643, -0.07249, 0.63782};
  Exact exact{material(0.5)};
  const auto expected = to_and_fro(exact, 1);
  for (std::size_t k = 0; k < 6; ++k) BOOST_TEST(std::abs(expected[k] - jaeger[k]) <= 0.5001e-5);
  Single a(material(0.5), turning_points);
  const auto at = to_and_fro(a, 100000);
  for (std::size_t k = 0; k < 6; ++k) BOOST_TEST(std::abs(at[k] - jaeger[k]) <= 0.5001e-5);
  BOOST_TEST(a.h.turning_points() == exact.h.legs() - 1);
  // The printed digits are those of steps of a ten-thousandth.
  const std::array<double, 6> single{1.00000, 0.08865, -0.72461, 0.2559, -0.2211, 0.4310},
      digits{1e-5, 1e-5, 1e-5, 1e-4, 1e-4, 1e-4};
  Single b(material(0.5), single_reversal);
  const auto of_one = to_and_fro(b, 10000);
  for (std::size_t k = 0; k < 6; ++k) BOOST_TEST(std::abs(of_one[k] - single[k]) <= 0.5001 * digits[k]);
}

/// Loops within loops at constant normal force, each closed by the next: the turning forces are forgotten one pair at a
/// time.
BOOST_AUTO_TEST_CASE(closed_loops_are_forgotten) {
  Single a(material(0.3), turning_points);
  Exact exact{material(0.3)};
  const double unit = 0.006;
  a.step(0.01, 0);
  exact.step(0.01, 0);
  double largest = 0;
  std::vector<std::size_t> counts;
  for (const double shift : {0.8, -0.7, 0.6, -0.5, 0.4, -0.3, 0.2, -0.1, 0.15, 0.2, 0.2, 0.2, -0.6, -1.0}) {
    const int parts = 20000;
    for (int p = 0; p < parts; ++p) a.step(0.01, shift * unit / parts);
    exact.step(0.01, shift * unit);
    largest = std::max(largest, std::abs(a.h.force_1 - exact.h.force_1) / a.limit());
    counts.push_back(a.h.turning_points());
  }
  BOOST_TEST(largest < 3e-4);
  const std::vector<std::size_t> expected{0, 1, 2, 3, 4, 5, 6, 7, 6, 2, 0, 0, 1, 1};
  BOOST_TEST(counts == expected, boost::test_tools::per_element());
  BOOST_TEST(a.pool.used_bytes() == 0u);
}

/// No memory: a spring of H0 until f N, and it is not rescaled when N falls.
BOOST_AUTO_TEST_CASE(without_memory_it_is_a_spring_of_changing_stiffness) {
  const Material m = material(0.25);
  Single s(m, none);
  const double z = 0.01, k = m.stiffness(z) / m.ratio, limit = 0.5 * m.normal_force(z);
  s.step(z, 0);
  double x = 0, y = 0;
  for (int p = 0; p < 300; ++p) {
    s.step(z, 3e-5, -1e-5);
    x += 6e-5;
    y -= 2e-5;
    if (k * std::hypot(x, y) > limit) break;
    BOOST_TEST(s.h.force_1 == k * x, boost::test_tools::tolerance(1e-13));
    BOOST_TEST(s.h.force_2 == k * y, boost::test_tools::tolerance(1e-13));
    BOOST_TEST(s.b.stored[0] == 0.5 * k * (x * x + y * y), boost::test_tools::tolerance(1e-13));
    BOOST_TEST((s.regime() == StepRegime::stick));
    BOOST_TEST(s.b.sliding[0] == 0);
    double out[2];
    HertzMindlin::elongation(s.h, s.pool, {0, m.modulus, m.ratio, m.radius}, out);
    BOOST_TEST(out[0] == x, boost::test_tools::tolerance(1e-13));
    BOOST_TEST(out[1] == y, boost::test_tools::tolerance(1e-13));
  }
  BOOST_TEST(k * std::hypot(x, y) > limit);
  BOOST_TEST(s.dissipated > 0);
  for (int p = 0; p < 200; ++p) s.step(z, 1e-4);  // sliding, by radial return
  BOOST_TEST((s.regime() == StepRegime::slide));
  BOOST_TEST(s.b.sliding[0] == 1);
  BOOST_TEST(s.size() == limit, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(std::abs(s.circulation) < 1e-12 * s.work);  // at constant N it has a potential
  s.step(z, -2e-4);
  const double force = s.h.force_1;
  s.step(0.999 * z, 0);
  BOOST_TEST(s.h.force_1 == force);
  BOOST_TEST(s.circulation < 0);  // what is stored has grown, from nothing
  s.step(0.999 * z, 1e-4);
  BOOST_TEST(s.h.force_1 == force + 2e-4 * m.stiffness(0.999 * z) / m.ratio, boost::test_tools::tolerance(1e-14));
}

/// Steps that stick: along any path with growing N the models with a memory add p ΔN, and remember nothing of it.
BOOST_AUTO_TEST_CASE(oblique_loading_sticks) {
  for (const auto memory : {turning_points, single_reversal}) {
    Single s(material(0.25), memory);
    Exact exact{material(0.25)};
    Draw draw;
    double z = 0;
    for (int k = 0; k < 200; ++k) {
      const double dz = draw.between(1e-6, 1e-4), far = 0.9 * s.m.ratio * s.m.friction * dz * draw.random.uniform(),
                   turn = draw.between(0, 6);
      z += dz;
      s.step(z, far * std::cos(turn), far * std::sin(turn));
      exact.step(z, far * std::cos(turn), far * std::sin(turn));
      BOOST_TEST_REQUIRE((s.regime() == StepRegime::stick));
      BOOST_TEST(std::abs(s.h.force_1 - exact.h.force_1) < 1e-12 * s.limit());
      BOOST_TEST(std::abs(s.h.force_2 - exact.h.force_2) < 1e-12 * s.limit());
      BOOST_TEST(s.h.turning_points() == 0u);
      BOOST_TEST(s.b.dissipated[0] == 0);
    }
  }
}

/// Pressed after first touch, which slid, and sheared then: steps that stuck on the virgin curve are no turning point.
BOOST_AUTO_TEST_CASE(pressed_before_it_is_sheared) {
  for (const auto memory : {turning_points, single_reversal}) {
    Single s(material(0.25), memory);
    Exact exact{material(0.25)};
    const auto both = [&](double z, double shift) {
      s.step(z, shift);
      exact.step(z, shift);
    };
    both(1e-4, 1e-3);
    BOOST_TEST((s.regime() == StepRegime::slide));
    for (int p = 1; p <= 100; ++p) both(1e-4 + 0.0099 * p / 100, 0);
    for (int p = 0; p < 5000; ++p) {
      both(0.01, 1e-6);
      BOOST_TEST_REQUIRE(std::abs(s.h.force_1 - exact.h.force_1) < 1e-3 * s.limit());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
