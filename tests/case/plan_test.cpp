// When a run writes: defaults, given intervals, runs of unknown length, runs that go on with results of another.
#include "libdem/case/plan.hpp"

#include "prelude.hpp"

namespace {

std::vector<std::uint64_t> snapshots(const OutputPlan& plan, std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> steps;
  for (std::uint64_t step = first; step <= last; ++step)
    if (plan.snapshot_at(step)) steps.push_back(step);
  return steps;
}

Case case_of(int dimension, double duration, double snapshot_interval = 0) {
  Case c;
  c.dimension = dimension;
  c.stages.emplace_back();
  if (duration > 0) c.stages[0].duration = duration;
  c.output.snapshot_interval = snapshot_interval;
  return c;
}

}  // namespace

BOOST_AUTO_TEST_CASE(by_default_few_snapshots_are_planned) {
  using Steps = std::vector<std::uint64_t>;
  const double dt = 1e-3;
  // The end of the stage writes the last one; a step more or less must not add another beside it.
  for (const double duration : {5.0, 5.002}) {
    const auto last = std::uint64_t(std::llround(duration / dt));
    BOOST_TEST((snapshots(OutputPlan(case_of(2, duration), dt, 0), 0, last) == Steps{0, 1000, 2000, 3000, 4000}));
    BOOST_TEST((snapshots(OutputPlan(case_of(3, duration), dt, 0), 0, last) == Steps{0, last / 2}));
  }
  // A run of unknown length never has many.
  const OutputPlan plane(case_of(2, 0), dt, 0), space(case_of(3, 0), dt, 0);
  BOOST_TEST((snapshots(plane, 0, 40000) == Steps{0, 1000, 2000, 3000, 4000, 10000, 20000, 40000}));
  BOOST_TEST((snapshots(space, 0, 40000) == Steps{0, 1000, 4000, 8000, 16000, 32000}));
  // Counted from where the run began.
  const OutputPlan later(case_of(2, 5), dt, 777777);
  BOOST_TEST((snapshots(later, 777777, 782777) == Steps{777777, 778777, 779777, 780777, 781777}));
  for (const OutputPlan& open : {plane, space})
    for (const std::uint64_t last : {0, 999, 1000, 4000, 5000, 9999, 10000, 40000})
      BOOST_TEST(open.snapshots(last) + 1 == snapshots(open, 0, last).size());
}

BOOST_AUTO_TEST_CASE(an_interval_that_is_given_is_kept) {
  using Steps = std::vector<std::uint64_t>;
  const OutputPlan plan(case_of(3, 5, 1.5), 1e-3, 0);
  BOOST_TEST((snapshots(plan, 0, 5000) == Steps{0, 1500, 3000, 4500}));
  BOOST_TEST(plan.snapshots(5000) == 3u);
  // A run that goes on with the results of another keeps to the same steps; its own start is always written.
  const OutputPlan later(case_of(3, 5, 1.5), 1e-3, 2000);
  BOOST_TEST((snapshots(later, 2000, 7000) == Steps{2000, 3000, 4500, 6000}));
  BOOST_TEST(later.row_at(2000));
  BOOST_TEST(later.snapshots(7000) == 3u);
}

BOOST_AUTO_TEST_CASE(rows_of_a_short_run_in_space_are_100_steps_apart_and_pictures_on_request) {
  BOOST_TEST(row_steps(case_of(2, 3.3), 1e-3) == 3u);
  BOOST_TEST(row_steps(case_of(3, 3.3), 1e-3) == 100u);
  BOOST_TEST(row_steps(case_of(3, 200), 1e-3) == 200u);
  Case short_run = case_of(3, 3.3);
  short_run.output.series_interval = 2e-3;
  BOOST_TEST(row_steps(short_run, 1e-3) == 2u);
  Case given = case_of(3, 5);
  const OutputPlan none(given, 1e-3, 0);
  BOOST_TEST((!none.draws() && !none.frame_at(0) && none.frames(5000) == 0));
  given.output.frame_interval = 1;
  const OutputPlan some(given, 1e-3, 0);
  BOOST_TEST((some.draws() && some.frame_at(0) && some.frame_at(2000) && some.frames(5000) == 5));
  BOOST_TEST(OutputPlan(case_of(2, 5), 1e-3, 0).frames(5000) == 4);
}
