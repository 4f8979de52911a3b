// Arrays of bodies and contacts for a look. Names, units and shapes are those of snapshots. Arrays of stored quantities
// show the memory of the engine; dem.look closes them when the look ends.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>

#include "apps/python/run.hpp"
#include "libdem/state/contact_columns.hpp"

namespace dem::python {
namespace {

template <class T>
py::array view(const T* first, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
               const py::object& base) {
  py::array_t<T> array(std::move(shape), std::move(strides), first, base);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}
/// A member of each entry of a list of records; vectors have a second axis.
template <class T, class Record>
py::array member(std::span<const Record> records, const T* first, py::ssize_t size, const py::object& base) {
  const auto n = py::ssize_t(records.size()), stride = py::ssize_t(sizeof(Record));
  if (size == 1) return view<T>(first, {n}, {stride}, base);
  return view<T>(first, {n, size}, {stride, py::ssize_t(sizeof(T))}, base);
}
template <class T>
py::array plain(const std::vector<T>& values, const py::object& base) {
  return view<T>(values.data(), {py::ssize_t(values.size())}, {py::ssize_t(sizeof(T))}, base);
}
template <class Value>
py::array computed_numbers(std::size_t n, Value value) {
  py::array_t<double> array{py::ssize_t(n)};
  double* const out = array.mutable_data();
  for (std::size_t k = 0; k < n; ++k) out[k] = value(k);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}
template <class Value>
py::array computed_vectors(std::size_t n, Value value) {
  py::array_t<double> array({py::ssize_t(n), py::ssize_t{3}});
  double* out = array.mutable_data();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 v = value(k);
    *out++ = v.x, *out++ = v.y, *out++ = v.z;
  }
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// Numbers that lie in the order of the bodies are shown where they are; others are copied in that order.
template <class T>
py::array plain(const Bodies& bodies, const ByBody<T>& values, const py::object& base) {
  if (!bodies.places())
    return view<T>(values.stored().data(), {py::ssize_t(values.size())}, {py::ssize_t(sizeof(T))}, base);
  py::array_t<T> array{py::ssize_t(values.size())};
  for (std::size_t k = 0; k < values.size(); ++k) array.mutable_data()[k] = values[k];
  array.attr("setflags")(py::arg("write") = false);
  return array;
}
py::array vectors(const Bodies& bodies, const ByBody<Vec3>& values, const py::object& base) {
  if (bodies.places()) return computed_vectors(values.size(), [&](std::size_t b) { return values[b]; });
  return view<double>(values.empty() ? nullptr : &values.stored().front().x, {py::ssize_t(values.size()), 3},
                      {py::ssize_t(sizeof(Vec3)), py::ssize_t(sizeof(double))}, base);
}
/// The z components of vectors.
py::array along_z(const Bodies& bodies, const ByBody<Vec3>& values, const py::object& base) {
  if (bodies.places()) return computed_numbers(values.size(), [&](std::size_t b) { return values[b].z; });
  return view<double>(values.empty() ? nullptr : &values.stored().front().z, {py::ssize_t(values.size())},
                      {py::ssize_t(sizeof(Vec3))}, base);
}

enum class In { plane, space, both };
struct BodyArray {
  const char *name, *unit, *description;
  In in;
  py::array (*make)(const State&, const py::object& base);
};

const BodyArray body_arrays[] = {
    {"position", "m", "centroid, not wrapped into the periodic cell", In::both,
     [](const State& s, const py::object& base) { return vectors(s.bodies, s.bodies.position[0], base); }},
    {"velocity", "m/s", "of the centroid", In::both,
     [](const State& s, const py::object&) {
       return computed_vectors(s.bodies.size(), [&](std::size_t b) { return (1 / s.dt) * s.bodies.position[1][b]; });
     }},
    {"mass", "kg", "in the plane per metre of thickness", In::both,
     [](const State& s, const py::object& base) { return plain(s.bodies, s.bodies.mass, base); }},
    {"radius", "m", "of the disc or sphere of the same area or volume; walls: 0", In::both,
     [](const State& s, const py::object&) {
       return computed_numbers(s.bodies.size(), [&](std::size_t b) { return s.shape_of(b).equivalent_radius(); });
     }},
    {"angle", "rad", "rotation about z, counter-clockwise positive, not reduced modulo 2 pi", In::plane,
     [](const State& s, const py::object& base) { return along_z(s.bodies, s.bodies.rotation[0], base); }},
    {"spin", "rad/s", "about z, counter-clockwise positive", In::plane,
     [](const State& s, const py::object&) {
       return computed_numbers(s.bodies.size(), [&](std::size_t b) { return s.bodies.rotation[1][b].z / s.dt; });
     }},
    {"moment", "kg m2", "polar moment of inertia about the centroid, per metre of thickness", In::plane,
     [](const State& s, const py::object& base) { return plain(s.bodies, s.bodies.moment, base); }},
    {"principal_moments", "kg m2", "of inertia about the centroid", In::space,
     [](const State& s, const py::object&) {
       const Bodies& bodies = s.bodies;
       return computed_vectors(bodies.size(), [&](std::size_t b) {
         return b < bodies.principal_moments.size() ? bodies.principal_moments[b]
                                                    : Vec3{bodies.moment[b], bodies.moment[b], bodies.moment[b]};
       });
     }},
    {"rotation", "rad", "sum of the rotation vectors of all steps, in space axes", In::space,
     [](const State& s, const py::object& base) { return vectors(s.bodies, s.bodies.rotation[0], base); }},
    {"angular_velocity", "rad/s", "in space axes", In::space,
     [](const State& s, const py::object&) {
       return computed_vectors(s.bodies.size(), [&](std::size_t b) { return (1 / s.dt) * s.bodies.rotation[1][b]; });
     }},
    {"orientation", "1", "quaternion w, x, y, z from principal axes to space; spheres: the identity", In::space,
     [](const State& s, const py::object&) {
       const std::size_t n = s.bodies.size();
       py::array_t<double> array({py::ssize_t(n), py::ssize_t{4}});
       double* out = array.mutable_data();
       for (std::size_t b = 0; b < n; ++b) {
         const Quaternion q = s.bodies.has_orientations() ? s.bodies.orientation[0][b] : Quaternion{};
         *out++ = q.w, *out++ = q.x, *out++ = q.y, *out++ = q.z;
       }
       array.attr("setflags")(py::arg("write") = false);
       return py::array(array);
     }},
    {"freedom", "", "bits: 1 x, 2 y, 4 z, 8 rx, 16 ry, 32 rz are free to move; the others are prescribed", In::both,
     [](const State& s, const py::object& base) { return plain(s.bodies, s.bodies.freedom, base); }},
    {"shape", "", "index into shapes", In::both,
     [](const State& s, const py::object& base) { return plain(s.bodies.shape, base); }},
    {"group", "", "index into group_names", In::both,
     [](const State& s, const py::object& base) { return plain(s.bodies.group, base); }},
    {"force", "N", "sum of contact, applied and body forces", In::both,
     [](const State& s, const py::object& base) { return vectors(s.bodies, s.bodies.force, base); }},
    {"torque", "N m", "sum of torques about the centroid; in the plane about z", In::both,
     [](const State& s, const py::object& base) {
       return s.dimension == 2 ? along_z(s.bodies, s.bodies.torque, base) : vectors(s.bodies, s.bodies.torque, base);
     }},
};

bool fits(const BodyArray& array, int dimension) {
  return array.in == In::both || (array.in == In::plane) == (dimension == 2);
}

py::array body_array(const State& state, const std::string& name, const py::object& base) {
  for (const BodyArray& array : body_arrays)
    if (array.name == name && fits(array, state.dimension)) return array.make(state, base);
  throw py::key_error(name);
}

py::array contact_array(const Run& run, const std::string& name, const py::object& base) {
  const Simulation& simulation = run.simulation();
  if (!simulation.contact_engine().has_forces())
    throw std::runtime_error(
        "the last step was not looked at, so that the forces of its contacts were not kept; make one more step");
  for (const char* const quick : {"force", "i", "j", "image", "feature"})
    if (name == quick) {
      const std::span<const ContactForce> forces = run.contact_forces();
      static const ContactForce none;
      const ContactForce& first = forces.empty() ? none : forces.front();
      if (name == "force") return member(forces, &first.force.x, 3, base);
      if (name == "i") return member(forces, &first.key.i, 1, base);
      if (name == "j") return member(forces, &first.key.j, 1, base);
      if (name == "image") return member(forces, first.key.image.data(), 3, base);
      return member(forces, &first.key.feature, 1, base);
    }
  const std::span<const ContactRecord> records = simulation.contacts();
  static const ContactRecord none;
  const ContactRecord& first = records.empty() ? none : records.front();
  for (const ContactNumber& c : contact_numbers)
    if (c.name == name) return member(records, &(first.*c.member), 1, base);
  for (const ContactVector& c : contact_vectors)
    if (c.name == name) return member(records, &(first.*c.member).x, 3, base);
  if (name == "regime") return member(records, reinterpret_cast<const std::uint8_t*>(&first.regime), 1, base);
  throw py::key_error(name);
}

using Description = std::vector<std::tuple<std::string, std::string, std::string>>;

Description describe_bodies(int dimension) {
  Description out;
  for (const BodyArray& array : body_arrays)
    if (fits(array, dimension)) out.emplace_back(array.name, array.unit, array.description);
  return out;
}

Description describe_contacts() {
  Description out{{"i", "", "first body, i < j"},
                  {"j", "", "second body"},
                  {"image", "", "periodic image of j that i meets, in cell vectors a, b, c"},
                  {"feature", "", "polygons: number of the overlap component; clusters: of the pair of spheres"},
                  {"regime", "", "1: slid during a part of the step; 0: did not"}};
  for (const ContactVector& c : contact_vectors) out.emplace_back(c.name, c.unit, c.description);
  for (const ContactNumber& c : contact_numbers) out.emplace_back(c.name, c.unit, c.description);
  return out;
}

/// Outlines of all bodies (m), placed or in their own frames. A disc has 32 points on its circle, if placed. Walls and
/// bodies in space have none.
py::list outlines(const Run& run, bool placed) {
  const State& state = run.simulation().state();
  py::list out;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    std::vector<Vec2> outline;
    if (const auto& polygon = state.shape_of(b).polygon(); placed)
      outline = placed_outline(state, b);
    else if (!polygon.empty())
      outline.assign(polygon[0].vertices().begin(), polygon[0].vertices().end());
    py::array_t<double> array({py::ssize_t(outline.size()), py::ssize_t{2}});
    std::copy(outline.begin(), outline.end(), reinterpret_cast<Vec2*>(array.mutable_data()));
    out.append(array);
  }
  return out;
}

}  // namespace

