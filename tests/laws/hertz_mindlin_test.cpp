// Law hertz-mindlin: tables of the jaeger-contact reference, §14, closed forms, the exact contact of law jaeger.
#include "laws/mindlin_contact.hpp"
#include "support/study_tables.hpp"

using namespace mindlin_contact;

/// §14, the first table: stations of U2, the chords cut into equal parts. All printed digits.
BOOST_AUTO_TEST_CASE(proportional_loading_and_unloading_of_hertz_mindlin) {
  const auto rows = study_rows("validation/kuhn2011/figure-8/stations.csv");
  BOOST_TEST(rows.size() == 8u);
  for (const auto& row : rows) BOOST_TEST_CONTEXT(row.at("model") << ", " << row.at("parts") << " parts") {
      const auto memory = row.at("model") == "turning-points" ? turning_points : single_reversal;
      const auto at = proportional(Single(material(0.5), memory), int(row.number("parts")));
      for (std::size_t k = 0; k < 4; ++k) {
        const std::string station = "station_" + std::to_string(k + 1);
        BOOST_TEST(std::abs(at[k] - row.number(station)) <= 0.5000001e-6, station << ": " << at[k]);
      }
    }
}

/// The same stations from the exact contact, and the error of both models in proportion to the length of the steps.
BOOST_AUTO_TEST_CASE(hertz_mindlin_converges_at_first_order) {
  const auto expected = proportional(Exact{material(0.5)}, 1);
  for (const double e : {expected[1] - 0.9, expected[3] + 0.9}) BOOST_TEST(std::abs(e) < 1e-12);
  for (const auto memory : {turning_points, single_reversal}) {
    const Single start(material(0.5), memory);
    const auto coarse = proportional(start, 2000), fine = proportional(start, 4000);
    for (std::size_t k = 0; k < 4; ++k) {
      const double order = std::log2(std::abs(coarse[k] - expected[k]) / std::abs(fine[k] - expected[k]));
      BOOST_TEST(std::abs(order - 1) < 0.15, "station " << k + 1 << ": " << order);
    }
  }
}

/// §14, constant normal force: A has the values of Jäger, B misses every second reversal. Digits of B: 10 000 parts.
BOOST_AUTO_TEST_CASE(reversals_at_constant_normal_force) {
  const double jaeger[] = {1.00000, 0.08866, -0.72459, 0.49643, -0.07249, 0.63782},
               single[] = {1.00000, 0.08865, -0.72461, 0.2559, -0.2211, 0.4310};
  Exact exact{material(0.5)};
  Single a(material(0.5), turning_points), b(material(0.5), single_reversal);
  const auto of_exact = to_and_fro(exact, 1), of_a = to_and_fro(a, 100000), of_b = to_and_fro(b, 10000);
  for (std::size_t k = 0; k < 6; ++k) {
    BOOST_TEST(std::abs(of_exact[k] - jaeger[k]) <= 0.5001e-5);
    BOOST_TEST(std::abs(of_a[k] - jaeger[k]) <= 0.5001e-5);
    BOOST_TEST(std::abs(of_b[k] - single[k]) <= 0.5001 * (k < 3 ? 1e-5 : 1e-4));
  }
  BOOST_TEST(a.h.turning_points() == exact.h.legs() - 1);
}

/// Loops within loops at constant normal force: each closes the last, and the turning forces go one pair at a time.
BOOST_AUTO_TEST_CASE(closed_loops_are_forgotten) {
  Single a(material(0.3), turning_points);
  Exact exact{material(0.3)};
  a.step(0.01, 0);
  exact.step(0.01, 0);
  double largest = 0;
  std::vector<std::size_t> counts;
  for (const double shift : {0.8, -0.7, 0.6, -0.5, 0.4, -0.3, 0.2, -0.1, 0.15, 0.2, 0.2, 0.2, -0.6, -1.0}) {
    chord(a, 0.01, 0.01, 0.006 * shift, 0, 20000);
    exact.step(0.01, 0.006 * shift);
    largest = std::max(largest, std::abs(a.h.force_1 - exact.h.force_1) / a.limit());
    counts.push_back(a.h.turning_points());
  }
  BOOST_TEST(largest < 3e-4);
  const std::vector<std::size_t> expected{0, 1, 2, 3, 4, 5, 6, 7, 6, 2, 0, 0, 1, 1};
  BOOST_TEST(counts == expected, tt::per_element());
  BOOST_TEST(a.pool.used_bytes() == 0u);
}

