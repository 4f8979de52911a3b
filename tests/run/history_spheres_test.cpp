// Laws hooke-history and hertz-history among spheres: dashpots, ledger, springs of a speed. Oblique impacts:
// history_walls_test.cpp.
#include "sphere_cases.hpp"

namespace {

constexpr const char* laws_of_history[] = {"hooke-history", "hertz-history"};
const auto closely = tolerance(1e-12);

Case with_law(Case c, const std::string& law) {
  c.contact.law = law;
  return c.contact.law->hertzian ? hertzian(c, law) : c;
}

/// Beads of glass, whose springs are those of a speed.
void make_beads(Case& c) {
  c.contact.law = "hooke-history";
  c.material = {.density = 2550, .friction = 0.18, .shear_modulus = 4e7 / (2 * 1.22), .poisson_ratio = 0.22};
  c.material.restitution = 0.87, c.material.characteristic_speed = 0.05;
  c.time.step = 1e-7;
}

}  // namespace

/// γ_t = γ_n √(k_t/k_n) by default, of these laws only; tangential_damping_ratio still counts.
BOOST_AUTO_TEST_CASE(dashpots_of_laws_with_history) {
  const auto ratio = [](Case c) {
    c.time.step = 1e-5;
    const Simulation run = advanced(c, 1);
    BOOST_TEST_REQUIRE(run.contact_count() == 1u);
    const ContactRecord r = run.contacts()[0];
    return r.tangential_damping / r.normal_damping;
  };
  const Case pair = space_case({sphere_at({0, 0, 0}, 0.5), sphere_at({0.99, 0, 0}, 0.5)});
  BOOST_TEST(ratio(with_law(pair, "hooke-history")) == std::sqrt(0.7), closely);
  BOOST_TEST(ratio(pair) == 0.7, closely);
  BOOST_TEST(ratio(with_law(pair, "hertz-history")) == 1 / std::sqrt(1.75 / 1.5), closely);  // κ = 1.75/1.5
  for (const char* law : laws_of_history) {
    Case c = with_law(pair, law);
    c.material.tangential_damping_ratio = 0.25;
    BOOST_TEST(ratio(c) == 0.25, closely);
  }
}

/// The ledger closes with own coefficients too: lever radius, dampings by the reduced mass.
BOOST_AUTO_TEST_CASE(ledger_of_own_coefficients) {
  for (const char* law : laws_of_history) BOOST_TEST_CONTEXT(law) {
      Case c = hertzian(sphere_cloud(5, 3), law);
      c.contact.lever = Lever::radius;
      c.material.restitution.reset();
      const bool hooke = c.contact.law == "hooke-history";
      c.material.normal_damping_rate = hooke ? 0.5 : 5;
      if (hooke) c.material.characteristic_speed = 0.3;
      c.time.step = 1e-4;
      const Simulation run = advanced(c, 3000);
      const EnergyLedger e = run.ledger();
      BOOST_TEST(run.law_has_potential() == hooke);
      BOOST_TEST(e.friction > 0);
      BOOST_TEST(e.viscous > 0);
      BOOST_TEST(std::abs(e.residual()) <= 2e-4 * e.absolute_work);
    }
}

