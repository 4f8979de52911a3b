// Measures of the studies of packings with the Jäger contact: costs, movement of contacts.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "validation/kuhn2011/biaxial/compression.hpp"
#include "validation/kuhn2011/biaxial/cost.hpp"
#include "validation/kuhn2011/biaxial/movement.hpp"

using namespace dem;
using namespace dem::validation::kuhn2011;
using boost::test_tools::tolerance;

namespace {

/// A small packing that is not worked out: 27 spheres on a lattice that touch, every second one larger.
Packing lattice() {
  Packing p;
  const double gap = 2 * mean_radius;
  for (int k = 0; k < 27; ++k) {
    p.position.push_back({(k % 3 + 0.5) * gap, (k / 3 % 3 + 0.5) * gap, (k / 9 + 0.5) * gap});
    p.radius.push_back((k % 2 ? 1.0004 : 1.0002) * mean_radius);
  }
  p.cell = {3 * gap, 3 * gap, 3 * gap};
  return p;
}

Case sheared(const char* law, double strain) {
  Case c = compression_case(lattice(), law_variants()[variant_named(law)], {strain, 10});
  CellDrive& drive = *c.stages.front().cell;
  drive.component[0] = {CellComponent::Mode::rate, 0.4e-6 / time_step, 0};  // no servo
  drive.component[3] = {CellComponent::Mode::rate, 0.7e-6 / time_step, 0};
  c.assembly.bodies[4].velocity = {0.02, 0.01, 0};  // some disorder
  return c;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kuhn2011_packing)

BOOST_AUTO_TEST_CASE(quartiles_of_a_set) {
  const Quartiles q = quartiles({5, 1, 3, 2, 4});
  BOOST_TEST((q.low == 2 && q.middle == 3 && q.high == 4));
  BOOST_TEST(median({1, 2, 10, 20}) == 6);
  BOOST_TEST(median({7}) == 7);
  BOOST_TEST(std::isnan(median({})));
}

/// Ratios are taken block by block: a block in which the machine was slow for both does not show.
BOOST_AUTO_TEST_CASE(ratios_of_costs) {
  CostComparison c;
  for (const double slow : {1.0, 5.0, 1.0}) {
    c.blocks.push_back({0, 100, 50, {slow * 3, slow * 2}});
    c.parts.push_back({0, {{0, slow * 4, 0}, {0, slow * 2, 0}}});
  }
  c.blocks.push_back({0, 100, 50, {30, 2}});  // an interruption of one of them
  BOOST_TEST(c.total_ratio(0, 1).middle == 1.5);
  BOOST_TEST(c.total_ratio(1, 0).middle == 1 / 1.5, tolerance(1e-15));
  BOOST_TEST(c.force_ratio(0, 1).middle == 2);
  BOOST_TEST(c.summed_ratio(0, 1) == 51.0 / 16, tolerance(1e-15));
  const CostComparison again = CostComparison::unpack(c.pack());
  BOOST_TEST_REQUIRE((again.blocks.size() == 4u && again.parts.size() == 3u));
  BOOST_TEST((again.blocks[3].seconds[0] == 30 && again.blocks[3].legs == 100));
  BOOST_TEST(again.parts[1].cost[1].force == 10);
}

/// Steps that are taken apart are those of the run, bit by bit while the cell rests. Else the rate of its vectors makes
/// a small difference.
BOOST_AUTO_TEST_CASE(timed_steps_are_those_of_the_run) {
  for (const char* law : {exact_law, usual_law})
    for (const bool rests : {true, false}) {
      Case c = sheared(law, 1e-3);
      if (rests) c.stages.front() = Stage{}, c.stages.front().duration = 1000 * time_step;
      Simulation run(c);
      for (int k = 0; k < 100; ++k) run.step();
      TimedSteps timed(run);
      const std::vector<Vec3> before = run.state().bodies.position[0].by_number();
      BOOST_TEST(timed.advance(50).force > 0);
      for (int k = 0; k < 50; ++k) run.step();
      BOOST_TEST(timed.state().step == run.step_count());
      double moved = 0, apart = 0;
      for (std::size_t b = 0; b < before.size(); ++b) {
        moved = std::max(moved, norm(run.state().bodies.position[0][b] - before[b]));
        apart = std::max(apart, norm(run.state().bodies.position[0][b] - timed.state().bodies.position[0][b]));
      }
      BOOST_TEST(moved > 0);
      BOOST_TEST(apart <= (rests ? 0 : 1e-3 * moved));
    }
}

/// Histories that are driven by the movement of two bodies are those of the run: while contacts stick, slip, slide, end
/// and begin.
BOOST_AUTO_TEST_CASE(movement_gives_the_histories) {
  Case c = sheared(exact_law, 2e-3);
  Simulation run(c);
  MovementWatch watch(run, {1, 5e-4, 1e-3});
  const std::size_t contacts_at_start = run.contact_count();
  bool others = false;
  while (!run.finished()) {
    run.step();
    watch.observe(run);
    BOOST_TEST_REQUIRE(watch.contacts().size() == run.contact_count());
    others = others || run.contact_count() != contacts_at_start;
  }
  BOOST_TEST(others);
  BOOST_TEST(watch.largest_difference(run) < 1e-9);
  const auto memory = *run.contact_engine().history_memory();
  double legs = 0, from_start = 0;
  for (const FollowedContact& f : watch.contacts()) {
    legs += double(f.history.legs());
    if (!f.from_start) continue;
    from_start += 1;
    BOOST_TEST(f.kinds.sum() == double(run.step_count()));
    BOOST_TEST(f.path.size() == run.step_count() + 1);
    BOOST_TEST(f.zoom.size() > 400u);
    BOOST_TEST(f.corners >= f.reversals);
  }
  BOOST_TEST(from_start > 0);
  // Contacts of this run that began within a step begin a little otherwise here.
  BOOST_TEST(std::abs(legs / double(memory.legs) - 1) < 0.05);
  const StepKinds all = watch.kinds();
  BOOST_TEST((all.stick > 0 && all.slip > 0 && all.slide > 0));
}

BOOST_AUTO_TEST_CASE(compression_and_its_numbers) {
  const CompressionChoice choice{5e-4, 50};
  TaskProgress progress;
  Case c = compression_case(lattice(), law_variants()[0], choice);
  c.stages.front().cell->component[0] = {};
  const Compression done = compress(c, choice, progress);
  BOOST_TEST(done.steps == 500);
  BOOST_TEST(done.rows.size() == 11u);
  BOOST_TEST(done.rows.back().strain == 5e-4, tolerance(1e-9));
  BOOST_TEST(done.rows.back().volume == -5e-4, tolerance(1e-9));
  const Compression again = Compression::unpack(done.pack());
  BOOST_TEST(
      (again.rows.size() == done.rows.size() && again.residual == done.residual && again.rows[7].q == done.rows[7].q));
  BOOST_TEST(again.at(2.4e-4).strain == done.rows[5].strain);
  BOOST_TEST(again.peak_ratio() == done.peak_ratio());
  double mean = 0;
  for (std::size_t k = 6; k <= 10; ++k) mean += done.rows[k].ratio() / 5;
  BOOST_TEST(done.mean_ratio(2.9e-4, 1) == mean, tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(variants_are_different_laws) {
  for (const LawVariant& a : law_variants())
    for (const LawVariant& b : law_variants()) {
      Case one, two;
      a.choose(one), b.choose(two);
      BOOST_TEST((one.contact == two.contact) == (&a == &b));
    }
  BOOST_CHECK_THROW(variant_named("hertz"), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
