// The time step is checked before the run, from possible contacts, and during it, from those that are there.
#include "assembly_cases.hpp"
#include "libdem/run/simulation_setup.hpp"
#include "support/message_of.hpp"
#include "support/text.hpp"

namespace {

/// A light disc inside a ring of 24 small ones that close in on it. The a-priori limit doubles the stiffness of six
/// contacts, so it has room for half of them.
Case closing_ring() {
  Case c = cloud(Grain::disc, 1, 0);
  c.material.restitution = 1;
  BodySpec& middle = c.assembly.bodies[0];
  middle.name = "middle", middle.radius = 1, middle.density = 0.01;
  middle.position = {}, middle.angle = 0;
  BodySpec ring = middle;
  ring.radius = 0.12;
  ring.density.reset();
  hold(ring);
  for (int k = 0; k < 24; ++k) {
    const Turn turn = Turn::by(2 * pi * k / 24);
    ring.name = "ring-" + std::to_string(k);
    ring.position = spatial(turn(Vec2{1 + ring.radius + 0.02, 0}));
    ring.velocity = spatial(turn(Vec2{-0.1, 0}));
    c.assembly.bodies.push_back(ring);
  }
  c.time.step = 1e-6;
  c.time.step = 0.95 * Simulation(c).apriori_limit().dt;
  c.time.limit_check_interval = 10 * c.time.step;
  return c;
}

/// Only each third disc of the ring, at a share of the a-priori limit. They touch just before step 1000.
Case ring_of_eight(double share) {
  Case c = closing_ring();
  c.time.step *= share / 0.95;
  std::erase_if(c.assembly.bodies,
                [](const BodySpec& body) { return body.name != "middle" && std::stoi(body.name.substr(5)) % 3 != 0; });
  for (BodySpec& body : c.assembly.bodies) body.velocity = (0.02 / (950 * c.time.step) / 0.1) * body.velocity;
  return c;
}

/// The step at which contacts are measured for the first time.
std::uint64_t first_measurement(Simulation& run) {
  while (std::isinf(run.measured_limit()->dt) && run.step_count() < 20000u) run.step();
  return run.step_count();
}

}  // namespace

BOOST_AUTO_TEST_CASE(limit_of_the_step_is_exceeded_during_the_run) {
  const Case c = closing_ring();
  Simulation run(c);
  const std::string message = message_of<StepTooLarge>([&] { advance(run, 100000); });
  BOOST_TEST(run.contact_count() == 24u);
  BOOST_TEST(message.starts_with("step " + std::to_string(run.step_count()) + ": time.step = "), message);
  for (const char* part :
       {"measured from the contacts", "'middle'", "with body ", "'ring-", "time.override_limit = true"})
    BOOST_TEST(has(message, part), message);
  // Closed form: 24 contacts of one free disc, ω² = 24/2 (k_n + k_t)/m.
  const double m = 0.01 * pi, k = 400;
  BOOST_TEST(run.measured_limit()->omega == std::sqrt(12 * (k + k / 3) / m), tolerance(1e-3));
  BOOST_TEST(run.measured_limit()->dt < c.time.step);
  BOOST_TEST(run.measured_limit()->dt > 0.6 * c.time.step);

  // Overridden, it goes on.
  Case on = c;
  on.time.override_limit = true;
  BOOST_TEST(advanced(on, run.step_count() + 5).contact_count() == 24u);
}

// Without an interval of its own: the farther from the limit, the later the next measurement.
BOOST_AUTO_TEST_CASE(limit_is_measured_on_schedule_later_far_from_it_and_soon_in_a_new_stage) {
  for (const auto& [share, steps] : {std::pair{2.1, 1000u},
                                     {1.5, 1777u},
                                     {0.95, 4432u},
                                     {0.6, 10000u}}) {  // half as much of twice the a-priori limit
    Case c = ring_of_eight(share);
    c.time.override_limit = true;
    c.time.limit_check_interval = 0;
    Simulation run(c);
    while (run.contact_count() < 8u && run.step_count() < 1000u) run.step();
    BOOST_TEST(run.contact_count() == 8u);
    BOOST_TEST(run.step_count() > 900u);
    BOOST_TEST(first_measurement(run) == steps);
  }
  // A new stage is measured within a thousand steps of its start, unless the case gives an interval.
  for (const auto& [interval, steps] : {std::pair{0.0, 1500u}, {4000.0, 4000u}}) {
    Case c = ring_of_eight(0.6);
    c.time.limit_check_interval = interval * c.time.step;
    c.stages = {lasting(500 * c.time.step), lasting(1e9)};
    Simulation run(c);
    BOOST_TEST(first_measurement(run) == steps);
  }
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

BOOST_AUTO_TEST_CASE(a_priori_limit_is_below_the_measured_one_of_packings) {
  for (const Case& c : {polygon_shear(), disc_shear()}) {
    Simulation run(c);
    double smallest = INFINITY;
    for (int k = 0; k < 15; ++k) {
      advance(run, 100);
      StepLimitMeter meter;
      smallest = std::min(smallest, meter.measure(run.state().bodies, run.contacts(), scheme_of(c)).dt);
    }
    BOOST_TEST(run.apriori_limit().dt < smallest);
    BOOST_TEST(smallest < 10 * run.apriori_limit().dt);
  }
}
