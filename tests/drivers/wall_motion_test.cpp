// Walls whose velocity changes from stage to stage: where they are, what their contacts feel, resuming.
#include "assembly_cases.hpp"
#include "support/resumed.hpp"

namespace {

/// A sphere at rest on a floor: it waits, then the floor moves along x, then it waits again.
Case belt_case() {
  return case_of(R"(
dimension = 3
gravity = [0.0, 0.0, -9.81]
material = { density = 2550.0, normal_stiffness = 2e3, tangential_stiffness = 1.6e3, restitution = 0.5, friction = 0.2 }
contact = { law = "hooke-history", elongation = "velocity" }
time = { step = 2e-6 }
body = [{ shape = "sphere", radius = 3e-3, position = [0.0, 0.0, 0.0029986] }]
wall = [{ name = "belt", shape = "plane", point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }]
stage = [
  { name = "wait", duration = 0.01 },
  { name = "move", duration = 0.02, wall_velocities = [["belt", [0.3, 0.0, 0.0]]] },
  { name = "stop", duration = 0.005 },
]
)");
}

const BodySpec disc{.shape = ShapeKind::disc, .radius = 0.4};

}  // namespace

/// While the belt slips below it, the sphere gains μg along x and 5μg/(2R) of backward spin.
BOOST_AUTO_TEST_CASE(a_belt_that_starts_and_stops) {
  for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
    Case c = belt_case();
    c.time.integrator = integrator;
    Simulation run = at_stage(c, 1);
    const std::size_t belt = 1;
    BOOST_TEST(run.state().bodies.position[0][belt].x == 0);
    BOOST_TEST(std::abs(run.state().bodies.position[1][0].x) < 1e-15);
    run_to(run, 2);
    const double dt = run.state().dt, v = run.state().bodies.position[1][0].x / dt,
                 w = run.state().bodies.rotation[1][0].y / dt;
    BOOST_TEST(run.state().bodies.position[0][belt].x == 0.3 * 0.02, tolerance(1e-10));
    // Spring and dashpot reach the limit after about 40 µs: two steps in a thousand of the stage.
    BOOST_TEST(v == 0.2 * 9.81 * 0.02, tolerance(5e-3));
    BOOST_TEST(w == -2.5 * v / 3e-3, tolerance(5e-3));
    run_to(run, 3);
    BOOST_TEST(run.state().bodies.position[0][belt].x == 0.3 * 0.02, tolerance(1e-10));
    BOOST_TEST(run.state().bodies.position[1][belt].x == 0);
    BOOST_TEST(run.state().bodies.position[1][0].x / dt < v);  // a belt at rest slows it
    BOOST_TEST(std::abs(run.ledger().residual()) < 1e-3 * run.ledger().absolute_work);
  }
}

/// In the plane, a wall at rest that a stage sets moving: what it does is boundary work, and the ledger closes.
BOOST_AUTO_TEST_CASE(walls_in_the_plane_and_walls_without_names_of_their_own) {
  for (const bool polygon : {false, true}) {
    Case c;
    c.material = stony_material();
    c.time.step = 2e-4;
    const geometry::Outline square{{-0.4, -0.4}, {0.4, -0.4}, {0.4, 0.4}, {-0.4, 0.4}};
    c.assembly.bodies = {polygon ? BodySpec{.outline = square} : disc};
    c.assembly.walls = {line_wall("left", {-0.5, 1}, {-0.5, -1}), line_wall("right", {0.5, -1}, {0.5, 1})};
    c.stages = {{.wall_velocities = {{"left", {0.25, 0}}}, .duration = 1}, {.duration = 0.5}};
    const Simulation run = finished(c);
    BOOST_TEST(run.state().bodies.position[0][1].x == -0.25, tolerance(1e-9));
    const EnergyLedger e = run.ledger();
    BOOST_TEST(e.boundary_work > 0.1);
    BOOST_TEST(std::abs(e.residual()) < 1e-3 * e.absolute_work);
  }
  // Lines without a name, or of one name, each keep their own velocity; so does the only, nameless part in space.
  Case c;
  c.material = stony_material();
  c.time.step = 1e-3;
  c.assembly.bodies = {disc};
  c.stages = {{.duration = 0.1}};
  for (const char* name : {"", "side"}) {
    c.assembly.walls = {line_wall(name, {-2, 1}, {-2, -1}, {0.1, 0}), line_wall(name, {2, -1}, {2, 1}, {-0.2, 0}),
                        line_wall("", {0, 3}, {-1, 3}, {0, 0.3})};
    const Simulation run = finished(c);
    BOOST_TEST(run.state().bodies.position[0][1].x == -2 + 0.01, tolerance(1e-9));
    BOOST_TEST(run.state().bodies.position[0][2].x == 2 - 0.02, tolerance(1e-9));
    BOOST_TEST(run.state().bodies.position[0][3].y == 3.03, tolerance(1e-9));
  }
  Case space = space_case({sphere_at({0, 0, 2}, 0.5)});
  space.assembly.walls = {{.shape = WallShape::plane, .normal = {0, 0, 1}, .velocity = {0.5, 0, 0}}};
  space.stages = c.stages;
  const Simulation run = finished(space);
  BOOST_TEST(run.state().bodies.position[0][1].x == 0.05, tolerance(1e-9));
}

/// A case that starts with the last state of another one has the velocities of its own stages.
BOOST_AUTO_TEST_CASE(taken_over_walls_move_as_the_new_case_says) {
  Case c = belt_case();
  c.stages.resize(2);
  const Simulation first = finished(c);
  Case next = belt_case();
  next.stages = {next.stages[0]};
  Simulation run(next);
  run.take_over(saved(first), true);
  const double at = run.state().bodies.position[0][1].x;
  BOOST_TEST(at == 0.3 * 0.02, tolerance(1e-10));
  finish(run);
  BOOST_TEST(run.state().bodies.position[0][1].x == at);
}
