// Loops on several threads (libdem/platform/parallel.hpp).
#include "libdem/platform/parallel.hpp"

#include <boost/test/unit_test.hpp>
#include <new>

BOOST_AUTO_TEST_SUITE(parallel)

/// What an index throws reaches the caller, for any number of threads; with several the other indices are done.
BOOST_AUTO_TEST_CASE(exceptions_reach_the_caller) {
  for (const int threads : {1, 2, 4}) {
    std::vector<int> done(100, 0);
    const auto work = [&](std::size_t k) {
      if (k == 17 || k == 60) throw std::bad_alloc();
      done[k] = 1;
    };
    BOOST_CHECK_THROW(dem::parallel_for(threads, done.size(), work), std::bad_alloc);
    int sum = 0;
    for (const int d : done) sum += d;
    BOOST_TEST(sum == (threads == 1 ? 17 : 98));
  }
}

BOOST_AUTO_TEST_SUITE_END()
