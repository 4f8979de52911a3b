// Independent tasks on all cores, each in a process of its own: what a sweep and a validation study are made of.
//
// A task that throws, crashes or is killed leaves a sentence in place of its numbers and does not stop the others.
// Finished tasks are written to a journal at once, so that an interrupted set goes on where it was.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "libdem/platform/file_error.hpp"

namespace dem {

/// Ctrl-C or SIGTERM arrived while tasks were running. What was finished is in the journal.
struct TasksInterrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The journal holds other tasks.
struct OtherTasks : FileError {
  using FileError::FileError;
};

struct TaskResult {
  bool done = false;            ///< numbers are there
  std::string message;          ///< why not, or a remark on the numbers; empty: nothing to say
  std::vector<double> numbers;  ///< NaN where a quantity does not exist
  double seconds = 0;           ///< CPU time of the task
};

/// Handed to a task, for the progress display.
class TaskProgress {
 public:
  explicit TaskProgress(volatile double* share = nullptr) : share_(share) {}
  void done(double share) {
    if (share_) *share_ = share;
  }  ///< part of the task that is done, in [0, 1]
  /// A remark that goes into TaskResult::message beside the numbers.
  void remark(std::string text) { remark_ = std::move(text); }
  const std::string& text() const { return remark_; }

 private:
  volatile double* share_;
  std::string remark_;
};

/// Works out task `index`; what it throws (std::exception) becomes the message of the task.
using Task = std::function<std::vector<double>(std::size_t index, TaskProgress&)>;

struct TaskChoice {
  int workers = 0;                ///< processes at a time; 0: one a core
  std::filesystem::path journal;  ///< empty: nothing is kept
  /// What the tasks are (parameters, program version …): a journal of other tasks is refused with OtherTasks, not
  /// mixed.
  std::string fingerprint;
  std::string title;  ///< of the progress display; empty: none is shown
  /// Expected cost of each task in any unit, for the order (longest first) and the display; empty: all the same.
  std::vector<double> cost;
};

/// Cores that this process may use.
std::size_t available_cores();

/// Runs tasks 0 … count − 1 that the journal does not hold yet and returns all results by index. Tasks that failed are
/// in the journal too and are not repeated, but those whose process was killed or crashed are. What a task prints is
/// dropped, and the files that are open in the caller are closed in it. Call it while the process has one thread only.
/// Throws FileError, TasksInterrupted; no process of a task outlives the call.
std::vector<TaskResult> run_tasks(std::size_t count, const Task&, const TaskChoice&);

}  // namespace dem
