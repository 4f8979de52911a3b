// The energy ledger (DESIGN, promise 2): it closes, to second order in the time step on smooth motion; circulation
// where a law has no potential and only there; what is dropped with a contact is booked.
#include <boost/test/unit_test.hpp>

#include "assembly_cases.hpp"
#include "line_wall.hpp"

using namespace dem;
using namespace dem::test;

namespace {

/// Two bodies that approach obliquely, turning; both free. They touch from the start: the first touch of a damped
/// contact is a jump of the force, which costs an order (the error of that one step is of the order of Δt).
Case collision(Grain grain, double friction, double restitution) {
  Case c = cloud(grain, 1, 0);
  c.material.friction = friction;
  c.material.restitution = restitution;
  BodySpec i = c.assembly.bodies[0];
  i.position = {0.3, -0.2};
  i.angle = 0;
  i.velocity = {0.04, 0.01};
  i.spin = 0.05;
  BodySpec j = i;
  if (grain == Grain::disc) {
    j.position = i.position + (1 - 1e-3) * Vec3{0.8, 0.6};
  } else {  // face to face but for a turn, a corner of j on the right edge of i: the overlap grows as a triangle
    i.outline = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    j.outline = i.outline;
    j.angle = 0.6;
    double left = 0;
    for (Vec2 v : j.outline) left = std::min(left, Turn::by(j.angle)(v).x);
    j.position = i.position + Vec3{0.5 - left - 0.02, 0.1};
  }
  j.velocity = {-0.06, -0.02};
  j.spin = -0.03;
  c.assembly.bodies = {i, j};
  return c;
}

/// Largest residual in a time that the contact outlives, and the other entries at its end.
struct Account {
  double residual;
  EnergyLedger end;
  std::size_t contacts;
};

Account account(Case c, double step, double time) {
  c.time.step = step;
  Simulation run(c);
  double worst = 0;
  while (run.time() < time - 0.5 * step) {
    run.step();
    worst = std::max(worst, std::abs(run.ledger().residual()));
  }
  return {worst, run.ledger(), run.contact_count()};
}

struct Choice {
  const char* name;
  double friction, restitution;
};
const Choice choices[] = {{"no friction, elastic", 0, 1}, {"sticking, elastic", 500, 1},
                          {"sliding, elastic", 0.05, 1},  {"no friction, damped", 0, 0.8},
                          {"sticking, damped", 500, 0.8}, {"sliding, damped", 0.05, 0.8}};

}  // namespace

BOOST_AUTO_TEST_SUITE(ledger_test)

BOOST_AUTO_TEST_CASE(residual_of_a_collision_is_of_second_order) {
  for (Grain grain : {Grain::disc, Grain::pentagon})
    for (NormalForce normal : {NormalForce::area_over_length, NormalForce::area_potential})
      for (const Choice& choice : choices) {
        if (grain == Grain::disc && normal == NormalForce::area_potential) continue;
        Case c = collision(grain, choice.friction, choice.restitution);
        if (grain != Grain::disc) c.contact.normal_force = normal;
        double residual[3];
        Account last{};
        for (int half = 0; half < 3; ++half) {
          last = account(c, 0.002 / (1 << half), 0.08);
          residual[half] = last.residual / last.end.initial;
        }
        const double order = 0.5 * std::log2(residual[0] / residual[2]);
        BOOST_TEST_MESSAGE((grain == Grain::disc                    ? "discs, "
                            : normal == NormalForce::area_potential ? "area-potential, "
                                                                    : "area-over-length, ")
                           << choice.name << ": residual " << residual[0] << " " << residual[1] << " " << residual[2]
                           << " of the initial energy, order " << order << "; friction "
                           << last.end.friction / last.end.initial << ", viscous "
                           << last.end.viscous / last.end.initial << ", circulation "
                           << last.end.circulation / last.end.initial);
        BOOST_TEST_CONTEXT(choice.name << ", order " << order) {
          BOOST_TEST(last.contacts == 1u);
          BOOST_TEST(residual[0] < 1e-3);
          // Where sliding begins the dashpot stops at once: one step with an error of first order.
          const bool jump = choice.friction > 0 && choice.friction < 1 && choice.restitution < 1;
          // Elastic sliding begins without a jump of the force, but with one of its rate: its step shows in how evenly
          // the order appears.
          const bool kink = choice.friction > 0 && choice.friction < 1;
          BOOST_TEST((residual[2] < 1e-13 || order > (jump ? 0.9 : kink ? 1.3 : 1.9)));
          const EnergyLedger& l = last.end;
          BOOST_TEST((l.friction > 1e-4 * l.initial) == (choice.friction == 0.05));
          BOOST_TEST((l.viscous > 0.01 * l.initial) == (choice.restitution < 1));
          const bool potential = grain == Grain::disc || normal == NormalForce::area_potential;
          BOOST_TEST((l.circulation != 0) == !potential);
          if (!potential) BOOST_TEST(std::abs(l.circulation) > 0.01 * l.initial);
        }
      }
}

