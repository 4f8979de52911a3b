// Two bodies of a plane case on prescribed paths: the contact pass alone, without motion.
#include <fmt/format.h>
#include <pybind11/numpy.h>

#include "apps/python/bind.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/contacts/planar/contacts.hpp"

namespace dem::python {
namespace {

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// `poses` and `rates` have rows x, y, angle of i, then of j. A row of the result: elongation, normal force, normal,
/// point, force on j, torque of i, torque of j.
py::array_t<double> driven_pair(const std::string& text, const std::string& name, const Rows& poses,
                                const Rows& rates) {
  constexpr py::ssize_t columns = 10;
  const Case given = parse_case(text, name);
  State state = build_assembly(given);
  if (state.bodies.size() != 2 || state.dimension != 2)
    throw py::value_error(fmt::format("driven_pair: found {} bodies in {} dimensions, allowed 2 in the plane",
                                      state.bodies.size(), state.dimension));
  PlanarContacts contacts(given, state);
  const geometry::CandidatePair pair{0, 1, {}};
  contacts.set_candidates({&pair, 1});
  py::array_t<double> out({poses.shape(0), columns});
  std::vector<ContactRecord> records;
  for (py::ssize_t k = 0; k < poses.shape(0); ++k) {
    for (std::size_t b = 0; b < 2; ++b) {
      const py::ssize_t at = 3 * py::ssize_t(b);
      const double dt = k == 0 ? 0 : state.dt;  // the first row is where it begins
      state.bodies.position[0][b] = {poses.at(k, at), poses.at(k, at + 1), 0};
      state.bodies.rotation[0][b] = {0, 0, poses.at(k, at + 2)};
      state.bodies.position[1][b] = {dt * rates.at(k, at), dt * rates.at(k, at + 1), 0};
      state.bodies.rotation[1][b] = {0, 0, dt * rates.at(k, at + 2)};
    }
    contacts.evaluate(state, {});
    contacts.records(state, records);
    if (records.size() != 1)
      throw py::value_error(fmt::format("driven_pair: found {} contacts in row {}, allowed one", records.size(), k));
    const ContactRecord& r = records.front();
    const Vec2 force = planar(state.bodies.force[1]);
    const double row[columns] = {r.elongation,
                                 r.normal_force,
                                 r.normal.x,
                                 r.normal.y,
                                 r.point.x,
                                 r.point.y,
                                 force.x,
                                 force.y,
                                 state.bodies.torque[0].z,
                                 state.bodies.torque[1].z};
    std::copy(row, row + columns, out.mutable_data(k));
  }
  return out;
}

}  // namespace

void bind_driven_pair(py::module_& m) { m.def("driven_pair", &driven_pair); }

}  // namespace dem::python