/// No memory: a spring of H0 until f N, and it is not rescaled when N falls.
BOOST_AUTO_TEST_CASE(without_memory_it_is_a_spring_of_changing_stiffness) {
  const JaegerCoefficients m = material(0.25);
  Single s(m, none);
  const double z = 0.01, k = m.stiffness(z) / m.ratio, limit = 0.5 * m.normal_force(z);
  s.step(z, 0);
  double x = 0, y = 0;
  for (int p = 0; p < 300; ++p) {
    s.step(z, 3e-5, -1e-5);
    x += 6e-5;
    y -= 2e-5;
    if (k * std::hypot(x, y) > limit) break;
    double out[2];
    HertzMindlin::elongation(s.h, s.pool, {0, m.modulus, m.ratio, m.radius}, out);
    for (const auto& [found, expected] : {std::pair{s.h.force_1, k * x},
                                          {s.h.force_2, k * y},
                                          {s.b.stored[0], 0.5 * k * (x * x + y * y)},
                                          {out[0], x},
                                          {out[1], y}})
      BOOST_TEST(found == expected, tolerance(1e-13));
    BOOST_TEST((s.regime() == StepRegime::stick && s.b.sliding[0] == 0));
  }
  BOOST_TEST(k * std::hypot(x, y) > limit);
  BOOST_TEST(s.dissipated > 0);
  for (int p = 0; p < 200; ++p) s.step(z, 1e-4);  // sliding, by radial return
  BOOST_TEST((s.regime() == StepRegime::slide && s.b.sliding[0] == 1));
  BOOST_TEST(s.size() == limit, tolerance(1e-15));
  BOOST_TEST(std::abs(s.circulation) < 1e-12 * s.work);  // at constant N it has a potential
  s.step(z, -2e-4);
  const double force = s.h.force_1;
  s.step(0.999 * z, 0);
  BOOST_TEST(s.h.force_1 == force);
  BOOST_TEST(s.circulation < 0);  // what is stored has grown, from nothing
  s.step(0.999 * z, 1e-4);
  BOOST_TEST(s.h.force_1 == force + 2e-4 * m.stiffness(0.999 * z) / m.ratio, tolerance(1e-14));
}

/// Steps that stick: along any path with growing N the models with a memory add p ΔN, and remember nothing of it.
BOOST_AUTO_TEST_CASE(oblique_loading_sticks) {
  for (const auto memory : {turning_points, single_reversal}) {
    Both both(0.25, memory);
    Draw draw;
    double z = 0;
    for (int k = 0; k < 200; ++k) {
      const double dz = draw.between(1e-6, 1e-4);
      const double far = 0.9 * both.s.m.ratio * both.s.m.friction * dz * draw.random.uniform();
      const double turn = draw.between(0, 6);
      z += dz;
      both.step(z, far * std::cos(turn), far * std::sin(turn));
      BOOST_TEST_REQUIRE((both.s.regime() == StepRegime::stick));
      BOOST_TEST(both.apart() < 1e-12);
      BOOST_TEST(both.s.h.turning_points() == 0u);
      BOOST_TEST(both.s.b.dissipated[0] == 0);
    }
  }
}

/// Pressed after first touch, which slid, and sheared then: steps that stuck on the virgin curve are no turning point.
BOOST_AUTO_TEST_CASE(pressed_before_it_is_sheared) {
  for (const auto memory : {turning_points, single_reversal}) {
    Both both(0.25, memory);
    both.step(1e-4, 1e-3);
    BOOST_TEST((both.s.regime() == StepRegime::slide));
    chord(both, 1e-4, 0.01, 0, 0, 100);
    chord(both, 0.01, 0.01, 5e-3, 0, 5000, [&] { BOOST_TEST_REQUIRE(both.apart() < 1e-3); });
  }
}

