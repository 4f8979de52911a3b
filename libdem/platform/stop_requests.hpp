// Counts the requests to stop in a signal handler.
#pragma once
#include <csignal>
#include <ctime>

namespace dem {

/// Signals within half a second of a request belong to it: `timeout` signals the program and at once its process group.
class StopRequests {
 public:
  void note() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long milliseconds = 1000 * long(now.tv_sec) + now.tv_nsec / 1000000;
    if (count_ > 0 && milliseconds - last_ < 500) return;
    last_ = milliseconds;
    count_ = count_ + 1;
  }
  void forget() { count_ = 0; }
  int count() const { return count_; }

 private:
  volatile std::sig_atomic_t count_ = 0;
  volatile long last_ = 0;
};

}  // namespace dem
