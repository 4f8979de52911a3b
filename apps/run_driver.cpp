#include "apps/run_driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>

#include "apps/case_input.hpp"
#include "apps/cost_report.hpp"
#include "apps/run_progress.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/bounds.hpp"
#include "libdem/files/case_difference.hpp"
#include "libdem/files/case_file.hpp"
#include "libdem/files/text_file.hpp"
#include "libdem/memory_reserve.hpp"
#include "libdem/start_from.hpp"
#include "libdem/state/start_check.hpp"
#include "libdem/state/assembly.hpp"

namespace dem {
namespace {

volatile std::sig_atomic_t stop_signal = 0;
extern "C" void note_signal(int signal) { stop_signal = signal; }

AssemblyView view_of(const Simulation& run) {
  const State& s = run.state();
  return {s.bodies, s.shapes, s.groups, run.contacts(), s.cell, s.cell_origin, s.dt, s.step, s.time, run.strain(), s.dimension};
}

FrameChoice frame_of(const AssemblyView& view, const Case& c) {
  FrameChoice choice;
  choice.title = c.title.empty() ? "libdem" : c.title;
  choice.colour = body_scalar(view, c.output.colour_by);
  return choice;
}

/// Writes what the plan says, and the end of every stage.
class Recorder {
 public:
  Recorder(const Simulation& run, RunObserver& observer, ResultsFolder& folder)
      : observer_(observer), folder_(folder), plan_(run.given(), run.state().dt, observer.first_step()), stage_(run.stage()) {}

  /// Whether something is, or may be, written after the next step.
  bool looks_at_next(const Simulation& run) const {
    const std::uint64_t step = run.step_count() + 1;
    return !observer_.jump_columns().empty() || plan_.row_at(step) || plan_.snapshot_at(step) || plan_.frame_at(step) ||
           (run.given().output.contacts && run.may_end_stage());  // the snapshot then tells their energies
  }

  void after_step(const Simulation& run) {
    const std::uint64_t step = run.step_count();
    const bool stage_over = run.stage() != stage_;
    stage_ = run.stage();
    if (!observer_.jump_columns().empty())
      for (const auto& row : observer_.jumps(run)) folder_.append_jump(row);
    if (run.finished() || plan_.row_at(step)) folder_.append(observer_.row(run));
    if (stage_over || plan_.snapshot_at(step)) write_snapshot(run);
    if (stage_over || plan_.frame_at(step)) write_frame(run);
  }

  std::size_t checkpoint_bytes(const Simulation& run) const { return run.checkpoint_bytes() + folder_.record_bytes(); }
  void checkpoint(const Simulation& run) {
    folder_.write_checkpoint({this_build().program_version, Simulation::layout(), run.step_count(), run.time()},
                             [&](ArchiveWriter& archive) {
                               run.save(archive);
                               observer_.save(archive);
                             });
  }

 private:
  void write_snapshot(const Simulation& run) {
    const AssemblyView view = view_of(run);
    const OutputChoice& output = run.given().output;
    folder_.write_snapshot(view, output.contacts);
    if (output.vtk) folder_.write_paraview(view, output.contacts);
    if (!observer_.profile_columns().empty())
      folder_.append_profiles(run.step_count(), run.time(), run.strain(), observer_.profiles(run));
  }

  void write_frame(const Simulation& run) {
    const AssemblyView view = view_of(run);
    folder_.write_frame(view, frame_of(view, run.given()));
  }

  RunObserver& observer_;
  ResultsFolder& folder_;
  OutputPlan plan_;
  std::size_t stage_;
};

/// Memory held back for writing the next checkpoint: three times what it holds (the contacts as they are written, the file in HDF5, the bytes
/// of the file), and what a step may want beyond what it was before.
class CheckpointRoom {
 public:
  CheckpointRoom(const Simulation& run, Recorder& recorder) : run_(run), recorder_(recorder) {}

  void checkpoint() {
    reserve_.give_up();
    recorder_.checkpoint(run_);
  }
  bool is_given_up() const { return reserve_.held() == 0; }
  /// Where there is no room, the run ends here while its state is whole.
  void hold_or_end() {
    if (!reserve_.hold(3 * recorder_.checkpoint_bytes(run_) + for_a_step)) end();
  }
  [[noreturn]] void end() {
    checkpoint();
    throw NoRoomForStep();
  }

