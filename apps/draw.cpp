#include "apps/draw.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "apps/subcommands.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

/// The folder with plot.sh: of the installation the program is in, or of the sources it was built from.
fs::path scripts() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (const fs::path installed = program.parent_path().parent_path() / LIBDEM_APPS_INSTALLED;
      !error && fs::exists(installed / "plot.sh"))
    return installed;
  return LIBDEM_APPS_SOURCE;
}

/// In single quotes for the shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace

int draw_folders(const std::vector<std::string>& words) {
  const fs::path script = scripts() / "plot.sh";
  if (!fs::exists(script)) {
    fmt::print(stderr, "dem plot: {} is missing; install the program with its scripts\n", script.string());
    return exit_file;
  }
  std::string command = fmt::format("bash {}", quoted(script.string()));
  for (const std::string& word : words) command += fmt::format(" {}", quoted(word));
  const int status = std::system(command.c_str());
  if (WIFSIGNALED(status)) return exit_stopped;
  const int code = WEXITSTATUS(status);
  return code > exit_blow_up ? exit_failed : code;  // 69: no Python, as plot.sh has said
}

void draw_sweep(const fs::path& folder) {
  const fs::path script = scripts() / "plot.sh";
  const std::string command = fmt::format("bash {} {}", quoted(script.string()), quoted(folder.string()));
  const int status = fs::exists(script) ? std::system((command + " >/dev/null 2>&1").c_str()) : -1;
  if (status == 0)
    fmt::print("Plot in {}/plot.svg\n", folder.string());
  else
    fmt::print("No plot: it needs Python with matplotlib and h5py. Later: dem plot {}\n", quoted(folder.string()));
}

void draw_contact(const std::string& table, const fs::path& file) {
  const fs::path script = scripts() / "plot_contact.sh";
  const std::string command = fmt::format("bash {} {} >/dev/null 2>&1", quoted(script.string()), quoted(fs::absolute(file).string()));
  int status = -1;
  if (fs::exists(script))
    if (std::FILE* pipe = ::popen(command.c_str(), "w")) {
      std::signal(SIGPIPE, SIG_IGN);  // a script that finds no Python reads nothing
      std::fwrite(table.data(), 1, table.size(), pipe);
      status = ::pclose(pipe);
    }
  if (status == 0) fmt::print(stderr, "Plot in {}\n", file.string());
  else fmt::print(stderr, "No plot: it needs Python with matplotlib. Later: dem contact DRIVE.toml | bash {} {}\n", quoted(script.string()), quoted(file.string()));
}

}  // namespace dem
