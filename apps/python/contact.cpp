// One contact along a path, from the files of `dem contact`.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "apps/python/bind.hpp"
#include "libdem/case/contact_drive_file.hpp"

namespace dem::python {
namespace {

template <class Member>
py::array numbers(const std::vector<DriveState>& states, Member member) {
  py::array_t<double> out{py::ssize_t(states.size())};
  for (std::size_t k = 0; k < states.size(); ++k) out.mutable_at(py::ssize_t(k)) = states[k].*member;
  return out;
}

py::dict contact(const std::filesystem::path& file) {
  const ContactDrive drive = read_contact_drive(file);
  const std::vector<DriveState> states = drive_contact(drive);
  py::dict out;
  out["normal_force"] = numbers(states, &DriveState::normal_force);
  const py::ssize_t size = drive.global ? 3 : 2;
  py::array_t<double> tangential({py::ssize_t(states.size()), size});
  py::list regimes;
  for (std::size_t k = 0; k < states.size(); ++k) {
    const Vec3 t = states[k].tangential;
    const double components[3] = {t.x, t.y, t.z};
    for (py::ssize_t a = 0; a < size; ++a) tangential.mutable_at(py::ssize_t(k), a) = components[a];
    regimes.append(std::string(name_of(states[k].regime)));
  }
  out["tangential"] = tangential;
  out["regime"] = regimes;
  out["stored_normal"] = numbers(states, &DriveState::stored_normal);
  out["stored_tangential"] = numbers(states, &DriveState::stored_tangential);
  out["work"] = numbers(states, &DriveState::work);
  out["dissipated"] = numbers(states, &DriveState::dissipated);
  return out;
}

}  // namespace

void bind_contact(py::module_& m) {
  m.def("contact", &contact);
  m.def("law_names", [] {
    std::vector<std::string> names;
    for (const laws::LawEntry& law : laws::catalogue()) names.emplace_back(law.name);
    return names;
  });
}

}  // namespace dem::python
