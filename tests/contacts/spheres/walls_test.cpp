// Walls in space: one contact where edges meet, histories that go on across them, forces and moments.
#include "libdem/assembly/assembly.hpp"
#include "sphere_cases.hpp"
#include "support/message_of.hpp"
#include "support/text.hpp"

namespace {

/// Reference §5, T3 and T5: Hooke with k_n 2000, k_t 1600, sphere of R 3 mm.
Case ball_case(Vec3 position) {
  Case c = space_case({sphere_at(position, 3e-3)});
  c.contact.law = "hooke-history";
  c.contact.elongation = Elongation::velocity;
  c.contact.velocity_source = VelocitySource::trapezoid;
  c.material = {
      .density = 2550, .normal_stiffness = 2000, .tangential_stiffness = 1600, .friction = 0.5, .restitution = 0.9};
  c.gravity = {0, 0, -9.81};
  c.time.step = 2e-6;
  return c;
}

}  // namespace

/// D7 of the direct-shear reference: 5/7 v₀ after sliding, rolling from 2 v₀/(7 μ g) on. One plane, rectangles, a belt.
BOOST_AUTO_TEST_CASE(sliding_to_rolling) {
  const double r = 3e-3, m = 4 * pi / 3 * r * r * r * 2550, sunk = m * 9.81 / 2000, v0 = 0.5;
  for (const int kind : {0, 1, 2}) BOOST_TEST_CONTEXT("floor " << kind) {
      Case c = ball_case({0, 0, r - sunk});
      c.assembly.bodies[0].velocity = {v0, 0, 0};
      const Vec3 belt{kind == 2 ? 0.3 : 0, 0, 0};
      if (kind == 1) {
        for (int k = -1; k < 40; ++k)
          c.assembly.walls.push_back(rectangle_wall("floor", {k * 1e-3 + 1e-4, -0.01, 0}, {1e-3, 0, 0}, {0, 0.02, 0}));
      } else {
        c.assembly.walls.push_back(plane_wall("floor", {}, {0, 0, 1}));
        c.assembly.walls[0].velocity = belt;
        c.assembly.bodies[0].velocity += belt;
      }
      Simulation run(c);
      bool one = true;
      double rolls = 0;
      while (run.time() < 0.05) {
        run.step();
        one = one && run.contact_count() == 1;
        const double slip = run.state().velocity(0).x - belt.x - r * run.state().angular_velocity(0).y;
        if (rolls == 0 && slip < 1e-3 * v0) rolls = run.time();
      }
      BOOST_TEST(one);
      BOOST_TEST(run.state().velocity(0).x - belt.x == 5 * v0 / 7, tolerance(2e-3));
      BOOST_TEST(rolls == 2 * v0 / (7 * 0.5 * 9.81), tolerance(0.01));
      const EnergyLedger e = run.ledger();
      BOOST_TEST(std::abs(e.residual()) < 1e-5 * e.absolute_work);
      BOOST_TEST(std::abs(e.circulation) < 1e-12 * e.absolute_work);
    }
}

/// The elongation goes on across the seams of a floor. The pieces are 5e-7 m or 2e-7 m long, the first seam is half of
/// that ahead. In one step of the shorter pieces the distances on both sides of a seam round to the same number.
BOOST_AUTO_TEST_CASE(seams_of_a_floor_are_not_felt) {
  const double r = 3e-3;
  const auto rolled = [&](int pieces) {
    Case c = ball_case({5e-5, 0, r - 1e-6});
    c.material.friction = 10;  // sticks
    c.assembly.bodies[0].force = {1e-4, 2e-5, 0};
    c.assembly.bodies[0].fix_rotation = true;
    for (int k = 0; k < pieces; ++k)
      c.assembly.walls.push_back(
          rectangle_wall("floor", {-1e-4 + k * 3e-4 / pieces, -0.01, 0}, {3e-4 / pieces, 0, 0}, {0, 0.02, 0}));
    c.assembly.bodies[0].velocity = {1e-3, 0, 0};
    Simulation run(c);
    std::vector<double> elongation;
    for (int k = 0; k < 4000; ++k) {
      run.step();
      BOOST_TEST_REQUIRE(run.contact_count() == 1u);
      elongation.push_back(run.contacts()[0].elongation);
    }
    return elongation;
  };
  const auto whole = rolled(1);
  for (const int pieces : {601, 1501}) {
    const auto cut = rolled(pieces);
    const double largest = std::ranges::max(whole);
    double difference = 0;
    for (std::size_t k = 0; k < whole.size(); ++k) difference = std::max(difference, std::abs(whole[k] - cut[k]));
    BOOST_TEST(largest > 3e-7);  // the seam is crossed
    BOOST_TEST(difference < 1e-9 * largest);
  }
}

