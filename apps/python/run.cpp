#include "apps/python/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "libdem/case/case_file.hpp"
#include "libdem/case/difference.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/run/resume.hpp"
#include "libdem/run/start_from.hpp"

namespace dem::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* writer = "Python";  // named by the lock of a folder

Case with_step_of_start(Case c) {
  take_step_of_start(c);
  return c;
}

Case with_code(Case c, const std::shared_ptr<OwnCode>& code) {
  if (code) c.use_driver(OwnCodeDriver::Options{code->source, code});
  return c;
}

/// The run at its start, with the state that the case names.
const Simulation& started(Simulation& run, const Case& c) {
  if (!c.start_from.empty()) start_from_results(run, c);
  return run;
}

OwnCodeDriver* find_own_code(const Simulation& run) {
  for (const auto& driver : run.drivers())
    if (auto* found = dynamic_cast<OwnCodeDriver*>(driver.get())) return found;
  return nullptr;
}

/// The case with the step that the simulation chose.
Case resolved_with_step(const Case& c, const Simulation& run) {
  Case resolved = c;
  resolved.time.step = run.given().time.step;
  return resolved;
}

bool passed(double before, double now, double interval) {
  return std::floor(before / interval) != std::floor(now / interval);
}

/// True if the way from `before` to `now` reaches a multiple of the interval, upwards or downwards. The place where it
/// begins does not count. A value that only rounding keeps from a multiple is on it.
bool reached(double before, double now, double interval) {
  const auto place = [interval](double x) {
    const double q = x / interval, near = std::round(q);
    return std::abs(q - near) <= 1e-9 * std::max(1.0, std::abs(q)) ? near : q;
  };
  const double from = place(before), to = place(now);
  return to > from ? std::floor(to) > std::floor(from) : std::ceil(to) < std::ceil(from);
}

}  // namespace

Run::Run(const Case& c, const std::optional<std::filesystem::path>& path, bool overwrite,
         const std::shared_ptr<OwnCode>& code)
    : run_(with_step_of_start(with_code(c, code))), observer_(started(run_, c)) {
  const Case given = resolved_with_step(with_code(c, code), run_);
  case_text_ = resolved_case(given);
  if (path) {
    check_start_is_kept(given, *path);
    folder_ = ResultsFolder::create(*path, describe_run(given), overwrite, writer);
    folder_->start_series(observer_.columns());
  }
  columns_ = row_columns(run_);
  free_ = free_bodies(run_.state().bodies);
  note_place();
}

Run::Run(Case&& c, ResultsFolder&& folder, const Checkpoint& checkpoint)
    : run_(c), observer_(run_), folder_(std::move(folder)), fresh_(false) {
  case_text_ = resolved_case(c);
  folder_->set_description(describe_run(c));
  run_.load(checkpoint);
  observer_.load(checkpoint);
  folder_->resume_series(observer_.columns(), run_.step_count());
  columns_ = row_columns(run_);
  free_ = free_bodies(run_.state().bodies);
  note_place();
  folder_->unlock();
}

std::unique_ptr<Run> Run::resume(const std::filesystem::path& path, int threads, const std::shared_ptr<OwnCode>& code) {
  const auto remark = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  RunToResume old = open_to_resume(path, writer, remark);
  check_case_is_kept(old, false, remark);
  check_rows_are_kept(old, false, remark);
  if (threads > 0) old.c.threads = threads;
  const auto* recorded = old.c.driver_options<OwnCodeDriver::Options>();
  const std::string began = recorded ? recorded->source : "", now = code ? code->source : "";
  if (began != now)
    throw CaseErrors({fmt::format(
        "python.source: found {} with {}, allowed the functions with which the run in {} began{}",
        now.empty() ? "no functions" : "functions", now.empty() ? "a run that has some" : "another source",
        path.string(),
        began.empty() ? ", none" : fmt::format(": their source is in {}", (path / "case.toml").string()))});
  return std::unique_ptr<Run>(new Run(with_code(std::move(old.c), code), std::move(old.folder), old.checkpoint));
}

std::optional<std::filesystem::path> Run::folder() const {
  return folder_ ? std::optional(folder_->path()) : std::nullopt;
}

const std::vector<ContactForce>& Run::contact_forces() const {
  if (step_of_forces_ != run_.step_count()) run_.contact_engine().forces(run_.state(), forces_);
  step_of_forces_ = run_.step_count();
  return forces_;
}

void Run::add_trigger(Trigger trigger) { triggers_.push_back(std::move(trigger)); }

std::size_t Run::add_recording(const std::vector<std::string>& names, std::uint64_t interval) {
  Recording recording{{}, Every{interval}, {}};
  for (const std::string& name : names) {
    const auto at = std::ranges::find(columns_, name, [](const RowColumn& c) { return c.column.name; });
    if (at == columns_.end()) throw py::key_error(name);
    recording.columns.push_back(&*at);
  }
  recordings_.push_back(std::move(recording));
  return recordings_.size() - 1;
}

void Run::record() {
  const RowLook look(run_, free_);
  for (Recording& r : recordings_)
    if (r.interval.at(run_.step_count()))
      for (const RowColumn* column : r.columns) r.values.push_back(column->value(look));
}

void Run::note_place() {
  time_ = run_.time();
  strain_ = run_.strain();
}

