// How far a set of tasks is: one line that is rewritten on a terminal, a line now and then otherwise. On standard
// error.
#pragma once
#include <chrono>
#include <string>

namespace dem {

/// "12 s", "3 min", "2.5 h", "4.0 days".
std::string duration_text(double seconds);

class TaskDisplay {
 public:
  /// `title` empty: nothing is shown.
  TaskDisplay(std::string title, std::size_t count, std::size_t kept);
  ~TaskDisplay();
  TaskDisplay(const TaskDisplay&) = delete;
  TaskDisplay& operator=(const TaskDisplay&) = delete;

  /// `share`: of the expected cost of the tasks that had to be done, in [0, 1]. Prints when it is time to.
  void show(double share, std::size_t done, std::size_t running, std::size_t failed);
  /// The last line, which stays.
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
