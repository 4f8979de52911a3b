// Laws hooke-history and hertz-history among spheres: oblique impacts (direct-shear reference, T5), dashpots, ledger.
#include <boost/test/unit_test.hpp>

#include "sphere_cases.hpp"
#include "support/history_contact.hpp"

using namespace dem;
using namespace dem::test;
namespace tt = boost::test_tools;

namespace {

constexpr const char* laws_of_history[] = {"hooke-history", "hertz-history"};
const auto closely = tt::tolerance(1e-12);

Case with_law(Case c, const std::string& law) {
  if (law == "hertz-history")
    make_hertzian(c, law);
  else
    c.contact.law = law;
  return c;
}

/// A sphere of 3 mm meets a held sphere of 10 m at 1 m/s. Dampings are those of own coefficients or of a restitution.
Case oblique(const char* law, double degrees) {
  Case c = space_case({sphere_at({0, 0, 0}, 10), sphere_at({0, 0, 10 + 3e-3 + 1.37e-6}, 3e-3)});
  c.contact.law = law;
  c.contact.fixed_mass = FixedMass::infinite;
  c.material = {};
  c.material.density = 2550, c.material.friction = 0.18;
  BodySpec &wall = c.assembly.bodies[0], &ball = c.assembly.bodies[1];
  wall.fix_x = wall.fix_y = wall.fix_z = wall.fix_rotation = true;
  const double angle = degrees * std::numbers::pi / 180;
  ball.velocity = {std::sin(angle), 0, -std::cos(angle)};
  c.time.override_limit = true;
  return c;
}

/// v_x, v_z (m/s) and R ω (m/s) of the sphere at a time (s) after the impact.
Vec3 rebound(const Case& c, double time) {
  Simulation run(c);
  while (run.time() < time) run.step();
  BOOST_TEST_REQUIRE(run.contact_count() == 0u);
  return {run.state().velocity(1).x, run.state().velocity(1).z, 3e-3 * run.state().angular_velocity(1).y};
}

/// The ledger of 3000 small steps of a cloud. Its residual is small, friction and dashpots work.
EnergyLedger closed_ledger(Case c) {
  c.time.step = 1e-4;
  Simulation run(c);
  for (int k = 0; k < 3000; ++k) run.step();
  const EnergyLedger e = run.ledger();
  BOOST_TEST(run.law_has_potential() == (c.contact.law == "hooke-history"));
  BOOST_TEST(e.friction > 0);
  BOOST_TEST(e.viscous > 0);
  BOOST_TEST(std::abs(e.residual()) <= 2e-4 * e.absolute_work);
  return e;
}

}  // namespace

