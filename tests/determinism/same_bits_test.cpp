// The same bits for any number of threads and any Verlet skin (DESIGN, promise 1).
#include "cell_cases.hpp"
#include "sphere_cases.hpp"

namespace {

/// The end of a run, compared bit by bit.
struct Outcome {
  std::uint64_t hash, builds;
  std::size_t contacts, components;
  EnergyLedger ledger;
};

Outcome run_case(const Case& c, std::uint64_t steps) {
  Simulation run(c);
  std::size_t components = 0;
  for (std::uint64_t k = 0; k < steps; ++k) {
    run.step();
    if (k % 20 == 0) components = std::max(components, most_components(run));
  }
  return {run.hash(), run.list_builds(), run.contact_count(), components, run.ledger()};
}

void check_equal(const Outcome& a, const Outcome& b) {
  BOOST_TEST(a.hash == b.hash);
  BOOST_TEST(std::memcmp(&a.ledger, &b.ledger, sizeof a.ledger) == 0);
}

/// The end of a run on one thread, with which that on others is compared.
Outcome on_threads(Case c, std::uint64_t steps) {
  const Outcome reference = run_case(c, steps);
  for (const int threads : {2, 3, 8}) {
    c.threads = threads;
    BOOST_TEST_CONTEXT(threads << " threads") check_equal(run_case(c, steps), reference);
  }
  return reference;
}

void check_same(Case c, std::uint64_t steps, std::size_t contacts, std::size_t components) {
  const Outcome reference = on_threads(c, steps);
  BOOST_TEST(reference.contacts >= contacts);
  BOOST_TEST(reference.components >= components);
  BOOST_TEST(reference.ledger.friction > 0);
  std::vector<std::uint64_t> builds;
  for (double skin : {0.05, 0.1, 0.3}) {  // of a radius of 0.5 m
    c.skin = 0.5 * skin;
    const Outcome other = run_case(c, steps);
    builds.push_back(other.builds);
    BOOST_TEST_CONTEXT("skin " << c.skin) check_equal(other, reference);
  }
  BOOST_TEST(builds[0] > builds[2]);  // the lists really were made at other times
}

}  // namespace

BOOST_AUTO_TEST_CASE(polygons_and_discs) {
  Case published = polygon_shear();
  published.contact.plane = geometry::ContactPlane::edge_mean;
  check_same(polygon_shear(), 1000, 150, 1);
  check_same(published, 1000, 150, 1);
  check_same(colliding_combs(), 700, 20, 2);  // not convex
  check_same(disc_shear(), 1500, 100, 1);
}

BOOST_AUTO_TEST_CASE(scattered_numbers) {
  check_same(scattered_cloud(Grain::comb), 150, 200, 2);
  Case c = plane_cell(ShapeKind::disc, 600, 0.4);
  c.stages = {lasting(1e9, cell_stage(at_stress(-1), at_stress(-1), at_rate(0.02)))};
  c.stages[0].cell->largest_rate = 1;
  check_same(c, 300, 300, 1);
}

// All loops over bodies at once: gravity, mass damping, a cell at a rate and a servo, both integrators.
BOOST_AUTO_TEST_CASE(many_spheres_and_clusters) {
  for (const int clusters : {0, 3})
    for (const Integrator integrator : {Integrator::gear5, Integrator::velocity_verlet}) {
      Case c = sphere_cloud(14, clusters);
      BOOST_TEST(c.assembly.bodies.size() > 2048u);
      c.contact.elongation = Elongation::velocity;  // no trial steps at the start
      c.time.integrator = integrator;
      c.time.override_limit = true;
      c.gravity = {0.3, 0, -1};
      c.material.mass_damping = 0.5;
      c.stages = {lasting(1e9, cell_stage(at_rate(-0.1), at_stress(-20)))};
      const EnergyLedger ledger = on_threads(c, 20).ledger;
      BOOST_TEST((ledger.viscous > 0 && ledger.gravity_work != 0));
    }
}

// Bodies of the plane in several shares. A thread adds the loads of its own bodies, also from contacts of other
// threads.
BOOST_AUTO_TEST_CASE(many_polygons) {
  Case c = polygon_shear();
  auto& voronoi = std::get<geometry::VoronoiInput>(c.assembly.generator);
  voronoi.columns = voronoi.rows = 30;
  c.time.step = 0.0023;
  BOOST_TEST(Simulation(c).state().bodies.size() > 3 * bodies_per_part);
  BOOST_TEST(on_threads(c, 1500).contacts > 500u);
}
