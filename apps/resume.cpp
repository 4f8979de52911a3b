// dem resume: continues from the last checkpoint of a results folder.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/command_line.hpp"
#include "apps/json_output.hpp"
#include "apps/run_driver.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/case/difference.hpp"
#include "libdem/measure/verdict.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {
namespace {

Checkpoint checkpoint_of(ResultsFolder& folder) {
  try {
    return folder.read_checkpoint();
  } catch (const LayoutError&) {
    throw;
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; put a whole one of this run there, or start again with {}", error.what(),
                                rerun_command(folder)));
  }
}

constexpr std::size_t most_lines = 20;

std::string go_on_command(const ResultsFolder& folder) {
  return fmt::format("dem resume {} --accept-changes", shell_word(folder.path().string()));
}

/// Compares the case of the checkpoint with the present case.toml and prints each different key. Throws CaseErrors if a
/// change of results is not accepted or is impossible. Otherwise records the change in the folder.
void compare_cases(ResultsFolder& folder, const Case& now, const RunDescription& described,
                   const Checkpoint& checkpoint, bool accept) {
  FolderRecord& record = folder.record();
  if (record.case_text == described.case_text && record.file_sums == described.file_sums) return;
  const Case before = parse_written_case(record.case_text);
  const bool over = Simulation::saved_stage(checkpoint) >= before.stages.size();
  const std::uint64_t step = checkpoint.header().step;
  const std::filesystem::path file = folder.path() / "case.toml";
  std::vector<std::string> lines, written;
  std::string fixed;
  std::size_t more = 0;
  for (const CaseDifference& d :
       case_differences(before, record.file_sums, now, described.file_sums, Simulation::saved_stage(checkpoint))) {
    const std::string sentence = fmt::format("{} from {} to {} at step {}", d.key, d.before, d.now, step);
    if (d.effect == ChangeEffect::output) {
      written.push_back(
          fmt::format("{}: {} until step {}, {} from then on", place_of_key(file, d.key), d.before, step, d.now));
      record.output_changes.push_back(sentence);
      continue;
    }
    if (d.effect == ChangeEffect::none_can) fixed += (fixed.empty() ? "" : ", ") + d.key;
    if (record.changes.size() < most_lines) record.changes.push_back(sentence);
    if (lines.size() < most_lines)
      lines.push_back(
          fmt::format("{}: the run was made with {}, found {}", place_of_key(file, d.key), d.before, d.now));
    else
      ++more;
  }
  if (more > 0) {
    lines.push_back(fmt::format("{}: {} more keys differ", file.string(), more));
    record.changes.push_back(fmt::format("{} more keys at step {}", more, step));
  }
  if (over && lines.empty()) return;
  if (lines.empty() || (accept && !over && fixed.empty())) {
    lines.insert(lines.end(), written.begin(), written.end());
    for (const std::string& line : lines) complain(line);
    if (lines.size() > written.size())
      complain(
          fmt::format("Accepted: the values found hold from step {} on; the verdict and README.txt record it.", step));
    return;
  }
  const std::string folder_name = folder.path().string();
  lines.push_back(
      over ? fmt::format("{}: the run is over, and its results are those of the values before; put them back. A case "
                         "of its own can go on from these results with start_from = \"{}\"",
                         folder_name, folder_name)
      : !fixed.empty()
          ? fmt::format("{}: a run cannot go on with another {}; put the values back, or start again with {}",
                        folder_name, fixed, rerun_command(folder))
          : fmt::format("{}: its checkpoint of step {} was made with another case; put the values back, or go on with "
                        "those found: {}",
                        folder_name, step, go_on_command(folder)));
  throw CaseErrors(lines);
}

