// One contact along a path, or along each of some paths.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "apps/python/bind.hpp"
#include "libdem/case/contact_drive_file.hpp"
#include "libdem/laws/jaeger_traction.hpp"

namespace dem::python {
namespace {

/// In the order of their numbers.
constexpr laws::StepRegime regimes[] = {laws::StepRegime::separated, laws::StepRegime::unchanged,
                                        laws::StepRegime::stick,     laws::StepRegime::slip,
                                        laws::StepRegime::slide,     laws::StepRegime::retrace};

py::dict contact(const std::string& text, const std::string& name,
                 const py::array_t<double, py::array::c_style | py::array::forcecast>& numbers,
                 py::ssize_t rows_in_path, const std::vector<std::size_t>& legs_after) {
  const std::span<const double> all(numbers.data(), std::size_t(numbers.size()));
  ContactDrive drive = parse_contact_drive(text, name, all, std::size_t(rows_in_path));
  const std::vector<DriveRow> rows = std::move(drive.rows);
  const py::ssize_t paths = py::ssize_t(rows.size()) / rows_in_path, states = rows_in_path + 1;
  const py::ssize_t size = drive.global ? 3 : 2;
  const auto column = [&] { return py::array_t<double>({paths, states}); };
  py::array_t<double> normal_force = column(), stored_normal = column(), stored_tangential = column(), work = column(),
                      dissipated = column(), tangential({paths, states, size});
  py::array_t<std::uint8_t> regime({paths, states});
  py::array_t<int> leg_count({paths, states});
  py::list legs;
  for (py::ssize_t p = 0; p < paths; ++p) {
    drive.rows.assign(rows.begin() + p * rows_in_path, rows.begin() + (p + 1) * rows_in_path);
    const std::vector<DriveState> found = drive_contact(drive, legs_after);
    for (py::ssize_t k = 0; k < states; ++k) {
      const DriveState& s = found[std::size_t(k)];
      const double components[3] = {s.tangential.x, s.tangential.y, s.tangential.z};
      for (py::ssize_t a = 0; a < size; ++a) tangential.mutable_at(p, k, a) = components[a];
      normal_force.mutable_at(p, k) = s.normal_force;
      regime.mutable_at(p, k) = std::uint8_t(s.regime);
      stored_normal.mutable_at(p, k) = s.stored_normal;
      stored_tangential.mutable_at(p, k) = s.stored_tangential;
      work.mutable_at(p, k) = s.work;
      dissipated.mutable_at(p, k) = s.dissipated;
      leg_count.mutable_at(p, k) = s.leg_count;
    }
    py::list of_path;
    for (const std::size_t row : legs_after) {
      const std::vector<laws::Leg>& stored = found[row].legs;
      py::array_t<double> array({py::ssize_t(stored.size()), py::ssize_t(3)});
      for (std::size_t l = 0; l < stored.size(); ++l) {
        const double leg[3] = {stored[l].z, stored[l].p_1, stored[l].p_2};
        for (py::ssize_t a = 0; a < 3; ++a) array.mutable_at(py::ssize_t(l), a) = leg[a];
      }
      of_path.append(array);
    }
    legs.append(of_path);
  }
  py::dict out;
  out["normal_force"] = normal_force;
  out["tangential"] = tangential;
  out["regime"] = regime;
  out["stored_normal"] = stored_normal;
  out["stored_tangential"] = stored_tangential;
  out["work"] = work;
  out["dissipated"] = dissipated;
  out["leg_count"] = leg_count;
  out["legs"] = legs;
  return out;
}

/// Pressure and shear over the contact circle, from the history of a Jäger contact.
py::tuple tractions(const std::string& text, const std::string& name,
                    const py::array_t<double, py::array::c_style | py::array::forcecast>& legs,
                    const py::array_t<double, py::array::c_style | py::array::forcecast>& radii) {
  const ContactDrive drive = parse_contact_drive(text, name, {}, 1);
  laws::JaegerCoefficients coefficients;
  static_cast<laws::Hertz&>(coefficients) = drive.hertz;
  std::vector<laws::Leg> stored;
  for (py::ssize_t l = 0; l < legs.shape(0); ++l) stored.push_back({legs.at(l, 0), legs.at(l, 1), legs.at(l, 2)});
  const laws::JaegerTractions of_contact(coefficients, stored);
  py::array_t<double> pressure({radii.size()}), shear({radii.size(), py::ssize_t(2)});
  for (py::ssize_t k = 0; k < radii.size(); ++k) {
    const laws::Vector tau = of_contact.shear(radii.at(k));
    pressure.mutable_at(k) = of_contact.pressure(radii.at(k));
    shear.mutable_at(k, 0) = tau.x;
    shear.mutable_at(k, 1) = tau.y;
  }
  return py::make_tuple(pressure, shear);
}

}  // namespace

void bind_contact(py::module_& m) {
  m.def("contact", &contact);
  m.def("tractions", &tractions);
  m.def("contact_regimes", [] {
    std::vector<std::string> names;
    for (const laws::StepRegime regime : regimes) names.emplace_back(name_of(regime));
    return names;
  });
  m.def("law_names", [] {
    std::vector<std::string> names;
    for (const laws::LawEntry& law : laws::catalogue()) names.emplace_back(law.name);
    return names;
  });
}

}  // namespace dem::python
