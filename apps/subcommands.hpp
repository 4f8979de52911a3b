// The subcommands of `dem`, one file each: apps/<name>.cpp defines add_<name>, which registers its options and its
// callback. A callback sets exit_code or throws; main turns the kind of error into the exit code.
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace dem {

/// Exit codes of the program, as listed in `dem --help`.
enum ExitCode {
  exit_good = 0,
  exit_failed = 1,     ///< the run ended with a bad verdict, or failed without a code of its own
  exit_bad_input = 2,  ///< command line, case file or shapes
  exit_file = 3,       ///< a file that cannot be read or written
  exit_stopped = 4,    ///< stopped by Ctrl-C or SIGTERM; earlier work is kept
  exit_blow_up = 5,    ///< the numbers blew up, or the time step exceeded its limit during the run
};

/// Checks an option that names a file or a folder.
inline std::string named(const std::string& text) {
  return text.empty() ? "found an empty name, allowed the name of a file or a folder" : "";
}

void add_check(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);
void add_contact(CLI::App& app, int& exit_code);
void add_help(CLI::App& app, int& exit_code);
void add_import(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_modes(CLI::App& app, int& exit_code);
void add_overlap(CLI::App& app, int& exit_code);
void add_plot(CLI::App& app, int& exit_code);
void add_resume(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_sweep(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
/// `dem sweep time-step`, a subcommand of `sweep`.
void add_sweep_time_step(CLI::App& sweep, int& exit_code);

}  // namespace dem
