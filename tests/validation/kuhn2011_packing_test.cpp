// Measures of the studies of packings with the Jäger contact: costs, movement of contacts, loops of cycles.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "validation/kuhn2011/biaxial/compression.hpp"
#include "validation/kuhn2011/biaxial/cost.hpp"
#include "validation/kuhn2011/biaxial/movement.hpp"
#include "validation/kuhn2011/shear-cycles/cycles.hpp"

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

/// An ellipse τ = G γ_a cos(φ − δ), γ = γ_a cos φ about an offset. By its secant G cos δ the damping ratio is ½ tan δ,
/// and the work is π G γ_a² sin δ.
BOOST_AUTO_TEST_CASE(loops_of_a_viscoelastic_body) {
  const double pi = std::numbers::pi, amplitude = 2e-4, modulus = 3e8, angle = 0.2;
  std::vector<LoopPoint> loop;
  for (int k = 0; k <= 4000; ++k) {
    const double phase = 2 * pi * k / 4000;
    // The stress goes ahead.
    loop.push_back({1e-4 + amplitude * std::cos(phase), 500 + modulus * amplitude * std::cos(phase + angle)});
  }
  BOOST_TEST(secant_modulus(loop) == modulus * std::cos(angle), tolerance(1e-6));
  BOOST_TEST(loop_work(loop) == pi * modulus * amplitude * amplitude * std::sin(angle), tolerance(1e-5));
  BOOST_TEST(damping_ratio(loop) == 0.5 * std::tan(angle), tolerance(1e-5));
  std::reverse(loop.begin(), loop.end());
  BOOST_TEST(damping_ratio(loop) == -0.5 * std::tan(angle), tolerance(1e-5));  // a body that gives energy
  // A parallelogram by its corners: rigid-plastic loss 4 τ γ_a at τ = G_sec γ_a is a ratio of 2/π.
  const std::vector<LoopPoint> rigid{{1, 5}, {1, -5}, {-1, -5}, {-1, 5}, {1, 5}};
  BOOST_TEST(loop_work(rigid) == 20);
}

/// Cycles on a lattice: their number, the part of the dashpots, what comes back from a file.
BOOST_AUTO_TEST_CASE(cycles_of_a_lattice) {
  TaskProgress progress;
  const CycleChoice choice{1e-5, 50, 2, 200};
  const ShearCycles done = run_cycles(cycles_case(lattice(), law_variants()[0], choice), choice, progress);
  BOOST_TEST_REQUIRE(done.cycles.size() == 2u);
  BOOST_TEST(done.first.size() == 201u);
  BOOST_TEST(done.last.front().strain == done.first.back().strain);
  double top = 0;
  for (const LoopPoint& p : done.last) top = std::max(top, p.strain);
  BOOST_TEST(top == 1e-5, tolerance(1e-6));
  BOOST_TEST(std::abs(done.last.back().strain) < 1e-12);
  for (const Cycle& c : done.cycles) {
    BOOST_TEST((c.modulus > 0 && c.viscous > 0 && c.friction > 0));
    BOOST_TEST(c.dry() == c.damping - c.viscous);
  }
  const ShearCycles again = ShearCycles::unpack(done.pack());
  BOOST_TEST((again.pack() == done.pack() && again.first.size() == done.first.size()));
  BOOST_TEST(
      (again.cycles[1].damping == done.cycles[1].damping && again.cycles[1].pressure == done.cycles[1].pressure));
  BOOST_TEST(again.last[7].stress == done.last[7].stress);
}

/// Walton's shear modulus ~ p^(1/3) and (solid fraction × Z)^(2/3). It is also a sum over contacts with evenly spread
/// normals, (1/V) Σ l² (k_n ⟨n_x² n_y²⟩ + k_t (¼⟨n_x² + n_y²⟩ − ⟨n_x² n_y²⟩)). The means are 1/15 and 1/6 − 1/15.
BOOST_AUTO_TEST_CASE(effective_medium) {
  const double one = walton_modulus(6, 0.6, 1e5);
  BOOST_TEST(walton_modulus(6, 0.6, 8e5) == 2 * one, tolerance(1e-12));
  BOOST_TEST(walton_modulus(12, 2.2, 1e5) == one, tolerance(1e-12));
  const double solid = 1 / 1.6, z = 6, radius = 1, force = 4 * std::numbers::pi * radius * radius * 1e5 / (solid * z);
  const laws::Hertz h{laws::Hertz::modulus_of(shear_modulus, poisson_ratio), laws::Hertz::ratio_of(poisson_ratio),
                      radius};
  const double indentation = std::pow(force / (h.modulus * std::sqrt(radius)), 2.0 / 3), k_n = h.stiffness(indentation),
               k_t = k_n / h.ratio;
  const double contacts = solid / (4 * std::numbers::pi / 3) * z / 2, length = 2 * radius;  // in the unit of volume
  BOOST_TEST(one == contacts * length * length * (k_n / 15 + k_t / 10), tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
