// Progress within stages that end by a target or by rest, and the time that a whole run still takes.
#include "cell_cases.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/run/cost.hpp"
#include "support/resumed.hpp"

namespace {

/// Shares and guessed ends at each step of a stage.
struct Seen {
  std::vector<double> time, share, togo;
  double end() const { return time.back(); }  // time of the stage (s)
  std::size_t at(double part) const { return std::size_t(std::ranges::lower_bound(time, part * end()) - time.begin()); }
};
Seen watch(Simulation& run) {
  Seen seen;
  const std::size_t stage = run.stage();
  while (!run.finished() && run.step_count() < 200000) {
    run.step();
    if (run.stage() != stage) break;
    seen.time.push_back(run.stage_time());
    seen.share.push_back(run.stage_progress());
    seen.togo.push_back(time_to_go(run).time);
  }
  return seen;
}

/// The estimate before the first step: the time (s), and whether the end of the first stage is unknown.
void check_start(const Simulation& run, double time, bool unknown) {
  BOOST_TEST(time_to_go(run).time == time, tolerance(1e-6));
  BOOST_TEST((time_to_go(run).unknown == (unknown ? std::vector<std::size_t>{0} : std::vector<std::size_t>{})));
}

Case shrinking_cell() {
  Case c = plane_cell(ShapeKind::disc, 40, 0.4);
  c.stages = {cell_stage(at_rate(-0.05), at_rate(-0.05))};
  c.stages[0].void_ratio = 0.3;
  return c;
}

}  // namespace

/// Plates that move to a height: known before, and the stages behind it count.
BOOST_AUTO_TEST_CASE(time_to_go_of_plates_to_a_height) {
  Case c = polygon_shear(7);
  const Stage move{.normal = PlateNormal::move_to_height,
                   .height = Simulation(c).driver<Plates>()->height() + 0.1,
                   .plate_speed = 0.05,
                   .until_target = true};
  c.stages = {move, c.stages[1]};
  Simulation run(c);
  check_start(run, 9, false);
  const Seen seen = watch(run);
  BOOST_TEST(seen.end() == 2, tolerance(0.01));
  BOOST_TEST(seen.share[seen.at(0.5)] == 0.5, tolerance(0.01));
  BOOST_TEST(seen.togo[seen.at(0.5)] == 8, tolerance(0.01));
}

/// Plates that press until they hold a stress for a while: unknown before they touch, then near the truth.
BOOST_AUTO_TEST_CASE(time_to_go_of_plates_to_a_stress) {
  Case c = polygon_shear(7);
  c.stages[0].duration.reset();
  c.stages[0].until_target = true;
  c.stages[0].stress_tolerance = 0.02;
  c.stages[0].stress_hold_time = 0.5;
  Simulation run(c);
  check_start(run, 7, true);
  const Seen seen = watch(run);
  BOOST_TEST(seen.share.back() > 0.99);
  BOOST_TEST(seen.togo.back() == 7, tolerance(0.01));
  BOOST_TEST(seen.share[seen.at(0.9)] == 0.9, tolerance(0.1));
}

/// Balance is reached by the logarithm; a duration is the latest end.
BOOST_AUTO_TEST_CASE(time_to_go_of_a_cell_that_comes_into_balance) {
  Case c = plane_cell(ShapeKind::disc, 40, 0.3);
  c.stages = {lasting(1000, cell_stage(at_stress(-20), at_stress(-20)))};
  c.stages[0].unbalanced = 1e-3;
  Simulation run = advanced(c, 1);
  BOOST_TEST(time_to_go(run).time <= 1000.0);
  const Seen seen = watch(run);
  BOOST_TEST(run.finished());
  BOOST_TEST(seen.end() < 500);
  BOOST_TEST(seen.share[seen.at(0.95)] > 0.5);
  BOOST_TEST(seen.togo[seen.at(0.95)] < seen.end());
}

/// The estimate at a void ratio. A resumed run goes on with the progress that it had.
BOOST_AUTO_TEST_CASE(time_to_go_of_a_cell_to_a_void_ratio) {
  Case c = shrinking_cell();
  c.stages.push_back(lasting(0.5, cell_stage(at_rate(0), at_rate(0))));
  Simulation run(c);
  check_start(run, 0.5, true);
  const Seen seen = watch(run);
  BOOST_TEST(run.stage() == 1u);
  BOOST_TEST(seen.share[seen.at(0.5)] == 0.5, tolerance(0.05));
  BOOST_TEST(seen.togo[seen.at(0.5)] == seen.end() / 2 + 0.5, tolerance(0.05));

  const Simulation part = advanced(shrinking_cell(), 400);
  const Simulation resumed = resumed_from(part, shrinking_cell());
  BOOST_TEST(resumed.stage_progress() == part.stage_progress());
  BOOST_TEST(resumed.stage_progress() > 0.05);
  BOOST_TEST(time_to_go(resumed).time == time_to_go(part).time);
}
