// Runs studies one after the other and keeps what they find: what `dem validate` does, without its command line.
#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "validation/report.hpp"

namespace dem::validation {

/// No study has this name; what() lists those there are.
struct UnknownStudy : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Studies of the given names, in the order of the list, each once: a paper ("pena2008"), "paper/study", or the last
/// part of the name where only one study has it. No names: all. Throws UnknownStudy.
std::vector<const Study*> find_studies(std::span<const Study> all, std::span<const std::string> names);

/// Folder with the files of the studies: $LIBDEM_VALIDATION, then where this program was installed, then the source
/// folder. Throws FileError when none of them has report.py.
std::filesystem::path validation_sources();

/// Expected wall-clock time of the studies with this many workers (s): what was measured on 2 cores, scaled.
double expected_seconds(std::span<const Study* const>, bool quick, int workers);

struct ValidationChoice {
  bool quick = false;
  bool fresh = false;  ///< forget what earlier calls left of these studies (quick or full)
  int workers = 0;     ///< 0: one a core
  std::filesystem::path output, sources;
  std::function<void(const Study&, std::size_t number, std::size_t of)> before;  ///< each study
  std::function<void(const StudyResult&)> after;
};

struct ValidationEnd {
  std::vector<StudyResult> results;
  bool interrupted = false;  ///< by Ctrl-C or SIGTERM: what was finished is kept
  bool failed() const;       ///< a study did not come to its end
};

/// Runs the studies; one that throws leaves its message and the others go on. After each, its result is written and
/// merged (report.hpp). `all`: what claims.json may hold. Throws FileError.
ValidationEnd run_studies(std::span<const Study* const>, std::span<const Study> all, const ValidationChoice&);

}  // namespace dem::validation
