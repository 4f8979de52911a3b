#include "libdem/run/run_case.hpp"

#include <fmt/format.h>

#include <chrono>

#include "libdem/case/case_file.hpp"
#include "libdem/case/difference.hpp"
#include "libdem/run/recorder.hpp"
#include "libdem/run/resume.hpp"
#include "libdem/run/start_from.hpp"

namespace dem {
namespace {

using Clock = std::chrono::steady_clock;

/// Judges a finished run and writes the files of its end.
Verdict conclude(const Simulation& run, RunNumbers numbers, ResultsFolder* folder) {
  add_record(folder, numbers);
  Verdict verdict = judge(numbers);
  if (!folder) return verdict;
  folder->flush();
  if (run.given().output.csv) folder->write_csv();
  folder->write_verdict(verdict.text(), verdict.json());
  return verdict;
}

/// Concludes a run that failed. The state after a blow-up is unusable, so results end with the last checkpoint.
RunResult conclude_failed(const Simulation& run, const RunObserver& observer, ResultsFolder* folder,
                          const std::string& message) {
  RunNumbers numbers = observer.numbers(run);
  std::string cause = message;
  if (cause.ends_with('.')) cause.pop_back();
  if (cause.starts_with("step ")) cause.erase(0, cause.find(": ") + 2);  // the verdict has the step
  numbers.blow_up = {run.step_count(), run.time(), cause};
  numbers.ledger.reset();
  return {RunEnd::failed, conclude(run, numbers, folder), message, 0, run.step_count()};
}

}  // namespace

void add_record(const ResultsFolder* folder, RunNumbers& numbers) {
  if (!folder) return;
  numbers.changes = folder->record().changes;
  numbers.losses = folder->record().losses;
}

RunDescription describe_run(const Case& c) {
  RunDescription run = this_build();
  run.title = c.title;
  run.case_text = resolved_case(c);
  run.file_sums = sums_of_files(c);
  run.fingerprint = case_fingerprint(c, run.file_sums);
  if (c.assembly.voronoi) run.seed = c.assembly.voronoi->seed;
  if (c.assembly.lattice) run.seed = c.assembly.lattice->seed;
  if (c.assembly.random) run.seed = c.assembly.random->seed;
  if (c.assembly.rain) run.seed = c.assembly.rain->seed;
  return run;
}

RunResult run_to_end(Simulation& run, RunObserver& observer, ResultsFolder* folder, bool start, const RunHooks& hooks) {
  constexpr Every looks_at_clock{32};  // steps between looks at the clock and at the memory for the next checkpoint
  Recorder recorder(run, observer, folder);
  CheckpointRoom room(run, recorder);
  const std::chrono::duration<double> checkpoint_interval(run.given().output.checkpoint_interval);
  auto last_checkpoint = Clock::now();
  if (start) {
    recorder.after_step(run);
    room.checkpoint();
  }
  const auto make_step = [&] {
    if (hooks.advance) {
      observer.count_contacts(hooks.advance(run));
      return;
    }
    try {
      run.step(recorder.looks_at_next(run) || (hooks.looks_at_next && hooks.looks_at_next(run)));
    } catch (const NoRoomForStep&) {
      room.end();
    }
    observer.count_step(run);
  };
  try {
    room.hold_or_end();
    while (!run.finished() && !(hooks.stop && hooks.stop(run))) {
      make_step();
      recorder.after_step(run);
      if (room.is_given_up()) room.hold_or_end();
      if (hooks.after_step) hooks.after_step(run);
      if (!hooks.advance && !looks_at_clock.at(run.step_count())) continue;
      room.hold_or_end();
      if (Clock::now() - last_checkpoint < checkpoint_interval) continue;
      room.checkpoint();
      room.hold_or_end();
      last_checkpoint = Clock::now();
    }
  } catch (const StepTooLarge& error) {
    room.checkpoint();  // the step was completed, so its state is good
    return conclude_failed(run, observer, folder, error.what());
  } catch (const BlowUp& error) {
    return conclude_failed(run, observer, folder, error.what());
  }
  room.checkpoint();
  if (run.finished())
    return {RunEnd::finished, conclude(run, observer.numbers(run), folder), "", run.hash(), run.step_count()};
  if (const std::string reason = hooks.reason_of_stop ? hooks.reason_of_stop() : ""; !reason.empty()) {
    RunNumbers numbers = observer.numbers(run);
    numbers.kept = folder != nullptr;
    numbers.interrupted = fmt::format("at step {}, t = {:.6g} s, {}", run.step_count(), run.time(), reason);
    return {RunEnd::stopped, conclude(run, numbers, folder), "", run.hash(), run.step_count()};
  }
  if (folder) {
    folder->flush();
    if (run.given().output.csv) folder->write_csv();
  }
  return {RunEnd::stopped, {}, "", run.hash(), run.step_count()};
}

RunResult run_case(const Case& given, const std::filesystem::path& path, const RunHooks& hooks, bool overwrite) {
  Case c = given;
  take_step_of_start(c);
  Simulation run(c);
  c.time.step = run.given().time.step;
  if (!c.start_from.empty()) start_from_results(run, c);
  RunObserver observer(run);
  ResultsFolder folder = ResultsFolder::create(path, describe_run(c), overwrite, "run_case");
  folder.start_series(observer.columns(), observer.profile_columns(), observer.jump_columns());
  return run_to_end(run, observer, &folder, true, hooks);
}

RunResult resume_case(const std::filesystem::path& path, const RunHooks& hooks) {
  ResultsFolder folder = ResultsFolder::open(path);
  folder.lock("resume_case");
  const Checkpoint checkpoint = checkpoint_to_resume(folder);
  const Case c = parse_written_case(folder.case_text());
  const RunDescription described = describe_run(c);
  const auto quiet = [](const std::string&) {};
  check_case_is_kept(folder, c, described, checkpoint, false, quiet);
  check_rows_are_kept(folder, checkpoint.header().step, false, is_over(folder, checkpoint, c), quiet);
  folder.set_description(described);
  Simulation run(c);
  RunObserver observer(run);
  run.load(checkpoint);
  observer.load(checkpoint);
  folder.resume_series(observer.columns(), observer.profile_columns(), run.step_count(), observer.jump_columns());
  return run_to_end(run, observer, &folder, false, hooks);
}

}  // namespace dem
