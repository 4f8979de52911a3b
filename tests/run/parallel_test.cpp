// Loops on several threads (libdem/platform/parallel.hpp).
#include "libdem/platform/parallel.hpp"

#include <boost/test/unit_test.hpp>
#include <new>
#include <numeric>

/// An exception of one index reaches the caller, for any number of threads. With several threads the other indices are
/// done.
BOOST_AUTO_TEST_CASE(exceptions_of_parallel_loops_reach_the_caller) {
  for (const int threads : {1, 2, 4}) {
    std::vector<int> done(100, 0);
    const auto work = [&](std::size_t k) {
      if (k == 17 || k == 60) throw std::bad_alloc();
      done[k] = 1;
    };
    BOOST_CHECK_THROW(dem::parallel_for(threads, done.size(), work), std::bad_alloc);
    BOOST_TEST(std::accumulate(done.begin(), done.end(), 0) == (threads == 1 ? 17 : 98));
  }
}
