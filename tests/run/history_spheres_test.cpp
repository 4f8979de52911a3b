// Laws hooke-history and hertz-history among spheres: oblique impacts of the direct-shear reference (§5, T5), defaults
// of the dashpots, ledger.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "laws/history_contact.hpp"
#include "libdem/laws/hertz_history.hpp"
#include "libdem/laws/hooke_history.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;

namespace {

Case with_law(Case c, const char* law) {
  if (law == std::string("hertz-history"))
    make_hertzian(c, law);
  else
    c.contact.law = law;
  return c;
}

constexpr const char* laws_of_history[] = {"hooke-history", "hertz-history"};

}  // namespace

BOOST_AUTO_TEST_SUITE(history_spheres)

/// T5 (b): material coefficients, limit of the spring. The wall is a held sphere of 10 m and the integrators are
/// others. Velocities, and R ω, within 1e-3 of the reference, of the speed: at 5° its spin is 1 % from what small steps
/// give. With small steps within 1e-3 of the flat wall of the unit tests.
BOOST_AUTO_TEST_CASE(oblique_impacts) {
  const auto rebound = [](double angle, Integrator integrator, double step) {
    Case c = space_case({sphere_at({0, 0, 0}, 10), sphere_at({0, 0, 10 + 3e-3 + 1.37e-6}, 3e-3)});
    make_hertzian(c, "hertz-history");
    c.contact.law.options<laws::HertzHistory>().friction_limit = FrictionLimit::spring;
    c.contact.fixed_mass = FixedMass::infinite;
    c.material.density = 2550;
    c.material.shear_modulus = 4e7 / (2 * 1.22);
    c.material.poisson_ratio = 0.22;
    c.material.friction = 0.18;
    c.material.restitution = 0.87;
    BodySpec &wall = c.assembly.bodies[0], &ball = c.assembly.bodies[1];
    wall.fix_x = wall.fix_y = wall.fix_z = wall.fix_rotation = true;
    ball.velocity = {std::sin(angle), 0, -std::cos(angle)};
    c.time.integrator = integrator;
    c.time.step = step;
    c.time.override_limit = true;
    Simulation run(c);
    while (run.time() < 1e-3) run.step();
    BOOST_TEST_REQUIRE(run.contact_count() == 0u);
    return Vec3{run.state().velocity(1).x, run.state().velocity(1).z, 3e-3 * run.state().angular_velocity(1).y};
  };
  struct Known {
    double degrees;
    Vec3 rebound;
  };
  for (const Known& known : {Known{5, {0.07775550764688566, 0.8667293869358933, 3e-3 * 7.767515775720348}},
                             {40, {0.4124353223295313, 0.6664079621670014, 3e-3 * 189.0207660832689}}})
    for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      const double angle = known.degrees * std::numbers::pi / 180;
      BOOST_TEST(norm(rebound(angle, integrator, 5e-7) - known.rebound) < 1e-3);
      history_test::Coefficients k{
          true, 28022978.842650972, 36839196.905507453, 0, 0, 0.18, 3e-3, 4 * std::numbers::pi / 3 * 27e-9 * 2550,
          0.87};
      history_test::Contact c(k);
      c.options.friction_limit = FrictionLimit::spring;
      const history_test::Rebound flat = history_test::meets_wall(c, 3e-3, 1, angle, true, 2e-8, 100000);
      const Vec3 found = rebound(angle, integrator, 2e-8);
      BOOST_TEST(found.x == flat.v_x, boost::test_tools::tolerance(1e-3));
      BOOST_TEST(found.y == flat.v_z, boost::test_tools::tolerance(1e-3));
      BOOST_TEST(found.z == 3e-3 * flat.spin, boost::test_tools::tolerance(1e-3));
    }
}

