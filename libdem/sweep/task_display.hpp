// Progress of a set of tasks on standard error. A terminal shows one line that is rewritten; otherwise lines appear at
// intervals.
#pragma once
#include <chrono>
#include <string>

namespace dem {

/// "12 s", "3 min", "2.5 h", "4.0 days".
std::string duration_text(double seconds);

class TaskDisplay {
 public:
  /// With an empty `title` nothing is shown.
  TaskDisplay(std::string title, std::size_t count, std::size_t kept);
  ~TaskDisplay();
  TaskDisplay(const TaskDisplay&) = delete;
  TaskDisplay& operator=(const TaskDisplay&) = delete;

  /// `share` is the share of the expected cost of the tasks to be done, in [0, 1]. Prints if enough time has passed.
  void show(double share, std::size_t done, std::size_t running, std::size_t failed);
  /// Prints the last line, which stays.
  void finish(std::size_t failed);

 private:
  using Clock = std::chrono::steady_clock;
  void print(const std::string&);

  std::string title_;
  std::size_t count_, kept_;
  bool terminal_, open_ = false;
  Clock::time_point start_, last_;
};

}  // namespace dem
