// Parts of the private module _dem. The package dem beside this file is the typed and documented layer over it.
#pragma once
#include <pybind11/pybind11.h>

namespace dem::python {

namespace py = pybind11;

void bind_errors(py::module_&);
void bind_case(py::module_&);
void bind_run(py::module_&);
void bind_geometry(py::module_&);
void bind_integrator(py::module_&);
void bind_avalanches(py::module_&);
void bind_driven_pair(py::module_&);
void bind_plane_path(py::module_&);
void bind_placed_bodies(py::module_&);
void bind_contact(py::module_&);
void bind_sweep(py::module_&);
void bind_law(py::module_&);

}  // namespace dem::python
