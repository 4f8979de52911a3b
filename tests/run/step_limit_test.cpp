// The time step is checked before the run, from what can be, and during it, from the contacts as they are.
#include <boost/test/unit_test.hpp>
#include <string>

#include "assembly_cases.hpp"
#include "libdem/run/simulation_setup.hpp"

using namespace dem;
using namespace dem::test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A light disc inside a ring of 24 small ones that close in on it: twice as many contacts as the a-priori limit, which
/// doubles the stiffness of six, has room for.
Case closing_ring() {
  Case c;
  c.material = soft_material();
  c.material.restitution = 1;
  c.contact.normal_force = NormalForce::overlap;
  BodySpec middle;
  middle.name = "middle";
  middle.shape = ShapeKind::disc;
  middle.radius = 1;
  middle.density = 0.01;
  c.assembly.bodies = {middle};
  const int count = 24;
  const double small = 0.12;
  for (int k = 0; k < count; ++k) {
    const Turn turn = Turn::by(2 * std::numbers::pi * k / count);
    BodySpec ring;
    ring.name = "ring-" + std::to_string(k);
    ring.shape = ShapeKind::disc;
    ring.radius = small;
    ring.position = spatial(turn(Vec2{1 + small + 0.02, 0}));
    ring.velocity = spatial(turn(Vec2{-0.1, 0}));
    ring.fix_x = ring.fix_y = ring.fix_rotation = true;
    c.assembly.bodies.push_back(ring);
  }
  Stage stage;
  stage.duration = 1e9;
  c.stages = {stage};
  c.time.step = 1e-6;
  c.time.step = 0.95 * Simulation(c).apriori_limit().dt;
  c.time.limit_check_interval = 10 * c.time.step;
  return c;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(step_limit_of_runs)

BOOST_AUTO_TEST_CASE(refused_before_the_first_step) {
  Case c = polygon_shear();
  const double limit = Simulation(c).apriori_limit().dt;
  BOOST_TEST(limit > c.time.step);
  c.time.step = 1.001 * limit;
  try {
    Simulation run(c);
    BOOST_ERROR("the step was accepted");
  } catch (const StepTooLarge& error) {
    const std::string message = error.what();
    BOOST_TEST_MESSAGE(message);
    char allowed[64];
    std::snprintf(allowed, sizeof allowed, "allowed at most %.4g s", limit);
    for (const std::string& part : {std::string("time.step: found "), std::string(allowed),
                                    std::string("time.override_limit = true"), std::string("k_n = ")})
      BOOST_TEST(has(message, part), message);
  }
  c.time.override_limit = true;
  Simulation overridden(c);
  advance(overridden, 10);
  c.time.override_limit = false;
  c.time.step = 0.999 * limit;
  Simulation accepted(c);
  advance(accepted, 10);
}

BOOST_AUTO_TEST_CASE(exceeded_during_the_run) {
  const Case c = closing_ring();
  Simulation run(c);
  std::string message;
  try {
    advance(run, 100000);
  } catch (const StepTooLarge& error) {
    message = error.what();
  }
  BOOST_TEST_MESSAGE(message);
  BOOST_TEST_REQUIRE(!message.empty());
  BOOST_TEST(run.contact_count() == 24u);
  BOOST_TEST(message.starts_with("step " + std::to_string(run.step_count()) + ": time.step = "), message);
  for (const char* part :
       {"measured from the contacts", "'middle'", "with body ", "'ring-", "time.override_limit = true"})
    BOOST_TEST(has(message, part), message);
  // Closed form: 24 contacts of one free disc, ω² = 24/2 (k_n + k_t)/m.
  const double m = 0.01 * std::numbers::pi, k = 400;
  BOOST_TEST(run.measured_limit()->omega == std::sqrt(12 * (k + k / 3) / m), boost::test_tools::tolerance(1e-3));
  BOOST_TEST(run.measured_limit()->dt < c.time.step);
  BOOST_TEST(run.measured_limit()->dt > 0.6 * c.time.step);

  // Overridden, it goes on.
  Case on = c;
  on.time.override_limit = true;
  Simulation overridden(on);
  advance(overridden, run.step_count() + 5);
  BOOST_TEST(overridden.contact_count() == 24u);
}

BOOST_AUTO_TEST_CASE(measured_on_schedule) {
  // No contact: no limit. A contact: a limit, after the next measurement and not before.
  Case c = closing_ring();
  c.time.step *= 0.5;
  c.time.limit_check_interval = 100 * c.time.step;
  Simulation run(c);
  BOOST_TEST(std::isinf(run.measured_limit()->dt));
  while (run.contact_count() == 0) run.step();
  BOOST_TEST(run.step_count() % 100 != 0u);
  BOOST_TEST(std::isinf(run.measured_limit()->dt));
  advance(run, 100 - run.step_count() % 100);
  BOOST_TEST(std::isfinite(run.measured_limit()->dt));
}

// Without an interval of its own: the farther from the limit, the later the next measurement. A ring of eight closes in
// just before.
BOOST_AUTO_TEST_CASE(measured_later_where_the_step_is_far_from_the_limit) {
  const double limit = closing_ring().time.step / 0.95;
  for (const auto& [share, steps] :
       {std::pair{1.5, 1000u}, {0.95, 3000u}, {0.6, 10000u}}) {  // half as much of twice the a-priori limit
    Case c = closing_ring();
    c.time.step = share * limit;
    c.time.override_limit = true;
    c.time.limit_check_interval = 0;
    std::erase_if(c.assembly.bodies, [](const BodySpec& body) {
      return body.name != "middle" && std::stoi(body.name.substr(5)) % 3 != 0;
    });
    for (BodySpec& body : c.assembly.bodies) body.velocity = (0.02 / (950 * c.time.step) / 0.1) * body.velocity;
    Simulation run(c);
    while (run.contact_count() < 8u && run.step_count() < 1000u) run.step();
    BOOST_TEST(run.contact_count() == 8u);
    BOOST_TEST(run.step_count() > 900u);
    while (std::isinf(run.measured_limit()->dt) && run.step_count() < 20000u) run.step();
    BOOST_TEST(run.step_count() == steps);
  }
}

// A new stage may bring another load: it is measured within a thousand steps of its start, unless the case says when.
BOOST_AUTO_TEST_CASE(a_stage_brings_the_next_measurement_forward) {
  for (const auto& [interval, steps] : {std::pair{0.0, 1500u}, {4000.0, 4000u}}) {
    Case c = closing_ring();
    c.time.step *= 0.6 / 0.95;
    c.time.limit_check_interval = interval * c.time.step;
    std::erase_if(c.assembly.bodies, [](const BodySpec& body) {
      return body.name != "middle" && std::stoi(body.name.substr(5)) % 3 != 0;
    });
    for (BodySpec& body : c.assembly.bodies) body.velocity = (0.02 / (950 * c.time.step) / 0.1) * body.velocity;
    c.stages[0].duration = 500 * c.time.step;
    c.stages.push_back(c.stages[0]);
    c.stages[1].duration = 1e9;
    Simulation run(c);
    while (std::isinf(run.measured_limit()->dt) && run.step_count() < 20000u) run.step();
    BOOST_TEST(run.step_count() == steps);
  }
}

BOOST_AUTO_TEST_CASE(a_priori_limit_is_below_the_measured_one_of_packings) {
  for (const Case& c : {polygon_shear(), disc_shear()}) {
    Simulation run(c);
    double smallest = INFINITY;
    for (int k = 0; k < 15; ++k) {
      advance(run, 100);
      StepLimitMeter meter;
      smallest = std::min(smallest, meter.measure(run.state().bodies, run.contacts(), scheme_of(c)).dt);
    }
    BOOST_TEST_MESSAGE("a priori " << run.apriori_limit().dt << " s, smallest measured " << smallest << " s");
    BOOST_TEST(run.apriori_limit().dt < smallest);
    BOOST_TEST(smallest < 10 * run.apriori_limit().dt);
  }
}

BOOST_AUTO_TEST_SUITE_END()
