// The private module _dem: the engine for the package dem.
#include "apps/python/bind.hpp"
#include "libdem/state/view.hpp"

PYBIND11_MODULE(_dem, m) {
  m.doc() = "Private part of the package dem. Its names may change; use dem.";
  m.attr("version") = dem::this_build().program_version;
  dem::python::bind_errors(m);
  dem::python::bind_case(m);
  dem::python::bind_run(m);
  dem::python::bind_geometry(m);
  dem::python::bind_integrator(m);
  dem::python::bind_avalanches(m);
  dem::python::bind_driven_pair(m);
  dem::python::bind_plane_path(m);
  dem::python::bind_placed_bodies(m);
  dem::python::bind_contact(m);
  dem::python::bind_sweep(m);
  dem::python::bind_law(m);
}
