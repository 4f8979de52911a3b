// Mass damping of bodies that fly freely: closed forms, and its ledger.
#include "cell_cases.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "sphere_cases.hpp"
#include "support/momenta.hpp"

namespace {

/// A body that flies and spins freely.
Case flying(ShapeKind shape, Integrator integrator) {
  const bool space = shape != ShapeKind::disc;
  Case c{.dimension = space ? 3 : 2, .material = {.normal_stiffness = 400, .normal_damping = 0}};
  c.time = {.integrator = integrator, .step = 1e-3};
  BodySpec& body = c.assembly.bodies.emplace_back(BodySpec{.shape = shape, .radius = 0.5, .spin = space ? 0.0 : 3.0});
  if (shape == ShapeKind::cluster) body.spheres = {{{0.1, 0, 0}, 0.4}, {{-0.3, 0.1, 0}, 0.3}, {{0, 0.1, 0.35}, 0.25}};
  body.velocity = {0.7, -0.4, space ? 0.2 : 0};
  if (space) body.orientation = quaternion_of({1, -2, 0.5}), body.angular_velocity = {1, -0.6, 1.5};
  c.stages = {lasting(1e9)};
  return c;
}

}  // namespace

// A body that flies and spins freely under mass damping slows down as e^(−αt). The energy it loses is viscous loss.
BOOST_AUTO_TEST_CASE(mass_damping_slows_exponentially) {
  for (const ShapeKind shape : {ShapeKind::sphere, ShapeKind::cluster, ShapeKind::disc})
    for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      Case c = flying(shape, integrator);
      c.material.mass_damping = 0.7;
      Simulation run(c);
      const auto turning = [&] {
        return angular_momentum(run.state().bodies, run.state().dt, run.state().bodies.position[0][0]);
      };
      const Vec3 v = run.state().velocity(0), l = turning();
      const double initial = kinetic_energy(run.state());
      advance(run, 1000);
      const double left = std::exp(-0.7);
      BOOST_TEST(norm(run.state().velocity(0) - left * v) < 1e-6 * norm(v));
      BOOST_TEST(norm(turning() - left * l) < 1e-5 * norm(l));
      const EnergyLedger e = run.ledger();
      BOOST_TEST(e.viscous == initial - kinetic_energy(run.state()), tolerance(1e-4));
      BOOST_TEST(std::abs(e.residual()) < 1e-5 * initial);
    }
}

// In a cell that is stretched the damping draws a body towards the mean motion there; the stage may set another α.
BOOST_AUTO_TEST_CASE(mass_damping_acts_relative_to_the_mean_motion) {
  Case c = flying(ShapeKind::sphere, Integrator::velocity_verlet);
  BodySpec& body = c.assembly.bodies[0];
  const Vec3 start{0.3, 0.2, 0};
  body.position = {1, 2, 3}, body.velocity = start, body.angular_velocity = {};
  c.periodic = {true, true, true};
  c.cell_size = {10, 10, 10};
  c.material.mass_damping = 0;
  c.stages = {lasting(1e9, cell_stage(at_rate(0.1), {}))};
  c.stages[0].mass_damping = 5;
  Simulation run(c);
  // The kicks of the cell drive give the body L x from the first step on and keep mean motion affine (v̇ = L² x along
  // x). So the motion relative to it, w = v − L x, obeys ẇ = −(α + L) w.
  advance(run, 500);
  const Vec3 v = run.state().velocity(0), x = run.state().bodies.position[0][0];
  // Kicks come once a step, so that v follows L x half a step behind: ½ Δt L v.
  BOOST_TEST(v.x - 0.1 * (x.x - 0.5e-3 * v.x) == start.x * std::exp(-0.5 * 5.1), tolerance(1e-4));
  BOOST_TEST(v.y == start.y * std::exp(-0.5 * 5), tolerance(1e-4));
  BOOST_TEST(v.z == 0);
  const EnergyLedger e = run.ledger();
  // −dE/dt of the relative motion by the damping, ∫ α m w² dt.
  const double mass = run.state().bodies.mass[0], gone_x = (1 - std::exp(-5.1)) / 10.2,
               gone_y = (1 - std::exp(-5.0)) / 10;
  BOOST_TEST(e.viscous == 5 * mass * (start.x * start.x * gone_x + start.y * start.y * gone_y), tolerance(2e-3));
  BOOST_TEST(std::abs(e.residual()) < 1e-4 * e.viscous);
}
