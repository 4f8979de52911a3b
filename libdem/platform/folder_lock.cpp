#include "libdem/platform/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

#include "libdem/platform/file_error.hpp"

namespace dem {
namespace {

constexpr int patience = 20;  // attempts for a folder, 50 ms apart

/// True if the locked file is still the one in the folder. Its holder may have removed it between open and lock.
bool is_still(int descriptor, const std::filesystem::path& file) {
  struct stat opened {
  }, named{};
  return fstat(descriptor, &opened) == 0 && stat(file.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& file, std::string_view command, int attempts) : file_(file) {
  for (int attempt = 0; !held_;) {
    descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw FileError(fmt::format("cannot write {}: {}", file_.string(), std::strerror(errno)), errno);
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
      held_ = is_still(descriptor_, file_);
      if (held_) break;
    } else if (errno != EINTR && errno != EWOULDBLOCK) {
      return;  // the file system has no locks
    } else if (errno == EWOULDBLOCK) {
      if (++attempt > attempts) {
        close(descriptor_);
        descriptor_ = -1;
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    close(descriptor_);
  }
  // For people. The lock also holds without this text, for example on a full disk.
  const std::string text =
      fmt::format("process {} ({}, since {:%F %H:%M:%S})\n", getpid(), command, fmt::localtime(std::time(nullptr)));
  if (ftruncate(descriptor_, 0) != 0 || write(descriptor_, text.data(), text.size()) < 0) return;
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  unlink(file_.c_str());  // before the release: a file to be removed must not be locked by another process
  close(descriptor_);
}

std::string FileLock::text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  return std::getline(stream, line) && !line.empty() ? line : "another process";
}

std::optional<std::string> FileLock::holder(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  const bool held = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(descriptor);
  return held ? std::optional(text_of(file)) : std::nullopt;
}

FolderLock::FolderLock(const std::filesystem::path& folder, std::string_view command)
    : lock_(folder / name, command, patience) {
  if (!lock_.is_held() && !lock_.is_impossible())
    throw FileError(
        fmt::format("{} is in use by {}; wait for it or stop it", folder.string(), FileLock::text_of(folder / name)));
}

}  // namespace dem
