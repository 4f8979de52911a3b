// A run whose numbers blow up stops. Its message names the step, the time, the bodies and the likely cause.
#include "assembly_cases.hpp"
#include "support/message_of.hpp"
#include "support/text.hpp"

namespace {

/// The message of the blow-up within so many steps; empty if there is none. It begins with the step and the time.
std::string blow_up_of(const Case& c, std::uint64_t steps) {
  Simulation run(c);
  const std::string message = message_of<BlowUp>([&] { advance(run, steps); });
  BOOST_TEST_MESSAGE(message);
  if (!message.empty()) BOOST_TEST(message.starts_with("step " + std::to_string(run.step_count()) + " (t = "));
  return message;
}

/// The same case with a time step that is too large, which the case allows.
Case forced(Case c, double step) {
  c.time.step = step;
  c.time.override_limit = true;
  return c;
}

}  // namespace

/// Without gravity nothing else happens to a disc that lies on a floor up to rounding.
BOOST_AUTO_TEST_CASE(contacts_of_the_last_bits_are_no_blow_up) {
  Case c = cloud(Grain::disc, 1, 0);
  c.assembly.walls = {line_wall("floor", {-9, 0}, {9, 0})};
  c.time.step = 1e-5;
  c.material.restitution = 0.5;
  for (const double y : {0.5, 0.49999999999999994, 0.4999999999999999, 0.499999999999999})
    for (const double stiffness : {2899906.0749182026, 1e4, 1e6}) {
      c.material.normal_stiffness = stiffness;
      c.assembly.bodies[0].position = {-1.3287616857291196, y};
      BOOST_TEST(blow_up_of(c, 2000) == "", y);
    }
}

BOOST_AUTO_TEST_CASE(blow_up_of_a_step_far_too_large_and_with_energy_from_nowhere) {
  Case verlet = polygon_shear();
  verlet.time.integrator = Integrator::velocity_verlet;
  for (const auto& [name, given, factor] :
       {std::tuple{"sheared polygons", polygon_shear(), 8},
        {"sheared discs", disc_shear(), 8},
        {"velocity-verlet", verlet, 6}})  // at 8, all would fly apart before the first check of the motion
    BOOST_TEST_CONTEXT(name) {
      const double limit = Simulation(given).apriori_limit().dt;
      Case healthy = given;
      healthy.time.step = 0.9 * limit;
      BOOST_TEST(blow_up_of(healthy, 1000) == "");
      const std::string message = blow_up_of(forced(given, factor * limit), 4000);
      for (const char* part : {"strongest contact: body ", " with body ", "Likely cause: a time step too large"})
        BOOST_TEST(has(message, part), message);
    }
  // A single pair between wall and anvil. The message has the names of the case.
  Case c = cloud(Grain::disc, 1, 0);
  c.material.restitution = 1, c.material.friction = 0;
  BodySpec anvil = c.assembly.bodies[0], hammer = anvil;
  anvil.name = "anvil", anvil.position = {};
  hold(anvil);
  hammer.name = "hammer", hammer.position = {0.99, 0}, hammer.velocity = {-1, 0};
  c.assembly.bodies = {anvil, hammer};
  c.assembly.walls = {line_wall("back", {1.485, -1}, {1.485, 1})};  // no way out
  BOOST_TEST(has(blow_up_of(forced(c, 8 * Simulation(c).apriori_limit().dt), 2000), "hammer"));
}

BOOST_AUTO_TEST_CASE(blow_up_to_no_number) {
  // A force that overflows: the displacement is 1e308 m, the velocity is beyond the largest number.
  Case c = forced(cloud(Grain::disc, 1, 0), 1.25e4);
  c.assembly.bodies[0].force = {1e300, 0};
  c.contact.elongation = Elongation::velocity;  // plain start: the trial steps of the other one would overflow already
  // In space the search for pairs fails before the first check of the motion. Its message is the same.
  Case space = c;
  space.dimension = 3;
  space.assembly.bodies[0].shape = ShapeKind::sphere;
  space.assembly.bodies.insert(space.assembly.bodies.begin(), space.assembly.bodies[0]);
  space.assembly.bodies[0].force = {};
  space.assembly.bodies[0].position = {5, 0, 0};
  for (const auto& [given, steps, name] : {std::tuple{c, 200, "body 0"}, {space, 15, "body 1"}}) {
    const std::string message = blow_up_of(given, std::uint64_t(steps));
    BOOST_TEST(has(message, name), message);
    BOOST_TEST(has(message, "no longer a number"), message);
  }
}

// Below the limit of the time step, another cause is named.
BOOST_AUTO_TEST_CASE(cause_of_a_blow_up_fits_the_run) {
  Case free = cloud(Grain::disc, 1, 0);
  free.time.step = 0.1 * Simulation(free).apriori_limit().dt;
  Case pushed = free;
  pushed.assembly.bodies[0].force = {1e12, 0};
  std::string message = blow_up_of(pushed, 200);
  BOOST_TEST(has(message,
                 "no contact at this step. Likely cause: a velocity, force or gravity of the case that is far too "
                 "large; the time step is below its limit."),
             message);
  // Pressed by far more than its spring can bear.
  Case pressed = free;
  BodySpec anvil = free.assembly.bodies[0];
  anvil.position.x -= 0.99 * (anvil.radius + anvil.radius);
  hold(anvil);
  pressed.assembly.bodies.push_back(anvil);
  pressed.assembly.bodies[0].force = {0, 1e12};
  message = blow_up_of(pressed, 200);
  BOOST_TEST((!message.empty() && !has(message, "a time step too large")), message);
}
