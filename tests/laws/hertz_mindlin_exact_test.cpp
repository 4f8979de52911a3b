// Law hertz-mindlin beside the exact contact of law jaeger: force and stored energy.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "laws/mindlin_contact.hpp"

using namespace mindlin_contact;

BOOST_AUTO_TEST_SUITE(hertz_mindlin_exact)

/// Fine steps of a path along one line with a normal force that goes up and down; no part of it sticks.
BOOST_AUTO_TEST_CASE(comes_to_the_exact_contact_along_a_line) {
  const double diagonal = 1 / std::numbers::sqrt2;
  std::array<double, 2> errors{};
  for (const int refined : {0, 1}) {
    Single a(material(0.25), turning_points);
    Exact exact{material(0.25)};
    a.step(0.01, 0);
    exact.step(0.01, 0);
    const int parts = 4000 << refined;
    double z = 0.01;
    const std::vector<Movement> path{{0.0102, 0.003, 0},  {0.0101, -0.002, 0}, {0.0103, 0.0015, 0},
                                     {0.0102, -0.003, 0}, {0.0100, -0.002, 0}, {0.0101, 0.004, 0}};
    for (const auto& m : path) {
      for (int p = 1; p <= parts; ++p) {
        const double now = z + (m.z - z) * p / parts;
        a.step(now, diagonal * m.shift_1 / parts, diagonal * m.shift_1 / parts);
        exact.step(now, diagonal * m.shift_1 / parts, diagonal * m.shift_1 / parts);
        double& error = errors[std::size_t(refined)];
        error = std::max(error, std::hypot(a.h.force_1 - exact.h.force_1, a.h.force_2 - exact.h.force_2) / a.limit());
      }
      z = m.z;
    }
    BOOST_TEST(a.h.force_1 == a.h.force_2, boost::test_tools::tolerance(1e-9));
  }
  BOOST_TEST(errors[0] < 2e-3);
  BOOST_TEST(errors[1] < 0.6 * errors[0]);
}

/// U_t of the two models with a memory: that of the exact contact on histories that are of slip.
BOOST_AUTO_TEST_CASE(stored_energy_is_that_of_the_exact_contact) {
  for (const int parts : {2000, 4000}) {
    for (const auto memory : {turning_points, single_reversal}) {
      Single s(material(0.5), memory);
      Exact exact{material(0.5)};
      double from = 0.01, largest = 0, scale = 0;
      s.step(from, 0);
      exact.step(from, 0);
      for (const auto [z, shift] : loading_and_unloading) {
        for (int p = 1; p <= parts; ++p) {
          s.step(from + (z - from) * p / parts, shift / parts);
          exact.step(from + (z - from) * p / parts, shift / parts);
          scale = std::max(scale, exact.h.stored);
          largest = std::max(largest, std::abs(s.b.stored[0] - exact.h.stored));
          BOOST_TEST_REQUIRE(s.b.dissipated[0] >= 0);
        }
        from = z;
      }
      BOOST_TEST(largest < 4.0 / parts * scale);
      BOOST_TEST(std::abs(s.circulation) < 4.0 / parts * scale);
    }
  }
  // The loss of a cycle between ±T* (§11), five reversals; B loses it in the first half cycle only.
  const Material m = material(0.3);
  const double z = 0.01, x0 = m.ratio * m.friction * z, limit = m.friction * m.normal_force(z), share = 0.85;
  const double loop = 9 * (2 - 0.3) * limit * limit / (5 * std::sqrt(m.radius * z)) *
                      (1 - std::pow(1 - share, 5.0 / 3) - 5 * share / 6 * (1 + std::pow(1 - share, 2.0 / 3)));
  Single a(m, turning_points);
  a.step(z, 0);
  const double amplitude = x0 * (1 - std::pow(1 - share, 2.0 / 3));
  const int parts = 20000;
  for (int p = 0; p < parts; ++p) a.step(z, amplitude / parts);
  for (int cycle = 0; cycle < 3; ++cycle) {
    const double before = a.dissipated;
    for (int p = 0; p < 2 * parts; ++p) a.step(z, -amplitude / parts);
    for (int p = 0; p < 2 * parts; ++p) a.step(z, amplitude / parts);
    BOOST_TEST(a.dissipated - before == loop, boost::test_tools::tolerance(2e-3));
  }
}

