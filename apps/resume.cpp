// dem resume: goes on from the last checkpoint of a results folder.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/run_driver.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/files/case_file.hpp"
#include "libdem/files/text_file.hpp"
#include "libdem/measure/verdict.hpp"

namespace dem {
namespace {

Checkpoint checkpoint_of(ResultsFolder& folder) {
  try {
    return folder.read_checkpoint(Simulation::layout());
  } catch (const LayoutError&) {
    throw;
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; start again with {}", error.what(), rerun_command(folder)));
  }
}

/// A run at its end has nothing to do, unless it was stopped before it could write its verdict.
bool print_finished(const Simulation& run, const RunObserver& observer, const ResultsFolder& folder, int& exit_code) {
  const std::filesystem::path verdict = folder.path() / "verdict.txt";
  if (!std::filesystem::exists(verdict)) return false;
  say("{} is already finished, at step {}; nothing to do\n{}State hash {:016x} at step {}\n", folder.path().string(),
             run.step_count(), read_file(verdict), run.hash(), run.step_count());
  exit_code = judge(observer.numbers(run)).overall == Judgement::bad ? exit_failed : exit_good;
  return true;
}

}  // namespace

void add_resume(CLI::App& app, int& exit_code) {
  struct Options {
    std::string folder;
    int threads = 0;
    bool quiet = false;
    std::uint64_t until_step = 0;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("resume", "Go on with a run from its last checkpoint");
  command->add_option("DIR", options->folder, "Results folder of the run")->required();
  command
      ->add_option("--threads", options->threads, "Threads, instead of those of the case; results do not depend on it")
      ->check(CLI::Range(1, 1024));
  auto* until = command->add_option("--until-step", options->until_step, "Stop with a checkpoint at this step");
  command->add_flag("--quiet,-q", options->quiet, "Print nothing but errors; the exit code and verdict.txt tell how it went");
  command->footer("Example:\n  dem resume results/two-discs");
  command->callback([options, until, &exit_code] {
    const SilentOutput silent(options->quiet);
    ResultsFolder folder = ResultsFolder::open(options->folder);
    folder.lock("dem resume");
    Case c = parse_case(folder.case_text(), folder.path() / "case.toml");
    folder.set_description(describe_run(c));
    if (options->threads > 0) c.threads = options->threads;
    const Checkpoint checkpoint = checkpoint_of(folder);
    if (!checkpoint.message.empty()) fmt::print(stderr, "{}\n", checkpoint.message);
    Simulation run = build_simulation(c);
    std::vector<BodySpec>().swap(c.assembly.bodies);  // made; as many again would stay in memory
    RunObserver observer(run);
    try {
      run.load(checkpoint);
      observer.load(checkpoint);
    } catch (const FileError&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw FileError(fmt::format("{}: {}", checkpoint.file().string(), error.what()));
    }
    if (run.finished() && print_finished(run, observer, folder, exit_code)) return;
    if (*until && options->until_step < run.step_count()) {
      fmt::print(stderr, "dem resume: --until-step {} is in the past: the last checkpoint is of step {}; nothing was done\n",
                 options->until_step, run.step_count());
      exit_code = exit_bad_input;
      return;
    }
    exit_code = saying_how_to_go_on(folder, [&] {
      folder.resume_series(observer.columns(), observer.profile_columns(), run.step_count(), observer.jump_columns());
      for (const std::string& problem : folder.problems()) fmt::print(stderr, "{}\n", problem);
      say("Going on from step {}, t = {:.6g} s\n", run.step_count(), run.time());
      stop_on_signals();
      return drive(run, observer, folder, false, *until ? std::optional(options->until_step) : std::nullopt);
    });
  });
}

}  // namespace dem
