// Coefficients of a pair: polygon-dem reference, §1 (restitution, contact duration) and §6 (characteristic length).
#include "libdem/contacts/pair_table.hpp"

#include "libdem/assembly/assembly.hpp"
#include "libdem/run/simulation.hpp"
#include "prelude.hpp"

namespace {

const auto closely = tolerance(1e-12);

BodySpec disc(double radius, Vec2 at, double density = 1) {
  return {.shape = ShapeKind::disc, .radius = radius, .position = spatial(at), .density = density};
}

/// Discs of mass π (free), 2 · 4π (free), 3π (fixed in x and y, free to turn), 5π (guided along x) and a wall below.
Case some_bodies() {
  Case c;
  c.material = {.normal_stiffness = 400, .tangential_stiffness = 100, .friction = 0.3, .rotational_damping = 0.25};
  c.time.step = 1e-3;
  c.assembly.bodies = {disc(1, {0, 0}), disc(2, {10, 0}, 2), disc(1, {20, 0}, 3), disc(1, {30, 0}, 5)};
  c.assembly.bodies[2].fix_x = c.assembly.bodies[2].fix_y = true;
  c.assembly.bodies[3].fix_y = c.assembly.bodies[3].fix_rotation = true;
  c.assembly.walls = {{.from = {-5, -5}, .to = {40, -5}}};
  return c;
}

PairTable coefficients(const Case& c) { return PairTable(c, build_assembly(c)); }

double reduced(double m, double n) { return m * n / (m + n); }

}  // namespace

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

/// x″ = −(k x + γ x′)/m by steps of a hundred thousandth of √(m/k), until the force pulls. Below and above critical.
BOOST_AUTO_TEST_CASE(without_tension_the_contact_ends_where_its_force_does) {
  const double k = 50, m = 0.7, critical = 2 * std::sqrt(k * m);
  for (double share : {0.0, 0.2, 0.6, 0.8, 1.0, 1.7}) {
    const double gamma = share * critical, dt = 1e-5 * std::sqrt(m / k);
    double x = 0, v = 1;
    const auto a = [&](double at, double speed) { return -(k * at + gamma * speed) / m; };
    while (v > 0 || a(x, v) < 0) {  // midpoint rule
      const double half_x = x + dt / 2 * v, half_v = v + dt / 2 * a(x, v);
      x += dt * half_v, v += dt * a(half_x, half_v);
    }
    // The steps err by 1e-10. At the critical damping the quotient of the formula loses half of its digits: 4e-9.
    BOOST_TEST(restitution_without_tension(gamma, k, m) == -v, tolerance(1e-8));
  }
  // The help of clip_tension names these two numbers, with two digits.
  BOOST_TEST(std::round(100 * restitution_without_tension(damping_of_restitution(0.5, k, m), k, m)) == 55);
}

/// x″ = −(k x + γ x′)/m, thrown at 1 m/s: back at x = 0 after half a period, with e^(−γ t/2m) of the speed.
BOOST_AUTO_TEST_CASE(the_linear_contact_rebounds_with_them) {
  for (double e : {0.3, 0.8, 0.9875}) {
    const double k = 50, m = 0.7, gamma = damping_of_restitution(e, k, m), rate = gamma / (2 * m);
    const double half_period = pi / std::sqrt(k / m - rate * rate);
    BOOST_TEST(contact_duration(gamma, k, m) == half_period, closely);
    BOOST_TEST(std::exp(-rate * half_period) == e, closely);
  }
}

/// A fixed body counts with its mass or as infinitely heavy, a wall always as that. Two immovable ones are undamped.
BOOST_AUTO_TEST_CASE(reduced_mass_of_free_fixed_and_wall) {
  Case c = some_bodies();
  c.material.restitution = 0.8;
  const double a = pi, b = 8 * pi, fixed = 3 * pi, guided = 5 * pi;
  const std::tuple<std::size_t, std::size_t, double, double> rows[]{{0, 1, reduced(a, b), reduced(a, b)},
                                                                    {0, 2, reduced(a, fixed), a},
                                                                    {0, 3, reduced(a, guided), reduced(a, guided)},
                                                                    {0, 4, a, a},
                                                                    {2, 4, fixed, 0}};
  for (const bool infinite : {false, true}) {
    if (infinite) c.contact.fixed_mass = FixedMass::infinite;
    const PairTable p = coefficients(c);
    for (const auto& [i, j, by_material, infinitely] : rows) BOOST_TEST_CONTEXT(i << ", " << j << ", " << infinite) {
        const double mass = infinite ? infinitely : by_material;
        BOOST_TEST(p.reduced_mass(i, j) == mass, closely);
        BOOST_TEST(p.normal_damping(i, j) == (mass > 0 ? damping_of_restitution(0.8, 400, mass) : 0), closely);
      }
  }
}

