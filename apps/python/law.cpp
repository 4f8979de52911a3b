// Laws from Python: a numpy function, or the address of a compiled C function.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "apps/python/bind.hpp"
#include "libdem/laws/plugin.hpp"

namespace dem::python {
namespace {

/// A column of a block; replies may be written.
py::array column(const double* first, int count, bool writable, const py::object& base) {
  py::array_t<double> array({py::ssize_t(count)}, {py::ssize_t(sizeof(double))}, first, base);
  if (!writable) array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// Calls a Python function with the columns of a block. Its error is kept for the thread of the run.
int call_python(const dem_law_block* b, void* user) {
  const py::gil_scoped_acquire lock;
  try {
    const py::object function = py::reinterpret_borrow<py::object>(static_cast<PyObject*>(user));
    const py::object base = py::none();
    py::list inputs, replies;
    for (const double* x : {b->normal_start, b->normal_end, b->normal_viscous, b->shift_1, b->shift_2, b->velocity_1,
                            b->velocity_2, b->stiffness, b->damping, b->friction})
      inputs.append(column(x, b->count, false, base));
    for (double* x :
         {b->elastic_1, b->elastic_2, b->viscous_1, b->viscous_2, b->stored, b->dissipated, b->work, b->sliding})
      replies.append(column(x, b->count, true, base));
    py::array_t<double> history({py::ssize_t(b->count), py::ssize_t(b->history_size)},
                                {py::ssize_t(sizeof(double)) * b->history_size, py::ssize_t(sizeof(double))},
                                b->history, base);
    function(inputs, replies, history, column(b->parameters, DEM_LAW_MOST_PARAMETERS, false, base));
    return 0;
  } catch (py::error_already_set& error) {
    error.restore();
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    py::module_::import("dem.own_law").attr("note_failure")(py::reinterpret_steal<py::object>(value));
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return 1;
  }
}

void define(const std::string& name, const std::string& description, int history_size, bool has_elongation,
            const std::vector<std::string>& parameters, const std::vector<std::string>& units, std::uintptr_t address,
            const py::object& function) {
  std::vector<const char*> names, unit_names;
  for (const std::string& p : parameters) names.push_back(p.c_str());
  for (const std::string& u : units) unit_names.push_back(u.c_str());
  dem_law law{DEM_LAW_VERSION, name.c_str(),      description.c_str(), history_size, int(names.size()),
              names.data(),    unit_names.data(), has_elongation,      nullptr,      nullptr};
  if (address != 0) {
    law.pass = reinterpret_cast<dem_law_pass>(address);
  } else {
    law.pass = call_python;
    law.user = function.ptr();
  }
  laws::add_plugin(law, address != 0 ? laws::Calls::each_block : laws::Calls::few);
  function.inc_ref();  // for ever: cases keep the law, compiled code lives in the object
}

/// Defines the law of a C plugin: `address` is that of its dem_law. Returns name, history size, parameters, units and
/// whether a history begins with its elongation.
py::tuple add_law(std::uintptr_t address) {
  const auto& law = *reinterpret_cast<const dem_law*>(address);
  laws::add_plugin(law);  // judges the version before anything else is read
  std::vector<std::string> names, units;
  for (int k = 0; k < law.parameter_count; ++k) {
    names.emplace_back(law.parameter_names[k]);
    units.emplace_back(law.parameter_units[k]);
  }
  return py::make_tuple(std::string(law.name), law.history_size, names, units, law.has_elongation != 0);
}

}  // namespace

void bind_law(py::module_& m) {
  m.def("define_law", &define);
  m.def("add_law", &add_law);
  m.attr("law_version") = DEM_LAW_VERSION;
}

}  // namespace dem::python
