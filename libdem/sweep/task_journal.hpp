// The finished tasks of a set, one line per task, written to the disk at once (tasks.hpp).
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "libdem/sweep/tasks.hpp"

namespace dem {

/// The end of a task, as a line with its checksum. A journal has such lines, and the process of a task sends one.
struct TaskLine {
  std::size_t index = 0;
  std::string word;  ///< done, failed, lost (another time it may succeed) or stopped
  TaskResult result;
  std::string text() const;
  /// None for a line that is torn.
  static std::optional<TaskLine> read(std::string_view line);
};

/// The tasks of a journal.
struct JournalContent {
  explicit JournalContent(std::size_t count) : results(count), kept(count), lost(count) {}
  std::vector<TaskResult> results;
  std::vector<bool> kept;         ///< there is a result
  std::vector<std::string> lost;  ///< why its process ended without a result, last time; may be empty
};

/// Reads a journal that another process may be writing. Throws FileError and OtherTasks like TaskJournal.
JournalContent read_journal(const std::filesystem::path&, std::string_view fingerprint, std::size_t count);

/// A text file that only grows. The first line identifies the set; then each finished task has one line. Every line
/// ends with its checksum. A line that a kill or a full disk tore is dropped, and its task is repeated. One process at
/// a time may use the file (flock).
class TaskJournal {
 public:
  /// Opens or creates the file and its folder. Throws FileError when this fails or another process holds the file. It
  /// also throws when the file is no journal or holds tasks of another fingerprint or count.
  TaskJournal(const std::filesystem::path&, std::string_view fingerprint, std::size_t count);
  ~TaskJournal();
  TaskJournal(const TaskJournal&) = delete;
  TaskJournal& operator=(const TaskJournal&) = delete;

  /// Tasks that it held when it was opened.
  const JournalContent& content() const { return content_; }
  /// Adds a line. When it throws FileError, the file is as before.
  void append(std::size_t index, const TaskResult&);
  /// Adds why the process of a task ended without a result, or why it is to be done again. A result before does not
  /// count any more.
  void append_lost(std::size_t index, const std::string& why);

 private:
  void read(std::string_view fingerprint, std::size_t count);
  void write_line(std::string_view text);

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::size_t length_ = 0;  // of the good part
  JournalContent content_;
  std::chrono::steady_clock::time_point last_sync_{};
};

}  // namespace dem