/// γ_t = γ_n √(k_t/k_n) by default, of these laws only; tangential_damping_ratio still counts.
BOOST_AUTO_TEST_CASE(dashpots_of_laws_with_history) {
  const auto ratio = [](Case c) {
    c.time.step = 1e-5;
    Simulation run(c);
    run.step();
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

/// The ledger closes for every choice. Springs do not circulate. Hertz contacts whose stiffness changes do.
BOOST_AUTO_TEST_CASE(ledger_of_laws_with_history) {
  const auto check = [](const char* law, TangentialHistory history, FrictionLimit limit, HertzVariant variant) {
    BOOST_TEST_CONTEXT(law << ", history " << int(history) << ", limit " << int(limit) << ", variant "
                           << int(variant)) {
      Case c = with_law(sphere_cloud(5, 3), law);
      const bool hooke = c.contact.law == "hooke-history", whole = history == TangentialHistory::whole;
      if (hooke)
        c.contact.law.options<laws::HookeHistory>() = {history, limit};
      else
        c.contact.law.options<laws::HertzHistory>() = {history, limit, variant};
      const EnergyLedger e = closed_ledger(c);
      const double circulation = std::abs(e.circulation) / e.absolute_work;
      BOOST_TEST((hooke || !whole ? circulation <= 1e-12 : circulation > 1e-6));
      if (variant == HertzVariant::rescaled) BOOST_TEST(e.circulation > 0);
    }
  };
  using enum TangentialHistory;
  using enum HertzVariant;
  for (const char* law : laws_of_history) {
    for (const TangentialHistory history : {whole, pseudo, none})
      check(law, history, FrictionLimit::total, displacement);
    check(law, whole, FrictionLimit::spring, displacement);
  }
  for (const HertzVariant variant : {force_increment, rescaled})
    check("hertz-history", whole, FrictionLimit::total, variant);
  // The ledger closes with own coefficients too: lever radius, dampings by the reduced mass.
  for (const char* law : laws_of_history) BOOST_TEST_CONTEXT(law) {
      Case c = sphere_cloud(5, 3);
      make_hertzian(c, law);
      c.contact.lever = Lever::radius;
      c.material.restitution.reset();
      const bool hooke = c.contact.law == "hooke-history";
      c.material.normal_damping_rate = hooke ? 0.5 : 5;
      if (hooke) c.material.characteristic_speed = 0.3;
      closed_ledger(c);
    }
}

/// T5 (a) and (c): the user's coefficients, dampings by the reduced mass, lever radius. T5 (b): material coefficients,
/// limit of the spring. The wall is a held sphere of 10 m and the integrators are others. Velocities, and R ω, are
/// within 1e-3 of the reference, of the speed. At 5° the spin of the reference is 1 % from that of small steps.
BOOST_AUTO_TEST_CASE(oblique_impacts_on_a_large_sphere) {
  const auto check = [](const Case& c, double time, Vec3 known) {
    BOOST_TEST(norm(rebound(c, time) - known) < 1e-3, c.contact.law.name() << ", step " << c.time.step);
  };
  const auto own = [](const char* law, double degrees, TangentialHistory history) {
    Case c = oblique(law, degrees);
    *c.contact.law.history() = history;
    c.contact.lever = Lever::radius;
    if (c.contact.law == "hertz-history") {
      c.material.hertz_normal_stiffness = 28022978.842650972;
      c.material.hertz_tangential_stiffness = 36839196.905507453;
      c.material.normal_damping_rate = 1e6;
    } else {
      c.material.normal_stiffness = 2000, c.material.tangential_stiffness = 1600;
      c.material.normal_damping_rate = 400;
    }
    c.material.tangential_damping_ratio = 0.5;
    c.time.step = 1e-7;
    return c;
  };
  using enum TangentialHistory;
  check(own("hertz-history", 5, whole), 3e-3, {0.08365493251962343, 0.9091995233158583, 3e-3 * 2.9173418566955434});
  check(own("hertz-history", 40, whole), 3e-3, {0.40958590841827114, 0.7023946289987756, 3e-3 * 194.3347510568905});
  check(own("hertz-history", 80, whole), 3e-3, {0.9242380364190993, 0.16278665538791234, 3e-3 * 50.47476382758815});
  check(own("hooke-history", 40, whole), 3e-3, {0.40684753123202055, 0.6028413890810276, 3e-3 * 196.61673204543175});
  check(own("hooke-history", 40, none), 3e-3, {0.5442668678586524, 0.6028413890810276, 3e-3 * 82.10061818990562});
  for (const auto& [degrees, known] :
       {std::pair{5.0, Vec3{0.07775550764688566, 0.8667293869358933, 3e-3 * 7.767515775720348}},
        {40.0, Vec3{0.4124353223295313, 0.6664079621670014, 3e-3 * 189.0207660832689}}}) {
    Case c = oblique("hertz-history", degrees);
    c.contact.law.options<laws::HertzHistory>().friction_limit = FrictionLimit::spring;
    c.material.shear_modulus = 4e7 / (2 * 1.22), c.material.poisson_ratio = 0.22, c.material.restitution = 0.87;
    for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      c.time.integrator = integrator;
      c.time.step = 5e-7;
      check(c, 1e-3, known);
    }
    // With small steps all is within 1e-3 of the flat wall of the unit tests.
    dem::test::history::Contact contact({true, 28022978.842650972, 36839196.905507453, 0, 0, 0.18, 3e-3,
                                         4 * std::numbers::pi / 3 * 27e-9 * 2550, 0.87});
    contact.options.friction_limit = FrictionLimit::spring;
    const auto flat =
        dem::test::history::meets_wall(contact, 3e-3, 1, degrees * std::numbers::pi / 180, true, 2e-8, 100000);
    c.time.step = 2e-8;
    const Vec3 found = rebound(c, 1e-3);
    BOOST_TEST(found.x == flat.v_x, tt::tolerance(1e-3));
    BOOST_TEST(found.y == flat.v_z, tt::tolerance(1e-3));
    BOOST_TEST(found.z == 3e-3 * flat.spin, tt::tolerance(1e-3));
  }
}

/// T1, Hooke: springs and dashpots of each pair from material data. One sphere is held and counts as infinitely heavy.
BOOST_AUTO_TEST_CASE(springs_of_a_characteristic_speed) {
  const double gap = 2e-5;
  Case c = space_case({sphere_at({0, 0, 0}, 3e-3), sphere_at({6e-3 - gap, 0, 0}, 3e-3),
                       sphere_at({0, 4.5e-3 - gap, 0}, 1.5e-3), sphere_at({0, -6e-3 + gap, 0}, 3e-3)});
  BodySpec& held = c.assembly.bodies[3];
  held.fix_x = held.fix_y = held.fix_z = held.fix_rotation = true;
  c.contact.law = "hooke-history";
  c.contact.fixed_mass = FixedMass::infinite;
  c.material = {};
  c.material.density = 2550, c.material.friction = 0.18, c.material.restitution = 0.87;
  c.material.shear_modulus = 4e7 / (2 * 1.22), c.material.poisson_ratio = 0.22;
  c.material.characteristic_speed = 0.05;
  c.time.step = 1e-7;
  struct Known {
    std::uint32_t i, j;
    double k, damping;
  };
  // The last: R̄ of the pair, mass of the free sphere, 2^(1/5) times the first.
  const double heavier = std::pow(2, 0.2);
  const Known known[] = {{0, 1, 2899.348668808998, 0.05726881329969613},
                         {0, 2, 1824.8259127413821, 0.021417679918397266},
                         {0, 3, heavier * 2899.348668808998, std::sqrt(2 * heavier) * 0.05726881329969613}};
  for (const double ratio : {1.0, 2.0 / 7}) {
    c.material.tangential_stiffness_ratio = ratio;
    Simulation run(c);
    const double of_the_lightest_with_the_largest = known[1].k;
    BOOST_TEST(run.apriori_limit().contact.normal_stiffness == of_the_lightest_with_the_largest, closely);
    run.step();
    double stored = 0;
    BOOST_TEST_REQUIRE(run.contact_count() == 3u);
    for (std::size_t n = 0; n < 3; ++n) {
      const ContactRecord r = run.contacts()[n];
      BOOST_TEST(r.key.i == known[n].i);
      BOOST_TEST(r.key.j == known[n].j);
      BOOST_TEST(r.normal_stiffness == known[n].k, closely);
      BOOST_TEST(r.tangential_stiffness == ratio * known[n].k, closely);
      BOOST_TEST(r.normal_damping == known[n].damping, closely);
      BOOST_TEST(r.tangential_damping == std::sqrt(ratio) * known[n].damping, closely);
      BOOST_TEST(r.stored_normal == 0.5 * known[n].k * r.overlap * r.overlap, closely);
      stored += 0.5 * known[n].k * r.overlap * r.overlap;
    }
    BOOST_TEST(run.ledger().stored_normal == stored, closely);
    const ContactRecord first = run.contacts()[0];
    BOOST_TEST(first.normal_force == known[0].k * first.overlap, tt::tolerance(1e-2));  // and its dashpot
  }
  c.material.restitution.reset();
  c.material.normal_damping = 0.25;
  Simulation run(c);
  run.step();
  BOOST_TEST(run.contacts()[1].normal_damping == 0.25, closely);
}

BOOST_AUTO_TEST_CASE(choices_without_sense_for_laws_with_history) {
  Case c = with_law(space_case({sphere_at({0, 0, 0}, 0.5)}), "hertz-history");
  c.contact.transport = Transport::none;
  BOOST_CHECK_THROW(Simulation{c}, std::invalid_argument);
  c.contact.transport = Transport::projection;
  BOOST_CHECK_NO_THROW(Simulation{c});
  for (const Lever lever : {Lever::conjugate, Lever::proportional}) {
    c.contact.lever = lever;
    BOOST_CHECK_THROW(Simulation{c}, std::invalid_argument);
  }
}
