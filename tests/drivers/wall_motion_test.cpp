// Walls whose velocity changes from stage to stage: where they are, what their contacts feel, resuming.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "libdem/run/simulation.hpp"
#include "line_wall.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;
namespace tt = boost::test_tools;

namespace {

/// A sphere at rest on a floor: it waits, then the floor moves along x, then it waits again.
Case belt_case() {
  Case c = space_case({sphere_at({0, 0, 3e-3 - 1.4e-6}, 3e-3)});
  c.contact.law = "hooke-history";
  c.contact.elongation = Elongation::velocity;
  c.material.density = 2550;
  c.material.normal_stiffness = 2000;
  c.material.tangential_stiffness = 1600;
  c.material.restitution = 0.5;
  c.material.friction = 0.2;
  c.gravity = {0, 0, -9.81};
  c.time.step = 2e-6;
  WallSpec floor;
  floor.name = "belt";
  floor.shape = WallShape::plane;
  floor.normal = {0, 0, 1};
  c.assembly.walls = {floor};
  Stage wait, move, stop;
  wait.name = "wait";
  wait.duration = 0.01;
  move.name = "move";
  move.duration = 0.02;
  move.wall_velocities = {{"belt", {0.3, 0, 0}}};
  stop.name = "stop";
  stop.duration = 0.005;
  c.stages = {wait, move, stop};
  return c;
}

void run_stages(Simulation& run, std::size_t until) {
  while (run.stage() < until) run.step();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wall_motion)

/// While the belt slips below it, the sphere gains μg along x and 5μg/(2R) of backward spin; the belt itself moves by
/// velocity times time.
BOOST_AUTO_TEST_CASE(a_belt_that_starts_and_stops) {
  for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
    Case c = belt_case();
    c.time.integrator = integrator;
    Simulation run(c);
    run_stages(run, 1);
    const std::size_t belt = 1;
    BOOST_TEST(run.state().bodies.position[0][belt].x == 0);
    BOOST_TEST(std::abs(run.state().bodies.position[1][0].x) < 1e-15);
    run_stages(run, 2);
    const double dt = run.state().dt, v = run.state().bodies.position[1][0].x / dt,
                 w = run.state().bodies.rotation[1][0].y / dt;
    BOOST_TEST(run.state().bodies.position[0][belt].x == 0.3 * 0.02, tt::tolerance(1e-10));
    // Spring and dashpot reach the limit after about 40 µs: two steps in a thousand of the stage.
    BOOST_TEST(v == 0.2 * 9.81 * 0.02, tt::tolerance(5e-3));
    BOOST_TEST(w == -2.5 * v / 3e-3, tt::tolerance(5e-3));
    run_stages(run, 3);
    BOOST_TEST(run.state().bodies.position[0][belt].x == 0.3 * 0.02, tt::tolerance(1e-10));
    BOOST_TEST(run.state().bodies.position[1][belt].x == 0);
    BOOST_TEST(run.state().bodies.position[1][0].x / dt < v);  // a belt at rest slows it
    BOOST_TEST(std::abs(run.ledger().residual()) < 1e-3 * run.ledger().absolute_work);
  }
}

/// In the plane, a wall at rest that a stage sets moving: what it does is boundary work, and the ledger closes.
BOOST_AUTO_TEST_CASE(work_of_a_wall_in_the_plane) {
  for (const bool polygon : {false, true}) {
    Case c;
    c.material = stony_material();
    c.time.step = 2e-4;
    BodySpec body;
    body.shape = polygon ? ShapeKind::polygon : ShapeKind::disc;
    if (polygon)
      body.outline = {{-0.4, -0.4}, {0.4, -0.4}, {0.4, 0.4}, {-0.4, 0.4}};
    else
      body.radius = 0.4;
    body.position = {0, 0, 0};
    c.assembly.bodies = {body};
    c.assembly.walls = {line_wall("left", {-0.5, 1}, {-0.5, -1}), line_wall("right", {0.5, -1}, {0.5, 1})};
    Stage push, hold;
    push.duration = 1;
    push.wall_velocities = {{"left", {0.25, 0}}};
    hold.duration = 0.5;
    c.stages = {push, hold};
    Simulation run(c);
    while (!run.finished()) run.step();
    BOOST_TEST(run.state().bodies.position[0][1].x == -0.25, tt::tolerance(1e-9));
    const EnergyLedger e = run.ledger();
    BOOST_TEST(e.boundary_work > 0.1);
    BOOST_TEST(std::abs(e.residual()) < 1e-3 * e.absolute_work);
  }
}

/// Lines without a name, or of one name, each keep their own velocity; so does the only, nameless part in space.
BOOST_AUTO_TEST_CASE(walls_without_names_of_their_own) {
  Case c;
  c.material = stony_material();
  c.time.step = 1e-3;
  BodySpec disc;
  disc.shape = ShapeKind::disc;
  disc.radius = 0.4;
  c.assembly.bodies = {disc};
  Stage wait;
  wait.duration = 0.1;
  c.stages = {wait};
  for (const char* name : {"", "side"}) {
    c.assembly.walls = {line_wall(name, {-2, 1}, {-2, -1}, {0.1, 0}), line_wall(name, {2, -1}, {2, 1}, {-0.2, 0}),
                        line_wall("", {0, 3}, {-1, 3}, {0, 0.3})};
    Simulation run(c);
    while (!run.finished()) run.step();
    BOOST_TEST(run.state().bodies.position[0][1].x == -2 + 0.01, tt::tolerance(1e-9));
    BOOST_TEST(run.state().bodies.position[0][2].x == 2 - 0.02, tt::tolerance(1e-9));
    BOOST_TEST(run.state().bodies.position[0][3].y == 3.03, tt::tolerance(1e-9));
  }
  Case space = space_case({sphere_at({0, 0, 2}, 0.5)});
  WallSpec floor;
  floor.shape = WallShape::plane;
  floor.normal = {0, 0, 1};
  floor.velocity = {0.5, 0, 0};
  space.assembly.walls = {floor};
  space.stages = {wait};
  Simulation run(space);
  while (!run.finished()) run.step();
  BOOST_TEST(run.state().bodies.position[0][1].x == 0.05, tt::tolerance(1e-9));
}

/// A case that starts with the last state of another one has the velocities of its own stages, not those the other
/// ended with.
BOOST_AUTO_TEST_CASE(taken_over_walls_move_as_the_new_case_says) {
  Case c = belt_case();
  c.stages.resize(2);
  Simulation first(c);
  while (!first.finished()) first.step();
  MemoryArchive saved;
  first.save(saved);
  Case next = belt_case();
  next.stages = {next.stages[0]};
  Simulation run(next);
  run.take_over(saved, true);
  const double at = run.state().bodies.position[0][1].x;
  BOOST_TEST(at == 0.3 * 0.02, tt::tolerance(1e-10));
  while (!run.finished()) run.step();
  BOOST_TEST(run.state().bodies.position[0][1].x == at);
}

BOOST_AUTO_TEST_CASE(resumed_within_a_stage) {
  const Case c = belt_case();
  Simulation whole(c), first(c);
  while (!whole.finished()) whole.step();
  for (int k = 0; k < 9000; ++k) first.step();
  BOOST_TEST(first.stage() == 1);
  MemoryArchive saved;
  first.save(saved);
  Simulation second(c);
  second.load(saved);
  while (!second.finished()) second.step();
  BOOST_TEST(second.hash() == whole.hash());
}

BOOST_AUTO_TEST_SUITE_END()
