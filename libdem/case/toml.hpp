// A case as a TOML document, between text and Case. Only for the library: files that include this header see the TOML
// library.
#pragma once
#include <toml++/toml.h>

#include "libdem/case/case_file.hpp"

namespace dem::case_file {

/// `name` is the file in messages and the base of relative file names. A value without a line was set on the command
/// line. Messages about such a value begin with "--set" instead of file and line. Throws CaseErrors.
Case case_of(const toml::table& document, const std::filesystem::path& name);

}  // namespace dem::case_file
