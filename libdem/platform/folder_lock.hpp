// One writer per results folder.
#pragma once
#include <filesystem>
#include <string_view>

namespace dem {

/// Holds FOLDER/.lock by an exclusive flock(2), which the kernel releases when the process ends, however it ends. The
/// file names its holder (process, command, start) and is removed at the end. File systems without locks have none.
/// Readers need no lock.
class FolderLock {
 public:
  /// Throws FileError with the holder if another process holds the lock, or with the reason of a failed write.
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
