// Tools that the tests of results, checkpoints and pictures share.
#pragma once
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "prelude.hpp"

namespace dem::test {

/// An empty folder, removed at the end.
struct TemporaryFolder {
  std::filesystem::path path;
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "libdem-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot create a temporary folder");
    path = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return path / name;
  }
  bool holds(const std::string& name) const { return std::filesystem::exists(path / name); }
};

struct InTemporaryFolder {
  const TemporaryFolder folder;
};

/// No file of this process may grow beyond this many bytes: writes fail as on a full disk, for root too.
struct FileSizeLimit {
  rlimit before{};
  void (*handler)(int);
  explicit FileSizeLimit(rlim_t bytes) : handler(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit = before;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }
};

inline std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline bool same_bits(std::span<const double> a, std::span<const double> b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return std::ranges::equal(a, b, {}, bits, bits);
}

/// For BOOST_CHECK_EXCEPTION: the message contains this.
inline auto says(std::string part) {
  return [part = std::move(part)](const std::exception& e) {
    const bool found = std::string(e.what()).find(part) != std::string::npos;
    if (!found) std::fprintf(stderr, "message was: %s\n", e.what());
    return found;
  };
}

}  // namespace dem::test
