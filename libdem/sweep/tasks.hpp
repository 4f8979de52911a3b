// Independent tasks on all cores, each in a process of its own. Sweeps and validation studies consist of them.
//
// A task that throws, crashes or is killed leaves a sentence in place of its numbers. The other tasks go on. Finished
// tasks are written to a journal at once, so that an interrupted set can continue.
#pragma once
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "libdem/platform/file_error.hpp"

namespace dem {

/// Ctrl-C or SIGTERM arrived while tasks were running. The journal has the finished tasks.
struct TasksInterrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A task throws it to end early, as it was asked to. Its work goes on in another process.
struct TaskStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The journal holds other tasks.
struct OtherTasks : FileError {
  using FileError::FileError;
};

struct TaskResult {
  bool done = false;            ///< there are numbers
  std::string message;          ///< reason without numbers, or a remark on the numbers; may be empty
  std::vector<double> numbers;  ///< NaN where a quantity does not exist
  double seconds = 0;           ///< CPU time of the task
  std::string inputs{};         ///< what the task has read, as it says; may be empty
};

/// Passed to a task, for the progress display and for a stop.
class TaskProgress {
 public:
  explicit TaskProgress(volatile double* share = nullptr, volatile double* stop = nullptr)
      : share_(share), stop_(stop) {}
  void done(double share) {
    if (share_) *share_ = share;
  }  ///< share of the task that is done, in [0, 1]
  bool stop_wanted() const { return stop_ && *stop_ != 0; }
  std::string remark;  ///< for TaskResult::message, beside the numbers
  std::string inputs;  ///< for TaskResult::inputs, also of a task that fails

 private:
  volatile double *share_, *stop_;
};

/// Computes task `index`. A std::exception becomes the message of the task.
using Task = std::function<std::vector<double>(std::size_t index, TaskProgress&)>;

struct TaskChoice {
  int workers = 0;                ///< processes at a time, 0 for one per core
  std::filesystem::path journal;  ///< empty: no task is kept
  /// Identifies the tasks (parameters, program version …). A journal of other tasks is refused with OtherTasks.
  std::string fingerprint;
  std::string title;  ///< of the progress display, which an empty title hides
  /// Expected cost of each task in any unit, for the display. Empty: all costs are equal.
  std::vector<double> cost;
  std::vector<std::size_t> order{};  ///< in which the tasks start. Empty: the longest first
  /// Tasks look at TaskProgress::stop_wanted, and are not killed unless Ctrl-C comes twice.
  bool tasks_stop_by_themselves = false;
  /// Called once the journal has the result of a task. May be empty.
  std::function<void(std::size_t index)> when_kept{};
};

/// Cores that this process may use.
std::size_t available_cores();

/// Runs tasks 0 … count − 1 that the journal does not have yet, and returns all results by index. Failed tasks are in
/// the journal too and are not repeated. Tasks whose process was killed or crashed, or lacked memory or a file, are
/// repeated. Output of a task is dropped, and files open in the caller are closed in the task. Call it only while the
/// process has one thread. Throws FileError and TasksInterrupted. No process of a task outlives the call.
std::vector<TaskResult> run_tasks(std::size_t count, const Task&, const TaskChoice&);

}  // namespace dem