/// Throws FileError if rows of the time of the checkpoint are missing, unless that is accepted and recorded in the
/// folder. `over`: the run is finished, so nothing can be accepted.
void compare_rows(ResultsFolder& folder, std::uint64_t step, bool accept, bool over) {
  const SegmentFaults faults = folder.compare_series(step);
  if (!faults.strange.empty())
    throw FileError(
        fmt::format("{}\n{}: rows of another run would be taken for those of this one; move these files away, or put "
                    "the right ones there",
                    fmt::join(faults.strange, "\n"), folder.path().string()));
  if (faults.lost.empty()) return;
  if (!accept || over)
    throw FileError(fmt::format(
        "{}\n{}: rows are lost that were there at the checkpoint of step {}; put the files back, or {}",
        fmt::join(faults.lost, "\n"), folder.path().string(), step,
        over ? "run it again: " + rerun_command(folder) : "go on without these rows: " + go_on_command(folder)));
  for (const std::string& loss : faults.lost) {
    complain(loss);
    const std::string start = (folder.path() / "").string();
    folder.record().losses.push_back(
        fmt::format("{}, noticed at step {}", loss.starts_with(start) ? loss.substr(start.size()) : loss, step));
  }
  complain("Accepted: the run goes on without these rows; the verdict and README.txt record it.");
}

/// No step was made with the case of the checkpoint, so the run begins with the present case. No change is recorded.
Json start_anew(ResultsFolder old, Case c, std::optional<std::uint64_t> until_step, bool json, int& exit_code) {
  const std::filesystem::path path = old.path();
  Simulation run = build_simulation(c);
  start_where_the_case_says(run, c);
  RunObserver observer(run);
  { const ResultsFolder given_up = std::move(old); }  // releases the lock
  ResultsFolder folder = ResultsFolder::create(path, describe_run(c), true, "dem resume");
  exit_code = saying_how_to_go_on(folder, [&] {
    folder.start_series(observer.columns(), observer.profile_columns(), observer.jump_columns());
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
      ResultsFolder folder = ResultsFolder::open(options->folder);
      folder.lock("dem resume");
      Case c = parse_case(folder.case_text(), folder.path() / "case.toml");
      const RunDescription described = describe_run(c);
      if (options->threads > 0) c.threads = options->threads;
      const Checkpoint checkpoint = checkpoint_of(folder);
      if (!checkpoint.message.empty()) complain(checkpoint.message);
      const bool changed =
          folder.record().case_text != described.case_text || folder.record().file_sums != described.file_sums;
      if (changed && options->accept_changes && checkpoint.header().step == 0)
        return start_anew(std::move(folder), std::move(c), *until ? std::optional(options->until_step) : std::nullopt,
                          options->loudness.json, exit_code);
      compare_cases(folder, c, described, checkpoint, options->accept_changes);
      folder.set_description(described);
      Simulation run = build_simulation(c);
      std::vector<BodySpec>().swap(c.assembly.bodies);  // the bodies are made; a second list would need as much memory
      if (options->profile) run.profile();
      RunObserver observer(run);
      try {
        run.load(checkpoint);
        observer.load(checkpoint);
      } catch (const FileError&) {
        throw;
      } catch (const std::runtime_error& error) {
        throw FileError(fmt::format("{}: {}", checkpoint.file().string(), error.what()));
      }
      // Without a verdict the run was stopped before it could write one.
      const bool over = run.finished() && std::filesystem::exists(folder.path() / "verdict.txt");
      if (!over && *until && options->until_step < run.step_count())
        throw CaseErrors({fmt::format(
            "dem resume: --until-step {} is in the past: the last checkpoint is of step {}; nothing was done",
            options->until_step, run.step_count())});
      compare_rows(folder, run.step_count(), options->accept_changes, over);
      if (over) {
        exit_code = print_finished(run, observer, folder);
        return options->loudness.json ? json_of_run(run, folder) : Json();
      }
      exit_code = saying_how_to_go_on(folder, [&] {
        folder.resume_series(observer.columns(), observer.profile_columns(), run.step_count(), observer.jump_columns());
        for (const std::string& problem : folder.problems()) complain(problem);
        say("Going on from step {}, t = {:.6g} s\n", run.step_count(), run.time());
        stop_on_signals();
        return drive(run, observer, folder, false, *until ? std::optional(options->until_step) : std::nullopt);
      });
      return options->loudness.json ? json_of_run(run, folder) : Json();
    });
  });
}

}  // namespace dem