/// Three contacts in the corner of a room. A sphere that rolls over the edge of a step keeps its one contact.
BOOST_AUTO_TEST_CASE(spheres_in_a_corner_and_over_an_edge) {
  const double r = 3e-3;
  Case corner = ball_case({r - 1e-6, r - 2e-6, r - 3e-6});
  corner.assembly.walls = {rectangle_wall("room", {0, 0, 0}, {0.02, 0, 0}, {0, 0.02, 0}),
                           rectangle_wall("room", {0, 0, 0}, {0.02, 0, 0}, {0, 0, 0.02}),
                           rectangle_wall("room", {0, 0, 0}, {0, 0.02, 0}, {0, 0, 0.02})};
  const Simulation run(corner);
  const auto records = run.contacts();
  BOOST_TEST_REQUIRE(records.size() == 3u);
  for (std::size_t k = 0; k < 3; ++k)
    BOOST_TEST((run.loads()[k].key == records[k].key && run.loads()[k].force == records[k].force));
  double sum = 0;
  for (const ContactRecord& c : records) sum += c.overlap;
  BOOST_TEST(std::ranges::all_of(records, [](const ContactRecord& c) { return c.key.j == 1; }));
  BOOST_TEST(sum == 6e-6, tolerance(1e-9));

  // Around the edge of a block on which it sticks: always one contact, whose normal turns from z to −x.
  Case edge = ball_case({-2e-4, 0, r - 1e-5});
  edge.gravity = {};
  edge.material.friction = 100;
  edge.assembly.walls = {rectangle_wall("step", {-0.02, -0.01, 0}, {0.02, 0, 0}, {0, 0.02, 0}),
                         rectangle_wall("step", {0, -0.01, -0.02}, {0, 0.02, 0}, {0, 0, 0.02})};
  BodySpec& ball = edge.assembly.bodies[0];
  ball.fix_y = ball.fix_z = ball.fix_rotation = true;
  ball.velocity = {0.05, 0, 0};
  edge.material.restitution = 1;
  ball.density = 2550e9;  // so heavy that the contact does not slow it
  Simulation over(edge);
  double before = 0, jump = 0;
  while (over.state().bodies.position[0][0].x < 1e-4) {
    over.step();
    const auto all = over.contacts();
    BOOST_TEST_REQUIRE(all.size() == 1u);
    jump = std::max(jump, std::abs(all[0].elongation - before));
    before = all[0].elongation;
    if (over.state().bodies.position[0][0].x < 0) BOOST_TEST(all[0].overlap == 1e-5, tolerance(1e-9));
  }
  BOOST_TEST(before > 2.9e-4);         // it has slid 0.3 mm in all, and kept that past the edge
  BOOST_TEST(jump < 2 * 0.05 * 2e-6);  // step by step
}

BOOST_AUTO_TEST_CASE(action_and_reaction_of_walls) {
  for (const Elongation elongation : {Elongation::geometric, Elongation::velocity}) {
    Case c = sphere_cloud(4, 4);
    c.contact.elongation = elongation;
    c.periodic = {false, false, false};
    const double a = 0.92 * 4;
    c.cell_size = {};
    const Vec3 corner{-0.5, -0.5, -0.45};
    c.assembly.walls = {
        rectangle_wall("box", corner, {a, 0, 0}, {0, a, 0}), rectangle_wall("box", corner, {a, 0, 0}, {0, 0, a}),
        rectangle_wall("box", corner, {0, a, 0}, {0, 0, a}), plane_wall("lid", {0, 0, a - 0.5}, {0, 0, -1})};
    c.assembly.walls.back().velocity = {0.1, 0, -0.2};
    const Simulation run = advanced(c, 200);
    const State& s = run.state();
    Vec3 force, moment;
    std::size_t walls = 0;
    for (std::size_t b = 0; b < s.bodies.size(); ++b) {
      force += s.bodies.force[b];
      moment += s.bodies.torque[b] + cross(s.bodies.evaluated_position[b], s.bodies.force[b]);
      walls += s.shape_of(b).is_wall();
    }
    BOOST_TEST(walls == 2u);
    double size = 0;
    for (const ContactRecord& r : run.contacts()) size += norm(r.force);
    BOOST_TEST(size > 1);
    BOOST_TEST(norm(force) < 1e-12 * size);
    BOOST_TEST(norm(moment) < 1e-11 * size * a);
    const EnergyLedger e = run.ledger();
    BOOST_TEST((e.friction > 0 && e.viscous > 0));
    BOOST_TEST(std::abs(e.boundary_work) > 1e-3 * e.absolute_work);
    if (elongation == Elongation::geometric) BOOST_TEST(std::abs(e.residual()) < 1e-3 * e.absolute_work);
  }
}

/// Hertz contacts with a wall: R̄ = R, m̄ = m (reference §1.1), K_n of T1 at an overlap of 2e-5 m.
BOOST_AUTO_TEST_CASE(hertz_coefficients_of_a_wall) {
  for (const char* law : {"hertz-history", "hertz-mindlin", "jaeger"}) {
    Case c = space_case({sphere_at({0, 0, 3e-3 - 2e-5}, 3e-3)});
    c.contact.law = law;
    c.material = {.density = 2550,
                  .friction = 0.4,
                  .shear_modulus = 4e7 / (2 * 1.22),
                  .poisson_ratio = 0.22,
                  .restitution = 0.87};
    c.assembly.walls = {plane_wall("floor", {}, {0, 0, 1})};
    c.time.step = 1e-6;
    const Simulation run(c);
    const ContactRecord r = run.contacts()[0];
    BOOST_TEST(r.force.z == 6864.199923730358 * 2e-5, tolerance(1e-9));
    BOOST_TEST(r.normal_stiffness == 1.5 * 6864.199923730358, tolerance(1e-9));
    BOOST_TEST(r.normal_damping == 0.13932624337099134, tolerance(1e-9));
    BOOST_TEST(run.state().bodies.force[1].z == -6864.199923730358 * 2e-5, tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(a_sphere_through_a_wall_is_a_blow_up) {
  Case c = ball_case({0, 0, 3.1e-3});
  c.assembly.bodies[0].velocity = {0, 0, -20};
  c.assembly.bodies[0].name = "bullet";
  c.assembly.walls = {rectangle_wall("target", {-0.01, -0.01, 0}, {0.02, 0, 0}, {0, 0.02, 0})};
  Simulation run(c);
  const std::string text = message_of<BlowUp>([&] { run_until(run, 1e-3); });
  for (const char* part : {"bullet", "target", "step"}) BOOST_TEST(has(text, part), text);
}
