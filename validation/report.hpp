// The result of a study in C++. The driver of `dem validate` (validate.py) merges the results of all studies.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validation/study.hpp"

namespace dem::validation {

/// "agrees", "differs", "not comparable": the words of claims.json and of the page.
std::string_view word_of(ClaimVerdict);

/// A study that was run, to its end or to an error.
struct StudyResult {
  std::string study, title;
  bool quick = false;
  std::string date;     ///< UTC, "2026-11-20 13:24"
  std::string version;  ///< of the program
  double seconds = 0;   ///< wall-clock time of this call: what earlier calls had finished costs nothing
  std::string error;    ///< why it did not come to its end; empty: it did
  std::vector<Claim> claims;
  std::vector<Figure> figures;
};

/// OUTPUT/<study>/quick or full: journals of the study and result.json.
std::filesystem::path study_folder(const std::filesystem::path& output, std::string_view study, bool quick);

/// Writes OUTPUT/<study>/{quick,full}/result.json. Throws FileError.
void write_result(const std::filesystem::path& output, const StudyResult&);

}  // namespace dem::validation