 private:
  static constexpr std::size_t for_a_step = std::size_t{8} << 20;
  const Simulation& run_;
  Recorder& recorder_;
  MemoryReserve reserve_;
};

/// Judges, writes and prints the verdict; writes what a run that is over has beside it.
Judgement conclude(const Simulation& run, RunNumbers numbers, ResultsFolder& folder) {
  add_record(folder, numbers);
  const Verdict verdict = judge(numbers);
  folder.flush();
  if (run.given().output.csv) folder.write_csv();
  folder.write_verdict(verdict.text(), verdict.json());
  say("{}", verdict.text());
  return verdict.overall;
}

void print_end(const Simulation& run, const ResultsFolder& folder) {
  say("State hash {:016x} at step {}\nResults in {}\n", run.hash(), run.step_count(), folder.path().string());
}

/// What to do after a run that ended for want of something: disk space, memory.
std::string way_on(const ResultsFolder& folder, std::string_view first) {
  const std::string path = folder.path().string();
  if (const auto step = folder.checkpoint_step()) return fmt::format("last checkpoint: step {0} in {1}; {2}, then: dem resume {1}", *step, path, first);
  return fmt::format("there is no checkpoint yet; {}, then: {}", first, rerun_command(folder));
}

/// What to do about a file error before the run can go on.
std::string remedy(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT: return "free space";
    case EACCES:
    case EPERM: return "allow writing into the folder";
    case EROFS: return "make the file system writable";
    case EFBIG: return "lift the limit of the file size (ulimit -f)";
    case EMFILE:
    case ENFILE: return "close other files, or lift their limit (ulimit -n)";
    case ENOMEM: return "free memory";
    default: return "mend that";
  }
}

}  // namespace

CaseErrors located(const Case& c, const std::string& message) {
  const std::string key = message.substr(0, message.find(':'));
  if (is_setting(key)) return CaseErrors({fmt::format("--set: {}", message)});
  const int line = case_key_line(c.file, key);
  return CaseErrors({fmt::format("{}{}: {}", c.file.string(), line > 0 ? fmt::format(":{}", line) : "", message)});
}

/// What the reader of a case does where it knows the step.
static void check_times(const Case& c) {
  const double step = c.time.step;
  for (const ShortInterval& interval : too_short(c.output, c.time, step))
    throw AssemblyError(fmt::format("{}: found {:g}, allowed 0 or at least the automatic time.step, {:g}: a shorter one means every step all the same", interval.key, interval.length, step));
  for (std::size_t k = 0; k < c.stages.size(); ++k)
    if (const auto end = too_long(c.stages[k], step))
      throw AssemblyError(fmt::format("stage[{}].{}: found what takes {:g} s, allowed at most {:g} s, {:g} steps of {:g} s: such a run does not end", k + 1, end->key, end->time,
                                      bounds::most_steps * step, bounds::most_steps, step));
}

Simulation build_simulation(Case& c) {
  const LongTask task = making_bodies(c);
  const bool automatic = c.time.step == 0;
  try {
    take_step_of_start(c);
    Simulation run(c);
    c.time.step = run.given().time.step;
    if (automatic) check_times(c);  // else the case file was refused
    // The engine can do smaller cells; nobody who writes a case means one.
    if (c.dimension == 3) check_cell_width(run.state(), c.skin);
    return run;
  } catch (const AssemblyError& error) {
    throw located(c, error.what());
  } catch (const geometry::GeometryError& error) {
    throw located(c, error.what());
  } catch (const StartFromError& error) {
    throw located(c, error.what());
  } catch (const StepTooLarge& error) {
    const bool taken = automatic && !c.start_from.empty();
    throw located(c, taken ? fmt::format("time.step: \"auto\" is the step of the run that start_from names, and a state goes on with its own step; {}", error.what()) : error.what());
  }
}

void start_where_the_case_says(Simulation& run, const Case& c) {
  if (c.start_from.empty()) return;
  try {
    const StartFrom start = start_from_results(run, c);
    say("starts with step {} of {}{}\n", start.step, c.start_from.string(), start.same_law ? "" : "; another law: its contacts start anew");
  } catch (const StartFromError& error) {
    throw located(c, error.what());
  }
}

