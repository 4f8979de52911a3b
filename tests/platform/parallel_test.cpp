// Loops on several threads (libdem/platform/parallel.hpp) and the threads themselves (team.hpp).
#include "libdem/platform/parallel.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <thread>

#include "libdem/platform/hand_over.hpp"
#include "libdem/platform/phase_times.hpp"
#include "prelude.hpp"

BOOST_AUTO_TEST_CASE(exceptions_of_parallel_loops_reach_the_caller) {
  for (const auto& [threads, expected] : {std::pair(1, 17), std::pair(2, 17 + 10), std::pair(4, 17 + 25 + 10 + 25)}) {
    std::vector<int> done(100, 0);
    const auto work = [&](std::size_t k) {
      if (k == 17 || k == 60) throw std::bad_alloc();
      done[k] = 1;
    };
    BOOST_CHECK_THROW(parallel_for(threads, done.size(), work), std::bad_alloc);
    BOOST_TEST(std::accumulate(done.begin(), done.end(), 0) == expected);
  }
}

/// Every index is done once, by the same thread in every loop. Shares of bodies begin at whole parts.
BOOST_AUTO_TEST_CASE(a_thread_gets_the_same_share_in_every_loop) {
  for (const int threads : {1, 2, 3, 8})
    for (const std::size_t n : {0, 1, 2, 7, 5000}) {
      std::vector<std::thread::id> first(n), again(n);
      parallel_for(threads, n, [&](std::size_t k) { first[k] = std::this_thread::get_id(); });
      parallel_for(threads, n, [&](std::size_t k) { again[k] = std::this_thread::get_id(); });
      BOOST_TEST((first == again));
      std::atomic<std::size_t> sum = 0, within_parts = 0;  // Boost.Test checks in one thread only
      parallel_parts(threads, n, [&](std::size_t begin, std::size_t end) {
        within_parts += begin % bodies_per_part != 0;
        sum += end - begin;
      });
      BOOST_TEST(sum == n);
      BOOST_TEST(within_parts == 0u);
    }
}

/// Shares of equal cost: none is empty, and no border could be nearer to its goal. Loops follow given shares.
BOOST_AUTO_TEST_CASE(shares_of_equal_cost) {
  BOOST_TEST(shares_of_cost(2, std::vector<std::size_t>{3, 1, 1, 1}) == (std::vector<std::size_t>{0, 1}));
  BOOST_TEST(shares_of_cost(2, std::vector<std::size_t>{1, 1, 1, 9}) == (std::vector<std::size_t>{0, 3}));
  BOOST_TEST(shares_of_cost(3, std::vector<std::size_t>{0, 0, 0}) == (std::vector<std::size_t>{0, 1, 2}));
  BOOST_TEST(shares_of_cost(8, std::vector<std::size_t>{5, 5}) == (std::vector<std::size_t>{0, 1}));
  BOOST_TEST(shares_of_cost(4, std::vector<std::size_t>{}).empty());
  std::mt19937 random(7);
  for (int k = 0; k < 200; ++k) {
    std::vector<std::size_t> costs(2 + random() % 40);
    for (std::size_t& cost : costs) cost = 1 + random() % 100;
    const std::vector<std::size_t> begins = shares_of_cost(2, costs);
    const auto larger_share = [&](std::size_t begin) {
      const auto sum = [&](std::size_t from, std::size_t to) {
        return std::accumulate(costs.begin() + std::ptrdiff_t(from), costs.begin() + std::ptrdiff_t(to), std::size_t{});
      };
      return std::max(sum(0, begin), sum(begin, costs.size()));
    };
    std::size_t least = larger_share(1);
    for (std::size_t begin = 2; begin < costs.size(); ++begin) least = std::min(least, larger_share(begin));
    BOOST_TEST(larger_share(begins[1]) == least);
    std::vector<std::size_t> ends(2);
    parallel_shares(
        2, costs.size(), [&](std::size_t first, std::size_t last) { ends[first == 0 ? 0 : 1] = last; }, begins);
    BOOST_TEST((ends == std::vector{begins[1], costs.size()}));
  }
}

BOOST_AUTO_TEST_CASE(each_share_has_the_number_of_its_thread) {
  for (const int threads : {1, 2, 3, 8})
    for (const std::size_t n : {std::size_t(1), std::size_t(5), std::size_t(100)}) {
      std::vector<int> thread_of(n, -1), share_of(n, -2);
      parallel_shares(threads, n, [&](std::size_t first, std::size_t last, int thread) {
        std::fill(thread_of.begin() + std::ptrdiff_t(first), thread_of.begin() + std::ptrdiff_t(last), thread);
      });
      const int shares = int(std::min(std::size_t(threads), n));
      for (int t = 0; t < shares; ++t)
        for (std::size_t k = share_begin(n, shares, t); k < share_begin(n, shares, t + 1); ++k) share_of[k] = t;
      BOOST_TEST(thread_of == share_of, tt::per_element());
    }
}