/// γ_t = γ_n √(k_t/k_n) by default, of these laws only; tangential_damping_ratio still counts.
BOOST_AUTO_TEST_CASE(dashpots_by_default) {
  const auto ratio = [](Case c) {
    c.time.step = 1e-5;
    Simulation run(c);
    run.step();
    BOOST_TEST_REQUIRE(run.contact_count() == 1u);
    const ContactRecord r = run.contacts()[0];
    return r.tangential_damping / r.normal_damping;
  };
  const Case pair = space_case({sphere_at({0, 0, 0}, 0.5), sphere_at({0.99, 0, 0}, 0.5)});
  const auto closely = boost::test_tools::tolerance(1e-12);
  BOOST_TEST(ratio(with_law(pair, "hooke-history")) == std::sqrt(0.7), closely);
  BOOST_TEST(ratio(pair) == 0.7, closely);
  const double kappa = 1.75 / 1.5;
  BOOST_TEST(ratio(with_law(pair, "hertz-history")) == 1 / std::sqrt(kappa), closely);
  for (const char* law : laws_of_history) {
    Case c = with_law(pair, law);
    c.material.tangential_damping_ratio = 0.25;
    BOOST_TEST(ratio(c) == 0.25, closely);
  }
}

/// The ledger closes for every choice. Springs do not circulate; Hertz contacts whose stiffness changes do, and it is
/// told.
BOOST_AUTO_TEST_CASE(ledger_of_a_cloud) {
  const auto check = [](const char* law, TangentialHistory history, FrictionLimit limit, HertzVariant variant) {
    Case c = with_law(sphere_cloud(5, 3), law);
    if (c.contact.law == "hertz-history")
      c.contact.law.options<laws::HertzHistory>() = {history, limit, variant};
    else
      c.contact.law.options<laws::HookeHistory>() = {history, limit};
    c.time.step = 1e-4;
    Simulation run(c);
    for (int k = 0; k < 3000; ++k) run.step();
    const EnergyLedger e = run.ledger();
    const bool hooke = law == std::string("hooke-history"), whole = history == TangentialHistory::whole;
    BOOST_TEST_CONTEXT(law << ", history " << int(history) << ", limit " << int(limit) << ", variant "
                           << int(variant)) {
      BOOST_TEST(run.law_has_potential() == hooke);
      BOOST_TEST(e.friction > 0);
      BOOST_TEST(e.viscous > 0);
      BOOST_TEST(std::abs(e.residual()) <= 2e-4 * e.absolute_work);
      if (hooke || !whole)
        BOOST_TEST(std::abs(e.circulation) <= 1e-12 * e.absolute_work);
      else
        BOOST_TEST(std::abs(e.circulation) > 1e-6 * e.absolute_work);
      if (variant == HertzVariant::rescaled) BOOST_TEST(e.circulation > 0);
    }
  };
  using enum TangentialHistory;
  using enum HertzVariant;
  for (const char* law : laws_of_history)
    for (const FrictionLimit limit : {FrictionLimit::total, FrictionLimit::spring})
      check(law, whole, limit, displacement);
  for (const char* law : laws_of_history)
    for (const TangentialHistory history : {pseudo, none}) check(law, history, FrictionLimit::total, displacement);
  for (const HertzVariant variant : {force_increment, rescaled})
    check("hertz-history", whole, FrictionLimit::total, variant);
}

/// T5 (a) and (c): the user's coefficients, dampings by the reduced mass, lever radius. The wall is a held sphere of 10
/// m; small steps.
BOOST_AUTO_TEST_CASE(oblique_impacts_of_own_coefficients) {
  const auto check = [](Case c, double degrees, Vec3 known) {
    const double angle = degrees * std::numbers::pi / 180;
    BodySpec &wall = c.assembly.bodies[0], &ball = c.assembly.bodies[1];
    wall.fix_x = wall.fix_y = wall.fix_z = wall.fix_rotation = true;
    ball.velocity = {std::sin(angle), 0, -std::cos(angle)};
    c.contact.fixed_mass = FixedMass::infinite;
    c.contact.lever = Lever::radius;
    c.material.density = 2550;
    c.material.friction = 0.18;
    c.material.restitution.reset();
    c.time.step = 1e-7;
    c.time.override_limit = true;
    Simulation run(c);
    while (run.time() < 3e-3) run.step();
    BOOST_TEST_REQUIRE(run.contact_count() == 0u);
    const Vec3 found{run.state().velocity(1).x, run.state().velocity(1).z, 3e-3 * run.state().angular_velocity(1).y};
    BOOST_TEST(norm(found - known) < 1e-3, degrees << " degrees, off by " << norm(found - known));
  };
  const std::vector<BodySpec> bodies{sphere_at({0, 0, 0}, 10), sphere_at({0, 0, 10 + 3e-3 + 1.37e-6}, 3e-3)};
  Case hertz = space_case(bodies);
  hertz.contact.law = "hertz-history";
  hertz.material.normal_stiffness = hertz.material.tangential_stiffness = 0;
  hertz.material.hertz_normal_stiffness = 28022978.842650972;
  hertz.material.hertz_tangential_stiffness = 36839196.905507453;
  hertz.material.normal_damping_rate = 1e6;
  hertz.material.tangential_damping_ratio = 0.5;
  check(hertz, 5, {0.08365493251962343, 0.9091995233158583, 3e-3 * 2.9173418566955434});
  check(hertz, 40, {0.40958590841827114, 0.7023946289987756, 3e-3 * 194.3347510568905});
  check(hertz, 80, {0.9242380364190993, 0.16278665538791234, 3e-3 * 50.47476382758815});
  Case hooke = space_case(bodies);
  hooke.contact.law = "hooke-history";
  hooke.material.normal_stiffness = 2000;
  hooke.material.tangential_stiffness = 1600;
  hooke.material.normal_damping_rate = 400;
  hooke.material.tangential_damping_ratio = 0.5;
  check(hooke, 40, {0.40684753123202055, 0.6028413890810276, 3e-3 * 196.61673204543175});
  *hooke.contact.law.history() = TangentialHistory::none;
  check(hooke, 40, {0.5442668678586524, 0.6028413890810276, 3e-3 * 82.10061818990562});
}

