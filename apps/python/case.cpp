// Cases: text to case and back, one key at a time, and the pages of dem help.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "apps/python/bind.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/topics.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/sweep/case_document.hpp"

namespace dem::python {
namespace {

/// A case that is valid at any time: a change that is refused leaves the earlier one.
class CaseText {
 public:
  CaseText(const std::string& text, std::string name) : name_(std::move(name)), document_(text, name_) {
    document_.read();
  }

  /// Sets values at places, all or none.
  void set(const std::vector<std::pair<std::string, std::string>>& values) {
    CaseDocument changed(document_);
    for (const auto& [place, value] : values) changed.set_text(place, value);
    changed.read();
    for (const auto& [place, value] : values) document_.set_text(place, value);
  }
  /// The value as written in a case file, also that of a key at its default.
  std::string value(const std::string& place) const { return CaseDocument(resolved(), name_).value_text(place); }
  std::string text() const { return document_.text(); }
  std::string resolved() const { return resolved_case(document_.read()); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  CaseDocument document_;
};

}  // namespace

void bind_case(py::module_& m) {
  py::class_<CaseText>(m, "Case")
      .def(py::init<const std::string&, std::string>())
      .def(py::init<const CaseText&>())
      .def("set", &CaseText::set)
      .def("value", &CaseText::value)
      .def("text", &CaseText::text)
      .def("resolved", &CaseText::resolved)
      .def_property_readonly("name", &CaseText::name);
  m.def("read_text", [](const std::filesystem::path& file) { return read_case_text(file); });
  m.def("help", [](const std::string& word) { return case_help(word); });
  m.def("nearest_key", [](const std::string& word) { return nearest_case_key(word); });
  m.def("key_names", [] {
    std::vector<std::string> names;
    for (const CaseKey& key : case_keys()) names.push_back(key.path);
    return names;
  });
}

}  // namespace dem::python
