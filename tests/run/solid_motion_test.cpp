// Runs with spheres and clusters: collisions keep momentum, the ledger closes with mass damping.
#include "cell_cases.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "sphere_cases.hpp"
#include "support/momenta.hpp"

using namespace dem;
using namespace dem::test;

namespace {

/// Lumps, spheres or a disc, which fly together.
Case flying(ShapeKind shape, Integrator integrator) {
  Case c{.dimension = 3,
         .material = {.normal_stiffness = 400, .tangential_stiffness = 300, .friction = 0.5, .normal_damping = 0}};
  c.contact.normal_force = NormalForce::overlap;
  c.time = {.integrator = integrator, .step = 1e-3};
  geometry::Random random(3);
  const auto draw = [&] {
    const double x = random.uniform(), y = random.uniform(), z = random.uniform();
    return Vec3{x - 0.5, y - 0.5, z - 0.5};
  };
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 2; ++z) {
        BodySpec body{.shape = shape, .radius = 0.5};
        if (shape == ShapeKind::cluster)
          body.spheres = {{{0.1, 0, 0}, 0.4}, {{-0.3, 0.1, 0}, 0.3}, {{0, 0.1, 0.35}, 0.25}};
        body.position = 1.3 * Vec3{x - 1.0, y - 1.0, z - 0.5};
        body.orientation = quaternion_of(6 * draw());
        body.velocity = -0.8 * body.position + draw();
        body.angular_velocity = 4 * draw();
        c.assembly.bodies.push_back(body);
      }
  c.stages = {lasting(1e9)};
  return c;
}

}  // namespace

BOOST_AUTO_TEST_CASE(collisions_keep_momentum_and_the_ledger_closes) {
  for (const ShapeKind shape : {ShapeKind::sphere, ShapeKind::cluster})
    for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      Simulation run(flying(shape, integrator));
      const Bodies& b = run.state().bodies;
      BOOST_TEST(b.has_orientations() == (shape == ShapeKind::cluster));
      const Vec3 p = momentum(b, run.state().dt), l = angular_momentum(b, run.state().dt);
      std::size_t most = 0;
      for (int s = 0; s < 1500; ++s) {
        run.step();
        most = std::max(most, run.contact_count());
      }
      const EnergyLedger e = run.ledger();
      BOOST_TEST(most > 10u);
      BOOST_TEST(norm(momentum(b, run.state().dt) - p) < 1e-12);
      BOOST_TEST(e.friction > 0.01 * e.initial);
      BOOST_TEST(std::abs(e.residual()) < 2e-3 * (e.initial + e.absolute_work));
      BOOST_TEST(norm(angular_momentum(b, run.state().dt) - l) < 1e-3);
    }
}

// A body that flies and spins freely under mass damping slows down as e^(−αt). The energy it loses is viscous loss.
BOOST_AUTO_TEST_CASE(mass_damping_slows_exponentially) {
  for (const ShapeKind shape : {ShapeKind::sphere, ShapeKind::cluster, ShapeKind::disc})
    for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      Case c = flying(shape, integrator);
      c.assembly.bodies.resize(1);
      if (shape == ShapeKind::disc) {
        c.dimension = 2;
        c.assembly.bodies[0].spin = 3;
      }
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
      BOOST_TEST(e.viscous == initial - kinetic_energy(run.state()), tt::tolerance(1e-4));
      BOOST_TEST(std::abs(e.residual()) < 1e-5 * initial);
    }
}

// In a cell that is stretched the damping draws a body towards the mean motion there; the stage may set another α.
BOOST_AUTO_TEST_CASE(mass_damping_acts_relative_to_the_mean_motion) {
  Case c = flying(ShapeKind::sphere, Integrator::velocity_verlet);
  c.assembly.bodies.resize(1);
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
  BOOST_TEST(v.x - 0.1 * (x.x - 0.5e-3 * v.x) == start.x * std::exp(-0.5 * 5.1), tt::tolerance(1e-4));
  BOOST_TEST(v.y == start.y * std::exp(-0.5 * 5), tt::tolerance(1e-4));
  BOOST_TEST(v.z == 0);
  const EnergyLedger e = run.ledger();
  // −dE/dt of the relative motion by the damping, ∫ α m w² dt.
  const double mass = run.state().bodies.mass[0], gone_x = (1 - std::exp(-5.1)) / 10.2,
               gone_y = (1 - std::exp(-5.0)) / 10;
  BOOST_TEST(e.viscous == 5 * mass * (start.x * start.x * gone_x + start.y * start.y * gone_y), tt::tolerance(2e-3));
  BOOST_TEST(std::abs(e.residual()) < 1e-4 * e.viscous);
}
