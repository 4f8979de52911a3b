// Loops over more than a thousand bodies are cut into parts. There too, any number of threads gives the same bits.

#include "assembly_cases.hpp"
#include "cell_cases.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;

// All loops over bodies at once: gravity, mass damping, a cell at a rate and a servo, both integrators.
BOOST_AUTO_TEST_CASE(many_bodies_on_any_number_of_threads) {
  for (const int clusters : {0, 3})
    for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      Case c = sphere_cloud(14, clusters);
      c.contact.elongation = Elongation::velocity;  // no trial steps at the start
      c.time.integrator = integrator;
      c.time.override_limit = true;
      c.gravity = {0.3, 0, -1};
      c.material.mass_damping = 0.5;
      c.stages = {lasting(1e9, cell_stage(at_rate(-0.1), at_stress(-20)))};
      std::uint64_t hash = 0;
      EnergyLedger ledger;
      for (const int threads : {1, 2, 8}) {
        c.threads = threads;
        Simulation run(c);
        BOOST_TEST(run.state().bodies.size() > 2048u);
        advance(run, 20);
        const EnergyLedger found = run.ledger();
        if (threads == 1) hash = run.hash(), ledger = found;
        BOOST_TEST_CONTEXT(threads << " threads") {
          BOOST_TEST(run.hash() == hash);
          BOOST_TEST(std::memcmp(&found, &ledger, sizeof ledger) == 0);
        }
        BOOST_TEST(found.viscous > 0);
        BOOST_TEST(found.gravity_work != 0);
      }
    }
}

// Bodies of the plane in several shares. A thread adds the loads of its own bodies, also from contacts of other
// threads.
BOOST_AUTO_TEST_CASE(many_polygons_on_any_number_of_threads) {
  Case c = polygon_shear();
  auto& voronoi = std::get<geometry::VoronoiInput>(c.assembly.generator);
  voronoi.columns = voronoi.rows = 30;
  c.time.step = 0.0023;
  std::uint64_t hash = 0;
  EnergyLedger ledger;
  for (const int threads : {1, 2, 3, 8}) {
    c.threads = threads;
    Simulation run(c);
    BOOST_TEST(run.state().bodies.size() > 3 * bodies_per_part);
    advance(run, 1500);
    const EnergyLedger found = run.ledger();
    if (threads == 1) hash = run.hash(), ledger = found;
    BOOST_TEST_CONTEXT(threads << " threads") {
      BOOST_TEST(run.contact_count() > 500u);
      BOOST_TEST(run.hash() == hash);
      BOOST_TEST(std::memcmp(&found, &ledger, sizeof ledger) == 0);
    }
  }
}
