// What a run says of stages that ended otherwise than their case wanted.
#include <boost/test/unit_test.hpp>
#include <string>

#include "libdem/case/case_file.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/run/observer.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;

namespace {

/// A cell that shrinks along one direction for so many steps.
Stage shrink(double steps, double dt) {
  Stage s;
  s.cell = CellDrive{};
  s.cell->component[0].rate = -0.05;
  s.duration = steps * dt;
  return s;
}

std::string sentence(const RunNumbers& numbers, std::string_view item) {
  for (const VerdictItem& i : judge(numbers).items)
    if (i.name == item) return i.sentence;
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stage_ends)

BOOST_AUTO_TEST_CASE(a_duration_that_comes_before_the_goal) {
  Case c = sphere_cloud(4, 0);
  const double dt = c.time.step;
  Stage plain = shrink(5, dt), missed = shrink(7, dt), reached = shrink(1000, dt), also_missed = shrink(6, dt);
  missed.name = "squeeze";
  missed.void_ratio = 0.01;
  missed.unbalanced = 1e-12;
  reached.strain = 0.05 * 8 * dt;
  also_missed.strain = 0.05 * 100 * dt;
  c.stages = {plain, missed, reached, also_missed};
  Simulation run(c);
  RunObserver observer(run);
  while (run.stage() < 3) run.step();
  BOOST_TEST(run.step_count() == 20u);
  BOOST_TEST_REQUIRE(run.stages_cut_short().size() == 1u);
  MemoryArchive archive;
  run.save(archive);
  Simulation resumed(c);
  resumed.load(archive);
  for (Simulation* r : {&run, &resumed}) {
    while (!r->finished()) r->step();
    BOOST_TEST_REQUIRE(r->stages_cut_short().size() == 2u);
    BOOST_TEST(r->stages_cut_short()[0] == 1u);
    BOOST_TEST(r->stages_cut_short()[1] == 3u);
    const RunNumbers numbers = observer.numbers(*r);
    BOOST_TEST(sentence(numbers, "stages_cut_short") ==
               "Ended by their duration: stage 2 'squeeze' after 0.0056 s, before unbalanced = 1e-12, void_ratio = "
               "0.01; stage 4 after 0.0048 s, before strain = 0.004.");
    BOOST_TEST((judge(numbers).overall >= Judgement::attention));
  }
}

// Both ends at one step: the goal is reached.
BOOST_AUTO_TEST_CASE(a_goal_that_is_reached_in_the_last_step) {
  Case c = sphere_cloud(4, 0);
  Stage s = shrink(8, c.time.step);
  s.strain = 0.05 * 8 * c.time.step;
  c.stages = {s};
  Simulation run(c);
  while (!run.finished()) run.step();
  BOOST_TEST(run.step_count() == 8u);
  BOOST_TEST(run.stages_cut_short().empty());
  BOOST_TEST(sentence(RunObserver(run).numbers(run), "stages_cut_short").empty());
}

// The servo that cannot hold its stress is that of the second stage.
BOOST_AUTO_TEST_CASE(the_stage_whose_stresses_were_not_held) {
  Case c = sphere_cloud(4, 0);
  Stage calm = shrink(5, c.time.step), held = shrink(40, c.time.step), after = shrink(5, c.time.step);
  held.name = "hold";
  held.cell->component[1].mode = CellComponent::Mode::stress;
  held.cell->component[1].stress = -1e5;
  c.stages = {calm, held, after};
  Simulation run(c);
  RunObserver observer(run);
  while (run.step_count() < 30) run.step();
  BOOST_TEST(sentence(observer.numbers(run), "cell_servo_error")
                 .starts_with("In stage 2 'hold' the cell never held its stresses"));
  while (run.stage() < 2) run.step();
  run.step();
  MemoryArchive archive;
  run.save(archive);
  Simulation resumed(c);
  resumed.load(archive);
  for (Simulation* r : {&run, &resumed}) {
    while (!r->finished()) r->step();
    BOOST_TEST(sentence(observer.numbers(*r), "cell_servo_error")
                   .starts_with("In stage 2 'hold' the cell never held its stresses"));
  }
}

BOOST_AUTO_TEST_CASE(a_stage_ends_at_a_coordination_number) {
  const Case c = parse_case(
      "format = 1\n[assembly]\ngenerator = \"random\"\nshape = \"disc\"\ncount = 60\nvoid_ratio = 0.3\n[material]\n"
      "normal_stiffness = 1000.0\ntangential_stiffness_ratio = 0.5\nfriction = 0.5\nrestitution = 0.8\n[time]\n"
      "step = \"auto\"\n[[stage]]\nrate_xx = -0.05\nrate_yy = -0.05\ncoordination = 2.75\nduration = 10.0\n",
      "case.toml");
  Simulation run(c);
  std::vector<double> seen;
  while (!run.finished()) {
    run.step();
    seen.push_back(count_contacts(run.contacts(), run.state().bodies).mechanical_coordination);
  }
  BOOST_TEST(run.time() < 9);
  BOOST_TEST(seen.front() < 2.75);
  BOOST_TEST(seen.back() >= 2.75);
  BOOST_TEST(seen[seen.size() - 33] < 2.75);  // it looks every 32 steps
  BOOST_TEST(run.stages_cut_short().empty());
}

BOOST_AUTO_TEST_SUITE_END()
