#include "libdem/platform/team.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

namespace dem {
namespace {

constexpr std::size_t line_pair = 128;  // bytes that caches fetch together
constexpr int spins = 2000;             // some ten microseconds

thread_local bool inside_a_task = false;

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

int available_cores() {
  static const int cores = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  }();
  return cores;
}

/// Waits until the number is no longer `old`, and returns it.
int wait_for_change(std::atomic<int>& number, int old, bool may_spin) {
  for (int k = may_spin ? spins : 0; k > 0; --k) {
    if (const int now = number.load(std::memory_order_acquire); now != old) return now;
    pause();
  }
  while (true) {
    if (const int now = number.load(std::memory_order_acquire); now != old) return now;
    number.wait(old, std::memory_order_acquire);
  }
}

void set(std::atomic<int>& number, int value) {
  number.store(value, std::memory_order_release);
  number.notify_one();
}

class Worker {
 public:
  explicit Worker(int number) : number_(number), thread_([this] { work(); }) {}
  ~Worker() {
    task_ = {};
    set(begun_, begun_.load(std::memory_order_relaxed) + 1);
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void begin(TeamTask task, bool may_spin) {
    task_ = task;
    may_spin_ = may_spin;
    set(begun_, begun_.load(std::memory_order_relaxed) + 1);
  }
  void wait_until_done(bool may_spin) {
    const int wanted = begun_.load(std::memory_order_relaxed);
    for (int now = done_.load(std::memory_order_acquire); now != wanted;) now = wait_for_change(done_, now, may_spin);
  }

 private:
  void work() {
    inside_a_task = true;
    bool may_spin = true;
    for (int seen = 0;;) {
      seen = wait_for_change(begun_, seen, may_spin);
      const TeamTask task = task_;
      may_spin = may_spin_;
      if (task.call == nullptr) return;
      task.call(task.what, number_);
      set(done_, seen);
    }
  }

  const int number_;
  // The caller writes these.
  alignas(line_pair) std::atomic<int> begun_ = 0;
  bool may_spin_ = true;
  TeamTask task_{};
  alignas(line_pair) std::atomic<int> done_ = 0;  // the worker writes this
  std::thread thread_;
};

int forks = 0;  // of this process since its first loop

/// Thread number t is worker t − 1.
struct Team {
  std::vector<std::unique_ptr<Worker>> workers;
  int from = forks;

  ~Team() { leave_to_parent(); }
  /// A process that was forked has no other threads: what is left of them is neither used nor awaited.
  void leave_to_parent() {
    if (from == forks) return;
    for (auto& worker : workers) static_cast<void>(worker.release());
    workers.clear();
    from = forks;
  }
  int size() const { return int(workers.size()) + 1; }
};

/// The first and the last thread pass a line of memory to and fro.
struct BallGame {
  const int last;                                // thread
  alignas(line_pair) std::atomic<int> ball = 0;  // counts both ways; negative when the game is over
  alignas(line_pair) double least = 0;           // time of one way (ns)

  void play(int thread) {
    if (thread == 0) {
      serve();
      ball.store(-1, std::memory_order_release);
    } else if (thread == last) {
      for (int number = 1; comes(number); number += 2) ball.store(number + 1, std::memory_order_release);
    }
  }
  void serve() {
    constexpr int tries = 8, ways = 32;
    for (int t = 0, number = 0; t < tries; ++t) {
      const auto start = std::chrono::steady_clock::now();
      for (const int end = number + ways; number < end;) {
        ball.store(++number, std::memory_order_release);
        if (!comes(++number)) return;
      }
      const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
      least = t == 0 ? time.count() / ways : std::min(least, time.count() / ways);
    }
  }
  bool comes(int number) const {
    for (int patience = 300000; patience > 0; --patience)  // the other thread may have to wake up
      if (const int now = ball.load(std::memory_order_acquire); now == number || now < 0) return now == number;
    return false;
  }
};

}  // namespace

void run_in_team(int threads, TeamTask task) {
  if (threads <= 1 || inside_a_task) {
    for (int t = 0; t < threads; ++t) task.call(task.what, t);
    return;
  }
  [[maybe_unused]] static const int counts_forks = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  thread_local Team all;
  all.leave_to_parent();
  try {
    while (all.size() < threads) all.workers.push_back(std::make_unique<Worker>(all.size()));
  } catch (const std::system_error&) {  // the system gives no more threads: the caller does their part
  }
  const int team = std::min(threads, all.size());
  const bool may_spin = team <= available_cores();
  for (int t = 1; t < team; ++t) all.workers[std::size_t(t) - 1]->begin(task, may_spin);
  inside_a_task = true;
  task.call(task.what, 0);
  for (int t = team; t < threads; ++t) task.call(task.what, t);
  inside_a_task = false;
  for (int t = 1; t < team; ++t) all.workers[std::size_t(t) - 1]->wait_until_done(may_spin);
}

double transfer_time(int threads) {
  BallGame game{threads - 1};
  run_in_team(threads, {[](void* what, int thread) { static_cast<BallGame*>(what)->play(thread); }, &game});
  return game.least;
}

void Turns::Turn::wait() const {
  for (int now = turns_.next_.load(std::memory_order_acquire); now != thread_;)
    now = wait_for_change(turns_.next_, now, true);
}

void Turns::Turn::end() const {
  begin();
  turns_.next_.store(thread_ + 1, std::memory_order_release);
  turns_.next_.notify_all();
}

}  // namespace dem