/// Random chords: the longer the memory, the closer to the exact contact. Along a line at constant N all of the
/// difference goes with the length of the steps where every turning force is known; in the plane the models differ.
BOOST_AUTO_TEST_CASE(memory_brings_it_closer_to_the_exact_contact) {
  const auto mean_error = [](MindlinMemory memory, bool plane, double relief) {
    const int parts = 200;
    Draw draw;
    double sum = 0;
    int count = 0;
    for (int path = 0; path < 20; ++path) {
      Single s(material(0.25), memory);
      Exact exact{s.m};
      double z = 0.01;
      s.step(z, 0);
      exact.step(z, 0);
      for (int chord = 0; chord < 20; ++chord) {
        const double to = 0.01 * (1 + relief * draw.between(-1, 1)), x = draw.between(-0.0042, 0.0042),
                     y = plane ? draw.between(-0.0042, 0.0042) : 0;
        for (int p = 1; p <= parts; ++p, ++count) {
          const double now = z + (to - z) * p / parts;
          s.step(now, x / parts, y / parts);
          exact.step(now, x / parts, y / parts);
          sum += std::hypot(s.h.force_1 - exact.h.force_1, s.h.force_2 - exact.h.force_2) / s.limit();
        }
        z = to;
      }
    }
    return sum / count;
  };
  BOOST_TEST(mean_error(turning_points, false, 0) < 1e-3);
  for (const double relief : {0.0, 0.09}) {
    const double a = mean_error(turning_points, false, relief), b = mean_error(single_reversal, false, relief),
                 c = mean_error(none, false, relief);
    BOOST_TEST(a < 0.01);
    BOOST_TEST(3 * a < b);
    BOOST_TEST(3 * b < c);
    const double plane_a = mean_error(turning_points, true, relief),
                 plane_b = mean_error(single_reversal, true, relief);
    BOOST_TEST(plane_a < plane_b);
    BOOST_TEST(1.5 * plane_b < mean_error(none, true, relief));
    BOOST_TEST(plane_a < 0.1);
  }
}

/// Across the force at constant N: the secant stiffness, which is that of the exact contact.
BOOST_AUTO_TEST_CASE(across_the_force_it_is_the_exact_contact) {
  for (const auto memory : {turning_points, single_reversal}) {
    Single s(material(0.25), memory);
    Exact exact{material(0.25)};
    s.step(0.01, 0);
    exact.step(0.01, 0);
    for (int p = 0; p < 5000; ++p) s.step(0.01, 0.003 / 5000);
    exact.step(0.01, 0.003);
    const double there = 1e-7;
    s.step(0.01, 0, there);
    exact.step(0.01, 0, there);
    BOOST_TEST(s.h.force_2 == exact.h.force_2, boost::test_tools::tolerance(2e-4));
    // §8.5: further across, where the exact contact is (0.6609, 0.0661), (0.6466, 0.3233), (0.5438, 0.8157);
    // the virgin curve of both has the force along the whole movement, as they do not turn back.
    double y = there;
    const std::array<std::array<double, 3>, 3> stations{
        {{0.0003, 0.6609, 0.0661}, {0.0015, 0.6466, 0.3233}, {0.0045, 0.5438, 0.8157}}};
    for (const auto& [to, force_1, force_2] : stations) {
      const double from = y;
      for (int p = 1; p <= 5000; ++p) {
        const double next = from + (to - from) * p / 5000;
        s.step(0.01, 0, next - y);
        y = next;
      }
      BOOST_TEST(std::abs(s.h.force_1 / s.limit() - force_1) < 5e-4);
      BOOST_TEST(std::abs(s.h.force_2 / s.limit() - force_2) < 5e-4);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
