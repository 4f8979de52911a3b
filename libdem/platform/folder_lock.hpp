// One writer a results folder.
#pragma once
#include <filesystem>
#include <string_view>

namespace dem {

/// Holds FOLDER/.lock: an exclusive flock(2), which the kernel releases when the process ends, however it ends. The
/// file says who holds it (process, command, start) and is removed at the end. Where the file system knows no locks,
/// there is none. Readers need no lock.
class FolderLock {
 public:
  /// Throws FileError naming the holder when somebody else holds it, or why it cannot be written.
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