BOOST_AUTO_TEST_CASE(no_circulation_where_there_is_a_potential) {
  // Not by definition only: an elastic frictionless collision gives back the kinetic energy, to what integration
  // leaves, from touch to parting. With area-over-length it does not, and the circulation says by how much.
  for (Grain grain : {Grain::disc, Grain::pentagon})
    for (NormalForce normal : {NormalForce::area_over_length, NormalForce::area_potential}) {
      if (grain == Grain::disc && normal == NormalForce::area_potential) continue;
      Case c = collision(grain, 0, 1);
      if (grain != Grain::disc) c.contact.normal_force = normal;
      c.time.step = 1e-4;
      Simulation run(c);
      while (run.contact_count() > 0 && run.time() < 20) run.step();
      const EnergyLedger l = run.ledger();
      BOOST_TEST_MESSAGE("kinetic energy returned " << l.kinetic / l.initial - 1 << ", circulation "
                                                    << l.circulation / l.initial);
      BOOST_TEST(run.contact_count() == 0u);
      const bool potential = grain == Grain::disc || normal == NormalForce::area_potential;
      if (potential)
        BOOST_TEST(std::abs(l.kinetic / l.initial - 1) < 1e-5);
      else
        BOOST_TEST(std::abs(l.kinetic + l.circulation + l.event_loss - l.initial) < 1e-5 * l.initial);
      if (!potential) BOOST_TEST(std::abs(l.circulation) > 0.01 * l.initial);
    }
}

BOOST_AUTO_TEST_CASE(shear_closes) {
  for (NormalForce normal : {NormalForce::area_over_length, NormalForce::area_potential}) {
    Case c = polygon_shear();
    c.contact.normal_force = normal;
    Simulation run(c);
    advance(run, 2500);
    const EnergyLedger l = run.ledger();
    BOOST_TEST_MESSAGE("residual " << l.residual() / l.absolute_work << " of the absolute work; boundary work "
                                   << l.boundary_work << " J, friction " << l.friction << ", viscous " << l.viscous
                                   << ", circulation " << l.circulation << ", event loss " << l.event_loss
                                   << ", stored " << l.stored());
    BOOST_TEST(l.relative_residual() <= 1e-3);
    BOOST_TEST(l.boundary_work > 0.1);
    BOOST_TEST(l.friction > 0);
    BOOST_TEST(l.event_loss != 0);
    BOOST_TEST((l.circulation == 0) == (normal == NormalForce::area_potential));
    // The residual is small beside what it could hide: any one sink left out would show.
    BOOST_TEST(std::abs(l.residual()) < 0.05 * std::min(l.friction, l.viscous));
  }
}

