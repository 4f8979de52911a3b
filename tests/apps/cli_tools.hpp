// Runs the program in a folder of its own.
#pragma once
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/text.hpp"

namespace cli {

namespace fs = std::filesystem;

using Parts = std::vector<std::string>;

using dem::test::has;
using dem::test::with;

struct Result {
  int code;
  std::string out, err;

  /// Checks that standard output has the parts.
  void prints(const Parts& parts) const {
    for (const std::string& part : parts) BOOST_TEST(has(out, part), "found\n" << out << err << "expected " << part);
  }
  /// Checks that standard error has the parts.
  void warns(const Parts& parts) const {
    for (const std::string& part : parts) BOOST_TEST(has(err, part), "found\n" << err << out << "expected " << part);
  }
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
  /// With a file in it.
  Folder(const std::string& name, const std::string& text) : Folder() { write(name, text); }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }
  bool holds(const std::string& name) const { return fs::exists(path_ / name); }
  std::string text(const std::string& name) const { return text_of(path_ / name); }
  /// Checks that a file has the parts.
  void shows(const std::string& name, const Parts& parts) const {
    const std::string found = text(name);
    for (const std::string& part : parts) BOOST_TEST(has(found, part), name << ":\n" << found << "expected " << part);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }

  /// Runs `dem` with arguments as in a shell. The same shell runs the commands `before` first.
  Result dem(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + path_.string() + "' && { " + before + " '" LIBDEM_PROGRAM "' " + arguments +
                                "; } >stdout.txt 2>stderr.txt";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(path_ / "stdout.txt"),
            text_of(path_ / "stderr.txt")};
  }

  /// Runs `dem` and checks its exit code and parts of what it writes to standard output and standard error.
  Result gives(int code, const std::string& arguments, const Parts& out = {}, const Parts& err = {},
               const std::string& before = "") const {
    const Result ran = dem(arguments, before);
    BOOST_TEST_CONTEXT("dem " << arguments) {
      BOOST_TEST(ran.code == code, "exit code " << ran.code << ", expected " << code << "\n" << ran.out << ran.err);
      ran.prints(out);
      ran.warns(err);
    }
    return ran;
  }
  Result refuses(int code, const std::string& arguments, const Parts& err, const std::string& before = "") const {
    return gives(code, arguments, {}, err, before);
  }

 private:
  fs::path path_;
};

/// A test with a working folder.
struct InFolder {
  const Folder folder;
};

/// Starts the program without a shell between, so that signals reach it. Its output goes to stdout.txt and stderr.txt.
inline pid_t start(const Folder& folder, const std::vector<std::string>& arguments) {
  std::fflush(nullptr);
  std::cout.flush();
  const pid_t child = fork();
  if (child != 0) return child;
  std::vector<char*> words{const_cast<char*>(LIBDEM_PROGRAM)};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  if (chdir(folder.path().c_str()) != 0 || !freopen("stdout.txt", "w", stdout) || !freopen("stderr.txt", "w", stderr))
    _exit(99);
  execv(LIBDEM_PROGRAM, words.data());
  _exit(98);
}

/// Sends a signal to the process, unless it is 0, and waits for its end. Its status.
inline int end_of(pid_t child, int signal = 0) {
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

/// Waits until one of the files is there.
inline bool comes(const std::vector<fs::path>& files) {
  for (int k = 0; k < 6000; ++k) {
    for (const fs::path& file : files)
      if (fs::exists(file)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// From the part to the end of its line; empty where the text has no such part.
inline std::string line_with(const std::string& text, const std::string& part) {
  const auto at = text.find(part);
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

/// The line after "Example:", without "dem".
inline std::string example_of(const std::string& help) {
  const std::string before = "Example:\n  dem ";
  return has(help, before) ? line_with(help.substr(help.find(before) + before.size()), "") : "";
}

/// Whether there is a Python for `dem plot`. If not, the test says that it is skipped.
inline bool can_plot() {
  const bool found =
      std::system("bash " LIBDEM_SOURCE_DIR "/apps/find-python.sh h5py matplotlib numpy tomllib >/dev/null 2>&1") == 0;
  if (!found) BOOST_TEST_MESSAGE("SKIPPED: there is no Python with matplotlib and h5py");
  return found;
}

/// A sphere of 3 mm at rest on a plane. Tests replace parts of it and add stages.
inline const std::string sphere_on_a_floor = R"(format = 1
dimension = 3
gravity = [0.0, 0.0, -9.81]
contact = {law = "hooke-history", elongation = "velocity"}
time = {integrator = "velocity-verlet", step = 1e-5}
body = [{name = "ball", shape = "sphere", radius = 3e-3, position = [0.0, 0.0, 3e-3]}]
wall = [{name = "floor", shape = "plane", point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0]}]
[material]
density = 2550.0
normal_stiffness = 2000.0
tangential_stiffness = 1600.0
friction = 0.5
restitution = 0.5
)";

/// A case of two discs that takes a moment: `more` is appended, `step` and `duration` in s.
inline std::string two_discs(const std::string& step = "1e-6", const std::string& duration = "0.005",
                             const std::string& more = "") {
  return "format = 1\ntitle = \"two\"\n[material]\nnormal_stiffness = 4e8\ntangential_stiffness_ratio = 0.3\n"
         "friction = 0.5\nrestitution = 0.9\n[time]\nstep = " +
         step +
         "\n[[body]]\nname = \"a\"\nshape = \"disc\"\nradius = 0.5\nposition = [0.0, 0.0]\nfixed = [\"x\", \"y\", "
         "\"rotation\"]\n[[body]]\nname = \"b\"\nshape = \"disc\"\nradius = 0.5\nposition = [0.8, 0.6]\nforce = "
         "[-400.0, 0.0]\n[[stage]]\nduration = " +
         duration + "\n" + more;
}
/// A test with that case in a working folder, as two.toml.
struct WithTwoDiscs {
  const Folder folder{"two.toml", two_discs()};
};

}  // namespace cli
