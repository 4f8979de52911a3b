// Sweeps, from the files of `dem sweep`.
#include "libdem/sweep/sweep.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "apps/python/bind.hpp"

namespace dem::python {
namespace {

py::list names_of(const std::vector<Column>& columns) {
  py::list out;
  for (const Column& c : columns) out.append(py::make_tuple(c.name, c.unit, c.description));
  return out;
}

py::dict sweep(const std::filesystem::path& file, int workers, const std::string& folder, bool overwrite,
               bool show_progress) {
  SweepTable table;
  {
    const py::gil_scoped_release free;
    table = run_sweep(read_sweep(file), {workers, folder, show_progress, overwrite});
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