/// A loop within a loop runs in the thread that opens it. Sums in order have the bits of the plain loop.
BOOST_AUTO_TEST_CASE(loops_within_loops_and_sums_in_order) {
  std::vector<double> sums(40);
  parallel_for(4, sums.size(), [&](std::size_t k) {
    std::vector<double> scratch;
    add_in_order(4, 3000, scratch, sums[k], [&](std::size_t i) { return 1.0 / double(1 + i + k); });
  });
  for (std::size_t k = 0; k < sums.size(); ++k) {
    double plain = 0;
    for (std::size_t i = 0; i < 3000; ++i) plain += 1.0 / double(1 + i + k);
    BOOST_TEST(sums[k] == plain);
  }
}

/// A sum that threads go on with in turn has the bits of the plain loop. A thread that throws does not stop the next
/// one.
BOOST_AUTO_TEST_CASE(shares_in_turn_follow_one_another) {
  for (const int threads : {1, 2, 3, 8})
    for (const std::size_t n : {0, 1, 5, 1000}) {
      double sum = 0, plain = 0;
      std::size_t next = 0;
      shares_in_turn(threads, n, [&](std::size_t first, std::size_t last) {
        next = first == next ? last : n + 1;
        for (std::size_t k = first; k < last; ++k) sum += 1.0 / double(1 + k);
      });
      for (std::size_t k = 0; k < n; ++k) plain += 1.0 / double(1 + k);
      BOOST_TEST(next == n);
      BOOST_TEST(sum == plain);
    }
  std::atomic<int> calls = 0;
  const auto work = [&](std::size_t first, std::size_t) {
    ++calls;
    if (first == 0) throw std::bad_alloc();
  };
  BOOST_CHECK_THROW(shares_in_turn(4, 100, work), std::bad_alloc);
  BOOST_TEST(calls == 4);
}

/// Two threads that open loops at the same time have teams of their own, and many short loops lose no call.
BOOST_AUTO_TEST_CASE(teams_of_two_threads_do_not_mix) {
  const auto many = [](std::size_t& total) {
    std::atomic<std::size_t> calls = 0;
    for (int loop = 0; loop < 3000; ++loop) parallel_for(3, 6, [&](std::size_t k) { calls += k; });
    total = calls;
  };
  std::size_t here = 0, there = 0;
  std::thread other([&] { many(there); });
  many(here);
  other.join();
  BOOST_TEST(here == 3000u * 15);
  BOOST_TEST(there == 3000u * 15);
}

BOOST_AUTO_TEST_CASE(loops_in_a_forked_process) {
  const auto sum = [] {
    std::atomic<int> total = 0;
    parallel_for(3, 30, [&](std::size_t k) { total += int(k); });
    return total.load();
  };
  BOOST_TEST(sum() == 435);
  const pid_t child = fork();
  if (child == 0) _exit(sum() == 435 ? 0 : 1);
  int status = -1;
  BOOST_TEST(waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
  BOOST_TEST(sum() == 435);
}

/// Only the time between threads that run at once is known.
BOOST_AUTO_TEST_CASE(transfer_time_between_threads) {
  for (const int threads : {2, 3, 8}) BOOST_TEST(transfer_time(threads) >= 0);
  double inside = -1;  // a task runs its loops by itself
  run_in_team(2, {[](void* to, int thread) {
                    if (thread == 0) *static_cast<double*>(to) = transfer_time(2);
                  },
                  &inside});
  BOOST_TEST(inside == 0);
}

/// Values of whole words, whatever else lies in their lines.
BOOST_AUTO_TEST_CASE(data_handed_over) {
  struct Row {
    double x;
    std::uint32_t a, b;
    double y;
    bool operator==(const Row&) const = default;
  };
  std::vector<Row> sent(100), got(100);
  for (std::uint32_t k = 0; k < 100; ++k) sent[k] = {0.5 + k, k, ~k, -1.0 / (1 + k)};
  parallel_for(2, 100, [&](std::size_t k) {
    hand_over(got[k], sent[k]);
    finish_hand_over();
  });
  BOOST_TEST((got == sent));
}

BOOST_AUTO_TEST_CASE(an_evaluation_is_shared_out_as_its_threads_spent_their_time) {
  PhaseTimes times;
  times.add_evaluation(2, {.geometry = 3, .forces = 1});
  times.add_evaluation(1, {});  // no contact could be timed
  BOOST_TEST(times.seconds[std::size_t(Phase::geometry)] == 1.5);
  BOOST_TEST(times.seconds[std::size_t(Phase::forces)] == 1.5);
  BOOST_TEST(times.total() == 3);
}
