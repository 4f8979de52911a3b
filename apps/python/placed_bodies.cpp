// Bodies of a plane case that Python puts into place: their contact forces, without time and integrator.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "apps/python/bind.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/contacts/planar/contacts.hpp"

namespace dem::python {
namespace {

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// The two parts that an evaluation changes.
struct Situation {
  State state;
  PlanarContacts contacts;
};

Situation begin(const Case& given) {
  State state = build_assembly(given);
  if (state.dimension != 2) throw py::value_error("placed_bodies: found dimension = 3, allowed 2");
  return {state, PlanarContacts(given, state)};
}

class PlacedBodies {
 public:
  PlacedBodies(const std::string& text, const std::string& name) : now_(begin(parse_case(text, name))) {
    const State& state = now_.state;
    now_.contacts.damp_velocities(true);  // those of `rates`: there is no movement of a step
    while (free_ < state.bodies.size() && !state.shape_of(free_).is_half_plane()) ++free_;
  }

  /// `poses` and `rates` have a row x, y, angle for each body. Rows of the result: force and torque. Springs move on
  /// from the evaluation before, and stay as they were if the bodies do not stay.
  py::array_t<double> place(const Rows& poses, const Rows& rates, bool stay) {
    const auto before = stay ? std::nullopt : std::optional<Situation>(now_);
    State& state = now_.state;
    Bodies& bodies = state.bodies;
    const auto p = poses.unchecked<2>(), v = rates.unchecked<2>();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto k = py::ssize_t(b);
      bodies.position[0][b] = {p(k, 0), p(k, 1), 0};
      bodies.rotation[0][b] = {0, 0, p(k, 2)};
      bodies.position[1][b] = state.dt * Vec3{v(k, 0), v(k, 1), 0};
      bodies.rotation[1][b] = {0, 0, state.dt * v(k, 2)};
    }
    now_.contacts.find_candidates(state);
    now_.contacts.evaluate(state, {});
    py::array_t<double> out({py::ssize_t(bodies.size()), py::ssize_t{3}});
    auto f = out.mutable_unchecked<2>();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto k = py::ssize_t(b);
      f(k, 0) = bodies.force[b].x;
      f(k, 1) = bodies.force[b].y;
      f(k, 2) = bodies.torque[b].z;
    }
    if (before) now_ = *before;
    return out;
  }

  /// x, y, angle, mass, moment and equivalent radius of each body, and what forces move of x, y and angle (1 or 0). The
  /// last six of walls are 0.
  py::array_t<double> bodies() const {
    const Bodies& b = now_.state.bodies;
    py::array_t<double> out({py::ssize_t(b.size()), py::ssize_t{9}});
    auto row = out.mutable_unchecked<2>();
    for (std::size_t k = 0; k < b.size(); ++k) {
      const auto at = py::ssize_t(k);
      const bool wall = k >= free_;
      const unsigned freedom = wall ? 0 : b.freedom[k];
      const double values[9] = {b.position[0][k].x,           b.position[0][k].y,
                                b.rotation[0][k].z,           wall ? 0 : b.mass[k],
                                wall ? 0 : b.moment[k],       wall ? 0 : now_.state.shape_of(k).equivalent_radius(),
                                freedom & free_x ? 1.0 : 0.0, freedom & free_y ? 1.0 : 0.0,
                                freedom & free_rz ? 1.0 : 0.0};
      for (py::ssize_t c = 0; c < 9; ++c) row(at, c) = values[c];
    }
    return out;
  }

  /// A row for each contact: i, j, normal, point, overlap, normal force, normal stiffness.
  py::array_t<double> contacts() const {
    std::vector<ContactRecord> records;
    now_.contacts.records(now_.state, records);
    py::array_t<double> out({py::ssize_t(records.size()), py::ssize_t{9}});
    auto row = out.mutable_unchecked<2>();
    for (std::size_t k = 0; k < records.size(); ++k) {
      const ContactRecord& r = records[k];
      const double values[9] = {double(r.key.i), double(r.key.j), r.normal.x,     r.normal.y,        r.point.x,
                                r.point.y,       r.overlap,       r.normal_force, r.normal_stiffness};
      for (py::ssize_t c = 0; c < 9; ++c) row(py::ssize_t(k), c) = values[c];
    }
    return out;
  }

  std::size_t free() const { return free_; }

 private:
  Situation now_;
  std::size_t free_ = 0;  // bodies before the walls
};

}  // namespace

void bind_placed_bodies(py::module_& m) {
  py::class_<PlacedBodies>(m, "PlacedBodies")
      .def(py::init<const std::string&, const std::string&>())
      .def("place", &PlacedBodies::place)
      .def("bodies", &PlacedBodies::bodies)
      .def("contacts", &PlacedBodies::contacts)
      .def_property_readonly("free", &PlacedBodies::free);
}

}  // namespace dem::python
