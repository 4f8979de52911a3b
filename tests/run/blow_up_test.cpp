// A run whose numbers blow up stops and says when, where and why.
#include <boost/test/unit_test.hpp>
#include <string>

#include "assembly_cases.hpp"
#include "line_wall.hpp"

using namespace dem;
using namespace dem::test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Stop {
  std::string message;
  std::uint64_t step = 0;
};

/// Runs until it blows up; an empty message if it does not.
Stop run_until_blow_up(const Case& c, std::uint64_t steps) {
  Simulation run(c);
  try {
    advance(run, steps);
  } catch (const BlowUp& error) {
    return {error.what(), run.step_count()};
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(blow_up_test)

BOOST_AUTO_TEST_CASE(a_step_far_too_large) {
  struct Row {
    const char* name;
    Case given;
  };
  Row rows[] = {{"sheared polygons", polygon_shear()},
                {"sheared discs", disc_shear()},
                {"sheared polygons, velocity-verlet", polygon_shear()}};
  rows[2].given.time.integrator = Integrator::velocity_verlet;
  const double factor[] = {8, 8, 6};  // Verlet blows everything apart at 8 before the first look
  std::size_t number = 0;
  for (Row& row : rows) {
    const double limit = Simulation(row.given).apriori_limit().dt;
    Case healthy = row.given;
    healthy.time.step = 0.9 * limit;
    BOOST_TEST_CONTEXT(row.name) BOOST_TEST(run_until_blow_up(healthy, 1000).message == "");
    row.given.time.step = factor[number++] * limit;
    row.given.time.override_limit = true;
    const Stop stop = run_until_blow_up(row.given, 4000);
    BOOST_TEST_MESSAGE(row.name << ": " << stop.message);
    BOOST_TEST_CONTEXT(row.name << ": " << stop.message) {
      BOOST_TEST_REQUIRE(!stop.message.empty());
      BOOST_TEST(stop.message.starts_with("step " + std::to_string(stop.step) + " (t = "));
      BOOST_TEST(has(stop.message, "strongest contact: body "));
      BOOST_TEST(has(stop.message, " with body "));
      BOOST_TEST(has(stop.message, "Likely cause: a time step too large"));
    }
  }
}

BOOST_AUTO_TEST_CASE(energy_from_nowhere) {
  // A single pair between wall and anvil. The bodies are named as the case names them.
  Case c = cloud(Grain::disc, 1, 0);
  c.material.restitution = 1;
  c.material.friction = 0;
  BodySpec i = c.assembly.bodies[0], j = i;
  i.name = "anvil";
  i.position = {};
  i.fix_x = i.fix_y = i.fix_rotation = true;
  j.name = "hammer";
  j.position = {0.99, 0};
  j.velocity = {-1, 0};
  c.assembly.bodies = {i, j};
  c.assembly.walls = {dem::test::line_wall("back", {1.485, -1}, {1.485, 1})};  // no way out
  const double limit = Simulation(c).apriori_limit().dt;
  c.time.step = 8 * limit;
  c.time.override_limit = true;
  const Stop stop = run_until_blow_up(c, 2000);
  BOOST_TEST_MESSAGE(stop.message);
  BOOST_TEST_REQUIRE(!stop.message.empty());
  BOOST_TEST(has(stop.message, "hammer"));
  BOOST_TEST(stop.message.starts_with("step " + std::to_string(stop.step)));
}

BOOST_AUTO_TEST_CASE(not_a_number) {
  // A force that overflows: the sentence says so instead of going on with NaN.
  Case c = cloud(Grain::disc, 1, 0);
  c.assembly.bodies[0].force = {1e300, 0};
  c.contact.elongation = Elongation::velocity;  // plain start: the trial steps of the other one would overflow already
  c.time.step = 1.25e4;                         // displacement 1e308 m, velocity beyond the largest number
  c.time.override_limit = true;
  const Stop stop = run_until_blow_up(c, 200);
  BOOST_TEST_MESSAGE(stop.message);
  BOOST_TEST(has(stop.message, "body 0"));
  BOOST_TEST(has(stop.message, "no longer a number"));
}

// Below the limit of the time step it is not the step that is to blame.
BOOST_AUTO_TEST_CASE(the_cause_fits_the_run) {
  Case free = cloud(Grain::disc, 1, 0);
  free.time.step = 0.1 * Simulation(free).apriori_limit().dt;
  Case pushed = free;
  pushed.assembly.bodies[0].force = {1e12, 0};
  const Stop stop = run_until_blow_up(pushed, 200);
  BOOST_TEST_REQUIRE(!stop.message.empty());
  BOOST_TEST(has(stop.message,
                 "no contact at this step. Likely cause: a velocity, force or gravity of the case that is far too "
                 "large; the time step is below its limit."),
             stop.message);
  // Pressed by far more than its spring can bear.
  Case pressed = free;
  BodySpec anvil = free.assembly.bodies[0];
  anvil.position.x -= 0.99 * (anvil.radius + anvil.radius);
  anvil.fix_x = anvil.fix_y = anvil.fix_rotation = true;
  pressed.assembly.bodies.push_back(anvil);
  pressed.assembly.bodies[0].force = {0, 1e12};
  const Stop stop_in_contact = run_until_blow_up(pressed, 200);
  BOOST_TEST_REQUIRE(!stop_in_contact.message.empty());
  BOOST_TEST(!has(stop_in_contact.message, "a time step too large"), stop_in_contact.message);
}

// The list of pairs is made before the checks of the motion: what it cannot be made of is reported as they would.
BOOST_AUTO_TEST_CASE(no_list_of_pairs_can_be_made) {
  Case c;
  c.dimension = 3;
  c.material = soft_material();
  for (const double x : {0.0, 5.0}) {
    BodySpec body;
    body.shape = ShapeKind::sphere;
    body.radius = 1;
    body.position = {x, 0, 0};
    c.assembly.bodies.push_back(body);
  }
  c.assembly.bodies[1].force = {0, 1e300, 0};
  c.contact.elongation = Elongation::velocity;
  c.time.step = 1.25e4;
  c.time.override_limit = true;
  Stage stage;
  stage.duration = 1e9;
  c.stages = {stage};
  const Stop stop = run_until_blow_up(c, 15);  // before the first check of the motion
  BOOST_TEST_MESSAGE(stop.message);
  BOOST_TEST(has(stop.message, "body 1"));
  BOOST_TEST(has(stop.message, "no longer a number"));
  BOOST_TEST(stop.message.starts_with("step " + std::to_string(stop.step)));
}

BOOST_AUTO_TEST_SUITE_END()
