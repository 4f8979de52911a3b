// TOML files before they are cases, sweeps or drives: bounded reading, syntax, and how messages show what they hold.
#pragma once
#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace dem {

inline constexpr std::size_t largest_toml_file = std::size_t{16} << 20;  ///< bytes
inline constexpr int most_key_parts = 64;                                ///< of a dotted key or of the name of a table
inline constexpr int deepest_toml_nesting = 64;                          ///< of lists and tables in brackets

/// The text of a file of at most `largest_toml_file` bytes. Throws FileError, and CaseErrors for a larger one.
std::string read_toml_file(const std::filesystem::path&);

/// Standard input to its end, within the same bound. It is read once and kept: later calls return the same text.
const std::string& read_standard_input();

/// The document. Throws CaseErrors `name:line: …` for text that is not TOML, or whose keys and brackets go deeper than
/// the two bounds: the parser calls itself for each part, so that without a bound a long key ends the program.
toml::table parse_toml(std::string_view text, const std::string& name);

/// Line of a value, from 1; 0: it has no place in a text.
int line_of(const toml::node&);

/// A value for messages: on one line, at most 60 characters, numbers in the shortest form that reads back to the same
/// value.
std::string shown(const toml::node&);

}  // namespace dem
