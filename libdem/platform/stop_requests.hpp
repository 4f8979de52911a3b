// Requests to stop by Ctrl-C and other signals, for programs that stop between two steps.
#pragma once
#include <csignal>
#include <ctime>

namespace dem {

/// Counts the requests in a signal handler. Signals within half a second of a request belong to it: `timeout` signals
/// the program and at once its process group.
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

/// Makes Ctrl-C, SIGTERM and SIGHUP only ask for a stop; a second one ends the program as usual.
void stop_on_signals();
bool is_stopped();   ///< true after one of them
void ask_to_stop();  ///< as one of them does

}  // namespace dem
