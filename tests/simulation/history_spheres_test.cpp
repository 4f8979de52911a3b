// Laws hooke-history and hertz-history among spheres: oblique impacts of the direct-shear reference (§5, T5), defaults
// of the dashpots, ledger.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "laws/history_contact.hpp"
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
    c.contact.friction_limit = FrictionLimit::spring;
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
      history_test::Coefficients k{true, 28022978.842650972, 36839196.905507453, 0, 0, 0.18, 3e-3, 4 * std::numbers::pi / 3 * 27e-9 * 2550, 0.87};
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
    c.contact.history = history;
    c.contact.friction_limit = limit;
    c.contact.hertz_variant = variant;
    c.time.step = 1e-4;
    Simulation run(c);
    for (int k = 0; k < 3000; ++k) run.step();
    const EnergyLedger e = run.ledger();
    const bool hooke = law == std::string("hooke-history"), whole = history == TangentialHistory::whole;
    BOOST_TEST_CONTEXT(law << ", history " << int(history) << ", limit " << int(limit) << ", variant " << int(variant)) {
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
    for (const FrictionLimit limit : {FrictionLimit::total, FrictionLimit::spring}) check(law, whole, limit, displacement);
  for (const char* law : laws_of_history)
    for (const TangentialHistory history : {pseudo, none}) check(law, history, FrictionLimit::total, displacement);
  for (const HertzVariant variant : {force_increment, rescaled}) check("hertz-history", whole, FrictionLimit::total, variant);
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense) {
  Case c = with_law(space_case({sphere_at({0, 0, 0}, 0.5)}), "hertz-history");
  c.contact.transport = Transport::none;
  BOOST_CHECK_THROW(Simulation{c}, std::invalid_argument);
  c.contact.transport = Transport::projection;
  BOOST_CHECK_NO_THROW(Simulation{c});
}

BOOST_AUTO_TEST_SUITE_END()
