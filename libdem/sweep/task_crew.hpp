// The processes of tasks, and the signals that stop them. Only for this room.
#pragma once
#include <array>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "libdem/sweep/tasks.hpp"

namespace dem {

/// Catches the signals that stop a program, for the lifetime of this object. An ignored signal (nohup) stays ignored.
class StopWatch {
 public:
  StopWatch();
  ~StopWatch();
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;

  static bool is_stopped();
  /// Ctrl-C came again: the user will not wait.
  static bool is_impatient();

 private:
  std::array<struct sigaction, 3> old_{};
};

/// A running task as seen by its parent.
struct Worker {
  std::size_t index = 0;
  pid_t pid = -1;
  int reply = -1, errors = -1;
  std::string bytes;
};

enum class Stops : bool { at_once, by_itself };

/// The processes of the tasks. No process survives this object.
class Crew {
 public:
  /// Stops::by_itself: the tasks look at TaskProgress::stop_wanted. SIGTERM then goes to the parent alone, because a
  /// queue sends it to every process of a job.
  Crew(const Task& task, std::size_t count, Stops how = Stops::at_once);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  std::size_t size() const { return workers_.size(); }
  double share(std::size_t index) const;
  const std::vector<Worker>& workers() const { return workers_; }

  /// False where the system has no room for another process.
  bool start(std::size_t index);
  void ask_to_stop() { shares_[count_] = 1; }

  enum class End {
    by_itself,
    stopped,  ///< by TaskStopped, as it was asked to
    lost,     ///< another time it may succeed: it was killed, crashed, or lacked memory or a file
  };
  struct Ended {
    std::size_t index;
    TaskResult result;
    End end;
  };
  /// A task that ended within some milliseconds, if any.
  std::optional<Ended> wait(int milliseconds);

 private:
  static int collect(const Worker& worker, bool all = true);

  const Task& task_;
  std::size_t count_;
  Stops how_;
  /// In memory of all processes: the progress of each task, which its process writes. Then whether tasks shall stop,
  /// which the parent writes.
  volatile double* shares_;
  std::vector<Worker> workers_;
};

}  // namespace dem
