// Linear and angular momentum of isolated bodies, and forces on plates.
#include "assembly_cases.hpp"
#include "libdem/drivers/plates.hpp"
#include "support/momenta.hpp"

namespace {

constexpr double epsilon = 2.220446049250313e-16;

/// An oblique collision of two bodies with spin, off the origin.
Case oblique_pair(Grain grain) {
  Case c = cloud(grain, 1, 0);
  BodySpec i = c.assembly.bodies[0], j = i;
  i.position = {0.3, -0.2}, i.velocity = {0.4, 0.1}, i.spin = 0.7;
  j.position = {1.5, 0.3}, j.velocity = {-0.6, -0.1}, j.spin = -0.2, j.density = 1.7;
  c.assembly.bodies = {i, j};
  return c;
}

struct Isolated {
  const char* name;
  Case given;
  std::uint64_t steps;
  std::size_t contacts;
};

/// The case with another integrator, lever, and with each step cut into so many.
Isolated with(Isolated row, Integrator integrator, std::optional<Lever> lever = {}, int cuts = 1) {
  row.given.time.integrator = integrator;
  row.given.time.step /= cuts;
  row.given.contact.lever = lever;
  row.steps *= std::uint64_t(cuts);
  return row;
}

/// Largest changes during a run, relative to the sums of the absolute parts.
struct Drift {
  double linear = 0, angular = 0;
  std::size_t contacts = 0;
};

Drift drift_of(const Isolated& row) {
  Simulation run(row.given);
  const Bodies& b = run.state().bodies;
  const double dt = run.state().dt;
  const Vec3 start = momentum(b, dt);
  const double angular_start = angular_momentum(b, dt).z;
  double linear_scale = 0, angular_scale = 0;
  for (std::size_t k = 0; k < b.size(); ++k) {
    const double p = b.mass[k] * norm(run.state().velocity(k));
    linear_scale += p;
    angular_scale += p * norm(b.position[0][k]) + b.moment[k] * std::abs(run.state().spin(k));
  }
  Drift drift;
  for (std::uint64_t k = 0; k < row.steps; ++k) {
    run.step();
    drift.linear = std::max(drift.linear, norm(momentum(b, dt) - start) / linear_scale);
    drift.angular = std::max(drift.angular, std::abs(angular_momentum(b, dt).z - angular_start) / angular_scale);
    drift.contacts = std::max(drift.contacts, run.contact_count());
  }
  return drift;
}

}  // namespace

// velocity-verlet finds the forces where the bodies are: the angular momentum changes by round-off. Gear finds the
// forces at the predicted positions, which the correction then moves. There the angular momentum holds to second order
// in the time step.
BOOST_AUTO_TEST_CASE(momentum_of_pairs_and_clouds) {
  for (const Isolated& row : {Isolated{"pair of discs", oblique_pair(Grain::disc), 400, 1},
                              {"pair of pentagons", oblique_pair(Grain::pentagon), 400, 1},
                              {"cloud of discs", cloud(Grain::disc, 5, 1), 1000, 15},
                              {"cloud of pentagons", cloud(Grain::pentagon, 5, 1), 1000, 10},
                              {"cloud of combs", cloud(Grain::comb, 5, 1), 1000, 10}})
    BOOST_TEST_CONTEXT(row.name) {
      const Drift verlet = drift_of(with(row, Integrator::velocity_verlet)), gear = drift_of(row),
                  fine = drift_of(with(row, Integrator::gear5, {}, 4));
      for (const Drift& drift : {verlet, gear}) {
        BOOST_TEST(drift.contacts >= row.contacts);
        BOOST_TEST(drift.linear < 20 * epsilon);
      }
      BOOST_TEST(verlet.angular < 50 * epsilon);
      BOOST_TEST(gear.angular < 1e-6);
      BOOST_TEST(gear.angular / fine.angular > 10);  // 16 for the second order
      if (row.given.assembly.bodies[0].shape == ShapeKind::disc)
        for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet})
          BOOST_TEST(drift_of(with(row, integrator, Lever::radius)).angular > 1e-4);
    }
}

BOOST_AUTO_TEST_CASE(plates_feel_what_the_bodies_feel) {
  // The force on the top plate minus that on the bottom plate is the resultant on the free bodies, at every evaluation.
  Simulation run(polygon_shear());
  const Bodies& b = run.state().bodies;
  double worst = 0;
  for (int k = 0; k < 600; ++k) {
    run.step();
    Vec2 on_free;
    for (std::size_t n = 0; n < b.size(); ++n)
      if (b.freedom[n]) on_free += planar(b.force[n]);
    const WallStress& wall = run.driver<Plates>()->stress();
    const double width = 10;
    const Vec2 on_plates{(wall.shear_bottom - wall.shear_top) * width, (wall.normal_top - wall.normal_bottom) * width};
    worst = std::max(worst, norm(on_free + on_plates));
  }
  BOOST_TEST(run.driver<Plates>()->stress().normal_top > 1);
  BOOST_TEST(worst < 1e-11);
}
