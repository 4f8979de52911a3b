// Reads a case file: TOML text → CaseDraft by the rows of the schema → Case.
#include <charconv>

#include "libdem/case/difference.hpp"
#include "libdem/case/schema.hpp"
#include "libdem/case/table_reader.hpp"
#include "libdem/case/toml_text.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {
namespace case_file {
namespace {

/// The tables that have a key of this name, as written in the file: {"material", "[material]"}, {"stage", "[[stage]]"},
/// {"", "the top, before the first table"}.
std::vector<std::pair<std::string, std::string>> tables_with(std::string_view key) {
  std::vector<std::pair<std::string, std::string>> tables;
  const CaseDraft draft;
  for_each_section(draft, [&]<class T, class Part>(const Section<T>& section, const Part&) {
    if (section.find(key))
      tables.emplace_back(section.name, section.name.empty() ? "the top, before the first table"
                                                             : heading(section.name, is_list<Part>));
  });
  return tables;
}

/// A suggestion for an unknown key, which is also noted in `problems`. `section` is the name of the table in the
/// schema, `path` its name in messages.
std::string suggestion(const std::string& section, const std::string& path, const std::string& key,
                       const toml::table& table, Problems& problems) {
  if (const auto tables = tables_with(key); !tables.empty()) {
    std::string places;
    for (std::size_t k = 0; k < tables.size(); ++k) {
      places += fmt::format("{}{}", k == 0 ? "" : k + 1 < tables.size() ? ", " : " or ", tables[k].second);
      problems.meant(joined(tables[k].first, key));
    }
    return fmt::format("; {} belongs to {}", key, places);
  }
  const std::string nearest = nearest_case_key(joined(section, key)), own = nearest.substr(nearest.rfind('.') + 1);
  if (nearest.empty()) return "";
  if (nearest == joined(section, own) && !table.contains(own)) problems.meant(joined(path, own));
  return "; nearest known key: " + nearest;
}

/// Refuses keys and tables at the top that no section has.
void refuse_unknown(const toml::table& document, CaseDraft& draft, Problems& problems) {
  Names tables;
  for_each_section(draft, [&](const auto& section, auto&&) {
    if (!section.name.empty()) tables.push_back(section.name);
  });
  for (const auto& [key, node] : document) {
    const std::string name(key.str());
    if (root_section().find(name) || std::ranges::find(tables, name) != tables.end()) continue;
    problems.given(name, line_of(node));
    if (node.is_table() || node.is_array_of_tables()) {
      if (const auto meant = nearest(name, tables); !meant.empty() && !document.contains(meant))
        problems.meant(std::string(meant));
      problems.add_first(name, "an unknown table",
                         fmt::format("the tables of a case (dem help){}", nearest(name, tables, "table")));
    } else {
      problems.add_first(
          name, "an unknown key",
          fmt::format("the keys of the case (dem help){}", suggestion("", "", name, document, problems)));
    }
  }
}

/// With `judged`, combinations and files are checked as well.
CaseDraft read_document(const toml::table& document, const std::filesystem::path& directory, Problems& problems,
                        bool judged) {
  CaseDraft draft;
  // Nothing else can be checked in a file of another format.
  if (const auto* format = document.get("format");
      format && !decode(value_of(*format), Range{case_format, case_format}, draft.format)) {
    problems.given("format", line_of(*format));
    problems.add("format", shown(*format), fmt::format("{}: this version reads no other format", case_format));
    return draft;
  }
  if (is_of_other_kind(document, FileKind::parsed_case, problems)) return draft;
  int dimension = 2;  // decides which keys exist
  if (const auto* node = document.get("dimension"); node && !decode(value_of(*node), Range{2, 3}, dimension)) {
    problems.given("dimension", line_of(*node));
    problems.add("dimension", shown(*node), "2 (discs and polygons) or 3 (spheres and clusters)");
    return draft;
  }
  const Speller speller = [](const UnknownKey& unknown, Problems& all) {
    return fmt::format("the keys of [{0}] (dem help {0}){1}", unknown.section,
                       suggestion(unknown.section, unknown.path, unknown.key, unknown.table, all));
  };
  if (dimension == 3) draft.output.vtk = draft.output.contacts = false;
  for_each_section(draft, [&]<class T>(const Section<T>& section, auto&& part) {
    if constexpr (!std::is_same_v<T, DriverChoice>)
      read_part(section, document, dimension, part, problems, speller);
    else if (document.contains(section.name))
      read_part(section, document, dimension, draft.drivers.emplace_back(fresh_driver(section.name, draft)), problems,
                speller);
  });
  if (!problems.is_given("contact.normal_force"))
    draft.contact.normal_force =
        dimension == 3 || shape_of(draft) == ShapeKind::disc ? NormalForce::overlap : NormalForce::area_over_length;
  refuse_unknown(document, draft, problems);
  if (judged) check_combinations(draft, directory, problems);
  return draft;
}

}  // namespace

Case case_of(const toml::table& document, const std::filesystem::path& name, bool judged) {
  const auto directory = std::filesystem::absolute(name).parent_path();
  Problems problems(name.string());
  const CaseDraft draft = read_document(document, directory, problems, judged);
  if (problems.any()) throw CaseErrors(problems.messages());
  Case result = resolve(draft, directory);
  result.file = name == standard_input_name ? name : std::filesystem::absolute(name).lexically_normal();
  return result;
}

}  // namespace case_file

CaseErrors::CaseErrors(std::vector<std::string> all)
    : std::runtime_error(fmt::format("{}", fmt::join(all, "\n"))), messages(std::move(all)) {}

Case parse_case(std::string_view text, const std::filesystem::path& name) {
  return case_file::case_of(parse_toml(text, name.string()), name);
}
Case parse_written_case(std::string_view text) {
  const std::string name = "the case of the checkpoint";
  return case_file::case_of(parse_toml(text, name), name, false);
}

bool is_results_folder(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path / readme_name, error)) return false;
  return read_file(path / readme_name, first_line.size()).starts_with(first_line);
}

std::string read_case_text(const std::filesystem::path& file) {
  if (file == "-" || file == standard_input_name) return read_standard_input();
  // The case of a results folder has every key, so it may be many times as long as the original case.
  return is_results_folder(file.parent_path()) ? read_file(file) : read_toml_file(file);
}

Case read_case(const std::filesystem::path& file) {
  return parse_case(read_case_text(file), file == "-" ? std::filesystem::path(standard_input_name) : file);
}

int case_key_line(const std::filesystem::path& file, std::string_view key) {
  try {
    const toml::table document = parse_toml(read_case_text(file), file.string());
    std::string place;  // list entries count from 1 in messages, from 0 here
    for (std::size_t at = 0; at < key.size(); ++at) {
      const std::size_t end = key[at] == '[' ? key.find(']', at) : key.npos;
      std::size_t entry = 0;
      if (end == key.npos || std::from_chars(&key[at] + 1, &key[end], entry).ec != std::errc{} || entry == 0) {
        place += key[at];
        continue;
      }
      place += fmt::format("[{}]", entry - 1);
      at = end;
    }
    const auto node = document.at_path(place);
    return node ? line_of(*node.node()) : 0;
  } catch (const std::runtime_error&) {  // CaseErrors, FileError
    return 0;
  }
}

std::string located(const std::filesystem::path& file, const std::string& message) {
  const int line = case_key_line(file, message.substr(0, message.find(':')));
  return fmt::format("{}{}: {}", file.string(), line > 0 ? fmt::format(":{}", line) : "", message);
}

}  // namespace dem
