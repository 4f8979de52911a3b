// TOML files before they are cases, sweeps or drives: bounded reading, syntax, and values in messages. Only for the
// library: files that include this header see the TOML library.
#pragma once
#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "libdem/case/case_file.hpp"

namespace dem {

inline constexpr std::size_t largest_toml_file = std::size_t{16} << 20;  ///< bytes
inline constexpr int most_key_parts = 64;                                ///< of a dotted key or a table's name
inline constexpr int deepest_toml_nesting = 64;                          ///< of lists and tables in brackets

/// The text of a file of at most `largest_toml_file` bytes. Throws FileError, and CaseErrors for a larger file.
std::string read_toml_file(const std::filesystem::path&);

/// Standard input to its end, within the same bound. It is read once; later calls return the same text.
const std::string& read_standard_input();

/// The document. Throws CaseErrors `name:line: …` for text that is not TOML, or with keys or brackets beyond the two
/// bounds. The parser calls itself for each part, so that a long key would end the program.
toml::table parse_toml(std::string_view text, const std::string& name);

/// Line of a value, from 1. 0 for a value that is in no text.
int line_of(const toml::node&);

/// A value for messages: one line of at most 60 characters. A number has its shortest text with the same value.
std::string shown(const toml::node&);

namespace case_file {
/// `name` is the file in messages and the base of relative file names. A value without a line was set on the command
/// line. Messages about such a value begin with "--set" instead of file and line. Throws CaseErrors.
/// Without `judged` only the values of keys are checked, not combinations and files.
Case case_of(const toml::table& document, const std::filesystem::path& name, bool judged = true);
}  // namespace case_file

}  // namespace dem
