// dem resume: continues from the last checkpoint of a results folder.
#include "libdem/run/resume.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/command_line.hpp"
#include "apps/json_output.hpp"
#include "apps/run_driver.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/measure/verdict.hpp"
#include "libdem/platform/stop_requests.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {
namespace {

/// No step was made with the case of the checkpoint, so the run begins with the present case. No change is recorded.
Json start_anew(RunToResume old, std::optional<std::uint64_t> until_step, bool json, int& exit_code) {
  const std::filesystem::path path = old.folder.path();
  Case c = std::move(old.c);
  Simulation run = build_simulation(c);
  start_where_the_case_says(run, c);
  RunObserver observer(run);
  { const ResultsFolder given_up = std::move(old.folder); }  // releases the lock
  ResultsFolder folder = ResultsFolder::create(path, describe_run(c), true, "dem resume");
  exit_code = saying_how_to_go_on(folder, [&] {
    folder.start_series(observer.columns());
    say("The run had made no step: it starts anew with the case as it is now\n");
    stop_on_signals();
    return drive(run, observer, folder, true, until_step);
  });
  return json ? json_of_run(run, folder) : Json();
}

/// Reports a finished run. Returns the exit code.
int print_finished(const Simulation& run, const RunObserver& observer, const ResultsFolder& folder) {
  say("{} is already finished, at step {}; nothing to do\n{}State hash {:016x} at step {}\n", folder.path().string(),
      run.step_count(), read_file(folder.path() / "verdict.txt"), run.hash(), run.step_count());
  RunNumbers numbers = observer.numbers(run);
  add_record(&folder, numbers);
  return judge(numbers).overall == Judgement::bad ? exit_failed : exit_good;
}

}  // namespace

void add_resume(CLI::App& app, int& exit_code) {
  struct Options {
    std::string folder;
    int threads = 0;
    Loudness loudness;
    std::uint64_t until_step = 0;
    bool accept_changes = false, profile = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("resume", "Go on with a run from its last checkpoint");
  command->add_option("DIR", options->folder, "Results folder of the run")->check(named)->required();
  command
      ->add_option("--threads", options->threads, "Threads, instead of those of the case; results do not depend on it")
      ->check(CLI::Range(1, 1024));
  auto* until = command->add_option("--until-step", options->until_step, "Stop with a checkpoint at this step")
                    ->check(whole_number());
  command->add_flag("--profile", options->profile,
                    "Time the phases of the steps: a line of the verdict has the share of each");
  command->add_flag("--quiet,-q", options->loudness.quiet,
                    "Print nothing but errors; the exit code and verdict.txt report the result");
  command->add_flag("--json", options->loudness.json,
                    "Print one JSON object at the end instead of text, as dem run does");
  command->add_flag("--accept-changes", options->accept_changes,
                    "Go on although case.toml was changed since, or rows of the results are lost; the verdict and "
                    "README.txt record it");
  command->footer(
      "The results are those of the case that was run. If case.toml was changed meanwhile, the run continues only\n"
      "with --accept-changes. Keys of [output], title, threads and skin may be changed freely.\n\n"
      "Example:\n  dem resume results/two-discs");
  command->callback([options, until, &exit_code] {
    with_loudness(options->loudness, [&]() -> Json {
      const auto until_step = *until ? std::optional(options->until_step) : std::nullopt;
      RunToResume old = open_to_resume(options->folder, "dem resume", complain);
      ResultsFolder& folder = old.folder;
      Case& c = old.c;
      if (options->threads > 0) c.threads = options->threads;
      if (!old.has_its_case() && options->accept_changes && old.step() == 0)
        return start_anew(std::move(old), until_step, options->loudness.json, exit_code);
      check_case_is_kept(old, options->accept_changes, complain);
      folder.set_description(old.described);
      Simulation run = build_simulation(c);
      std::vector<BodySpec>().swap(c.assembly.bodies);  // the bodies are made; a second list would need as much memory
      if (options->profile) run.profile();
      RunObserver observer(run);
      try {
        load_checkpoint(run, old);
        observer.load(old.checkpoint);
      } catch (const FileError&) {
        throw;
      } catch (const std::runtime_error& error) {
        throw FileError(fmt::format("{}: {}", old.checkpoint.file().string(), error.what()));
      }
      if (!old.over && until_step && *until_step < run.step_count())
        throw CaseErrors({fmt::format(
            "dem resume: --until-step {} is in the past: the last checkpoint is of step {}; nothing was done",
            *until_step, run.step_count())});
      check_rows_are_kept(old, options->accept_changes, complain);
      if (old.over) {
        exit_code = print_finished(run, observer, folder);
        return options->loudness.json ? json_of_run(run, folder) : Json();
      }
      exit_code = saying_how_to_go_on(folder, [&] {
        folder.resume_series(observer.columns(), run.step_count());
        for (const std::string& problem : folder.problems()) complain(problem);
        say("Going on from step {}, t = {:.6g} s\n", run.step_count(), run.time());
        stop_on_signals();
        return drive(run, observer, folder, false, until_step);
      });
      return options->loudness.json ? json_of_run(run, folder) : Json();
    });
  });
}

}  // namespace dem
