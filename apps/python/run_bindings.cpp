// The class Run of the module _dem.
#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <utility>

#include "apps/python/run.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/pictures/svg.hpp"

namespace dem::python {
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
  return py::str(svg_frame(run.view(), run.given().title, run.given().output.colour_by));
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

/// Jumps of contact planes so far; None without polygons.
std::optional<std::uint64_t> plane_jump_count(const Run& run) {
  const Simulation& simulation = run.simulation();
  const PlanarContacts* const watch = simulation.plane_watch();
  if (!watch || simulation.given().contact.normal_force == NormalForce::overlap) return std::nullopt;
  return watch->plane_jumps();
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
                      const std::shared_ptr<OwnCode>& code) {
       Case c = parse_case(text, name);
       if (threads > 0) c.threads = threads;
       // The first forces are computed here, by threads that may call a law of Python and wait for the interpreter.
       const py::gil_scoped_release free;
       return std::make_unique<Run>(c, folder, overwrite, code);
     }))
      .def_static("resume",
                  [](const std::filesystem::path& folder, int threads, const std::shared_ptr<OwnCode>& code) {
                    const py::gil_scoped_release free;
                    return Run::resume(folder, threads, code);
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
      .def_property_readonly("broken", &Run::broken)
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
      .def_property_readonly("plane_jump_count", &plane_jump_count)
      .def_property_readonly("case_text", &Run::case_text)
      .def_property_readonly("dimension", [](const Run& r) { return r.simulation().state().dimension; })
      .def_property_readonly("contact_duration", [](const Run& r) { return r.simulation().scale().contact_duration; });
  bind_arrays(m, run);
}

}  // namespace dem::python
