// Law hertz-mindlin: the tables of the jaeger-contact reference, §14, closed forms, the exact contact of law jaeger, degenerate steps.
#include "libdem/laws/hertz_mindlin.hpp"

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "geometry/random.hpp"
#include "libdem/laws/jaeger_contact.hpp"

using namespace dem::laws;

namespace {

using dem::MindlinMemory;
using enum dem::MindlinMemory;
constexpr MindlinMemory memories[] = {none, single_reversal, turning_points};

struct Material {
  double modulus, ratio, radius = 1, friction = 0.5;
  double normal_force(double z) const { return modulus * std::sqrt(radius * z) * z; }
  double indentation(double normal) const { return std::cbrt(normal * normal / (modulus * modulus * radius)); }  // Z(N)
  double stiffness(double z) const { return 0.75 * modulus * std::sqrt(radius * z) / ratio; }                    // H0
};
Material material(double poisson_ratio, double friction = 0.5) {  // G = 1
  return {8 / (3 * (1 - poisson_ratio)), (2 - poisson_ratio) / (2 * (1 - poisson_ratio)), 1, friction};
}

/// One contact by way of the law's columns, in the halves of the reference: ζ and Δξ.
struct Single {
  Single(const Material& given, MindlinMemory memory) : m(given) { options.memory = memory; }
  void step(double z, double shift_1, double shift_2 = 0) {
    const double before = b.stored[0];
    b.count = 1;
    b.legs = &pool;
    b.made[0] = 0;
    b.lost[0] = 1;
    b.shift_1[0] = 2 * shift_1;
    b.shift_2[0] = 2 * shift_2;
    b.modulus[0] = m.modulus;
    b.ratio[0] = m.ratio;
    b.radius[0] = m.radius;
    b.friction[0] = m.friction;
    b.indentation[0] = z;
    HertzMindlin::pass(options, b, &h);
    work += b.work[0];
    dissipated += b.dissipated[0];
    circulation += b.work[0] - (b.stored[0] - before) - b.dissipated[0];
  }
  double limit() const { return m.friction * h.normal_force; }
  double size() const { return std::hypot(h.force_1, h.force_2); }
  StepRegime regime() const { return b.regime[0]; }

