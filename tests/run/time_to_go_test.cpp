// Progress within stages that end by a target or by rest, and the time that a whole run still takes.
#include "libdem/run/time_to_go.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "cell_cases.hpp"
#include "libdem/drivers/plates.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;

namespace {

/// Steps until the stage is over. At a third and at two thirds of it: shares and guessed ends.
struct Seen {
  double end = 0;  // time of the stage (s)
  std::vector<double> time, share, togo;
  double togo_near(double part) const {
    std::size_t k = 0;
    while (k + 1 < time.size() && time[k] < part * end) ++k;
    return togo[k];
  }
  double share_near(double part) const {
    std::size_t k = 0;
    while (k + 1 < time.size() && time[k] < part * end) ++k;
    return share[k];
  }
};
Seen watch(Simulation& run) {
  Seen seen;
  const std::size_t stage = run.stage();
  while (!run.finished() && run.stage() == stage && run.step_count() < 200000) {
    run.step();
    if (run.stage() != stage) break;
    seen.time.push_back(run.stage_time());
    seen.share.push_back(run.stage_progress());
    seen.togo.push_back(time_to_go(run).time);
  }
  seen.end = seen.time.back();
  return seen;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(time_to_go_of_runs)

/// Plates that move to a height: known before, and the stages behind it count.
BOOST_AUTO_TEST_CASE(plates_to_a_height) {
  Case c = polygon_shear(7);
  Stage move;
  move.normal = PlateNormal::move_to_height;
  move.until_target = true;
  move.plate_speed = 0.05;
  {
    Case probe = c;
    move.height = Simulation(probe).driver<Plates>()->height() + 0.1;
  }
  c.stages = {move, c.stages[1]};
  Simulation run(c);
  const TimeToGo at_start = time_to_go(run);
  BOOST_TEST(at_start.unknown.empty());
  BOOST_TEST(at_start.time == 9, boost::test_tools::tolerance(1e-6));
  const Seen seen = watch(run);
  BOOST_TEST(seen.end == 2, boost::test_tools::tolerance(0.01));
  BOOST_TEST(seen.share_near(0.5) == 0.5, boost::test_tools::tolerance(0.01));
  BOOST_TEST(seen.togo_near(0.5) == 8, boost::test_tools::tolerance(0.01));
}

/// Plates that press until they hold a stress for a while: unknown before they touch, then near the truth.
BOOST_AUTO_TEST_CASE(plates_to_a_stress) {
  Case c = polygon_shear(7);
  c.stages[0].duration.reset();
  c.stages[0].until_target = true;
  c.stages[0].stress_tolerance = 0.02;
  c.stages[0].stress_hold_time = 0.5;
  Simulation run(c);
  const TimeToGo at_start = time_to_go(run);
  BOOST_TEST((at_start.unknown == std::vector<std::size_t>{0}));
  BOOST_TEST(at_start.time == 7, boost::test_tools::tolerance(1e-6));
  const Seen seen = watch(run);
  BOOST_TEST(seen.share.back() > 0.99);
  BOOST_TEST(seen.togo.back() == 7, boost::test_tools::tolerance(0.01));
  BOOST_TEST(seen.share_near(0.9) == 0.9, boost::test_tools::tolerance(0.1));
}

/// Balance is reached by the logarithm; a duration is the latest end.
BOOST_AUTO_TEST_CASE(a_cell_that_comes_into_balance) {
  Case c = plane_cell(ShapeKind::disc, 40, 0.3);
  Stage press = cell_stage(at_stress(-20), at_stress(-20));
  press.unbalanced = 1e-3;
  press.duration = 1000;
  c.stages = {press};
  Simulation run(c);
  run.step();
  BOOST_TEST(time_to_go(run).time <= 1000.0);
  const Seen seen = watch(run);
  BOOST_TEST(run.finished());
  BOOST_TEST(seen.end < 500);
  BOOST_TEST(seen.share_near(0.95) > 0.5);
  BOOST_TEST(seen.togo_near(0.95) < seen.end);
}

BOOST_AUTO_TEST_CASE(a_cell_to_a_void_ratio) {
  Case c = plane_cell(ShapeKind::disc, 40, 0.4);
  Stage shrink = cell_stage(at_rate(-0.05), at_rate(-0.05));
  shrink.void_ratio = 0.3;
  Stage rest = cell_stage(at_rate(0), at_rate(0));
  rest.duration = 0.5;
  c.stages = {shrink, rest};
  Simulation run(c);
  BOOST_TEST((time_to_go(run).unknown == std::vector<std::size_t>{0}));
  const Seen seen = watch(run);
  BOOST_TEST(run.stage() == 1u);
  BOOST_TEST(seen.share_near(0.5) == 0.5, boost::test_tools::tolerance(0.05));
  BOOST_TEST(seen.togo_near(0.5) == seen.end / 2 + 0.5, boost::test_tools::tolerance(0.05));
}

/// Where a run was interrupted, it goes on with the progress that it had.
BOOST_AUTO_TEST_CASE(progress_after_a_resume) {
  Case c = plane_cell(ShapeKind::disc, 40, 0.4);
  Stage shrink = cell_stage(at_rate(-0.05), at_rate(-0.05));
  shrink.void_ratio = 0.3;
  c.stages = {shrink};
  Simulation run(c);
  for (int k = 0; k < 400; ++k) run.step();
  MemoryArchive archive;
  run.save(archive);
  Simulation resumed(c);
  resumed.load(archive);
  BOOST_TEST(resumed.stage_progress() == run.stage_progress());
  BOOST_TEST(resumed.stage_progress() > 0.05);
  BOOST_TEST(time_to_go(resumed).time == time_to_go(run).time);
}

BOOST_AUTO_TEST_SUITE_END()
