// Velocity Verlet: order two, with velocity-dependent forces too.
#include "libdem/motion/velocity_verlet.hpp"

#include "libdem/motion/coordinates.hpp"
#include "motion/steps.hpp"
#include "prelude.hpp"

namespace {

struct State {
  double x, v;
};

State oscillate(int steps, double damping, double time) {
  Bodies b = make_bodies(1, 2.0, 3.0);
  const double dt = time / steps;
  b.position[0][0] = {1, 0, 0};
  b.rotation[0][0] = {0, 0, 1};
  const ForceEvaluation forces = [=](Bodies& all) { oscillator_forces(all, dt, damping); };
  forces(b);
  gear_start_plain(b, dt);
  advance(b, verlet, dt, forces, steps);
  BOOST_TEST(std::abs(b.position[0][0].x - b.rotation[0][0].z) < 1e-14);
  return {b.position[0][0].x, b.position[1][0].x / dt};
}

}  // namespace

BOOST_AUTO_TEST_CASE(verlet_has_order_two_with_damping) {
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

// Bodies that are free in every way are worked out eight at a time, others one by one: each as by itself.
BOOST_AUTO_TEST_CASE(verlet_moves_every_body_as_by_itself) {
  const std::size_t n = 3 * bodies_per_pass + 13;
  const double dt = 0.05;
  for (const bool mixed : {false, true}) {
    Bodies b = make_bodies(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double k = double(i);
      b.freedom[i] = mixed && i % 5 == 3 ? std::uint8_t(i % 64) : free_in_space;
      b.mass[i] = 1 + 0.1 * k;
      b.moment[i] = 2 + 0.3 * k;
      b.position[0][i] = {k, -k, 0.5};
      b.position[1][i] = {0.1 * k, 0.2, -0.3};
      b.position[2][i] = {0.01, 0.002 * k, 0.03};
      b.rotation[1][i] = {0.4, 0.05 * k, 0.6};
      b.force[i] = {std::sin(k), std::cos(k), 1 / (1 + k)};
      b.torque[i] = {std::cos(2 * k), 0.7, std::sin(3 * k)};
    }
    const Bodies start = b;
    const std::size_t cut[] = {0, 3, 3 + bodies_per_pass, 100, n};
    for (int k = 0; k < 4; ++k) verlet_predict(b, cut[k], cut[k + 1]);
    for (int k = 0; k < 4; ++k) verlet_correct(b, dt, cut[k], cut[k + 1]);
    for (std::size_t i = 0; i < n; ++i)
      for (const bool turns : {false, true}) {
        const auto &from = turns ? start.rotation : start.position, &to = turns ? b.rotation : b.position;
        const Vec3 load = turns ? start.torque[i] : start.force[i];
        const double inertia = turns ? start.moment[i] : start.mass[i];
        for (int c = 0; c < 3; ++c) {
          const auto of = [c](Vec3 v) { return c == 0 ? v.x : c == 1 ? v.y : v.z; };
          const double x = of(from[0][i]), v = of(from[1][i]), a = of(from[2][i]);
          const double answer = start.freedom[i] >> (turns ? 3 + c : c) & 1 ? 0.5 * dt * dt / inertia : 0.0,
                       d = answer * of(load) - a;
          BOOST_TEST(of(to[0][i]) == x + (v + a));
          BOOST_TEST(of(to[1][i]) == v + a + a + d);
          BOOST_TEST(of(to[2][i]) == a + d);
        }
      }
  }
}