BOOST_AUTO_TEST_CASE(gravity_and_applied_forces_are_supplied) {
  Case c = collision(Grain::disc, 0.5, 0.8);
  c.gravity = {0.5, -1};
  c.assembly.bodies[0].force = {0.1, 0.2};
  c.assembly.bodies[0].torque = 0.03;
  c.assembly.walls = {dem::test::line_wall("floor", {-9, -0.9}, {9, -0.9}, {0, 0.02})};
  c.time.step = 0.001;
  Simulation run(c);
  advance(run, 3000);
  const EnergyLedger l = run.ledger();
  BOOST_TEST_MESSAGE("gravity " << l.gravity_work << ", applied " << l.applied_work << ", boundary " << l.boundary_work
                                << ", residual " << l.relative_residual());
  for (double work : {l.gravity_work, l.applied_work, l.boundary_work}) BOOST_TEST(std::abs(work) > 1e-3);
  BOOST_TEST(l.relative_residual() < 1e-3);
}

BOOST_AUTO_TEST_CASE(what_a_parting_contact_holds_is_event_loss) {
  // j is held, moves along the contact and away from i, and takes its elongation with it: as the contact opens within a
  // step, the tangential energy of the step before is booked, less the work that the force still does.
  for (Grain grain : {Grain::disc, Grain::pentagon}) {
    Case c = collision(grain, 500, 1);
    BodySpec &i = c.assembly.bodies[0], &j = c.assembly.bodies[1];
    i.velocity = j.velocity = {};
    i.spin = j.spin = 0;
    for (BodySpec* b : {&i, &j}) b->fix_x = b->fix_y = b->fix_rotation = true;
    j.velocity = {0.001, 0.002};
    if (grain != Grain::disc) {  // face to face, so that the normal force is still finite in the last step
      j.angle = 0;
      j.position = i.position + Vec3{1 - 1.0005e-3, 0.1};
    }
    c.time.step = 0.001;
    Simulation run(c);
    EnergyLedger before;
    double force = 0;
    while (run.contact_count() > 0) {
      before = run.ledger();
      force = std::abs(run.contacts()[0].tangential_force);
      run.step();
      BOOST_TEST_REQUIRE(run.time() < 60);
    }
    const EnergyLedger after = run.ledger();
    BOOST_TEST_MESSAGE("stored before parting " << before.stored_tangential << " J, event loss "
                                                << after.event_loss - before.event_loss << " J");
    BOOST_TEST(before.stored_tangential > 0);
    // The spring that lets go: its energy; trapezoid: the force also does half the work of the step, against the
    // movement.
    const double loss = after.event_loss - before.event_loss, last_work = 0.5 * force * norm(j.velocity) * c.time.step;
    BOOST_TEST(before.stored_tangential > 1e-8);
    if (grain == Grain::disc) BOOST_TEST(loss >= before.stored_tangential);
    BOOST_TEST(std::abs(loss - before.stored_tangential) <=
               last_work + 1.01 * (grain == Grain::disc ? 0 : before.stored_normal));
    BOOST_TEST(after.stored() == 0);
    BOOST_TEST(after.relative_residual() < 1e-6);
  }
}

// Gravity and an applied force that balance it do opposite works, and both stand in the ledger.
BOOST_AUTO_TEST_CASE(forces_that_cancel_still_do_work) {
  Case c = cloud(Grain::disc, 1, 0);
  c.assembly.bodies.resize(1);
  BodySpec& b = c.assembly.bodies[0];
  b.density = 2 / (std::acos(-1.0) * b.radius * b.radius);  // mass 2
  b.velocity = {0, 0.5};
  c.gravity = {0, -4};
  b.force = {0, 8};
  Simulation run(c);
  const double start = run.state().bodies.position[0][0].y;
  for (int k = 0; k < 100; ++k) run.step();
  const double rise = run.state().bodies.position[0][0].y - start;
  BOOST_TEST(rise > 0);
  BOOST_TEST(run.ledger().gravity_work == -8 * rise, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(run.ledger().applied_work == 8 * rise, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
