#include "apps/run_driver.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>

#include "apps/case_input.hpp"
#include "apps/command_line.hpp"
#include "apps/cost_report.hpp"
#include "apps/run_progress.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/assembly/start_check.hpp"
#include "libdem/pictures/svg.hpp"
#include "libdem/platform/stop_requests.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/run/resume.hpp"
#include "libdem/run/start_from.hpp"

namespace dem {
namespace {

/// Advice after a run that ended for lack of disk space or memory.
std::string way_on(const ResultsFolder& folder, std::string_view first) {
  const std::string path = folder.path().string();
  if (const auto step = folder.checkpoint_step(); step && is_there(folder.checkpoint_file()))
    return fmt::format("last checkpoint: step {} in {}; {}, then: dem resume {}", *step, path, first, shell_word(path));
  return fmt::format("there is no checkpoint yet; {}, then: {}", first, rerun_command(folder));
}

/// Advice on a file error before the run can continue.
std::string remedy(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free space";
    case EACCES:
    case EPERM:
      return "allow writing into the folder";
    case EROFS:
      return "make the file system writable";
    case EFBIG:
      return "lift the limit of the file size (ulimit -f)";
    case EMFILE:
    case ENFILE:
      return "close other files, or lift their limit (ulimit -n)";
    case ENOMEM:
      return "free memory";
    default:
      return "mend that";
  }
}

}  // namespace

Simulation build_simulation(Case& c) {
  const LongTask task = making_bodies(c);
  const bool automatic = c.time.step == 0;
  try {
    take_step_of_start(c);
    Simulation run(c);
    c.time.step = run.given().time.step;
    // The engine can handle smaller cells, but they are mistakes of a case.
    if (c.dimension == 3) check_cell_width(run.state(), c.skin);
    return run;
  } catch (const std::runtime_error&) {
    rethrow_located(c, automatic);
  }
}

void start_where_the_case_says(Simulation& run, const Case& c, const std::filesystem::path& output) {
  if (c.start_from.empty()) return;
  try {
    check_start_is_kept(c, output);
    const StartFrom start = start_from_results(run, c);
    say("starts with step {} of {}{}\n", start.step, c.start_from.string(),
        start.keeps_histories ? "" : "; another law or other elastic constants: contacts start anew");
  } catch (const StartFromError& error) {
    throw located(c, error.what());
  }
}

std::filesystem::path default_folder(const Case& c) {
  return std::filesystem::path("results") / (c.file == standard_input_name ? "stdin" : c.file.stem());
}

void check_picture_name(const std::filesystem::path& file) {
  if (!file.empty() && file.extension() != ".svg")
    throw CaseErrors({fmt::format("--picture: found \"{}\", allowed a file name that ends in .svg", file.string())});
}

void write_picture(const Simulation& run, const std::filesystem::path& file) {
  write_file(file, svg_frame(run.view(), run.given().title, run.given().output.colour_by), false);
}

int saying_how_to_go_on(const ResultsFolder& folder, const std::function<int()>& work) {
  try {
    return work();
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; {}", error.what(), way_on(folder, remedy(error.error_number))),
                    error.error_number);
  } catch (const NoRoomForStep&) {
    throw std::runtime_error(
        fmt::format("out of memory; the last whole step is kept; {}", way_on(folder, "free memory")));
  } catch (const std::bad_alloc&) {  // histories of any length may need more memory than there is; the failed step is
                                     // not used
    throw std::runtime_error(fmt::format("out of memory; {}", way_on(folder, "free memory")));
  }
}

int drive(Simulation& run, RunObserver& observer, ResultsFolder& folder, bool start,
          std::optional<std::uint64_t> until_step) {
  std::signal(SIGPIPE, SIG_IGN);  // a run continues without a reader of its messages
  Progress progress(run);
  constexpr Every looks_at_clock{32};                        // steps
  const bool long_steps = run.state().bodies.size() > 1000;  // a look at the clock costs nothing in comparison
  RunHooks hooks;
  hooks.stop = [&](const Simulation& r) { return is_stopped() || (until_step && r.step_count() >= *until_step); };
  hooks.after_step = [&](const Simulation& r) {
    if (long_steps || looks_at_clock.at(r.step_count())) progress.show(r);
  };
  RunResult result;
  try {
    result = run_to_end(run, observer, &folder, start, hooks);
  } catch (...) {
    progress.end();
    throw;
  }
  progress.end();
  if (result.end == RunEnd::stopped) {
    if (run.phase_times()) say("{}\n", phase_sentence(*run.phase_times()));
    say("State hash {:016x} at step {}\nStopped at step {}, t = {:.6g} s, with a checkpoint. To go on: dem resume {}\n",
        result.hash, result.step, result.step, run.time(), shell_word(folder.path().string()));
    return is_stopped() ? exit_stopped : exit_good;
  }
  say("{}", result.verdict.text());
  if (result.end == RunEnd::failed) {
    complain(fmt::format("{}\nThe results up to the failure are in {}.", result.failure, folder.path().string()));
    return exit_blow_up;
  }
  say("State hash {:016x} at step {}\nResults in {}\n", result.hash, result.step, folder.path().string());
  return result.verdict.overall == Judgement::bad ? exit_failed : exit_good;
}

}  // namespace dem