/// U_t of the two models with a memory: that of the exact contact on histories that are of slip.
BOOST_AUTO_TEST_CASE(stored_energy_is_that_of_the_exact_contact) {
  for (const int parts : {2000, 4000})
    for (const auto memory : {turning_points, single_reversal}) {
      Both both(0.5, memory);
      double from = 0.01, largest = 0, scale = 0;
      both.step(from, 0);
      for (const auto& [z, shift] : loading_and_unloading) {
        chord(both, from, z, shift, 0, parts, [&] {
          scale = std::max(scale, both.exact.h.stored);
          largest = std::max(largest, std::abs(both.s.b.stored[0] - both.exact.h.stored));
          BOOST_TEST_REQUIRE(both.s.b.dissipated[0] >= 0);
        });
        from = z;
      }
      BOOST_TEST(largest < 4.0 / parts * scale);
      BOOST_TEST(std::abs(both.s.circulation) < 4.0 / parts * scale);
    }
  // The loss of a cycle between ±T* (§11), five reversals; B loses it in the first half cycle only.
  const JaegerCoefficients m = material(0.3);
  const double z = 0.01, x0 = m.ratio * m.friction * z, limit = m.friction * m.normal_force(z), share = 0.85;
  const double loop = 9 * (2 - 0.3) * limit * limit / (5 * std::sqrt(m.radius * z)) *
                      (1 - std::pow(1 - share, 5.0 / 3) - 5 * share / 6 * (1 + std::pow(1 - share, 2.0 / 3)));
  const double amplitude = x0 * (1 - std::pow(1 - share, 2.0 / 3));
  Single a(m, turning_points);
  a.step(z, 0);
  chord(a, z, z, amplitude, 0, 20000);
  for (int cycle = 0; cycle < 3; ++cycle) {
    const double before = a.dissipated;
    chord(a, z, z, -2 * amplitude, 0, 40000);
    chord(a, z, z, 2 * amplitude, 0, 40000);
    BOOST_TEST(a.dissipated - before == loop, tolerance(2e-3));
  }
}

/// Random chords: the longer the memory, the closer to the exact contact. Along a line at constant N the difference
/// goes with the length of the steps where every turning force is known. In the plane the models differ.
BOOST_AUTO_TEST_CASE(memory_brings_it_closer_to_the_exact_contact) {
  const auto mean_error = [](MindlinMemory memory, bool plane, double relief) {
    Draw draw;
    double sum = 0;
    int count = 0;
    for (int path = 0; path < 20; ++path) {
      Both both(0.25, memory);
      double z = 0.01;
      both.step(z, 0);
      for (int part = 0; part < 20; ++part) {
        const double to = 0.01 * (1 + relief * draw.between(-1, 1)), x = draw.between(-0.0042, 0.0042),
                     y = plane ? draw.between(-0.0042, 0.0042) : 0;
        chord(both, z, to, x, y, 200, [&] { sum += both.apart(), ++count; });
        z = to;
      }
    }
    return sum / count;
  };
  BOOST_TEST(mean_error(turning_points, false, 0) < 1e-3);
  for (const double relief : {0.0, 0.09}) {
    const double a = mean_error(turning_points, false, relief), b = mean_error(single_reversal, false, relief),
                 plane_a = mean_error(turning_points, true, relief),
                 plane_b = mean_error(single_reversal, true, relief);
    BOOST_TEST(a < 0.01);
    BOOST_TEST(3 * a < b);
    BOOST_TEST(3 * b < mean_error(none, false, relief));
    BOOST_TEST(plane_a < 0.1);
    BOOST_TEST(plane_a < plane_b);
    BOOST_TEST(1.5 * plane_b < mean_error(none, true, relief));
  }
}

/// Across the force at constant N: the secant stiffness of the exact contact, and further across (§8.5) the stations of
/// the table. The virgin curve of both models has the force along the whole movement, as they do not turn back.
BOOST_AUTO_TEST_CASE(across_the_force_it_is_the_exact_contact) {
  for (const auto memory : {turning_points, single_reversal}) {
    Both both(0.25, memory);
    both.step(0.01, 0);
    chord(both.s, 0.01, 0.01, 0.003, 0, 5000);
    both.exact.step(0.01, 0.003);
    double y = 1e-7;
    both.step(0.01, 0, y);
    BOOST_TEST(both.s.h.force_2 == both.exact.h.force_2, tolerance(2e-4));
    for (const auto& [to, force_1, force_2] :
         {std::tuple{0.0003, 0.6609, 0.0661}, {0.0015, 0.6466, 0.3233}, {0.0045, 0.5438, 0.8157}}) {
      chord(both.s, 0.01, 0.01, 0, to - y, 5000);
      y = to;
      BOOST_TEST(std::abs(both.s.h.force_1 / both.s.limit() - force_1) < 5e-4);
      BOOST_TEST(std::abs(both.s.h.force_2 / both.s.limit() - force_2) < 5e-4);
    }
  }
}