bool Run::is_due(const Trigger& t, bool at_stage_end) const {
  switch (t.of) {
    case Trigger::Of::steps:
      return run_.step_count() % std::uint64_t(t.interval) == 0;
    case Trigger::Of::time:
      return passed(time_, run_.time(), t.interval);
    case Trigger::Of::strain:
      return reached(strain_, run_.strain(), t.interval);
    case Trigger::Of::stage_end:
      return at_stage_end;
  }
  return false;
}

// A trigger by steps or time is known before. The others are not, so each step is looked at.
bool Run::may_be_due_next(const Trigger& t) const {
  switch (t.of) {
    case Trigger::Of::steps:
      return (run_.step_count() + 1) % std::uint64_t(t.interval) == 0;
    case Trigger::Of::time:
      return passed(run_.time(), run_.time() + 1.5 * run_.state().dt, t.interval);
    case Trigger::Of::strain:
      return true;
    case Trigger::Of::stage_end:
      return run_.may_end_stage();
  }
  return true;
}

void Run::call_triggers(bool at_stage_end) {
  bool any = false;
  for (const Trigger& t : triggers_) any |= is_due(t, at_stage_end);
  if (!any) return;
  const py::gil_scoped_acquire lock;
  for (const Trigger& t : triggers_) {
    if (thrown_ || !is_due(t, at_stage_end)) continue;
    try {
      t.call();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }
}

/// Ctrl-C: Python's own handler notes the signal, which becomes an exception here.
void Run::look_at_signals() {
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() == 0 || thrown_) return;
  try {
    throw py::error_already_set();
  } catch (...) {
    thrown_ = std::current_exception();
  }
}

/// A motion that fails stops the run before the step is begun.
void Run::ask_motions() {
  auto* const driver = find_own_code(run_);
  if (!driver || !driver->has_motions()) return;
  const py::gil_scoped_acquire lock;
  try {
    driver->ask_motions(run_.state());
  } catch (...) {
    thrown_ = std::current_exception();
  }
}

/// Between calls the folder is free. A run that went on elsewhere in the meantime must not be overwritten.
void Run::take_folder() {
  if (!folder_) return;
  if (fresh_) return;  // it still has the lock of its beginning
  folder_->lock(writer);
  const std::uint64_t there = folder_->read_checkpoint().header().step;
  if (there == run_.step_count()) return;
  folder_->unlock();
  throw FileError(
      fmt::format("{}: found a checkpoint of step {}, expected that of step {} where this run stopped; "
                  "another run went on in the folder; continue with dem.resume(\"{}\")",
                  folder_->path().string(), there, run_.step_count(), folder_->path().string()));
}

RunResult Run::go(std::uint64_t until_step, EnergyWatch* watch) {
  if (running_) throw std::logic_error("the run is running; a callback cannot run it again");
  constexpr Every looks_at_clock{128}, looks_at_energy{64};  // steps
  constexpr std::chrono::milliseconds between_signals{50};
  const bool long_steps = run_.state().bodies.size() > 1000;  // a look at the clock costs nothing in comparison
  if (broken_)
    throw std::logic_error("the last step failed in the middle, so that the state is unusable; go on with dem.resume");
  thrown_ = nullptr;
  reason_.reset();
  last_look_ = Clock::now();

  RunHooks hooks;
  hooks.stop = [&](const Simulation& r) {
    if ((long_steps || looks_at_clock.at(r.step_count())) && Clock::now() - last_look_ > between_signals) {
      last_look_ = Clock::now();
      look_at_signals();
    }
    const bool rests = watch && looks_at_energy.at(r.step_count()) &&
                       (watch->fit.decayed(watch->end_at) || watch->fit.grown(watch->growth));
    const bool stops = thrown_ || reason_ || rests || (until_step > 0 && r.step_count() >= until_step);
    if (!stops) ask_motions();
    return stops || thrown_;
  };
  hooks.reason_of_stop = [&] { return reason_.value_or(""); };
  if (!triggers_.empty() || !recordings_.empty() || watch) {
    hooks.at_stage_end = [&](const Simulation&) {
      record();
      call_triggers(true);
      looked_ = true;
    };
    hooks.after_step = [&](const Simulation& r) {
      if (watch) watch->fit.add(r.time(), kinetic_energy(r.state()));
      if (!std::exchange(looked_, false)) {
        record();
        call_triggers(false);
      }
      note_place();
    };
  }
  if (!triggers_.empty() || !recordings_.empty())
    hooks.looks_at_next = [&](const Simulation& r) {
      for (const Recording& recording : recordings_)
        if (recording.interval.at(r.step_count() + 1)) return true;
      for (const Trigger& t : triggers_)
        if (may_be_due_next(t)) return true;
      return false;
    };
  take_folder();
  running_ = true;
  struct Over {
    Run& run;
    ~Over() {
      run.running_ = false;
      if (run.folder_) run.folder_->unlock();  // another object of this process may go on with it
    }
  } const over{*this};
  RunResult result;
  broken_ = true;
  {
    const py::gil_scoped_release free;
    result = run_to_end(run_, observer_, folder_ ? &*folder_ : nullptr, std::exchange(fresh_, false), hooks);
  }
  broken_ = result.end == RunEnd::failed;
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  return result;
}

}  // namespace dem::python
