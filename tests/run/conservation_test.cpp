// Linear and angular momentum of isolated bodies, and the momentum that a wall gives.
#include <boost/test/unit_test.hpp>

#include "assembly_cases.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "line_wall.hpp"

using namespace dem;
using namespace dem::test;

namespace {

constexpr double epsilon = 2.220446049250313e-16;

/// Largest changes during a run, relative to the sums of the absolute parts.
struct Drift {
  double linear = 0, angular = 0;
  std::size_t contacts = 0;
};

Drift drift_of(const Case& c, std::uint64_t steps) {
  Simulation run(c);
  const Bodies& b = run.state().bodies;
  const double dt = run.state().dt;
  const auto sums = [&] { return std::pair{momentum(b, dt), angular_momentum(b, dt).z}; };
  double linear_scale = 0, angular_scale = 0;
  for (std::size_t k = 0; k < b.size(); ++k) {
    const double p = b.mass[k] * norm(run.state().velocity(k));
    linear_scale += p;
    angular_scale += p * norm(b.position[0][k]) + b.moment[k] * std::abs(run.state().spin(k));
  }
  const auto start = sums();
  Drift drift;
  for (std::uint64_t k = 0; k < steps; ++k) {
    run.step();
    const auto now = sums();
    drift.linear = std::max(drift.linear, norm(now.first - start.first) / linear_scale);
    drift.angular = std::max(drift.angular, std::abs(now.second - start.second) / angular_scale);
    drift.contacts = std::max(drift.contacts, run.contact_count());
  }
  return drift;
}

/// An oblique collision of two bodies with spin, off the origin.
Case oblique_pair(Grain grain) {
  Case c = cloud(grain, 1, 0);
  BodySpec i = c.assembly.bodies[0], j = i;
  i.position = {0.3, -0.2};
  i.velocity = {0.4, 0.1};
  i.spin = 0.7;
  j.position = {1.5, 0.3};
  j.velocity = {-0.6, -0.1};
  j.spin = -0.2;
  j.density = 1.7;
  c.assembly.bodies = {i, j};
  return c;
}

struct Isolated {
  const char* name;
  Case given;
  std::uint64_t steps;
  std::size_t contacts;
};

std::vector<Isolated> isolated() {
  return {{"pair of discs", oblique_pair(Grain::disc), 400, 1},
          {"pair of pentagons", oblique_pair(Grain::pentagon), 400, 1},
          {"cloud of discs", cloud(Grain::disc, 5, 1), 1000, 15},
          {"cloud of pentagons", cloud(Grain::pentagon, 5, 1), 1000, 10},
          {"cloud of combs", cloud(Grain::comb, 5, 1), 1000, 10}};
}

/// Largest sum, over a run, of the moments of all contact forces about the origin, relative to the sum of their
/// absolute values.
double unbalanced_moment(const Case& c, std::uint64_t steps) {
  Simulation run(c);
  const Bodies& b = run.state().bodies;
  double worst = 0;
  for (std::uint64_t k = 0; k < steps; ++k) {
    run.step();
    double sum = 0, scale = 0;
    for (std::size_t n = 0; n < b.size(); ++n) {
      const Vec2 x = planar(b.evaluated_position[n]), f = planar(b.force[n]);
      sum += cross(x, f) + b.torque[n].z;
      scale += norm(x) * norm(f) + std::abs(b.torque[n].z);
    }
    if (scale > 1e-3) worst = std::max(worst, std::abs(sum) / scale);
  }
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(conservation_test)

BOOST_AUTO_TEST_CASE(linear_momentum_of_pairs_and_clouds) {
  for (const Isolated& row : isolated())
    for (Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      Case c = row.given;
      c.time.integrator = integrator;
      const Drift found = drift_of(c, row.steps);
      BOOST_TEST_CONTEXT(row.name << ": " << found.linear) {
        BOOST_TEST(found.contacts >= row.contacts);
        BOOST_TEST(found.linear < 20 * epsilon);
      }
    }
}

BOOST_AUTO_TEST_CASE(forces_of_a_contact_act_along_one_line) {
  // Moments about any point cancel for the default levers (reference, §3) and for lever `proportional`, not for lever
  // `radius`.
  for (const Isolated& row : isolated()) {
    const double found = unbalanced_moment(row.given, row.steps);
    BOOST_TEST_MESSAGE(row.name << ": unbalanced moment " << found);
    BOOST_TEST_CONTEXT(row.name) BOOST_TEST(found < 1e-12);
    if (row.given.assembly.bodies[0].shape != ShapeKind::disc) continue;
    Case c = row.given;
    for (Lever lever : {Lever::contact_point, Lever::proportional}) {
      c.contact.lever = lever;
      BOOST_TEST_CONTEXT(row.name) BOOST_TEST(unbalanced_moment(c, row.steps) < 1e-12);
    }
    c.contact.lever = Lever::radius;
    const double wrong = unbalanced_moment(c, row.steps);
    BOOST_TEST_MESSAGE(row.name << " with lever radius: unbalanced moment " << wrong);
    BOOST_TEST_CONTEXT(row.name) BOOST_TEST(wrong > 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(angular_momentum) {
  // velocity-verlet finds the forces where the bodies are: round-off. Gear finds them at the predicted positions, which
  // the correction then moves: the angular momentum holds to second order in the time step.
  for (const Isolated& row : isolated()) {
    Case verlet = row.given;
    verlet.time.integrator = Integrator::velocity_verlet;
    const double exact = drift_of(verlet, row.steps).angular;
    BOOST_TEST_MESSAGE(row.name << ", velocity-verlet: " << exact);
    BOOST_TEST_CONTEXT(row.name) BOOST_TEST(exact < 50 * epsilon);
    double drift[3];
    for (int half = 0; half < 3; ++half) {
      Case c = row.given;
      c.time.step /= 1 << half;
      drift[half] = drift_of(c, row.steps << half).angular;
    }
    BOOST_TEST_MESSAGE(row.name << ", gear5 with halved steps: " << drift[0] << " " << drift[1] << " " << drift[2]);
    BOOST_TEST_CONTEXT(row.name) {
      BOOST_TEST(drift[0] < 1e-6);
      BOOST_TEST(drift[0] / drift[2] > 10);  // 16 for the second order
    }
    if (row.given.assembly.bodies[0].shape != ShapeKind::disc) continue;
    for (Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      Case c = row.given;
      c.time.integrator = integrator;
      c.contact.lever = Lever::radius;
      const double wrong = drift_of(c, row.steps).angular;
      BOOST_TEST_CONTEXT(row.name << " with lever radius") BOOST_TEST(wrong > 1e-4);
    }
  }
}

BOOST_AUTO_TEST_CASE(momentum_from_walls) {
  // What the walls receive is what the bodies lose: the trapezoid of the forces for velocity-verlet, to round-off.
  for (Grain grain : {Grain::disc, Grain::pentagon}) {
    Case c = cloud(grain, 3, 1);
    c.time.integrator = Integrator::velocity_verlet;
    for (BodySpec& body : c.assembly.bodies) body.velocity += Vec3{0.5, -1};
    c.assembly.walls = {dem::test::line_wall("floor", {-3, -2.5}, {3, -2.5}),
                        dem::test::line_wall("tilted", {2.3, -3}, {2.6, 3})};
    Simulation run(c);
    const Bodies& b = run.state().bodies;
    const std::size_t walls = b.size() - 2;
    Vec3 start, impulse, before;
    double largest = 0;
    const auto free_momentum = [&] {
      Vec3 p;
      for (std::size_t k = 0; k < walls; ++k) p += b.mass[k] * run.state().velocity(k);
      return p;
    };
    start = free_momentum();
    before = b.force[walls] + b.force[walls + 1];
    while (run.step_count() < 1500) {
      run.step();
      const Vec3 now = b.force[walls] + b.force[walls + 1];
      impulse += 0.5 * c.time.step * (before + now);
      before = now;
      largest = std::max(largest, norm(free_momentum() + impulse - start));
    }
    BOOST_TEST_MESSAGE("walls received " << impulse.x << ", " << impulse.y << " kg m/s; largest mismatch " << largest);
    BOOST_TEST(norm(impulse) > 1);
    BOOST_TEST(largest < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(plates_feel_what_the_bodies_feel) {
  // Stress on the plates against the rate of change of the momentum between them: top minus bottom force is the
  // resultant on the free bodies, at every evaluation.
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

BOOST_AUTO_TEST_SUITE_END()
