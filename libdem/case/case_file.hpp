// The case file: TOML text to Case and back. The tables schema_*.cpp define the keys.
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

inline constexpr int case_format = 1;  ///< `format` of case files that this version reads

/// All errors of a case file by line, each a sentence `file:line: key: found …, allowed …`. A syntax error stands
/// alone, because the text after it cannot be trusted.
struct CaseErrors : std::runtime_error {
  explicit CaseErrors(std::vector<std::string> all);
  std::vector<std::string> messages;
};

/// Reads, resolves and checks a case. File names in it are relative to the case file; those in the result are absolute.
/// "-" is standard input. Then file names are relative to the present folder, and Case::file is standard_input_name.
/// Throws FileError when the file cannot be read, and CaseErrors for an invalid case.
Case read_case(const std::filesystem::path&);
inline constexpr const char* standard_input_name = "<stdin>";
/// The text of a case file. The case of a results folder may have any size, others at most 16 MB.
std::string read_case_text(const std::filesystem::path&);
/// Marks of a results folder, which may hold such a case.
inline constexpr std::string_view readme_name = "README.txt";
inline constexpr std::string_view first_line = "Results of a libdem run, format = ";
/// True if the folder is a results folder of any format.
bool is_results_folder(const std::filesystem::path&);
/// The same as read_case for a text in memory. `name` is the file in messages and the base of relative file names.
Case parse_case(std::string_view text, const std::filesystem::path& name);

/// Line of a key of a table ("time.step", "stage[1].strain") in a case file. 0 where the key is missing or the file
/// cannot be read.
int case_key_line(const std::filesystem::path&, std::string_view key);
/// "FILE:LINE: MESSAGE" with the line of the key that the message begins with. Without such a key "FILE: MESSAGE".
std::string located(const std::filesystem::path& file, const std::string& message);

/// The case as TOML text with every key, given or default, with units. The text reads back to the same Case, except for
/// Case::file.
std::string resolved_case(const Case&);

/// One key of the case file, as `dem help` shows it.
struct CaseKey {
  std::string path;          ///< "material.density"; "stage.shear_rate" stands for every [[stage]]
  std::string when;          ///< "generator = voronoi" if the key exists only there
  std::string type, unit;    ///< "number", "m"; the unit may be empty
  std::string default_text;  ///< "required", a value, or words
  std::string allowed;       ///< range or names of values
  std::string description;   ///< one sentence, with its source
  std::vector<std::pair<std::string, std::string>> meanings{};  ///< of a choice: each value and its meaning
  std::string unit_in_space{};                                  ///< if it differs from `unit`
  /// Least and largest number, also of each number in a list. Empty for a key without numbers.
  std::optional<std::pair<double, double>> bounds{};
  /// Values of another key of the table at which this key exists. Empty: it always exists.
  std::vector<std::string> only_for{};
  std::string units() const { return unit_in_space.empty() ? unit : unit + "; 3D " + unit_in_space; }
};
/// A table of the case file, as `dem help` shows it. The table without a name holds the keys before the first table.
struct CaseTable {
  std::string name, description;
  bool list = false;  ///< [[name]]
  std::vector<CaseKey> keys{};
};
const std::vector<CaseTable>& case_tables();
/// All keys, in the order of the resolved case.
const std::vector<CaseKey>& case_keys();
/// The keys with this full path, table or last part of a path. May be empty.
std::vector<CaseKey> find_case_keys(std::string_view word);
/// The keys whose name begins with `word`, else those whose name contains it, else those whose description contains it.
/// Upper and lower case are equal. May be empty.
std::vector<CaseKey> search_case_keys(std::string_view word);
/// The known path nearest to `word` by edit distance. Empty without a near one.
std::string nearest_case_key(std::string_view word);
/// Reference of all keys as Markdown tables, one per section of the case file.
std::string case_reference();

}  // namespace dem
