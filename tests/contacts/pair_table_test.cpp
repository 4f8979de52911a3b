// Coefficients of a pair: polygon-dem reference, §1 (restitution, contact duration) and §6 (characteristic length).
#include "libdem/contacts/pair_table.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libdem/assembly/assembly.hpp"
#include "libdem/contacts/planar/contacts.hpp"

using namespace dem;

namespace {

constexpr double pi = std::numbers::pi;
const auto closely = boost::test_tools::tolerance(1e-12);

BodySpec disc(double radius, Vec2 at, double density = 1) {
  BodySpec b;
  b.shape = ShapeKind::disc;
  b.radius = radius;
  b.position = spatial(at);
  b.density = density;
  return b;
}

/// Discs of mass π (free), 2 · 4π (free), 3π (fixed in x and y, free to turn), 5π (guided along x) and a wall below.
Case some_bodies() {
  Case c;
  c.material.normal_stiffness = 400;
  c.material.tangential_stiffness = 100;
  c.material.friction = 0.3;
  c.material.rotational_damping = 0.25;
  c.time.step = 1e-3;
  c.assembly.bodies = {disc(1, {0, 0}), disc(2, {10, 0}, 2), disc(1, {20, 0}, 3), disc(1, {30, 0}, 5)};
  c.assembly.bodies[2].fix_x = c.assembly.bodies[2].fix_y = true;
  c.assembly.bodies[3].fix_y = c.assembly.bodies[3].fix_rotation = true;
  WallSpec wall;
  wall.from = {-5, -5};
  wall.to = {40, -5};
  c.assembly.walls = {wall};
  return c;
}

PairTable coefficients(const Case& c) { return PairTable(c, build_assembly(c)); }

/// Rebound of a damped oscillator x″ = −(k x + γ x′)/m thrown at 1 m/s, integrated in small steps (Runge–Kutta).
std::pair<double, double> rebound(double k, double gamma, double m) {
  const int steps = 20000;
  const double h = pi / std::sqrt(k / m) / steps;
  const auto a = [&](double x, double v) { return -(k * x + gamma * v) / m; };
  double x = 0, v = 1, t = 0;
  for (;;) {
    const double x_before = x, v_before = v;
    const double a1 = a(x, v), v2 = v + h / 2 * a1, a2 = a(x + h / 2 * v, v2), v3 = v + h / 2 * a2,
                 a3 = a(x + h / 2 * v2, v3), v4 = v + h * a3, a4 = a(x + h * v3, v4);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    t += h;
    if (x < 0) {  // between the two steps, where x = 0
      const double share = x_before / (x_before - x);
      return {-(v_before + share * (v - v_before)), t - h + share * h};
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pair_coefficients)

BOOST_AUTO_TEST_CASE(restitution_and_damping_are_inverse) {
  for (double e : {1e-6, 0.1, 0.5, 0.9, 0.9875, 1.0})
    for (double k : {1.0, 4e8})
      for (double m : {0.3, 2e3})
        BOOST_TEST(restitution_of_damping(damping_of_restitution(e, k, m), k, m) == e, closely);
  BOOST_TEST(damping_of_restitution(1, 400, 2) == 0);
  const double critical = 2 * std::sqrt(400.0 * 2);
  BOOST_TEST(restitution_of_damping(critical, 400, 2) == 0);  // overdamped: it does not come back
  BOOST_TEST(restitution_of_damping(1.5 * critical, 400, 2) == 0);
  BOOST_TEST(std::isinf(contact_duration(critical, 400, 2)));
  BOOST_TEST(contact_duration(0, 400, 4) == pi / 10, closely);
}

BOOST_AUTO_TEST_CASE(the_linear_contact_rebounds_with_them) {
  for (double e : {0.3, 0.8, 0.9875}) {
    const double k = 50, m = 0.7, gamma = damping_of_restitution(e, k, m);
    const auto [speed, time] = rebound(k, gamma, m);
    BOOST_TEST(speed == e, boost::test_tools::tolerance(1e-6));
    BOOST_TEST(time == contact_duration(gamma, k, m), boost::test_tools::tolerance(1e-6));
  }
}

BOOST_AUTO_TEST_CASE(reduced_mass_of_free_fixed_and_wall) {
  Case c = some_bodies();
  c.material.restitution = 0.8;
  const double a = pi, b = 8 * pi, fixed = 3 * pi, guided = 5 * pi;
  const auto reduced = [](double m, double n) { return m * n / (m + n); };
  {
    const PairTable p = coefficients(c);  // a fixed body counts with its material mass
    BOOST_TEST(p.reduced_mass(0, 1) == reduced(a, b), closely);
    BOOST_TEST(p.reduced_mass(0, 2) == reduced(a, fixed), closely);
    BOOST_TEST(p.reduced_mass(0, 3) == reduced(a, guided), closely);
    BOOST_TEST(p.reduced_mass(0, 4) == a, closely);  // a wall is always infinitely heavy
    BOOST_TEST(p.normal_damping(0, 1) == damping_of_restitution(0.8, 400, reduced(a, b)), closely);
    BOOST_TEST(p.normal_damping(0, 4) == damping_of_restitution(0.8, 400, a), closely);
  }
  c.contact.fixed_mass = FixedMass::infinite;
  const PairTable p = coefficients(c);
  BOOST_TEST(p.reduced_mass(0, 1) == reduced(a, b), closely);
  BOOST_TEST(p.reduced_mass(0, 2) == a, closely);
  BOOST_TEST(p.reduced_mass(0, 3) == reduced(a, guided), closely);  // free along x: not a fixed body
  BOOST_TEST(p.reduced_mass(2, 4) == 0);                            // two immovable ones: no damping, no 0/0
  BOOST_TEST(p.normal_damping(2, 4) == 0);
}

BOOST_AUTO_TEST_CASE(damping_given_or_from_ratios) {
  Case c = some_bodies();
  c.material.normal_damping = 6;
  BOOST_TEST(coefficients(c).normal_damping(0, 1) == 6);
  BOOST_TEST(coefficients(c).normal_damping(0, 4) == 6);
  BOOST_TEST(coefficients(c).tangential_damping(6) == 1.5, closely);  // γ_n k_t/k_n
  c.material.tangential_damping_ratio = 0.5;
  BOOST_TEST(coefficients(c).tangential_damping(6) == 3, closely);
  c.material.tangential_damping_ratio = 0;
  BOOST_TEST(coefficients(c).tangential_damping(6) == 0);
  c.material.tangential_damping = 11;
  BOOST_TEST(coefficients(c).tangential_damping(6) == 11);
  const PairTable p = coefficients(c);
  BOOST_TEST(p[0].normal_stiffness == 400);
  BOOST_TEST(p[0].tangential_stiffness == 100);
  BOOST_TEST(p[0].friction == 0.3);
  BOOST_TEST(p.friction(p[0]) == 0.3);
  BOOST_TEST(p.rotational_damping == 0.25);
}

BOOST_AUTO_TEST_CASE(materials_by_pair) {
  Case c = some_bodies();
  c.material.restitution = 0.8;
  c.material.tangential_damping_ratio = 0.5;
  c.materials = {{"soft", 2, 100, 50, 0.7}, {"hard", 5, 1200, 1200, 0.1}};
  c.material_pairs = {{"hard", "", 250, {}, 0.9}, {"soft", "soft", {}, 10, {}}};
  const std::vector<PairValues> table = springs_by_pair(c);
  const auto is = [&](std::size_t a, std::size_t b, double k_n, double k_t, double friction) {
    for (const PairValues& s : {table[3 * a + b], table[3 * b + a]}) {
      BOOST_TEST(s.normal_stiffness == k_n, closely);
      BOOST_TEST(s.tangential_stiffness == k_t, closely);
      BOOST_TEST(s.friction == friction, closely);
    }
  };
  is(0, 0, 400, 100, 0.3);
  is(1, 1, 100, 10, 0.7);         // given: k_t
  is(0, 1, 160, 200 / 3.0, 0.3);  // 2 · 400 · 100/500, 2 · 100 · 50/150
  is(1, 2, 240000 / 1300.0, 96, 0.1);
  is(0, 2, 250, 240000 / 1300.0, 0.9);  // given: k_n and μ; k_t as by rule
  c.assembly.bodies[1].material = "soft";
  c.assembly.bodies[3].material = "hard";
  c.assembly.bodies[1].density.reset();
  const PairTable p = coefficients(c);
  const State state = build_assembly(c);
  BOOST_TEST(state.bodies.mass[1] == 8 * pi, closely);  // radius 2, density of `soft`
  BOOST_TEST(p.of(0, 1).normal_stiffness == 160, closely);
  BOOST_TEST(p.of(3, 1).friction == 0.1);
  BOOST_TEST(p.of(4, 1).normal_stiffness == 160, closely);  // a wall is of the first material
  const double m = pi * 8 * pi / (9 * pi);
  BOOST_TEST(p.normal_damping(0, 1) == damping_of_restitution(0.8, 160, m), closely);
  BOOST_TEST(p.tangential_damping(6, p.of(0, 1)) == 3, closely);
  c.material_pairs[0].first = "gold";
  BOOST_CHECK_THROW(springs_by_pair(c), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(contacts_take_the_springs_of_their_materials) {
  Case c = some_bodies();
  c.material.normal_damping = 0;
  c.materials = {{"soft", 1, 100, 50, 0.7}};
  c.assembly.walls.clear();
  c.assembly.bodies = {disc(1, {0, 0}), disc(1, {1.99, 0}), disc(1, {3.98, 0})};
  c.assembly.bodies[1].material = c.assembly.bodies[2].material = "soft";
  State state = build_assembly(c);
  PlanarContacts contacts(c, state);
  contacts.find_candidates(state);
  contacts.evaluate(state, {});
  std::vector<ContactRecord> records;
  contacts.records(state, records);
  BOOST_TEST_REQUIRE(records.size() == 2);
  const double overlap = 2 - 1.99;
  BOOST_TEST(records[0].normal_force == 160 * overlap, closely);
  BOOST_TEST(records[1].normal_force == 100 * overlap, closely);
  BOOST_TEST(records[0].tangential_stiffness == 200 / 3.0, closely);
  BOOST_TEST(records[1].tangential_stiffness == 50, closely);
}

BOOST_AUTO_TEST_CASE(characteristic_length_in_both_forms) {
  Case c = some_bodies();
  c.material.restitution = 0.8;
  c.assembly.bodies.clear();
  for (const auto& [side, x] : {std::pair{1.0, 0.0}, {3.0, 10.0}}) {
    BodySpec square;
    square.outline = {{0, 0}, {side, 0}, {side, side}, {0, side}};
    square.position = {x, 0};
    c.assembly.bodies.push_back(square);
  }
  {
    const PairTable p = coefficients(c);  // published: r = √(A/2π)
    BOOST_TEST(p.length(0, 1) == (1 + 3) / std::sqrt(2 * pi), closely);
    BOOST_TEST(p.length(0, 2) == 2 / std::sqrt(2 * pi), closely);  // wall: r_wall = r_i
    BOOST_TEST(p.length(1, 2) == 6 / std::sqrt(2 * pi), closely);
    BOOST_TEST(p.length(2, 1) == p.length(1, 2));
  }
  c.contact.length = CharacteristicLength::sqrt_area_over_pi;
  const PairTable p = coefficients(c);
  BOOST_TEST(p.length(0, 1) == (1 + 3) / std::sqrt(pi), closely);
  BOOST_TEST(p.length(0, 2) == 2 / std::sqrt(pi), closely);
}

BOOST_AUTO_TEST_CASE(a_stage_overrides_the_friction_of_all_pairs) {
  Case c = some_bodies();
  c.materials = {{"soft", 1, 100, 50, 0.7}};
  c.assembly.bodies[1].material = "soft";
  PairTable p = coefficients(c);
  BOOST_TEST(p.friction(p.of(0, 2)) == 0.3);
  BOOST_TEST(p.friction(p.of(1, 1)) == 0.7);
  p.override_friction(0.1);
  for (const auto& [i, j] : {std::pair{0, 2}, {1, 1}, {0, 1}})
    BOOST_TEST(p.friction(p.of(std::size_t(i), std::size_t(j))) == 0.1);
  p.override_friction(0);  // a friction, too
  BOOST_TEST(p.friction(p.of(0, 2)) == 0);
  p.override_friction({});
  BOOST_TEST(p.friction(p.of(1, 1)) == 0.7);
}

/// Two bodies of [material] at their own springs are a pair as any other; to rounding, since each place has its own
/// form of the product.
BOOST_AUTO_TEST_CASE(reference_damping_is_that_of_a_pair) {
  Case c = some_bodies();
  for (const int rule : {0, 1, 2}) {
    c.material.restitution.reset();
    c.material.normal_damping.reset();
    c.material.normal_damping_rate.reset();
    (rule == 0 ? c.material.restitution : rule == 1 ? c.material.normal_damping : c.material.normal_damping_rate) = 0.6;
    const PairTable p = coefficients(c);
    const double damping = p.normal_damping(0, 1);
    BOOST_TEST(p.reference_damping(400, p.reduced_mass(0, 1)) == damping, closely);
    BOOST_TEST(p.reference_tangential_damping(damping, reference_springs(c, 1, 1)) ==
                   p.tangential_damping(damping, p.of(0, 1)),
               closely);
  }
}

BOOST_AUTO_TEST_SUITE_END()
