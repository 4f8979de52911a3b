// The times of the phases of a run. They are whole, the verdict has them, and they change no bit.
#include "cases.hpp"
#include "libdem/run/observer.hpp"

using namespace dem;

BOOST_AUTO_TEST_CASE(profile_of_two_bodies) {
  const std::string common = R"(time.step = 1e-3
material = {normal_stiffness = 1000, tangential_stiffness = 300, friction = 0.5, restitution = 0.8}
stage = [{duration = 0.1}]
)";
  for (const char* bodies : {R"(body = [{shape = "disc", radius = 0.5, position = [0, 0]},
                   {shape = "disc", radius = 0.5, position = [0.99, 0.2]}])",
                             R"(dimension = 3
           body = [{shape = "sphere", radius = 0.5, position = [0, 0, 0]},
                   {shape = "sphere", radius = 0.5, position = [0.95, 0.2, 0]}])"})
    BOOST_TEST_CONTEXT(bodies) {
      const Case c = test::case_of(common + bodies);
      Simulation plain(c), run(c);
      run.profile();
      while (!plain.finished()) plain.step();
      while (!run.finished()) run.step();
      BOOST_TEST(run.hash() == plain.hash());
      BOOST_TEST(plain.phase_times() == nullptr);
      const PhaseTimes& times = *run.phase_times();
      BOOST_TEST(times.steps == 100u);
      for (const Phase phase : {Phase::search, Phase::geometry, Phase::forces, Phase::motion, Phase::measuring})
        BOOST_TEST(times.seconds[std::size_t(phase)] > 0, phase_names[std::size_t(phase)]);
      BOOST_TEST(times.seconds[std::size_t(Phase::output)] == 0);  // nothing is written here
      for (const Simulation* r : {&plain, &run}) {
        const Verdict verdict = judge(RunObserver(*r).numbers(*r));
        BOOST_TEST(std::ranges::count(verdict.items, "time_per_step", &VerdictItem::name) == (r == &run));
      }
    }
}

BOOST_AUTO_TEST_CASE(an_evaluation_is_shared_out_as_its_threads_spent_their_time) {
  PhaseTimes times;
  times.add_evaluation(2, {.geometry = 3, .forces = 1});
  times.add_evaluation(1, {});  // no contact could be timed
  BOOST_TEST(times.seconds[std::size_t(Phase::geometry)] == 1.5);
  BOOST_TEST(times.seconds[std::size_t(Phase::forces)] == 1.5);
  BOOST_TEST(times.total() == 3);
}