/// T1, Hooke: springs and dashpots of each pair from material data, among them a held sphere that counts as infinitely
/// heavy.
BOOST_AUTO_TEST_CASE(springs_of_a_characteristic_speed) {
  const double gap = 2e-5;
  Case c = space_case({sphere_at({0, 0, 0}, 3e-3), sphere_at({6e-3 - gap, 0, 0}, 3e-3),
                       sphere_at({0, 4.5e-3 - gap, 0}, 1.5e-3), sphere_at({0, -6e-3 + gap, 0}, 3e-3)});
  BodySpec& held = c.assembly.bodies[3];
  held.fix_x = held.fix_y = held.fix_z = held.fix_rotation = true;
  c.contact.law = "hooke-history";
  c.contact.fixed_mass = FixedMass::infinite;
  c.material = {};
  c.material.density = 2550;
  c.material.shear_modulus = 4e7 / (2 * 1.22);
  c.material.poisson_ratio = 0.22;
  c.material.restitution = 0.87;
  c.material.friction = 0.18;
  c.material.characteristic_speed = 0.05;
  c.time.step = 1e-7;
  const auto closely = boost::test_tools::tolerance(1e-12);
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
    BOOST_TEST(run.apriori_limit().contact.normal_stiffness == known[1].k,
               closely);  // of the lightest sphere with the largest
    run.step();
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
    }
    BOOST_TEST(run.ledger().stored_normal == 0.5 * (known[0].k * std::pow(run.contacts()[0].overlap, 2) +
                                                    known[1].k * std::pow(run.contacts()[1].overlap, 2) +
                                                    known[2].k * std::pow(run.contacts()[2].overlap, 2)),
               closely);
    BOOST_TEST(run.contacts()[0].normal_force == known[0].k * run.contacts()[0].overlap,
               boost::test_tools::tolerance(1e-2));  // and its dashpot
  }
  c.material.restitution.reset();
  c.material.normal_damping = 0.25;
  Simulation run(c);
  run.step();
  BOOST_TEST(run.contacts()[1].normal_damping == 0.25, closely);
}

/// The ledger closes with all of it.
BOOST_AUTO_TEST_CASE(ledger_of_own_coefficients) {
  for (const char* law : laws_of_history) {
    Case c = sphere_cloud(5, 3);
    make_hertzian(c, law);
    c.contact.lever = Lever::radius;
    c.material.restitution.reset();
    const bool hooke = law == std::string("hooke-history");
    c.material.normal_damping_rate = hooke ? 0.5 : 5;
    if (hooke) c.material.characteristic_speed = 0.3;
    c.time.step = 1e-4;
    Simulation run(c);
    for (int k = 0; k < 3000; ++k) run.step();
    const EnergyLedger e = run.ledger();
    BOOST_TEST(e.friction > 0);
    BOOST_TEST(e.viscous > 0);
    BOOST_TEST(std::abs(e.residual()) <= 2e-4 * e.absolute_work, law);
  }
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense) {
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

BOOST_AUTO_TEST_SUITE_END()
