// The case file: TOML text to Case and back. The keys themselves are in one table, case_schema.*.
#pragma once
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/platform/file_error.hpp"

namespace dem {

inline constexpr int case_format = 1;  ///< `format` of case files this version reads

/// Everything that is wrong with a case file, each message a sentence `file:line: key: found …, allowed …`, by line.
/// A syntax error stands alone, because nothing after it can be trusted.
struct CaseErrors : std::runtime_error {
  explicit CaseErrors(std::vector<std::string> all);
  std::vector<std::string> messages;
};

/// Reads, resolves and checks a case. File names in it are relative to the case file; those in the result are absolute.
/// "-" is standard input: there file names are relative to the present folder, and Case::file is standard_input_name.
/// Throws FileError when the file cannot be read, CaseErrors when it says something that cannot be.
Case read_case(const std::filesystem::path&);
inline constexpr const char* standard_input_name = "<stdin>";
/// Its text alone. That of the case of a results folder may have any size, others at most 16 MB.
std::string read_case_text(const std::filesystem::path&);
/// Same for text already in memory; `name` stands for the file in messages and as base of relative file names.
Case parse_case(std::string_view text, const std::filesystem::path& name);

/// Line of a key of a table ("time.step", "stage[1].strain") in a case file; 0 where it is not, or the file cannot be
/// read.
int case_key_line(const std::filesystem::path&, std::string_view key);

/// The case as TOML text with every key, given or default, with units; reading it gives the same Case (but for
/// Case::file).
std::string resolved_case(const Case&);

/// One key of the case file, as `dem help` shows it.
struct CaseKey {
  std::string path;          ///< "material.density"; lists of tables: "stage.shear_rate" stands for every [[stage]]
  std::string when;          ///< "generator = voronoi": only there; empty: always
  std::string type, unit;    ///< "number", "m"; unit empty where there is none
  std::string default_text;  ///< "required", a value, or words
  std::string allowed;       ///< range or names of values
  std::string description;   ///< one sentence, with its source
  std::vector<std::pair<std::string, std::string>> meanings{};  ///< of a choice: each value and what it means
  std::string unit_in_space{};                                  ///< where it differs from that in the plane
  std::optional<std::pair<double, double>>
      bounds{};  ///< least and largest number, also of each number in a list; none: the key has no numbers
  std::vector<std::string> only_for{};  ///< values of another key of the table at which this one exists; empty: all
  std::string units() const { return unit_in_space.empty() ? unit : unit + "; 3D " + unit_in_space; }
};
/// A table of the case file, as `dem help` shows it; without a name: the keys before the first table.
struct CaseTable {
  std::string name, description;
  bool list = false;  ///< [[name]]
};
const std::vector<CaseTable>& case_tables();
/// All keys, in the order of the resolved case.
const std::vector<CaseKey>& case_keys();
/// The keys that `word` names: a full path, a table, or the last part of a path. Empty when none.
std::vector<CaseKey> find_case_keys(std::string_view word);
/// The keys for somebody who does not know their names: those of which the name begins with `word`, else contains it,
/// else of which the description does (letters of either case). Empty when none.
std::vector<CaseKey> search_case_keys(std::string_view word);
/// The known path nearest to `word` by edit distance; empty when none is near.
std::string nearest_case_key(std::string_view word);
/// Reference of all keys as Markdown tables, one a section of the case file.
std::string case_reference();

}  // namespace dem
