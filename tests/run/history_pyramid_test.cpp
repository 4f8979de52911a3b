// A pyramid of four spheres, laws of displacement history (direct-shear reference, T8 and case D2): with the true
// history it stands if friction suffices, without one it falls whatever the friction is.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;

namespace {

constexpr double radius = 2.5e-3, floor_radius = 10;

/// Three touching spheres on a floor, a held sphere of 10 m, and one on top, released without any compression.
Case pyramid(TangentialHistory history, double friction, double floor_friction) {
  Case c = space_case({sphere_at({0, 0, -floor_radius}, floor_radius)});
  const double from_axis = 2 * radius / std::sqrt(3.0);
  const double high = std::sqrt(std::pow(floor_radius + radius, 2) - from_axis * from_axis) - floor_radius;
  for (int k = 0; k < 3; ++k) {
    const double a = 2 * std::numbers::pi * k / 3;
    c.assembly.bodies.push_back(sphere_at({from_axis * std::cos(a), from_axis * std::sin(a), high}, radius));
  }
  c.assembly.bodies.push_back(sphere_at({0, 0, high + 2 * radius * std::sqrt(2.0 / 3)}, radius));
  BodySpec& floor = c.assembly.bodies[0];
  floor.fix_x = floor.fix_y = floor.fix_z = floor.fix_rotation = true;
  floor.material = "floor";
  c.contact.law = "hooke-history";
  *c.contact.law.history() = history;
  c.contact.fixed_mass = FixedMass::infinite;
  c.gravity = {0, 0, -9.81};
  c.material = {};
  c.material.density = 2500;
  c.material.normal_stiffness = 2000;
  c.material.tangential_stiffness = 2000 * 2.0 / 7;
  c.material.normal_damping_rate = 400;
  c.material.tangential_damping_ratio = 0.5;
  c.material.friction = friction;
  NamedMaterial named;
  named.name = "floor";
  named.density = 2500;
  named.normal_stiffness = c.material.normal_stiffness;
  named.tangential_stiffness = c.material.tangential_stiffness;
  named.friction = floor_friction;
  c.materials = {named};
  c.material_pairs = {{"floor", "", {}, {}, floor_friction}};
  c.time.step = 2e-5;
  c.time.override_limit = true;  // the one before the run counts on twelve contacts
  return c;
}

struct Fate {
  double height = 0;   ///< of the top sphere's centre above the floor, over the diameter
  double fell_at = 0;  ///< when it was below half of its first height (s); 0: never
  double ratio = 0;    ///< |F_t|/F_n of the contacts of the top sphere, mean
  double floor_ratio = 0;
};
Fate fate_of(const Case& c, double until = 2) {
  Simulation run(c);
  const auto height = [&] { return run.state().bodies.position[0][4].z; };
  const double start = height();
  Fate fate;
  while (run.time() < until && fate.fell_at == 0) {
    run.step();
    if (height() < 0.5 * start) fate.fell_at = run.time();
  }
  fate.height = height() / (2 * radius);
  for (const ContactRecord& r : run.contacts()) {
    if (r.key.j == 4) fate.ratio += r.tangential_force / r.normal_force / 3;
    if (r.key.i == 0) fate.floor_ratio += r.tangential_force / r.normal_force / 3;
  }
  return fate;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(history_pyramid)

BOOST_AUTO_TEST_CASE(stands_with_a_history) {
  const Fate fate = fate_of(pyramid(TangentialHistory::whole, 0.5, 0.5));
  BOOST_TEST(fate.fell_at == 0);
  BOOST_TEST(fate.height == 1.3160, boost::test_tools::tolerance(1e-3));
}

/// It creeps down, below half of its height after 0.19 s by the reference, which states neither time step nor how it
/// measures (here 0.205 s). Pseudo-history, a dashpot of k_t Δt beside γ_t m̄, delays that in proportion to the time
/// step.
BOOST_AUTO_TEST_CASE(falls_without_one) {
  const double none = fate_of(pyramid(TangentialHistory::none, 0.5, 0.5)).fell_at;
  BOOST_TEST(std::abs(none - 0.19) < 0.02);
  const auto delay = [&](double step) {
    Case c = pyramid(TangentialHistory::pseudo, 0.5, 0.5);
    c.time.step = step;
    return fate_of(c).fell_at - none;
  };
  BOOST_TEST(delay(2e-5) > 0.3 * none);
  BOOST_TEST(delay(2e-5) / delay(5e-6) == 4, boost::test_tools::tolerance(0.1));
}

/// From a cold start it stands from 0.33 on and falls at 0.32, on the floor from 0.085 on and at 0.08 (statics:
/// 0.317837 and 0.079459).
BOOST_AUTO_TEST_CASE(thresholds_of_friction) {
  const auto stands = [](double friction, double floor) {
    return fate_of(pyramid(TangentialHistory::whole, friction, floor)).fell_at == 0;
  };
  BOOST_TEST(stands(0.33, 0.5));
  BOOST_TEST(!stands(0.32, 0.5));
  BOOST_TEST(stands(0.5, 0.085));
  BOOST_TEST(!stands(0.5, 0.08));
}

/// At rest just above the threshold the spheres below do not press each other, and the force ratios are those of
/// statics (T8), but for how far they have given way.
BOOST_AUTO_TEST_CASE(force_ratios_at_rest) {
  const Fate fate = fate_of(pyramid(TangentialHistory::whole, 0.33, 0.5));
  BOOST_TEST(fate.ratio == 0.3178372451957823, boost::test_tools::tolerance(1e-2));
  BOOST_TEST(fate.floor_ratio == 0.07945931129894558, boost::test_tools::tolerance(2e-2));
}

BOOST_AUTO_TEST_SUITE_END()
