// Statics and slow dynamics of one polygon on a wall, against closed forms.
#include "cases.hpp"

namespace {

constexpr double g = 9.81;

/// l_c of a block on a wall: the wall takes the radius of the block.
double wall_length(double w, double h) { return 2 * std::sqrt(w * h / (2 * pi)); }

/// A block on a flat wall with gravity turned by `slope`, pressed in by the depth at which the wall carries it.
Case block_case(double w, double h, double slope, double friction, double k_n, double restitution,
                double rotational_damping = 0) {
  Case c;
  c.material = {.normal_stiffness = k_n,
                .tangential_stiffness = k_n / 3,
                .friction = friction,
                .restitution = restitution,
                .rotational_damping = rotational_damping};
  c.gravity = {g * std::sin(slope), -g * std::cos(slope)};
  c.assembly.walls = {line_wall("floor", {-1, 0}, {1, 0})};
  const double depth = w * h * g * std::cos(slope) * wall_length(w, h) / (k_n * w);
  c.assembly.bodies = {{.outline = {{-w / 2, -h / 2}, {w / 2, -h / 2}, {w / 2, h / 2}, {-w / 2, h / 2}},
                        .position = {0, h / 2 - depth}}};
  c.time.step = 0.004 * pi * std::sqrt(w * h / k_n);
  return c;
}

void run_for(Simulation& run, double time) {
  for (const double end = run.time() + time; run.time() < end;) run.step();
}

double tilt(const Simulation& run) { return run.state().bodies.rotation[0][0].z; }

}  // namespace

// Below the friction angle it sticks. Above it slides with the acceleration of the textbook.
BOOST_AUTO_TEST_CASE(on_an_incline) {
  const double friction = 0.5;
  for (double factor : {0.98, 1.02, 1.5, 2.0}) BOOST_TEST_CONTEXT("tangent of the slope over friction " << factor) {
      const double slope = std::atan(factor * friction);
      Simulation run(block_case(2, 0.5, slope, friction, 1e5, 0.5, 5));
      run_for(run, 2);
      const double t0 = run.time(), v0 = run.state().velocity(0).x, x0 = run.state().bodies.position[0][0].x;
      run_for(run, 2);
      if (factor > 1) {
        const double expected = g * (std::sin(slope) - friction * std::cos(slope));
        BOOST_TEST((run.state().velocity(0).x - v0) / (run.time() - t0) == expected, tolerance(1e-5));
        continue;
      }
      BOOST_TEST(std::abs(run.state().bodies.position[0][0].x - x0) < 1e-9);
      // The floor carries the weight: Σ forces on the block vanish.
      BOOST_TEST(std::abs(run.state().bodies.force[0].x) < 1e-6);
      BOOST_TEST(std::abs(run.state().bodies.force[0].y) < 1e-6);
    }
}

BOOST_AUTO_TEST_CASE(topples_when_the_slope_exceeds_width_over_height) {
  // The slope acts at once. Close below the limit the block would overshoot and fall, a damped one creeps to rest.
  const auto final_tilt = [&](double factor, double damping) {
    const double w = 0.5, h = 1.5;
    Simulation run(block_case(w, h, std::atan(factor * w / h), 5, 1e6, 0.5, damping));
    run_for(run, 3);
    return tilt(run);
  };
  BOOST_TEST(std::abs(final_tilt(0.97, 60)) < 0.01);
  BOOST_TEST(final_tilt(1.03, 0.5) < -1.0);  // downhill, clockwise
}

BOOST_AUTO_TEST_CASE(period_of_rocking_on_an_elastic_floor) {
  // A frictionless face of width w carries N at the centroid of the overlap. The restoring couple is
  // N (w²/(12 d) − h/2) θ with d = N l_c/(k_n w), so ω² = (k_n w³/(12 l_c) − m g h/2)/I.
  const double w = 1, h = 0.6, k_n = 1e4;
  Case c = block_case(w, h, 0, 0, k_n, 1);
  c.material.tangential_stiffness = 0;
  c.assembly.bodies[0].angle = 1e-5;
  Simulation run(c);
  const double m = w * h, inertia = m * (w * w + h * h) / 12;
  const double omega = std::sqrt((k_n * w * w * w / (12 * wall_length(w, h)) - m * g * h / 2) / inertia);
  int crossings = 0;
  double first = 0, last = 0, before = tilt(run);
  while (crossings < 41) {
    run.step();
    const double now = tilt(run);
    if ((before > 0) != (now > 0)) {
      last = run.time() - run.state().dt * now / (now - before);
      if (crossings++ == 0) first = last;
    }
    before = now;
  }
  BOOST_TEST((last - first) / 20 == 2 * pi / omega, tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(quarter_period_of_a_rigid_block) {
  // Housner, Bulletin of the Seismological Society of America 53 (1963) 403. The block is released at tilt θ0 about a
  // corner: θ̈ = −p² sin(α − θ), p² = m g R/I_0, so θ̇² = 2 p² [cos(α − θ0) − cos(α − θ)]. It is upright after ∫_0^θ0
  // dθ/|θ̇|. Here that is a quadrature, without his small-angle step. With θ = θ0 (1 − s²) the integrand is smooth.
  const double w = 0.4, h = 1.2, theta_0 = 0.1, k_n = 1e7;
  const double alpha = std::atan(w / h), r = 0.5 * std::hypot(w, h), m = w * h;
  const double inertia = m * (w * w + h * h) / 12 + m * r * r, p2 = m * g * r / inertia;
  double quarter = 0;
  const int n = 20000;
  for (int k = 0; k < n; ++k) {
    const double s = (k + 0.5) / n, theta = theta_0 * (1 - s * s);
    quarter += 2 * theta_0 * s / std::sqrt(2 * p2 * (std::cos(alpha - theta_0) - std::cos(alpha - theta))) / n;
  }
  Case c = block_case(w, h, 0, 10, k_n, 0.8);
  BodySpec& block = c.assembly.bodies[0];
  block.angle = theta_0;  // counter-clockwise: stands on its left corner
  const Vec2 corner = Turn::by(theta_0)(Vec2{-w / 2, -h / 2});
  // Corner as deep as carries the weight: k_n A/l_c = m g with A = δ²/(2 sin θ0 cos θ0) of a right angle.
  const double area = m * g * wall_length(w, h) / k_n;
  block.position = {0, -corner.y - std::sqrt(2 * area * std::sin(theta_0) * std::cos(theta_0))};
  c.time.step = 1e-5;
  Simulation run(c);
  while (tilt(run) > 0 && run.time() < 5) run.step();
  BOOST_TEST(run.time() == quarter, tolerance(0.01));  // the floor is not rigid, the corner not sharp
}
