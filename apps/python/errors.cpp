// Exceptions of the engine become those of dem.errors.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "apps/python/bind.hpp"
#include "geometry/error.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/contacts/contact_engine.hpp"
#include "libdem/laws/plugin.hpp"
#include "libdem/motion/limit/step_limit.hpp"
#include "libdem/platform/file_error.hpp"
#include "libdem/run/health.hpp"
#include "libdem/run/start_from.hpp"
#include "libdem/state/assembly_error.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem::python {
namespace {

/// Raises the class of dem.errors with this name.
template <class... Arguments>
void raise(const char* name, Arguments&&... arguments) {
  const py::object type = py::module_::import("dem.errors").attr(name);
  const py::object error = type(std::forward<Arguments>(arguments)...);
  PyErr_SetObject(type.ptr(), error.ptr());
}

void raise_case_error(const std::vector<std::string>& messages) {
  py::list problems;
  for (const std::string& message : messages) {
    const case_file::MessageParts parts = case_file::parts_of(message);
    problems.append(py::make_tuple(message, parts.file, parts.line, parts.key, parts.found, parts.allowed));
  }
  raise("CaseError", problems);
}

/// Options of the command line become arguments.
std::string of_python(std::string message) {
  for (const std::string_view words : {"(--overwrite)", "; --overwrite replaces"})
    if (const auto at = message.find(words); at != message.npos)
      message.replace(message.find("--", at), std::string_view("--overwrite").size(), "overwrite=True");
  return message;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 asks for this signature
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const CaseErrors& error) {
    raise_case_error(error.messages);
  } catch (const AssemblyError& error) {
    raise_case_error({error.what()});
  } catch (const StartFromError& error) {
    raise_case_error({error.what()});
  } catch (const geometry::GeometryError& error) {
    raise("GeometryError", error.what());
  } catch (const laws::LawFailed& error) {
    raise("LawFailed", error.what());
  } catch (const StepTooLarge& error) {
    raise("StepTooLarge", error.what());
  } catch (const TasksInterrupted& error) {
    PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
  } catch (const FileError& error) {
    raise("FileError", of_python(error.what()), error.error_number);
  } catch (const NoRoomForStep& error) {
    PyErr_SetString(PyExc_MemoryError, error.what());
  }
}

}  // namespace

void bind_errors(py::module_&) { py::register_exception_translator(translate); }

}  // namespace dem::python
