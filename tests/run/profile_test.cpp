// The times of the phases of a run: they are whole, they are told, and they change no bit.
#include <boost/test/unit_test.hpp>

#include "libdem/case/case_file.hpp"
#include "libdem/run/observer.hpp"

using namespace dem;

namespace {

Simulation profiled(const char* text) {
  Simulation run(parse_case(text, "case.toml"));
  run.profile();
  while (!run.finished()) run.step();
  return run;
}

void check_profile(const char* text) {
  Simulation plain(parse_case(text, "case.toml"));
  while (!plain.finished()) plain.step();
  const Simulation run = profiled(text);
  BOOST_TEST(run.hash() == plain.hash());
  BOOST_TEST(plain.phase_times() == nullptr);
  const PhaseTimes& times = *run.phase_times();
  BOOST_TEST(times.steps == 100u);
  for (const Phase phase : {Phase::search, Phase::geometry, Phase::forces, Phase::motion, Phase::measuring})
    BOOST_TEST(times.seconds[std::size_t(phase)] > 0, phase_names[std::size_t(phase)]);
  BOOST_TEST(times.seconds[std::size_t(Phase::output)] == 0);  // nothing is written here

  const auto told = [](const Simulation& of) {
    const Verdict verdict = judge(RunObserver(of).numbers(of));
    return std::ranges::count(verdict.items, "time_per_step", &VerdictItem::name);
  };
  BOOST_TEST(told(run) == 1);
  BOOST_TEST(told(plain) == 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(profile)

BOOST_AUTO_TEST_CASE(of_two_discs) {
  check_profile(R"(format = 1
[material]
density = 1
normal_stiffness = 1000
tangential_stiffness = 300
friction = 0.5
restitution = 0.8
[time]
step = 1e-3
[assembly]
generator = "bodies"
[[body]]
shape = "disc"
radius = 0.5
position = [0.0, 0.0]
[[body]]
shape = "disc"
radius = 0.5
position = [0.99, 0.2]
[[stage]]
duration = 0.1
)");
}

BOOST_AUTO_TEST_CASE(of_two_spheres) {
  check_profile(R"(format = 1
dimension = 3
[material]
density = 1
normal_stiffness = 1000
tangential_stiffness = 300
friction = 0.5
restitution = 0.8
[time]
step = 1e-3
[assembly]
generator = "bodies"
[[body]]
shape = "sphere"
radius = 0.5
position = [0.0, 0.0, 0.0]
[[body]]
shape = "sphere"
radius = 0.5
position = [0.95, 0.2, 0.0]
[[stage]]
duration = 0.1
)");
}

BOOST_AUTO_TEST_CASE(an_evaluation_is_shared_out_as_its_threads_spent_their_time) {
  PhaseTimes times;
  times.add_evaluation(2, {.geometry = 3, .forces = 1});
  times.add_evaluation(1, {});  // no contact could be timed
  BOOST_TEST(times.seconds[std::size_t(Phase::geometry)] == 1.5);
  BOOST_TEST(times.seconds[std::size_t(Phase::forces)] == 1.5);
  BOOST_TEST(times.total() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
