// One writer per results folder.
#pragma once
#include <filesystem>
#include <string_view>

namespace dem {

/// Holds FOLDER/.lock by an exclusive flock(2). The kernel releases the lock when the process ends, however it ends.
/// The file names its holder (process, command, start) and is removed at the end. There is no lock if the file system
/// has none. Readers need no lock.
class FolderLock {
 public:
  /// Throws FileError with the holder if another process holds the lock, or with the reason if the file cannot be
  /// written.
  FolderLock(const std::filesystem::path& folder, std::string_view command);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  static constexpr const char* name = ".lock";

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace dem
