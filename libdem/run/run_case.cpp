#include "libdem/run/run_case.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <utility>

#include "libdem/case/case_file.hpp"
#include "libdem/case/difference.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/platform/memory_reserve.hpp"
#include "libdem/run/resume.hpp"
#include "libdem/run/start_from.hpp"

namespace dem {
namespace {

using Clock = std::chrono::steady_clock;

/// Writes the results of a run by the plan, and at the end of every stage. Without a folder it writes nothing, but the
/// observer still gets its rows for the verdict.
///
/// It holds memory back for the next checkpoint and for growth in a step. That is three times the checkpoint (contacts
/// as written, the file in HDF5, the bytes of the file), plus the growth of a step.
class Recorder {
 public:
  Recorder(const Simulation& run, RunObserver& observer, ResultsFolder* folder)
      : run_(run), observer_(observer), folder_(folder), plan_(run.given(), run.state().dt, observer.first_step()) {}

  /// True if the next step is or may be written.
  bool looks_at_next() const {
    const std::uint64_t step = run_.step_count() + 1;
    return !observer_.columns().jumps.empty() || plan_.row_at(step) || plan_.snapshot_at(step) ||
           plan_.frame_at(step) ||
           (run_.given().output.contacts && run_.may_end_stage());  // the snapshot then has their energies
  }

  /// Rows and files of the step, unless they were written at the end of a stage.
  void after_step() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (!std::exchange(is_written_, false)) write(false);
  }

  /// Rows and files show the stage that ends. An error waits for the end of the step, when the state is whole again.
  void at_stage_end() noexcept {
    is_written_ = true;
    try {
      write(true);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  void checkpoint() {
    reserve_.give_up();
    if (!folder_) return;
    PhaseTimes* const times = run_.phase_times();
    Lap lap(times != nullptr);
    folder_->write_checkpoint({this_build().program_version, run_.step_count(), run_.time()},
                              [&](ArchiveWriter& archive) {
                                run_.save(archive);
                                observer_.save(archive);
                              });
    if (times) times->add(Phase::output, lap.seconds());
  }

  bool room_is_given_up() const { return reserve_.held() == 0; }
  /// Without enough memory, ends the run while its state is whole: writes a checkpoint and throws NoRoomForStep.
  void hold_room_or_end() {
    constexpr std::size_t for_a_step = std::size_t{8} << 20;
    const std::size_t of_checkpoint = folder_ ? run_.checkpoint_bytes() + folder_->record_bytes() : 0;
    if (!reserve_.hold(3 * of_checkpoint + for_a_step)) end();
  }
  [[noreturn]] void end() {
    checkpoint();
    throw NoRoomForStep();
  }

 private:
  void write(bool stage_over) {
    PhaseTimes* const times = run_.phase_times();
    Lap lap(times != nullptr);
    const std::uint64_t step = run_.step_count();
    const bool run_over = stage_over && run_.stage() + 1 == run_.given().stages.size();
    if (folder_ && !observer_.columns().jumps.empty())
      for (const auto& row : observer_.jumps(run_)) folder_->append(row, jump_rows);
    if (run_over || plan_.row_at(step)) {
      const std::vector<double> row = observer_.row(run_);
      if (times) times->add(Phase::measuring, lap.seconds());
      if (folder_) folder_->append(row);
    }
    if (!folder_) return;
    if (stage_over || plan_.snapshot_at(step)) write_snapshot();
    if (plan_.frame_at(step) || (stage_over && plan_.draws()))
      folder_->write_frame(run_.view(), run_.given().title, run_.given().output.colour_by);
    if (times) times->add(Phase::output, lap.seconds());
  }

  void write_snapshot() {
    const OutputChoice& output = run_.given().output;
    // Records of contacts cost a quarter of a snapshot without them.
    const AssemblyView view =
        output.contacts || output.vtk ? run_.view() : AssemblyView{run_.state(), {}, run_.strain()};
    folder_->write_snapshot(view, output.contacts);
    if (output.vtk) folder_->write_paraview(view, output.contacts);
    if (!observer_.columns().profiles.empty()) folder_->append(observer_.profiles(run_), profile_rows);
  }

  const Simulation& run_;
  RunObserver& observer_;
  ResultsFolder* folder_;  // may be null
  OutputPlan plan_;
  bool is_written_ = false;  // rows and files of the present step
  std::exception_ptr failure_;
  MemoryReserve reserve_;
};

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
  const auto note_seed = [&](const auto& generator) {
    if constexpr (requires { generator.seed; }) run.seed = generator.seed;
  };
  std::visit(note_seed, c.assembly.generator);
  return run;
}

RunResult run_to_end(Simulation& run, RunObserver& observer, ResultsFolder* folder, bool start, const RunHooks& hooks) {
  constexpr Every looks_at_clock{32};  // steps between looks at the clock and at the memory for the next checkpoint
  Recorder recorder(run, observer, folder);
  const std::chrono::duration<double> checkpoint_interval(run.given().output.checkpoint_interval);
  auto last_checkpoint = Clock::now();
  run.at_stage_end([&] {
    recorder.at_stage_end();
    if (hooks.at_stage_end) hooks.at_stage_end(run);
  });
  struct Detached {
    Simulation& run;
    ~Detached() { run.at_stage_end({}); }
  } const at_return{run};
  if (start) {
    recorder.after_step();
    recorder.checkpoint();
  }
  const auto make_step = [&] {
    if (hooks.advance) {
      observer.count_contacts(hooks.advance(run));
      return;
    }
    try {
      run.step(recorder.looks_at_next() || (hooks.looks_at_next && hooks.looks_at_next(run)));
    } catch (const NoRoomForStep&) {
      recorder.end();
    }
    observer.count_step(run);
  };
  try {
    recorder.hold_room_or_end();
    while (!run.finished() && !(hooks.stop && hooks.stop(run))) {
      make_step();
      recorder.after_step();
      if (recorder.room_is_given_up()) recorder.hold_room_or_end();
      if (hooks.after_step) hooks.after_step(run);
      if (!hooks.advance && !looks_at_clock.at(run.step_count())) continue;
      recorder.hold_room_or_end();
      if (Clock::now() - last_checkpoint < checkpoint_interval) continue;
      recorder.checkpoint();
      recorder.hold_room_or_end();
      last_checkpoint = Clock::now();
    }
  } catch (const StepTooLarge& error) {
    recorder.checkpoint();  // the step was completed, so its state is good
    return conclude_failed(run, observer, folder, error.what());
  } catch (const BlowUp& error) {
    return conclude_failed(run, observer, folder, error.what());
  }
  recorder.checkpoint();
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
  folder.start_series(observer.columns());
  return run_to_end(run, observer, &folder, true, hooks);
}

RunResult resume_case(const std::filesystem::path& path, const RunHooks& hooks) {
  const auto quiet = [](const std::string&) {};
  RunToResume old = open_to_resume(path, "resume_case", quiet);
  ResultsFolder& folder = old.folder;
  check_case_is_kept(old, false, quiet);
  check_rows_are_kept(old, false, quiet);
  folder.set_description(old.described);
  Simulation run(old.c);
  RunObserver observer(run);
  run.load(old.checkpoint);
  observer.load(old.checkpoint);
  folder.resume_series(observer.columns(), run.step_count());
  return run_to_end(run, observer, &folder, false, hooks);
}

}  // namespace dem