void bind_arrays(py::module_& m, py::class_<Run>& run) {
  m.def("describe_bodies", &describe_bodies);
  py::class_<StateView>(m, "StateView")
      .def("body_array",
           [](const py::object& self, const std::string& name) {
             return body_array(*self.cast<const StateView&>().state, name, self);
           })
      .def("body_count", [](const StateView& v) { return v.state->bodies.size(); })
      .def("group_names", [](const StateView& v) { return v.state->groups; })
      .def("body_names", [](const StateView& v) { return v.state->bodies.name; })
      .def_property_readonly("dimension", [](const StateView& v) { return v.state->dimension; })
      .def_property_readonly("step", [](const StateView& v) { return v.state->step; });
  m.def("describe_contacts", &describe_contacts);
  run.def("body_array",
          [](const py::object& self, const std::string& name) {
            return body_array(self.cast<const Run&>().simulation().state(), name, self);
          })
      .def("contact_array", [](const py::object& self,
                               const std::string& name) { return contact_array(self.cast<const Run&>(), name, self); })
      .def("contact_count", [](const Run& r) { return r.simulation().contact_count(); })
      .def("body_count", [](const Run& r) { return r.simulation().state().bodies.size(); })
      .def("outlines", &outlines)
      .def("group_names", [](const Run& r) { return r.simulation().state().groups; })
      .def("body_names", [](const Run& r) { return r.simulation().state().bodies.name; })
      .def("cell_vectors",
           [](const Run& r) {
             const auto& vectors = r.simulation().state().cell.vectors;
             py::array_t<double> array({3, 3});
             double* out = array.mutable_data();
             for (const Vec3& v : vectors) *out++ = v.x, *out++ = v.y, *out++ = v.z;
             return array;
           })
      .def("cell_periodic",
           [](const Run& r) {
             const auto& periodic = r.simulation().state().cell.periodic;
             return py::array_t<bool>(py::ssize_t(periodic.size()), periodic.data());
           })
      .def("cell_origin", [](const Run& r) {
        const Vec3 o = r.simulation().state().cell_origin;
        const std::array<double, 3> origin{o.x, o.y, o.z};
        return py::array_t<double>(r.simulation().state().dimension, origin.data());
      });
}

}  // namespace dem::python
