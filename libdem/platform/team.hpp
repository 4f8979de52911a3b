// Threads that stay alive between loops. Each thread that opens a loop has a team of its own, so that two runs of one
// process do not wait for each other.
//
// A waiting thread spins for some ten microseconds, and then sleeps. So the next loop of a step starts soon. On an
// overloaded machine waiting threads leave their cores to others.
#pragma once
#include <atomic>
#include <cstddef>

namespace dem {

/// A function that a team calls, without owning it.
struct TeamTask {
  void (*call)(void* what, int thread);
  void* what;
};

/// Calls the task once for each thread number 0 … threads − 1, all at the same time; number 0 is the caller. Returns
/// when all are done. The task must not throw. Inside a task the calls follow one another in the same thread.
void run_in_team(int threads, TeamTask);

/// Time (ns) that a line of memory takes from the core of the first thread to that of the last. It is the least of some
/// tries, which take microseconds. Zero if the threads do not run at the same time.
double transfer_time(int threads);

/// The threads of one task take turns in the order of their numbers.
class Turns {
 public:
  explicit Turns(int threads) : threads_(threads) {}
  /// The turn of a thread. It begins in begin(), and ends when the object does; then the next thread may begin.
  class Turn {
   public:
    Turn(Turns& turns, int thread) : turns_(turns), thread_(thread) {}
    ~Turn() {
      if (turns_.threads_ > 1) end();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    void begin() const {
      if (turns_.next_.load(std::memory_order_acquire) != thread_) wait();
    }

   private:
    void wait() const;
    void end() const;
    Turns& turns_;
    int thread_;
  };

 private:
  const int threads_;
  std::atomic<int> next_ = 0;
};

}  // namespace dem
