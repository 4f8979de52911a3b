// Runs a study that is written in C++. The driver of `dem validate` (validate.py) chooses, resumes and reports.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "validation/report.hpp"

namespace dem::validation {

/// Folder with the files of the studies: $LIBDEM_VALIDATION, then where this program was installed, then the source
/// folder. Throws FileError when none of them has report.py.
std::filesystem::path validation_sources();

/// The studies as JSON: a list of objects with the keys name, title, full_minutes and quick_seconds.
std::string list_as_json(std::span<const Study>);

struct StudyChoice {
  bool quick = false;
  int workers = 0;  ///< 0: one a core
  std::filesystem::path output, sources;
};

/// Runs a study and writes its result. A study that throws leaves its message in the result. Throws FileError, and
/// TasksInterrupted after Ctrl-C.
StudyResult run_study(const Study&, const StudyChoice&);

}  // namespace dem::validation
