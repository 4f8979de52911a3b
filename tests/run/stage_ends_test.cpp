// The verdict on stages that did not end at the goal of their case.
#include "cell_cases.hpp"
#include "libdem/run/observer.hpp"
#include "support/resumed.hpp"

namespace {

/// A cell that shrinks along one direction for so many steps.
Stage shrink(double steps, double dt) { return lasting(steps * dt, cell_stage(at_rate(-0.05), {})); }

std::string sentence(const RunNumbers& numbers, std::string_view item) {
  for (const VerdictItem& i : judge(numbers).items)
    if (i.name == item) return i.sentence;
  return "";
}

/// Goes on with the run and with a copy of it from an archive to the end, and checks both.
template <class F>
void finish_twice(const Case& c, Simulation& run, F check) {
  Simulation resumed = resumed_from(run, c);
  for (Simulation* r : {&run, &resumed}) {
    finish(*r);
    check(*r);
  }
}

}  // namespace

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
  run_to(run, 3);
  BOOST_TEST(run.step_count() == 20u);
  BOOST_TEST_REQUIRE(run.stages_cut_short().size() == 1u);
  finish_twice(c, run, [&](const Simulation& r) {
    BOOST_TEST(std::ranges::equal(r.stages_cut_short(), std::array<std::size_t, 2>{1, 3}));
    const RunNumbers numbers = observer.numbers(r);
    BOOST_TEST(sentence(numbers, "stages_cut_short") ==
               "Ended by their duration: stage 2 'squeeze' after 0.0056 s, before unbalanced = 1e-12, void_ratio = "
               "0.01; stage 4 after 0.0048 s, before strain = 0.004.");
    BOOST_TEST((judge(numbers).overall >= Judgement::attention));
  });
}

// Both ends at one step: the goal is reached.
BOOST_AUTO_TEST_CASE(a_goal_that_is_reached_in_the_last_step) {
  Case c = sphere_cloud(4, 0);
  Stage s = shrink(8, c.time.step);
  s.strain = 0.05 * 8 * c.time.step;
  c.stages = {s};
  const Simulation run = finished(c);
  BOOST_TEST(run.step_count() == 8u);
  BOOST_TEST(run.stages_cut_short().empty());
  BOOST_TEST(sentence(RunObserver(run).numbers(run), "stages_cut_short").empty());
}

// The servo that cannot hold its stress is that of the second stage.
BOOST_AUTO_TEST_CASE(the_stage_whose_stresses_were_not_held) {
  Case c = sphere_cloud(4, 0);
  Stage calm = shrink(5, c.time.step), held = shrink(40, c.time.step), after = shrink(5, c.time.step);
  held.name = "hold";
  held.cell->component[1] = at_stress(-1e5);
  c.stages = {calm, held, after};
  Simulation run(c);
  RunObserver observer(run);
  const auto check = [&](const Simulation& r) {
    BOOST_TEST(sentence(observer.numbers(r), "cell_servo_error")
                   .starts_with("In stage 2 'hold' the cell never held its stresses"));
  };
  advance(run, 30);
  check(run);
  run_to(run, 2);
  run.step();
  finish_twice(c, run, check);
}

// A plate presses a disc by 1 N/m within 0.4 s. Ten times as much needs more time than the second stage has.
BOOST_AUTO_TEST_CASE(a_plate_that_never_held_its_stress) {
  for (const bool approaches : {false, true}) {
    const Case c = case_of(fmt::format(R"(
cell = {{periodic = ["x"], size = [2, 10]}}
body = [{{shape = "disc", radius = 0.5, position = [1, 0], fixed = ["x", "y", "rotation"], group = "bottom-plate"}},
        {{shape = "disc", radius = 0.5, position = [1, 1]}},
        {{shape = "disc", radius = 0.5, position = [1, 2], fixed = ["x", "y", "rotation"], group = "top-plate"}}]
plates = {{}}
material = {{normal_stiffness = 100, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 0.3}}
time.step = 1e-3
stage = [{{normal = "hold-stress", normal_stress = 1, plate_speed = 0.1, duration = 2}},
         {{normal = "hold-stress", normal_stress = 10, plate_speed = 1e-4, duration = 0.5, until_target = {}}},
         {{normal = "hold-stress", normal_stress = 1, plate_speed = 0.1, duration = 0.5}}]
)",
                                       approaches));
    Simulation run(c);
    RunObserver observer(run);
    while (!run.finished()) advance(run, 10), observer.row(run);
    const RunNumbers numbers = observer.numbers(run);
    BOOST_TEST(numbers.never_held == std::vector<std::string>(approaches ? 0 : 1, "stage 2"),
               boost::test_tools::per_element());
    MemoryArchive archive;
    observer.save(archive);
    RunObserver resumed(run);
    resumed.load(archive);
    BOOST_TEST(resumed.numbers(run).never_held == numbers.never_held, boost::test_tools::per_element());
    BOOST_TEST((judge(numbers).text().find("no row of stage 2.") == std::string::npos) == approaches);
  }
}

// Three discs in a row on a floor, one on the first: 3, 3, 2 and 1 contacts. Neither floor nor the last disc counts.
BOOST_AUTO_TEST_CASE(a_stage_ends_at_a_coordination_number_without_walls) {
  for (const auto& [target, steps] : {std::pair("2.6", 16u), std::pair("2.7", 40u)}) {  // it looks every 16 steps
    const Simulation run = finished(case_of(fmt::format(R"(
body = [{{shape = "disc", radius = 0.5, position = [0, 0.4999]}},
        {{shape = "disc", radius = 0.5, position = [0.9999, 0.4999]}},
        {{shape = "disc", radius = 0.5, position = [1.9998, 0.4999]}},
        {{shape = "disc", radius = 0.5, position = [0, 1.4998]}}]
wall = [{{name = "floor", from = [-5, 0], to = [5, 0]}}]
material = {{normal_stiffness = 1000, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 0.8}}
time.step = 1e-5
stage = [{{coordination = {}, duration = 4e-4}}]
)",
                                                        target)));
    BOOST_TEST(run.step_count() == steps);
  }
}
