#include "libdem/platform/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "geometry/printable.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_path = 1000;  // shown in messages

[[noreturn]] void fail(std::string_view what, const fs::path& file, int error) {
  throw FileError(fmt::format("{} {}: {}", what, printable(file.string(), longest_path), std::strerror(error)), error);
}

/// A file descriptor that closes itself.
struct Descriptor {
  int fd;
  explicit Descriptor(int descriptor) : fd(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

/// Returns 0 or the error. Closing counts as writing, because network and quota errors may appear only then.
int write_all(const fs::path& part, std::string_view bytes, bool durable) {
  Descriptor out(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (out.fd < 0) return errno;
  while (!bytes.empty()) {
    const ssize_t n = ::write(out.fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  if (durable && ::fsync(out.fd) != 0) return errno;
  const int fd = out.fd;
  out.fd = -1;
  return ::close(fd) == 0 ? 0 : errno;
}

}  // namespace

void sync_folder(const fs::path& folder) {
  const Descriptor in(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (in.fd >= 0) ::fsync(in.fd);
}

void write_file(const fs::path& file, std::string_view bytes, bool durable) {
  fs::path part = file;
  part += ".part";
  int error = write_all(part, bytes, durable);
  if (error == 0 && ::rename(part.c_str(), file.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(part.c_str());
    fail("cannot write", file, error);
  }
  if (durable) sync_folder(file.parent_path());
}

std::string read_file(const fs::path& file, std::size_t most) {
  // O_NONBLOCK: does not wait for the writer of a pipe.
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (in.fd < 0 || ::fstat(in.fd, &status) != 0) fail("cannot read", file, errno);
  if (S_ISDIR(status.st_mode)) fail("cannot read", file, EISDIR);
  if (!S_ISREG(status.st_mode))
    throw FileError(fmt::format("cannot read {}: found a {}, allowed a regular file", file.string(),
                                S_ISFIFO(status.st_mode) ? "pipe" : "device"));
  std::string bytes;
  bytes.reserve(std::min(static_cast<std::size_t>(status.st_size), most));
  for (char block[1 << 16];;) {
    const ssize_t n = ::read(in.fd, block, std::min(sizeof block, most - bytes.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot read", file, errno);
    if (n == 0) return bytes;
    bytes.append(block, static_cast<std::size_t>(n));
  }
}

std::string read_data_file(const fs::path& file) {
  constexpr std::size_t most = std::size_t{2} << 30;
  std::string bytes = read_file(file, most + 1);
  if (bytes.size() > most)
    throw ContentError(fmt::format("{}: found more than 2 GB, allowed at most so much", file.string()));
  return bytes;
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw FileError(fmt::format("cannot create folder {}: {}", folder.string(), error.message()), error.value());
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

void remove_path(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw FileError(fmt::format("cannot remove {}: {}", path.string(), error.message()), error.value());
}

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t sum) {
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return sum;
}

}  // namespace dem
