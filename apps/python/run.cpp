#include "apps/python/run.hpp"

#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <utility>

#include "libdem/case/case_file.hpp"
#include "libdem/case/difference.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/pictures/svg.hpp"
#include "libdem/run/recorder.hpp"
#include "libdem/run/simulation_setup.hpp"
#include "libdem/run/start_from.hpp"

namespace dem::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* writer = "Python";  // named by the lock of a folder

Case with_step_of_start(Case c) {
  take_step_of_start(c);
  return c;
}

Case with_code(Case c, std::shared_ptr<OwnCode> code) {
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

}  // namespace

Run::Run(const Case& c, const std::optional<std::filesystem::path>& path, bool overwrite, std::shared_ptr<OwnCode> code)
    : run_(with_step_of_start(with_code(c, code))), observer_(started(run_, c)) {
  const Case given = resolved_with_step(with_code(c, std::move(code)), run_);
  case_text_ = resolved_case(given);
  if (path) {
    folder_ = ResultsFolder::create(*path, describe_run(given), overwrite, writer);
    folder_->start_series(observer_.columns(), observer_.profile_columns(), observer_.jump_columns());
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
  folder_->resume_series(observer_.columns(), observer_.profile_columns(), run_.step_count(), observer_.jump_columns());
  columns_ = row_columns(run_);
  free_ = free_bodies(run_.state().bodies);
  note_place();
  folder_->unlock();
}

std::unique_ptr<Run> Run::resume(const std::filesystem::path& path, int threads, std::shared_ptr<OwnCode> code) {
  ResultsFolder folder = ResultsFolder::open(path);
  folder.lock(writer);
  const Checkpoint checkpoint = folder.read_checkpoint();
  Case c = parse_written_case(folder.record().case_text);
  if (threads > 0) c.threads = threads;
  const auto* recorded = c.driver_options<OwnCodeDriver::Options>();
  const std::string began = recorded ? recorded->source : "", now = code ? code->source : "";
  if (began != now)
    throw CaseErrors({fmt::format(
        "python.source: found {} with {}, allowed the functions with which the run in {} began{}",
        now.empty() ? "no functions" : "functions", now.empty() ? "a run that has some" : "another source",
        path.string(),
        began.empty() ? ", none" : fmt::format(": their source is in {}", (path / "case.toml").string()))});
  return std::unique_ptr<Run>(new Run(with_code(std::move(c), std::move(code)), std::move(folder), checkpoint));
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
  stage_ = run_.stage();
}

bool Run::is_due(const Trigger& t) const {
  switch (t.of) {
    case Trigger::Of::steps:
      return run_.step_count() % std::uint64_t(t.interval) == 0;
    case Trigger::Of::time:
      return passed(time_, run_.time(), t.interval);
    case Trigger::Of::strain:
      if (stage_ != run_.stage() && std::abs(run_.strain()) < std::abs(strain_)) return false;  // it counts anew
      return passed(strain_, run_.strain(), t.interval);
    case Trigger::Of::stage_end:
      return stage_ != run_.stage();
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

void Run::after_step() {
  bool any = false;
  for (const Trigger& t : triggers_) any |= is_due(t);
  if (any) {
    const py::gil_scoped_acquire lock;
    for (const Trigger& t : triggers_) {
      if (thrown_ || !is_due(t)) continue;
      try {
        t.call();
      } catch (...) {
        thrown_ = std::current_exception();
      }
    }
  }
  note_place();
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
  if (!triggers_.empty() || !recordings_.empty() || watch)
    hooks.after_step = [&](const Simulation& r) {
      record();
      if (watch) watch->fit.add(r.time(), kinetic_energy(r.state()));
      if (!triggers_.empty()) after_step();
    };
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

namespace {

/// Relative errors of the stresses that the servo of the cell holds in the present stage; None without a servo.
py::object servo_of(const Simulation& run) {
  const auto* cell = run.driver<CellDriver>();
  if (cell == nullptr || cell->record().steps == 0) return py::none();
  py::dict out;
  out["mean"] = cell->record().mean();
  out["largest"] = cell->record().largest;
  return out;
}

py::dict ledger_of(const Simulation& run) {
  const EnergyLedger ledger = run.ledger();
  py::dict out;
  for (const LedgerColumn& c : ledger_columns())
    if ((run.keeps_ledger() || !c.booked) && (run.has_own_accounts() || !c.own))
      out[c.column.name.c_str()] = c.value(ledger);
  return out;
}

/// Memory of the histories of a law with legs; None for other laws.
py::object history_memory_of(const Simulation& run) {
  using namespace py::literals;
  const auto memory = run.contact_engine().history_memory();
  if (!memory) return py::none();
  py::dict out("contacts"_a = memory->contacts, "legs"_a = memory->legs, "bytes"_a = memory->bytes,
               "reserved"_a = memory->reserved);
  if (memory->checked) {
    out["exact_legs"] = memory->exact_legs;
    out["merge_error"] = memory->merge_error;
  }
  return out;
}

/// Wall time of each phase (s); None without profile().
py::object phase_times_of(const Simulation& run) {
  if (run.phase_times() == nullptr) return py::none();
  py::dict out;
  for (std::size_t k = 0; k < phase_names.size(); ++k) out[py::str(phase_names[k])] = run.phase_times()->seconds[k];
  return out;
}

py::dict step_limit_of(const Simulation& run) {
  using namespace py::literals;
  const AprioriLimit& a = run.apriori_limit();
  py::dict out("value"_a = a.dt, "reason"_a = a.describe(), "measured"_a = py::none());
  if (const auto& m = run.measured_limit(); m && std::isfinite(m->dt))
    out["measured"] = py::dict("value"_a = m->dt, "reason"_a = m->describe(),
                               "contact"_a = py::make_tuple(m->contact.i, m->contact.j));
  return out;
}

py::object frame(const Simulation& run) {
  const AssemblyView view = view_of(run);
  return py::str(svg_frame(view, frame_of(view, run.given())));
}

/// Rows of a recording.
py::array_t<double> recorded(const Run& run, std::size_t number) {
  const Recording& r = run.recording(number);
  const auto columns = py::ssize_t(r.columns.size());
  py::array_t<double> rows({py::ssize_t(r.rows()), columns});
  std::ranges::copy(r.values, rows.mutable_data());
  return rows;
}

/// Jumps of contact planes for each step of a contact; None without polygons.
std::optional<double> plane_jump_rate(const Run& run) {
  const RunNumbers n = run.observer().numbers(run.simulation());
  if (!n.plane_jumps) return std::nullopt;
  return double(*n.plane_jumps) / double(std::max<std::uint64_t>(n.contact_steps, 1));
}

double row_value(const Run& run, const std::string& name) {
  const RowLook look(run.simulation(), run.free());
  for (const RowColumn& c : run.columns())
    if (c.column.name == name) return c.value(look);
  throw py::key_error(name);
}

}  // namespace

void bind_run(py::module_& m) {
  py::enum_<RunEnd>(m, "RunEnd")
      .value("finished", RunEnd::finished)
      .value("stopped", RunEnd::stopped)
      .value("failed", RunEnd::failed);
  py::class_<RunResult>(m, "RunResult")
      .def_readonly("end", &RunResult::end)
      .def_readonly("failure", &RunResult::failure)
      .def_readonly("step", &RunResult::step)
      .def_property_readonly("hash", [](const RunResult& r) { return fmt::format("{:016x}", r.hash); })
      .def_property_readonly("verdict", [](const RunResult& r) { return r.verdict.text(); })
      .def_property_readonly("verdict_json", [](const RunResult& r) { return r.verdict.json(); });
  py::enum_<Trigger::Of>(m, "TriggerOf")
      .value("steps", Trigger::Of::steps)
      .value("time", Trigger::Of::time)
      .value("strain", Trigger::Of::strain)
      .value("stage_end", Trigger::Of::stage_end);

  py::class_<OwnCode, std::shared_ptr<OwnCode>>(m, "OwnCode")
      .def(py::init([](std::string source) {
        auto code = std::make_shared<OwnCode>();
        code->source = std::move(source);
        return code;
      }))
      .def("add_motion",
           [](OwnCode& c, std::string target, py::object call) {
             c.motions.push_back({std::move(target), std::move(call)});
           })
      .def("add_force", [](OwnCode& c, std::string target, py::object call) {
        c.forces.push_back({std::move(target), std::move(call)});
      });
  add_driver(driver_row<OwnCodeDriver>());

  py::class_<Run> run(m, "Run");
  run.def(py::init([](const std::string& text, const std::string& name,
                      const std::optional<std::filesystem::path>& folder, int threads, bool overwrite,
                      std::shared_ptr<OwnCode> code) {
       Case c = parse_case(text, name);
       if (threads > 0) c.threads = threads;
       // The first forces are computed here, by threads that may call a law of Python and wait for the interpreter.
       const py::gil_scoped_release free;
       return std::make_unique<Run>(c, folder, overwrite, std::move(code));
     }))
      .def_static("resume",
                  [](const std::filesystem::path& folder, int threads, std::shared_ptr<OwnCode> code) {
                    const py::gil_scoped_release free;
                    return Run::resume(folder, threads, std::move(code));
                  })
      .def("bodies_named",
           [](const Run& r, const std::string& name) { return bodies_named(r.simulation().state(), name); })
      .def("add_trigger",
           [](Run& r, Trigger::Of of, double interval, py::object call) {
             r.add_trigger({of, interval, std::move(call)});
           })
      .def("add_recording", &Run::add_recording)
      .def("recorded_rows", [](const Run& r, std::size_t n) { return r.recording(n).rows(); })
      .def("recorded", &recorded)
      .def("go", [](Run& r, std::uint64_t until_step) { return r.go(until_step); })
      .def("relax",
           [](Run& r, double high, double low, double end_at, double growth) {
             EnergyWatch watch{end_at, growth};
             RunResult end = r.go(0, &watch);
             const RelaxationFit::Result fit = watch.fit.fit(high, low);
             return py::make_tuple(std::move(end), fit.maxima < 3 ? NAN : fit.time, fit.r_squared, fit.maxima);
           })
      .def("stop", &Run::stop)
      .def("profile", &Run::profile)
      .def("frame", [](const Run& r) { return frame(r.simulation()); })
      .def("row_value", &row_value)
      .def("columns",
           [](const Run& r) {
             std::vector<std::tuple<std::string, std::string, std::string>> out;
             for (const RowColumn& c : r.columns())
               out.emplace_back(c.column.name, c.column.unit, c.column.description);
             return out;
           })
      .def_property_readonly("running", &Run::running)
      .def_property_readonly("folder", &Run::folder)
      .def_property_readonly("step", [](const Run& r) { return r.simulation().step_count(); })
      .def_property_readonly("time", [](const Run& r) { return r.simulation().time(); })
      .def_property_readonly("time_step", [](const Run& r) { return r.simulation().state().dt; })
      .def_property_readonly("strain", [](const Run& r) { return r.simulation().strain(); })
      .def_property_readonly("stage", [](const Run& r) { return r.simulation().stage(); })
      .def_property_readonly("finished", [](const Run& r) { return r.simulation().finished(); })
      .def_property_readonly("hash", [](const Run& r) { return fmt::format("{:016x}", r.simulation().hash()); })
      .def_property_readonly("servo", [](const Run& r) { return servo_of(r.simulation()); })
      .def_property_readonly("ledger", [](const Run& r) { return ledger_of(r.simulation()); })
      .def_property_readonly("step_limit", [](const Run& r) { return step_limit_of(r.simulation()); })
      .def_property_readonly("history_memory", [](const Run& r) { return history_memory_of(r.simulation()); })
      .def_property_readonly("phase_times", [](const Run& r) { return phase_times_of(r.simulation()); })
      .def_property_readonly("plane_jump_rate", &plane_jump_rate)
      .def_property_readonly("case_text", &Run::case_text)
      .def_property_readonly("dimension", [](const Run& r) { return r.simulation().state().dimension; })
      .def_property_readonly("contact_duration", [](const Run& r) { return r.simulation().contact_duration(); });
  bind_arrays(m, run);
}

}  // namespace dem::python
