// Velocity Verlet: order two, with velocity-dependent forces too.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "libdem/motion/coordinates.hpp"
#include "libdem/motion/gear5.hpp"
#include "libdem/motion/velocity_verlet.hpp"
#include "motion/make_bodies.hpp"

using namespace dem;

namespace {

struct State { double x, v; };

State oscillate(int steps, double damping, double time) {
  Bodies b = test::make_bodies(1, 2.0, 3.0);
  const double dt = time / steps;
  b.position[0][0] = {1, 0, 0};
  b.rotation[0][0] = {0, 0, 1};
  const auto forces = [&] {
    b.force[0] = -b.mass[0] * (b.position[0][0] + (damping / dt) * b.position[1][0]);
    b.torque[0] = -b.moment[0] * (b.rotation[0][0] + (damping / dt) * b.rotation[1][0]);
  };
  forces();
  gear_start_plain(b, dt);
  for (int s = 0; s < steps; ++s) {
    verlet_predict(b);
    forces();
    verlet_correct(b, dt);
  }
  BOOST_TEST(std::abs(b.position[0][0].x - b.rotation[0][0].z) < 1e-14);
  return {b.position[0][0].x, b.position[1][0].x / dt};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(velocity_verlet)

BOOST_AUTO_TEST_CASE(order_two_with_damping) {
  // Exact values of the polygon-dem reference, §2.
  const double x = -0.3368516805904133628, v = 0.18534570698460589892;
  const State coarse = oscillate(1600, 0.2, 10), fine = oscillate(3200, 0.2, 10);
  BOOST_TEST(std::abs(std::log2(std::abs(coarse.x - x) / std::abs(fine.x - x)) - 2.0) < 0.02);
  BOOST_TEST(std::abs(std::log2(std::abs(coarse.v - v) / std::abs(fine.v - v)) - 2.0) < 0.02);
}

// Without damping the scheme is the leap-frog map, whose solution is known: cos(n φ) with 2 sin(φ/2) = ωΔt.
BOOST_AUTO_TEST_CASE(undamped_oscillator_has_the_leapfrog_frequency) {
  const int steps = 500;
  const double time = 50, phase = 2 * std::asin(0.5 * time / steps);
  BOOST_TEST(std::abs(oscillate(steps, 0, time).x - std::cos(steps * phase)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(prescribed_coordinates_follow_their_velocity) {
  Bodies b = test::make_bodies(1);
  const double dt = 0.125;
  b.freedom[0] = free_y;
  prescribe_velocity(b, 0, free_x, 2.0, dt);
  b.force[0] = {7, 1, 0};
  gear_start_plain(b, dt);
  for (int s = 0; s < 8; ++s) verlet_predict(b), verlet_correct(b, dt);
  BOOST_TEST(b.position[0][0].x == 2.0);
  BOOST_TEST(b.position[0][0].y == 0.5);  // constant acceleration is exact
}

BOOST_AUTO_TEST_SUITE_END()
