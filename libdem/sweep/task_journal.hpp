// The finished tasks of a set, a line each, on the disk as soon as they are there (tasks.hpp).
#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/sweep/tasks.hpp"

namespace dem {

/// A text file that only grows: a first line that says which tasks these are, then a line a finished task. Every line
/// ends with its checksum: one that a kill or a full disk tore is dropped, and its task is done again. One process at a
/// time (flock).
class TaskJournal {
 public:
  /// Opens or creates it, and the folder it is in. Throws FileError when it cannot, when another process holds it, when
  /// the file is something else, and when it holds tasks of another fingerprint or count.
  TaskJournal(const std::filesystem::path&, std::string_view fingerprint, std::size_t count);
  ~TaskJournal();
  TaskJournal(const TaskJournal&) = delete;
  TaskJournal& operator=(const TaskJournal&) = delete;

  /// Fills in the results that were kept; kept()[index] says which.
  void restore(std::vector<TaskResult>&) const;
  const std::vector<bool>& kept() const { return kept_; }
  /// Adds a line. Throws FileError; the file is then as it was before.
  void append(std::size_t index, const TaskResult&);

 private:
  void read(std::string_view fingerprint);
  void write_line(std::string_view text);

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::size_t length_ = 0;  // of what is good
  std::vector<TaskResult> results_;
  std::vector<bool> kept_;
  std::chrono::steady_clock::time_point last_sync_{};
};

}  // namespace dem