  Material m;
  LawOptions options;
  LegPool pool;
  HertzMindlin::History h;
  Block b{};
  double work = 0, dissipated = 0, circulation = 0;
};

/// The exact contact on the same path.
struct Exact {
  explicit Exact(const Material& m) {
    c.modulus = m.modulus;
    c.ratio = m.ratio;
    c.radius = m.radius;
    c.friction = m.friction;
  }
  void step(double z, double shift_1, double shift_2 = 0) { contact.step(z, {shift_1, shift_2}); }
  JaegerCoefficients c;
  LegPool pool;
  JaegerContact<LegPool>::History h;
  JaegerContact<LegPool> contact{c, h, pool};
};

/// U2: four straight steps along F_t = 4 (F_n − F_n0), made of two loading chords and two unloading ones.
struct Chord {
  double z, shift;
};
const std::array<Chord, 4> loading_and_unloading{{{0.010418193080112775, 0.0027403851070898215},
                                                  {0.010828154043800968, 0.0036310891231878697},
                                                  {0.010085275021404837, -0.0048487929405154504},
                                                  {0.009313937519367467, -0.007003164172349242}}};

/// T/(f N) at the four ends of the chords, each cut into `parts`.
template <class Contact>
std::array<double, 4> proportional(Contact& contact, int parts, double direction_1 = 1, double direction_2 = 0) {
  std::array<double, 4> at{};
  double from = 0.01;
  contact.step(from, 0);
  for (std::size_t k = 0; k < 4; ++k) {
    const auto [z, shift] = loading_and_unloading[k];
    for (int p = 1; p <= parts; ++p)
      contact.step(p == parts ? z : from + (z - from) * p / parts, direction_1 * shift / parts, direction_2 * shift / parts);
    from = z;
    at[k] = (contact.h.force_1 * direction_1 + contact.h.force_2 * direction_2) / (0.5 * contact.h.normal_force);
  }
  return at;
}

/// The sequence at constant normal force: ζ = 0.01.
template <class Contact>
std::array<double, 6> to_and_fro(Contact& contact, int parts) {
  std::array<double, 6> at{};
  contact.step(0.01, 0);
  std::size_t k = 0;
  for (const double shift : {0.008, -0.005, -0.006, 0.007, -0.003, 0.004}) {
    for (int p = 0; p < parts; ++p) contact.step(0.01, shift / parts);
    at[k++] = contact.h.force_1 / (0.5 * contact.h.normal_force);
  }
  return at;
}

struct Draw {
  dem::geometry::Random random{20110104};
  double between(double a, double b) { return a + (b - a) * random.uniform(); }
  double log_between(double a, double b) { return a * std::exp(random.uniform() * std::log(b / a)); }
  int one_of(int n) { return int(n * random.uniform()); }
};
struct Movement {
  double z, shift_1, shift_2;
};
/// Any steps: growing, falling and resting normal force, small and large shifts, now and then a separation.
std::vector<Movement> any_movements(int count, const Material& m, double largest_shift = 3) {
  Draw draw;
  std::vector<Movement> all;
  double z = 0.01, turn = 0;
  for (int k = 0; k < count; ++k) {
    const int kind = draw.one_of(100);
    if (kind == 0) z = -0.001;
    else if (kind < 3) z = draw.log_between(1e-8, 0.02);
    else if (kind < 70) z = std::clamp(std::abs(z) * (1 + draw.between(-0.03, 0.03)), 1e-6, 0.03);
    z = kind == 0 ? z : std::abs(z);
    if (draw.one_of(4) == 0) turn = draw.between(-std::numbers::pi, std::numbers::pi);
    else if (draw.one_of(3) == 0) turn += std::numbers::pi;
    const double far = draw.one_of(10) == 0 ? 0 : draw.log_between(1e-4, largest_shift) * m.ratio * m.friction * std::abs(z);
    all.push_back({z, far * std::cos(turn), far * std::sin(turn)});
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hertz_mindlin)

/// §14, the first table: stations of U2, the chords cut into equal parts. All printed digits.
BOOST_AUTO_TEST_CASE(proportional_loading_and_unloading) {
  struct Row {
    int parts;
    std::array<double, 4> turning_points, single_reversal;
  };
  const std::vector<Row> table{{1, {0.516619, 1.000000, 0.112086, -1.000000}, {0.511393, 1.000000, 0.094065, -1.000000}},
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
  Exact exact(material(0.5));
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
  Exact exact(material(0.5));
  const auto expected = to_and_fro(exact, 1);
  for (std::size_t k = 0; k < 6; ++k) BOOST_TEST(std::abs(expected[k] - jaeger[k]) <= 0.5001e-5);
  Single a(material(0.5), turning_points);
  const auto at = to_and_fro(a, 100000);
  for (std::size_t k = 0; k < 6; ++k) BOOST_TEST(std::abs(at[k] - jaeger[k]) <= 0.5001e-5);
  BOOST_TEST(a.h.turning_points() == exact.h.legs() - 1);
  // The printed digits are those of steps of a ten-thousandth.
  const std::array<double, 6> single{1.00000, 0.08865, -0.72461, 0.2559, -0.2211, 0.4310}, digits{1e-5, 1e-5, 1e-5, 1e-4, 1e-4, 1e-4};
  Single b(material(0.5), single_reversal);
  const auto of_one = to_and_fro(b, 10000);
  for (std::size_t k = 0; k < 6; ++k) BOOST_TEST(std::abs(of_one[k] - single[k]) <= 0.5001 * digits[k]);
}

/// Loops within loops at constant normal force, each closed by the next: the turning forces are forgotten one pair at a time.
BOOST_AUTO_TEST_CASE(closed_loops_are_forgotten) {
  Single a(material(0.3), turning_points);
  Exact exact(material(0.3));
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

/// Fine steps of a path along one line with a normal force that goes up and down; no part of it sticks.
BOOST_AUTO_TEST_CASE(comes_to_the_exact_contact_along_a_line) {
  const double diagonal = 1 / std::numbers::sqrt2;
  std::array<double, 2> errors{};
  for (const int refined : {0, 1}) {
    Single a(material(0.25), turning_points);
    Exact exact(material(0.25));
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
      Exact exact(material(0.5));
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

/// No memory: a spring of H0 until f N, and it is not rescaled when N falls.
BOOST_AUTO_TEST_CASE(without_memory_it_is_a_spring_of_changing_stiffness) {
  const Material m = material(0.25);
  Single s(m, none);
  const double z = 0.01, k = m.stiffness(z), limit = 0.5 * m.normal_force(z);
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
  BOOST_TEST(s.h.force_1 == force + 2e-4 * m.stiffness(0.999 * z), boost::test_tools::tolerance(1e-14));
}

/// Steps that stick: along any path with growing N the models with a memory add p ΔN, and remember nothing of it.
BOOST_AUTO_TEST_CASE(oblique_loading_sticks) {
  for (const auto memory : {turning_points, single_reversal}) {
    Single s(material(0.25), memory);
    Exact exact(material(0.25));
    Draw draw;
    double z = 0;
    for (int k = 0; k < 200; ++k) {
      const double dz = draw.between(1e-6, 1e-4), far = 0.9 * s.m.ratio * s.m.friction * dz * draw.random.uniform(), turn = draw.between(0, 6);
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
    Exact exact(material(0.25));
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

/// Random chords: the longer the memory, the closer to the exact contact. Along a line at constant N all of the difference goes with
/// the length of the steps where every turning force is known; in the plane the models differ.
BOOST_AUTO_TEST_CASE(memory_brings_it_closer_to_the_exact_contact) {
  const auto mean_error = [](MindlinMemory memory, bool plane, double relief) {
    const int parts = 200;
    Draw draw;
    double sum = 0;
    int count = 0;
    for (int path = 0; path < 20; ++path) {
      Single s(material(0.25), memory);
      Exact exact(s.m);
      double z = 0.01;
      s.step(z, 0);
      exact.step(z, 0);
      for (int chord = 0; chord < 20; ++chord) {
        const double to = 0.01 * (1 + relief * draw.between(-1, 1)), x = draw.between(-0.0042, 0.0042), y = plane ? draw.between(-0.0042, 0.0042) : 0;
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
    const double a = mean_error(turning_points, false, relief), b = mean_error(single_reversal, false, relief), c = mean_error(none, false, relief);
    BOOST_TEST(a < 0.01);
    BOOST_TEST(3 * a < b);
    BOOST_TEST(3 * b < c);
    const double plane_a = mean_error(turning_points, true, relief), plane_b = mean_error(single_reversal, true, relief);
    BOOST_TEST(plane_a < plane_b);
    BOOST_TEST(1.5 * plane_b < mean_error(none, true, relief));
    BOOST_TEST(plane_a < 0.1);
  }
}

/// Across the force at constant N: the secant stiffness, which is that of the exact contact.
BOOST_AUTO_TEST_CASE(across_the_force_it_is_the_exact_contact) {
  for (const auto memory : {turning_points, single_reversal}) {
    Single s(material(0.25), memory);
    Exact exact(material(0.25));
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
    const std::array<std::array<double, 3>, 3> stations{{{0.0003, 0.6609, 0.0661}, {0.0015, 0.6466, 0.3233}, {0.0045, 0.5438, 0.8157}}};
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

/// Ten thousand steps of any kind: numbers, within the limit, no friction that gives energy; memory comes back to the pool.
BOOST_AUTO_TEST_CASE(any_steps_stay_within_the_limit) {
  for (const double largest : {0.3, 3.0}) {
    for (const auto memory : memories) {
      Single s(material(0.25), memory);
      std::size_t most = 0;
      for (const auto& m : any_movements(10000, s.m, largest)) {
        s.step(m.z, m.shift_1, m.shift_2);
        BOOST_TEST_REQUIRE(s.size() <= s.limit() * (1 + 4e-16));
        BOOST_TEST_REQUIRE(std::isfinite(s.b.stored[0]));
        BOOST_TEST_REQUIRE(s.b.stored[0] >= -1e-14 * s.limit() * std::max(0.0, m.z));
        BOOST_TEST_REQUIRE(s.b.dissipated[0] >= 0);
        BOOST_TEST_REQUIRE((s.regime() == StepRegime::slide) == (s.b.sliding[0] == 1));
        if (s.regime() == StepRegime::slide) BOOST_TEST_REQUIRE(s.size() >= s.limit() * (1 - 1e-15));
        if (!(m.z > 0)) {
          BOOST_TEST_REQUIRE((s.regime() == StepRegime::separated));
          BOOST_TEST_REQUIRE(s.pool.used_bytes() == 0u);
          BOOST_TEST_REQUIRE(s.size() == 0);
        }
        most = std::max(most, s.h.turning_points());
      }
      if (memory == turning_points) BOOST_TEST(most >= 4u);
      else BOOST_TEST(most <= (memory == single_reversal ? 1u : 0u));
      s.step(0, 0);
      BOOST_TEST(s.pool.used_bytes() == 0u);
    }
  }
}

/// The frame of the contact plane may be any.
BOOST_AUTO_TEST_CASE(turns_with_the_frame) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  for (const auto memory : memories) {
    Single a(material(0.25), memory), b(material(0.25), memory);
    double largest = 0;
    for (const auto& m : any_movements(10000, a.m, 0.5)) {
      a.step(m.z, m.shift_1, m.shift_2);
      b.step(m.z, c * m.shift_1 - s * m.shift_2, s * m.shift_1 + c * m.shift_2);
      const double error_1 = c * a.h.force_1 - s * a.h.force_2 - b.h.force_1, error_2 = s * a.h.force_1 + c * a.h.force_2 - b.h.force_2;
      largest = std::max(largest, std::hypot(error_1, error_2));
      BOOST_TEST_REQUIRE(a.h.turning_points() == b.h.turning_points());
    }
    BOOST_TEST(largest < 1e-13 * 0.5 * a.m.normal_force(0.03));
  }
}

/// Deep loops, so that there are chunks of legs, and then the end of the contact.
BOOST_AUTO_TEST_CASE(separation_gives_back_the_legs_and_books_the_energy) {
  Single s(material(0.25), turning_points);
  s.step(0.01, 0);
  double shift = 0.003;
  for (int k = 0; k < 40; ++k, shift *= -0.93)
    for (int p = 0; p < 50; ++p) s.step(0.01, shift / 50);
  BOOST_TEST(s.h.turning_points() >= 30u);
  BOOST_TEST(s.pool.used_bytes() > 0u);
  const double stored = s.b.stored[0], force = s.h.force_1;
  BOOST_TEST(stored > 0);
  s.b.dissipated[0] = 0;
  s.step(-1e-5, 1e-7);
  BOOST_TEST((s.regime() == StepRegime::separated));
  BOOST_TEST(s.pool.used_bytes() == 0u);
  BOOST_TEST(s.b.elastic_1[0] == 0);
  BOOST_TEST(s.b.stored[0] == 0);
  BOOST_TEST(s.b.work[0] == 1e-7 * force, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(s.b.dissipated[0] == stored + 1e-7 * force, boost::test_tools::tolerance(1e-14));
  s.step(0.004, 0.0004, 0.0003);  // as if it had never been
  Single fresh(material(0.25), turning_points);
  fresh.step(0.004, 0.0004, 0.0003);
  BOOST_TEST(s.h.force_1 == fresh.h.force_1);
  BOOST_TEST(s.h.force_2 == fresh.h.force_2);
}

/// Falling N takes the turning forces towards each other, until their loops are closed.
BOOST_AUTO_TEST_CASE(relief_closes_loops) {
  Single s(material(0.25), turning_points);
  s.step(0.01, 0);
  double shift = 0.003;
  for (int k = 0; k < 12; ++k, shift *= -0.9)
    for (int p = 0; p < 200; ++p) s.step(0.01, shift / 200);
  std::size_t before = s.h.turning_points();
  BOOST_TEST(before >= 10u);
  for (int p = 1; p <= 5000; ++p) {
    s.step(0.01 * (1 - p / 5001.0), 0);
    BOOST_TEST_REQUIRE(s.h.turning_points() <= before);
    BOOST_TEST_REQUIRE(s.size() <= s.limit() * (1 + 4e-16));
    before = s.h.turning_points();
  }
  BOOST_TEST(before == 0u);
  BOOST_TEST(s.pool.used_bytes() == 0u);
}

/// Only the part of the movement counts in which there is contact; force on j is against it, and the dashpot rests while it slides.
BOOST_AUTO_TEST_CASE(signs_and_parts) {
  for (const auto memory : memories) {
    Single whole(material(0.25), memory), part(material(0.25), memory);
    whole.step(0.01, 0.0002, -0.0001);
    part.b.damping[0] = 2;
    part.b.velocity_1[0] = 3;
    part.b.count = 1;
    part.b.legs = &part.pool;
    part.b.modulus[0] = part.m.modulus;
    part.b.ratio[0] = part.m.ratio;
    part.b.radius[0] = part.m.radius;
    part.b.friction[0] = part.m.friction;
    part.b.indentation[0] = 0.01;
    part.b.made[0] = 0.75;
    part.b.lost[0] = 1;
    part.b.shift_1[0] = 4 * 0.0004;
    part.b.shift_2[0] = -4 * 0.0002;
    HertzMindlin::pass(part.options, part.b, &part.h);
    BOOST_TEST(part.h.force_1 == whole.h.force_1);
    BOOST_TEST(part.b.elastic_1[0] == -whole.h.force_1);
    BOOST_TEST(part.b.elastic_2[0] == -whole.h.force_2);
    BOOST_TEST(part.h.force_1 > 0);
    BOOST_TEST(part.b.viscous_1[0] == -6);
    part.b.made[0] = 0;
    part.b.shift_1[0] = 1;
    HertzMindlin::pass(part.options, part.b, &part.h);
    BOOST_TEST(part.b.sliding[0] == 1);
    BOOST_TEST(part.b.viscous_1[0] == 0);
    part.options.damp_while_sliding = true;
    HertzMindlin::pass(part.options, part.b, &part.h);
    BOOST_TEST(part.b.viscous_1[0] == -6);
  }
}

BOOST_AUTO_TEST_CASE(without_friction_there_is_no_force) {
  for (const auto memory : memories) {
    Single s(material(0.25, 0), memory);
    for (const auto& m : any_movements(300, material(0.25))) {
      s.step(m.z, m.shift_1, m.shift_2);
      BOOST_TEST_REQUIRE(s.size() == 0);
      BOOST_TEST_REQUIRE(s.b.dissipated[0] == 0);
      if (m.z > 0 && s.regime() != StepRegime::unchanged) BOOST_TEST_REQUIRE(s.b.sliding[0] == 1);
    }
  }
}

/// Zero, huge and tiny steps, retraced paths, an overlap that goes to nothing: numbers within the limit.
BOOST_AUTO_TEST_CASE(degenerate_steps) {
  const std::vector<Movement> path{{0.01, 0, 0},         {0.01, 0, 0},         {0.01, 1e-3, 0},       {0.01, -1e-3, 0},      {0.01, 1e-3, 0},
                                   {0.012, 1e-4, 0},     {0.01, -1e-4, 0},     {0.01, 1e6, -1e6},     {0.01, -1e100, 0},     {0.01, 1e-300, 0},
                                   {0.01, 0, -1e-300},   {0.01, 0, 1e-3},      {1e-3, 0, 0},          {1e-3, 0, -1e-5},      {1e-12, 1e-13, 0},
                                   {1e-100, 0, 1e-13},   {1e-300, 0, 0},       {1e-300, 1e-300, 0},   {1e-310, 0, 0},        {1e-300, 1e-301, 0},
                                   {0.01, 1e-3, 1e-3},   {1e-300, 0, 0},       {1e-200, 1e-201, 0},   {1e-199, 1e-200, 0},   {1e-199, -1e-200, 0},
                                   {1e-200, 0, -1e-200}, {0.02, 0, 0},         {0.02, 1e-170, 0},     {0.02, 0, 1e-170},     {0.02, -1e-160, 0},
                                   {0.02, 1e-3, 0},      {std::nextafter(0.02, 1), 1e-3, 0}, {0.02, -1e-3, 0}, {1e3, 1e-9, 0}, {1e-9, 0, 0},
                                   {1e-9, 1e-10, 0},     {-1, 0, 0},           {0.01, 0.02, 0},       {0.01, 0, 0.004},      {std::nan(""), 0, 0}};
  for (const auto memory : memories) {
    Single s(material(0.25), memory);
    for (const auto& m : path) {
      s.step(m.z, m.shift_1, m.shift_2);
      BOOST_TEST_CONTEXT("indentation " << m.z << ", shift " << m.shift_1 << ", " << m.shift_2) {
        for (const double v : {s.h.force_1, s.h.force_2, s.b.stored[0], s.h.line_1, s.h.line_2, s.h.turning, s.h.foot, s.h.foot_energy, s.b.work[0],
                               s.b.dissipated[0]})
          BOOST_TEST(std::isfinite(v));
        BOOST_TEST(s.size() <= s.limit() * (1 + 4e-16));
      }
    }
    BOOST_TEST(s.size() == 0);
    BOOST_TEST(s.pool.used_bytes() == 0u);
  }
  // A path gone back on by twice the same way meets the force of the first time.
  Single a(material(0.25), turning_points);
  a.step(0.01, 0);
  for (int p = 0; p < 1000; ++p) a.step(0.01, 4e-6);
  const double top = a.h.force_1;
  for (int p = 0; p < 1000; ++p) a.step(0.01, -2e-6);
  for (int p = 0; p < 1000; ++p) a.step(0.01, 2e-6);
  BOOST_TEST(a.h.force_1 == top, boost::test_tools::tolerance(2e-3));
}

BOOST_AUTO_TEST_SUITE_END()