BOOST_AUTO_TEST_CASE(damping_given_or_from_ratios) {
  Case c = some_bodies();
  c.material.normal_damping = 6;
  for (const std::size_t j : {1u, 4u}) BOOST_TEST(coefficients(c).normal_damping(0, j) == 6);
  BOOST_TEST(coefficients(c).tangential_damping(6) == 1.5, closely);  // γ_n k_t/k_n
  for (const double ratio : {0.5, 0.0}) {
    c.material.tangential_damping_ratio = ratio;
    BOOST_TEST(coefficients(c).tangential_damping(6) == 6 * ratio, closely);
  }
  c.material.tangential_damping = 11;
  const PairTable p = coefficients(c);
  BOOST_TEST(p.tangential_damping(6) == 11);
  BOOST_TEST((p[0].normal_stiffness == 400 && p[0].tangential_stiffness == 100 && p[0].friction == 0.3));
  BOOST_TEST((p.friction(p[0]) == 0.3 && p.rotational_damping == 0.25));
}

BOOST_AUTO_TEST_CASE(materials_by_pair) {
  Case c = some_bodies();
  c.material.restitution = 0.8;
  c.material.tangential_damping_ratio = 0.5;
  c.materials = {{"soft", 2, 100, 50, 0.7}, {"hard", 5, 1200, 1200, 0.1}};
  c.material_pairs = {{"hard", "", 250, {}, 0.9}, {"soft", "soft", {}, 10, {}}};
  const std::vector<PairValues> table = springs_by_pair(c);
  for (const auto& [a, b, k_n, k_t, friction] : {std::tuple{0u, 0u, 400., 100., 0.3},
                                                 {1u, 1u, 100., 10., 0.7},        // given: k_t
                                                 {0u, 1u, 160., 200 / 3.0, 0.3},  // 2 · 400 · 100/500, 2 · 100 · 50/150
                                                 {1u, 2u, 240000 / 1300.0, 96., 0.1},
                                                 {0u, 2u, 250., 240000 / 1300.0, 0.9}})  // given: k_n and μ, not k_t
    for (const PairValues& s : {table[3 * a + b], table[3 * b + a]}) {
      BOOST_TEST(s.normal_stiffness == k_n, closely);
      BOOST_TEST(s.tangential_stiffness == k_t, closely);
      BOOST_TEST(s.friction == friction, closely);
    }
  c.assembly.bodies[1].material = "soft";
  c.assembly.bodies[3].material = "hard";
  c.assembly.bodies[1].density.reset();
  const PairTable p = coefficients(c);
  const State state = build_assembly(c);
  BOOST_TEST(state.bodies.mass[1] == 8 * pi, closely);  // radius 2, density of `soft`
  BOOST_TEST(p.of(0, 1).normal_stiffness == 160, closely);
  BOOST_TEST(p.of(3, 1).friction == 0.1);
  BOOST_TEST(p.of(4, 1).normal_stiffness == 160, closely);  // a wall is of the first material
  BOOST_TEST(p.normal_damping(0, 1) == damping_of_restitution(0.8, 160, reduced(pi, 8 * pi)), closely);
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
  const Simulation run(c);
  const auto records = run.contacts();
  BOOST_TEST_REQUIRE(records.size() == 2u);
  for (const auto& [k, k_n, k_t] : {std::tuple{0u, 160.0, 200 / 3.0}, {1u, 100.0, 50.0}}) {
    BOOST_TEST(records[k].normal_force == k_n * (2 - 1.99), closely);
    BOOST_TEST(records[k].tangential_stiffness == k_t, closely);
  }
}

BOOST_AUTO_TEST_CASE(characteristic_length_in_both_forms) {
  Case c = some_bodies();
  c.material.restitution = 0.8;
  c.assembly.bodies.clear();
  for (const auto& [side, x] : {std::pair{1.0, 0.0}, {3.0, 10.0}})
    c.assembly.bodies.push_back({.outline = {{0, 0}, {side, 0}, {side, side}, {0, side}}, .position = {x, 0}});
  for (const double factor : {2.0, 1.0}) {  // published: r = √(A/2π)
    if (factor == 1) c.contact.length = CharacteristicLength::sqrt_area_over_pi;
    const PairTable p = coefficients(c);
    BOOST_TEST(p.length(0, 1) == (1 + 3) / std::sqrt(factor * pi), closely);
    BOOST_TEST(p.length(0, 2) == 2 / std::sqrt(factor * pi), closely);
    BOOST_TEST(p.length(1, 2) == 6 / std::sqrt(factor * pi), closely);
    BOOST_TEST(p.length(2, 1) == p.length(1, 2));
  }
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

/// Two bodies of [material] at their own springs are a pair as any other, to rounding.
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
