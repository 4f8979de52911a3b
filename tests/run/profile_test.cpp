// The times of the phases of a run.
#include "libdem/platform/phase_times.hpp"
#include "prelude.hpp"

using namespace dem;

BOOST_AUTO_TEST_CASE(an_evaluation_is_shared_out_as_its_threads_spent_their_time) {
  PhaseTimes times;
  times.add_evaluation(2, {.geometry = 3, .forces = 1});
  times.add_evaluation(1, {});  // no contact could be timed
  BOOST_TEST(times.seconds[std::size_t(Phase::geometry)] == 1.5);
  BOOST_TEST(times.seconds[std::size_t(Phase::forces)] == 1.5);
  BOOST_TEST(times.total() == 3);
}
