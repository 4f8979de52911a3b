// Sweeps, from the files of `dem sweep`.
#include "libdem/sweep/sweep.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "apps/python/bind.hpp"
#include "libdem/sweep/parts.hpp"

namespace dem::python {
namespace {

py::list names_of(const std::vector<Column>& columns) {
  py::list out;
  for (const Column& c : columns) out.append(py::make_tuple(c.name, c.unit, c.description));
  return out;
}

py::dict sweep(const std::filesystem::path& file, int workers, const std::string& folder, bool overwrite,
               bool show_progress, const std::string& part) {
  SweepTable table;
  SweepPart own;
  if (!part.empty()) own = part_of_text(part);
  own.folder = folder;
  own.show_progress = show_progress;
  {
    const py::gil_scoped_release free;
    const SweepSpec spec = read_sweep(file);
    if (!part.empty()) run_sweep_part(spec, own);
    table = !part.empty() ? collect_sweep(spec, folder) : run_sweep(spec, {workers, folder, show_progress, overwrite});
  }
  py::dict out;
  out["parameters"] = names_of(table.parameters);
  out["results"] = names_of(table.results);
  out["parameter"] = table.parameter;
  out["result"] = table.result;
  out["message"] = table.message;
  out["seconds"] = table.seconds;
  out["csv"] = table_csv(table);
  return out;
}

}  // namespace

void bind_sweep(py::module_& m) { m.def("sweep", &sweep); }

}  // namespace dem::python
