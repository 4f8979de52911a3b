// A case as a TOML document, between text and Case. Inside the library: only what includes this header knows the TOML
// library.
#pragma once
#include <toml++/toml.h>

#include "libdem/case/case_file.hpp"

namespace dem::case_file {

/// `name`: stands for the file in messages, and is the base of relative file names. What has no place in a text was set
/// on the command line, and messages about it begin with "--set" instead of file and line. Throws CaseErrors.
Case case_of(const toml::table& document, const std::filesystem::path& name);

}  // namespace dem::case_file