/// T1, Hooke: springs and dashpots of each pair from material data. One sphere is held and counts as infinitely heavy.
BOOST_AUTO_TEST_CASE(springs_of_a_characteristic_speed) {
  const double gap = 2e-5;
  Case c = space_case({sphere_at({0, 0, 0}, 3e-3), sphere_at({6e-3 - gap, 0, 0}, 3e-3),
                       sphere_at({0, 4.5e-3 - gap, 0}, 1.5e-3), sphere_at({0, -6e-3 + gap, 0}, 3e-3)});
  hold(c.assembly.bodies[3]);
  make_beads(c);
  c.contact.fixed_mass = FixedMass::infinite;
  // The last: R̄ of the pair, mass of the free sphere, 2^(1/5) times the first.
  const double heavier = std::pow(2, 0.2);
  const std::pair<double, double> known[] = {
      {2899.348668808998, 0.05726881329969613},
      {1824.8259127413821, 0.021417679918397266},
      {heavier * 2899.348668808998, std::sqrt(2 * heavier) * 0.05726881329969613}};
  for (const double ratio : {1.0, 2.0 / 7}) {
    c.material.tangential_stiffness_ratio = ratio;
    Simulation run(c);
    const double of_the_lightest_with_the_largest = known[1].first;
    BOOST_TEST(run.apriori_limit().contact.normal_stiffness == of_the_lightest_with_the_largest, closely);
    run.step();
    double stored = 0;
    BOOST_TEST_REQUIRE(run.contact_count() == 3u);
    for (std::size_t n = 0; n < 3; ++n) {
      const ContactRecord r = run.contacts()[n];
      const auto& [k, damping] = known[n];
      BOOST_TEST((r.key.i == 0 && r.key.j == n + 1));
      BOOST_TEST(r.normal_stiffness == k, closely);
      BOOST_TEST(r.tangential_stiffness == ratio * k, closely);
      BOOST_TEST(r.normal_damping == damping, closely);
      BOOST_TEST(r.tangential_damping == std::sqrt(ratio) * damping, closely);
      BOOST_TEST(r.stored_normal == 0.5 * k * r.overlap * r.overlap, closely);
      stored += r.stored_normal;
    }
    BOOST_TEST(run.ledger().stored_normal == stored, closely);
    const ContactRecord first = run.contacts()[0];
    BOOST_TEST(first.normal_force == known[0].first * first.overlap, tolerance(1e-2));  // and its dashpot
  }
  c.material.restitution.reset();
  c.material.normal_damping = 0.25;
  const Simulation run = advanced(c, 1);
  BOOST_TEST(run.contacts()[1].normal_damping == 0.25, closely);
}

/// A wall has no end. The limit has the spring of its contact with the lightest sphere.
BOOST_AUTO_TEST_CASE(limit_of_a_characteristic_speed_beside_a_wall) {
  Case c = space_case({sphere_at({0, 0, 2.99e-3}, 3e-3)});
  c.assembly.walls = {plane_wall("ground", {}, {0, 0, 1})};
  make_beads(c);
  const Simulation run = advanced(c, 1);
  BOOST_TEST_REQUIRE(run.contact_count() == 1u);
  BOOST_TEST(run.apriori_limit().contact.normal_stiffness == run.contacts()[0].normal_stiffness, closely);
}

/// With transport `none` the spring of a contact that turns gets a part along the normal. Without a history there is no
/// such spring: the normal force is k_n δ. The spring also goes, with that part, where a stage has another history.
BOOST_AUTO_TEST_CASE(transport_none_holds_nothing_without_history) {
  using enum TangentialHistory;
  for (const auto& [first, then] :
       {std::pair{pseudo, pseudo}, {none, none}, {whole, none}, {whole, pseudo}, {whole, whole}}) {
    Case c = with_law(space_case({sphere_at({0, 0, 0}, 0.5), sphere_at({0.98, -0.1, 0}, 0.5)}), "hooke-history");
    for (BodySpec& b : c.assembly.bodies) hold(b);
    c.assembly.bodies[1].velocity = {-0.02, 0.5, 0};
    c.assembly.largest_start_overlap = 1;
    c.material.friction = 0.01;
    c.material.restitution = 1;
    c.contact.transport = Transport::none;
    c.stages.resize(2);
    c.stages[0].duration = c.stages[1].duration = 0.2;
    c.stages[0].history = first;
    c.stages[1].history = then;
    const Simulation run = at_time(c, 0.399);
    const ContactRecord r = run.contacts()[0];
    const double pressed = r.normal_stiffness * r.overlap;
    if (then == whole)
      BOOST_TEST(std::abs(r.normal_force - pressed) > 1e-3 * pressed);
    else
      BOOST_TEST(r.normal_force == pressed, closely);
  }
}
