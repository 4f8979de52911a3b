// One writer per results folder, and one process per file of work.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace dem {

/// Holds FILE by an exclusive flock(2), which the kernel releases when the process ends, however it ends. On NFS the
/// server keeps the lock for the whole cluster, and drops it when the lease of a dead node is over. The file names its
/// holder (process, command, start) and is removed at the end. So a file without a lock is left from a killed process.
class FileLock {
 public:
  /// Tries for some hundredths of a second, because processes that a killed holder forked end a moment after it.
  /// Throws FileError with the reason of a failed write.
  FileLock(const std::filesystem::path& file, std::string_view command, int attempts = 4);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// True if this object holds the lock.
  bool is_held() const { return held_; }
  /// True if the file system has no locks. Then the lock is not held.
  bool is_impossible() const { return descriptor_ >= 0 && !held_; }

  /// The process that holds the lock, in words; nothing where no process holds it. Changes nothing.
  static std::optional<std::string> holder(const std::filesystem::path& file);
  /// The text of the file about its holder. That process may have ended.
  static std::string text_of(const std::filesystem::path& file);

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  bool held_ = false;
};

/// Holds FOLDER/.lock. File systems without locks have none. Readers need no lock.
class FolderLock {
 public:
  /// Throws FileError with the holder if another process holds the lock, or with the reason of a failed write.
  FolderLock(const std::filesystem::path& folder, std::string_view command);

  static constexpr const char* name = ".lock";

 private:
  FileLock lock_;
};

}  // namespace dem
