// Cost of a time step, everything included: prediction, contacts, law, ledger, correction.
#include <benchmark/benchmark.h>

#include <cmath>
#include <ctime>
#include <numbers>
#include <vector>

#include "geometry/overlap.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/relaxation.hpp"
#include "libdem/run/simulation.hpp"
#include "tests/benchmarks/counters.hpp"

namespace {

using namespace dem;

/// Dense packing of columns × rows regular hexagons of unit spacing, periodic in x and y. Neighbours overlap by 1 % of
/// the spacing.
Case hexagons(int columns, int rows) {
  Case c;
  c.material = {.normal_stiffness = 400, .tangential_stiffness = 400.0 / 3, .friction = 0.5, .restitution = 0.9};
  // Flat sides towards the neighbours: width across flats 1.01 of the spacing.
  const double across = 1.01;
  c.assembly.generator = LatticeSpec{.shape = ShapeKind::polygon,
                                     .columns = columns,
                                     .rows = rows,
                                     .radius = std::sqrt(across * across * std::sqrt(3.0) / 2 / std::numbers::pi),
                                     .angle = std::numbers::pi / 6,
                                     .random_angle = 0.002};
  c.periodic = {true, true};
  c.time.step = 0.002;
  return c;
}

void run_steps(benchmark::State& state, const Case& c) {
  Simulation run(c);
  for (int k = 0; k < 50; ++k) run.step();
  for (auto _ : state) run.step();
  report_steps(state, run);
}

void hexagon_step(benchmark::State& state) { run_steps(state, hexagons(int(state.range(0)), int(state.range(1)))); }
BENCHMARK(hexagon_step)->Args({16, 16})->Args({100, 100});

/// The two-disc test of figures 3 to 6: disc j on the fixed disc i, guided along x, pushed by a constant force.
Case two_discs(Elongation elongation) {
  Case c;
  c.material = {.normal_stiffness = 4e8, .tangential_stiffness = 4e8 / 3, .friction = 500, .restitution = 0.9875};
  c.contact.normal_force = NormalForce::overlap;
  c.contact.elongation = elongation;
  c.time.step = 1e-6;
  const double at = std::sqrt(0.5) * (1 - 1e-13);
  const BodySpec i{.shape = ShapeKind::disc, .radius = 0.5, .fix_x = true, .fix_y = true, .fix_rotation = true};
  c.assembly.bodies = {
      i, {.shape = ShapeKind::disc, .radius = 0.5, .position = {at, at}, .force = {-400, 0}, .fix_y = true}};
  return c;
}

void two_discs_step(benchmark::State& state) { run_steps(state, two_discs(Elongation::geometric)); }
BENCHMARK(two_discs_step);

/// One measurement for a relaxation time: a step, its kinetic energy, the search for maxima. 7e9 of them make figure 3.
void two_discs_relaxation(benchmark::State& state) {
  Simulation run(two_discs(state.range(0) ? Elongation::velocity : Elongation::geometric));
  RelaxationFit fit;
  for (auto _ : state) {
    run.step();
    fit.add(run.time(), kinetic_energy(run.state()));
  }
  state.SetLabel(state.range(0) ? "velocity" : "geometric");
  benchmark::DoNotOptimize(fit);
}
BENCHMARK(two_discs_relaxation)->Arg(0)->Arg(1);

/// The unit of the gate on hexagon_step: one fast overlap of two hexagons of that packing.
class HexagonClip {
 public:
  explicit HexagonClip(const Simulation& run) : a_(placed(run, 0)), b_(placed(run, 1)) {}
  void operator()() {
    geometry::overlap_fast({a_, box_a_, true}, {b_, box_b_, true}, overlap_);
    benchmark::DoNotOptimize(overlap_.components.data());
  }

 private:
  static std::vector<Vec2> placed(const Simulation& run, std::size_t b) {
    std::vector<Vec2> v;
    const Turn turn = Turn::by(run.state().bodies.rotation[0][b].z);
    for (Vec2 p : run.state().shape_of(b).polygon().front().vertices())
      v.push_back(planar(run.state().bodies.position[0][b]) + turn(p));
    return v;
  }
  std::vector<Vec2> a_, b_;
  geometry::Box box_a_ = geometry::bounding_box(a_), box_b_ = geometry::bounding_box(b_);
  geometry::Overlap overlap_;
};

/// A polygon-step in units of one clip, the two timed in turns within one run, so that the speed of the machine
/// cancels.
void hexagon_step_in_clips(benchmark::State& state) {
  Simulation run(hexagons(16, 16));
  HexagonClip clip(run);
  for (int k = 0; k < 50; ++k) run.step();
  const auto bodies = run.state().bodies.size();
  std::clock_t steps = 0, clips = 0;
  for (auto _ : state) {
    const std::clock_t t0 = std::clock();
    for (int k = 0; k < 20; ++k) run.step();
    const std::clock_t t1 = std::clock();
    for (std::size_t k = 0; k < 20 * bodies; ++k) clip();
    steps += t1 - t0;
    clips += std::clock() - t1;
  }
  state.counters["clips_per_polygon_step"] = double(steps) / double(clips);
}
BENCHMARK(hexagon_step_in_clips);

}  // namespace
