// Runs the program in a folder of its own.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace cli {

namespace fs = std::filesystem;

struct Result {
  int code;
  std::string out, err;
};

inline std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// A working folder with the examples in it as apps/examples; removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "dem-cli-XXXXXX").string();
    BOOST_TEST_REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
    fs::create_directories(path_ / "apps");
    fs::create_directory_symlink(fs::path(LIBDEM_SOURCE_DIR) / "apps/examples", path_ / "apps/examples");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }

  /// `arguments`: of dem, as in a shell; `before`: shell commands run in the same shell.
  Result dem(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + path_.string() + "' && { " + before + " '" LIBDEM_PROGRAM "' " + arguments +
                                "; } >stdout.txt 2>stderr.txt";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(path_ / "stdout.txt"),
            text_of(path_ / "stderr.txt")};
  }

 private:
  fs::path path_;
};

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The line after "Example:".
inline std::string example_of(const std::string& help) {
  const auto at = help.find("Example:\n  dem ");
  if (at == std::string::npos) return "";
  const auto start = at + std::string("Example:\n  dem ").size();
  return help.substr(start, help.find('\n', start) - start);
}

/// A case of two discs that takes a moment: `more` is appended, `step` and `duration` in s.
inline std::string two_discs(const std::string& step = "1e-6", const std::string& duration = "0.005",
                             const std::string& more = "") {
  return "format = 1\ntitle = \"two\"\n[material]\nnormal_stiffness = 4e8\ntangential_stiffness_ratio = 0.3\n"
         "friction = 0.5\nrestitution = 0.9\n[time]\nstep = " +
         step +
         "\n[[body]]\nname = \"a\"\nshape = \"disc\"\nradius = 0.5\nposition = [0.0, 0.0]\nfixed = [\"x\", \"y\", "
         "\"rotation\"]\n[[body]]\nname = \"b\"\nshape = \"disc\"\nradius = 0.5\nposition = [0.8, 0.6]\nforce = "
         "[-400.0, "
         "0.0]\n[[stage]]\nduration = " +
         duration + "\n" + more;
}

}  // namespace cli
