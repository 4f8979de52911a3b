// Law hooke-history between discs: levers (direct-shear reference, §1.1 and T9), limits, histories.
#include "assembly_cases.hpp"
#include "contacts/planar/driven_pair.hpp"
#include "support/resumed.hpp"

namespace {

Case history_pair() {
  Case c = disc_pair_case();
  for (BodySpec& b : c.assembly.bodies) b.radius = 0.003;
  c.assembly.bodies[1].position = {0.006 - 2e-5, 0, 0};
  c.contact.law = "hooke-history";
  c.contact.elongation = Elongation::velocity;
  c.contact.lever = Lever::contact_point;
  c.material = {.normal_stiffness = 2000, .tangential_stiffness = 1600, .friction = 0.9, .restitution = 1};
  return c;
}

/// A quarter turn of both discs about the first in `steps`; the record of the end.
ContactRecord quarter_turn(const Case& c, int steps) {
  DrivenPair pair(c);
  const double distance = 0.006 - 2e-5, step = 0.5 * pi / steps;
  for (int k = 0; k <= steps; ++k) {
    const Vec2 along{std::cos(k * step), std::sin(k * step)};
    if (k > 0) pair.set_velocities({0, 0}, step, (step * distance) * Vec2{-along.y, along.x}, step);
    pair.move({{0, 0}, k * step}, {distance * along, k * step});
  }
  return record_of(pair);
}

}  // namespace

/// T9: slip 0 with the contact point as lever, δ π/2 with the radius, which saturates the limit at μ = 0.9.
BOOST_AUTO_TEST_CASE(rigid_rotation_of_discs_with_either_lever) {
  Case c = history_pair();
  BOOST_TEST(std::abs(quarter_turn(c, 200).elongation) < 1e-15);
  c.contact.lever = Lever::radius;
  const ContactRecord limited = quarter_turn(c, 200);
  BOOST_TEST((limited.regime == Regime::slip));
  BOOST_TEST(std::abs(limited.tangential_force) == 0.9 * 2000 * 2e-5, tolerance(1e-9));
  c.material.friction = 9;
  BOOST_TEST(std::abs(quarter_turn(c, 200).elongation) == 3.1415926535897935e-05, tolerance(1e-9));
}

/// Another history: springs start anew, and what they held is event loss. A saved state goes on with the same bits.
BOOST_AUTO_TEST_CASE(history_of_a_stage) {
  Case c = polygon_shear(0.3);
  c.contact.law = "hooke-history";
  c.time.step = 0.002;
  c.stages[0].duration = 0.6;
  Case plain = c;
  c.stages[1].history = TangentialHistory::pseudo;
  Simulation run(c), other(plain);
  while (run.stage() == 0) run.step(), other.step();
  BOOST_TEST(run.ledger().event_loss > other.ledger().event_loss);
  BOOST_TEST(run.ledger().stored_tangential == 0);
  BOOST_TEST(other.ledger().stored_tangential > 0);
  advance(run, 20), advance(other, 20);
  BOOST_TEST(run.hash() != other.hash());
  Simulation again = resumed_from(run, c);
  while (!run.finished()) run.step(), again.step();
  BOOST_TEST(again.hash() == run.hash());
  BOOST_TEST(std::abs(run.ledger().residual()) <= 1e-3 * run.ledger().absolute_work);
}
