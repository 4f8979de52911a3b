// Law linear-refined in runs of bodies in the plane: the ledger closes over collisions from apart to apart, which end
// as those of law linear, and over a shear of many polygons.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "assembly_cases.hpp"

using namespace dem;
using namespace dem::test;

namespace {

/// Two discs that meet obliquely, spinning, and part again.
Case collision(const std::string& law, double friction, double restitution) {
  Case c = cloud(Grain::disc, 1, 0);
  c.contact.law = law;
  c.contact.clip_tension = true;
  c.material.friction = friction;
  c.material.restitution = restitution;
  BodySpec i = c.assembly.bodies[0];
  i.position = {0, 0};
  i.velocity = {0.04, 0.01};
  i.spin = 0.05;
  BodySpec j = i;
  j.position = (1 + 2e-4) * Vec3{0.8, 0.6};
  j.velocity = {-0.06, -0.02};
  j.spin = -0.03;
  c.assembly.bodies = {i, j};
  return c;
}

EnergyLedger after(Case c, double step) {
  c.time.step = step;
  Simulation run(c);
  bool met = false;
  while (run.time() < 5 && !(met && run.contact_count() == 0)) {
    run.step();
    met = met || run.contact_count() > 0;
  }
  BOOST_TEST(met);
  BOOST_TEST(run.contact_count() == 0U);
  return run.ledger();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linear_refined_runs)

BOOST_AUTO_TEST_CASE(a_collision_from_apart_to_apart_closes_the_ledger) {
  for (const double friction : {0.05, 500.0})
    for (const double restitution : {1.0, 0.7}) {
      const EnergyLedger coarse = after(collision("linear-refined", friction, restitution), 4e-4),
                         fine = after(collision("linear-refined", friction, restitution), 1e-4);
      const double a = std::abs(coarse.residual()) / coarse.initial, b = std::abs(fine.residual()) / fine.initial;
      BOOST_TEST_MESSAGE("friction " << friction << ", restitution " << restitution << ": residual " << a << ", " << b
                                     << "; friction " << fine.friction / fine.initial << ", event loss "
                                     << fine.event_loss / fine.initial);
      BOOST_TEST(a < 5e-5);
      BOOST_TEST(b < 2e-5);
      BOOST_TEST((fine.friction > 1e-4 * fine.initial) == (friction < 1));
      BOOST_TEST(fine.friction > 0);
      BOOST_TEST(fine.circulation == 0);
      // What the parting contact held is friction, not an event; what is left is how the law's integral and the
      // trapezoid differ.
      BOOST_TEST(std::abs(fine.event_loss) < 1e-6 * fine.initial);
      // The same collision as law linear has it.
      const EnergyLedger linear = after(collision("linear", friction, restitution), 1e-4);
      BOOST_TEST(std::abs(fine.kinetic / linear.kinetic - 1) < 2e-3, fine.kinetic / linear.kinetic - 1);
    }
}

BOOST_AUTO_TEST_CASE(shear_of_polygons_with_any_number_of_threads) {
  Case c = polygon_shear();
  c.contact.law = "linear-refined";
  Simulation run(c);
  advance(run, 1500);
  c.threads = 3;
  Simulation shared(c);
  advance(shared, 1500);
  BOOST_TEST(shared.hash() == run.hash());
  const EnergyLedger l = run.ledger();
  BOOST_TEST_MESSAGE("relative residual " << l.relative_residual() << ", friction " << l.friction << ", event loss "
                                          << l.event_loss);
  BOOST_TEST(l.relative_residual() <= 1e-4);
  BOOST_TEST(l.friction > 0);
  BOOST_TEST(std::abs(l.event_loss) < 1e-3 * l.friction);
}

BOOST_AUTO_TEST_SUITE_END()
