#include "apps/draw.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "apps/command_line.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

/// The folder with plot.sh, of the program's installation or of its sources.
fs::path scripts() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (fs::path installed = program.parent_path().parent_path() / LIBDEM_APPS_INSTALLED;
      !error && fs::exists(installed / "plot.sh"))
    return installed;
  return LIBDEM_APPS_SOURCE;
}

}  // namespace

int draw_folders(const std::vector<std::string>& words) {
  const fs::path script = scripts() / "plot.sh";
  if (!fs::exists(script)) {
    complain(fmt::format("dem plot: {} is missing; install the program with its scripts", script.string()));
    return exit_file;
  }
  std::string command = fmt::format("bash {}", shell_word(script.string()));
  for (const std::string& word : words) command += fmt::format(" {}", shell_word(word));
  const int status = std::system(command.c_str());
  const int code = WEXITSTATUS(status);
  if (WIFSIGNALED(status) || code == 128 + SIGINT) return exit_stopped;
  return code > exit_blow_up ? exit_failed : code;  // 69: plot.sh found no Python and reported it
}

void draw_sweep(const fs::path& folder) {
  const fs::path script = scripts() / "plot.sh";
  const std::string command = fmt::format("bash {} {}", shell_word(script.string()), shell_word(folder.string()));
  const int status = fs::exists(script) ? std::system((command + " >/dev/null 2>&1").c_str()) : -1;
  if (status == 0)
    fmt::print("Plot in {}/plot.svg\n", folder.string());
  else if (status != -1 && WEXITSTATUS(status) <= exit_blow_up)  // beyond: no Python, no shell
    fmt::print("No plot; the reason: dem plot {}\n", shell_word(folder.string()));
  else
    fmt::print("No plot: it needs Python with matplotlib and h5py. Later: dem plot {}\n", shell_word(folder.string()));
}

int draw_contact(const std::string& table, const fs::path& file) {
  const fs::path script = scripts() / "plot_contact.sh";
  const std::string command =
      fmt::format("bash {} {} >/dev/null", shell_word(script.string()), shell_word(fs::absolute(file).string()));
  int status = -1;
  if (fs::exists(script))
    if (std::FILE* pipe = ::popen(command.c_str(), "w")) {
      std::signal(SIGPIPE, SIG_IGN);  // writing to a script that found no Python must not end the program
      std::fwrite(table.data(), 1, table.size(), pipe);
      status = ::pclose(pipe);
    }
  if (status == 0) {
    complain(fmt::format("Plot in {}", file.string()));
    return exit_good;
  }
  if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) <= exit_blow_up)
    return WEXITSTATUS(status);  // the script has told the reason
  complain(fmt::format("No plot: it needs Python with matplotlib. Later: dem contact DRIVE.toml | bash {} {}",
                       shell_word(script.string()), shell_word(file.string())));
  return exit_failed;
}

}  // namespace dem