void add_record(const ResultsFolder& folder, RunNumbers& numbers) {
  numbers.changes = folder.record().changes;
  numbers.losses = folder.record().losses;
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

void check_picture_name(const std::filesystem::path& file) {
  if (!file.empty() && file.extension() != ".svg")
    throw CaseErrors({fmt::format("--picture: found \"{}\", allowed a file name that ends in .svg", file.string())});
}

void write_picture(const Simulation& run, const std::filesystem::path& file) {
  const AssemblyView view = view_of(run);
  write_file(file, svg_frame(view, frame_of(view, run.given())), false);
}

void stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = int(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

std::string rerun_command(const ResultsFolder& folder) {
  const std::string path = folder.path().string();
  return fmt::format("dem run {0}/case.toml --output {0} --overwrite", path);
}

int saying_how_to_go_on(const ResultsFolder& folder, const std::function<int()>& work) {
  try {
    return work();
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; {}", error.what(), way_on(folder, remedy(error.error_number))), error.error_number);
  } catch (const NoRoomForStep&) {
    throw std::runtime_error(fmt::format("out of memory; the last whole step is kept; {}", way_on(folder, "free memory")));
  } catch (const std::bad_alloc&) {  // contact histories of any length may want more than there is; the step that failed is not used
    throw std::runtime_error(fmt::format("out of memory; {}", way_on(folder, "free memory")));
  }
}

int drive(Simulation& run, RunObserver& observer, ResultsFolder& folder, bool start,
          std::optional<std::uint64_t> until_step) {
  using Clock = std::chrono::steady_clock;
  Recorder recorder(run, observer, folder);
  Progress progress(run);
  const bool long_steps = run.state().bodies.size() > 1000;  // beside them a look at the clock is nothing
  auto last_checkpoint = Clock::now();
  const std::chrono::duration<double> checkpoint_interval(run.given().output.checkpoint_interval);
  CheckpointRoom room(run, recorder);
  if (start) {
    recorder.after_step(run);
    room.checkpoint();
  }
  const auto stopped = [&] { return stop_signal != 0 || (until_step && run.step_count() >= *until_step); };
  try {
    room.hold_or_end();
    while (!run.finished() && !stopped()) {
      try {
        run.step(recorder.looks_at_next(run));
      } catch (const NoRoomForStep&) {
        room.end();
      }
      observer.count_step(run);
      recorder.after_step(run);
      if (room.is_given_up()) room.hold_or_end();
      const bool checks = run.step_count() % 32 == 0;
      if (checks || long_steps) progress.show(run);
      if (!checks) continue;
      room.hold_or_end();
      if (Clock::now() - last_checkpoint < checkpoint_interval) continue;
      room.checkpoint();
      room.hold_or_end();
      last_checkpoint = Clock::now();
    }
  } catch (const NoRoomForStep&) {
    progress.end();
    throw;
  } catch (const std::runtime_error& error) {
    // A step that failed: the state is not to be used, the last checkpoint is.
    progress.end();
    const bool too_large = dynamic_cast<const StepTooLarge*>(&error) != nullptr;
    if (!too_large && !dynamic_cast<const BlowUp*>(&error)) throw;
    if (too_large) room.checkpoint();  // the step was completed and its state is good: only the next ones would not be
    RunNumbers numbers = observer.numbers(run);
    std::string cause = error.what();
    if (cause.ends_with('.')) cause.pop_back();
    if (cause.starts_with("step ")) cause.erase(0, cause.find(": ") + 2);  // the verdict says when
    numbers.blow_up = {run.step_count(), run.time(), cause};
    numbers.ledger.reset();
    conclude(run, numbers, folder);
    complain(fmt::format("{}\nThe results up to the failure are in {}.", error.what(), folder.path().string()));
    return exit_blow_up;
  }
  progress.end();
  room.checkpoint();
  if (!run.finished()) {
    say(
        "State hash {:016x} at step {}\nStopped at step {}, t = {:.6g} s, with a checkpoint. To go on: dem resume {}\n",
        run.hash(), run.step_count(), run.step_count(), run.time(), folder.path().string());
    folder.flush();
    if (run.given().output.csv) folder.write_csv();
    return stop_signal != 0 ? exit_stopped : exit_good;
  }
  const Judgement judgement = conclude(run, observer.numbers(run), folder);
  print_end(run, folder);
  return judgement == Judgement::bad ? exit_failed : exit_good;
}

}  // namespace dem
