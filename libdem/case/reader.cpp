// Reads a case file: TOML text → CaseDraft by the rows of the schema → Case.
#include <fmt/format.h>

#include <charconv>

#include "libdem/case/difference.hpp"
#include "libdem/case/resolve.hpp"
#include "libdem/case/results_mark.hpp"
#include "libdem/case/schema.hpp"
#include "libdem/case/toml.hpp"
#include "libdem/case/toml_text.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {
namespace case_file {
namespace {

Value value_of(const toml::node& node, int dimension = 2) {
  Value value;
  value.found = shown(node);
  value.dimension = dimension;
  if (const auto* b = node.as_boolean()) value.data = b->get();
  if (const auto* i = node.as_integer()) value.data = i->get();
  if (const auto* d = node.as_floating_point()) value.data = d->get();
  if (const auto* s = node.as_string()) value.data = s->get();
  if (const auto* list = node.as_array()) {
    std::vector<Value> values;
    for (const auto& entry : *list) values.push_back(value_of(entry, dimension));
    value.data = std::move(values);
  }
  return value;
}

std::string joined(const std::string& table, std::string_view key) {
  return table.empty() ? std::string(key) : fmt::format("{}.{}", table, key);
}

/// The tables that have a key of this name, as the file writes them: {"material", "[material]"}, {"stage",
/// "[[stage]]"}, {"", "the top, before the first table"}.
std::vector<std::pair<std::string, std::string>> tables_with(std::string_view key) {
  std::vector<std::pair<std::string, std::string>> tables;
  const CaseDraft draft;
  for_each_section(draft, [&]<class T, class Part>(const Section<T>& section, const Part&) {
    const bool list = std::is_same_v<Part, std::vector<T>>;
    if (section.find(key))
      tables.emplace_back(section.name, section.name.empty() ? "the top, before the first table"
                                                             : fmt::format("{0}{1}{2}", list ? "[[" : "[", section.name,
                                                                           list ? "]]" : "]"));
  });
  return tables;
}

/// What an unknown key of the table may have been meant to be, for its message. `problems` learns of it. `section`:
/// name of the table in the schema, `path`: in messages.
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

/// Reads the keys of one table. `path`: as in messages, "stage[2]".
template <class T>
void read_table(const Section<T>& section, const toml::table& table, const std::string& path, int dimension, T& draft,
                Problems& problems) {
  bool selected = true;
  if (!section.selector.empty()) {
    const auto* row = section.find(section.selector);
    const auto* node = table.get(section.selector);
    selected =
        node ? row->read(value_of(*node, dimension), draft) : !(row->required && Section<T>::exists(*row, dimension));
  }
  const std::string word = section.selected(draft);
  const auto exists = [&](const Field<T>& row) {
    return Section<T>::exists(row, dimension) && (row.only_for.empty() || (selected && Section<T>::selects(row, word)));
  };

  for (const auto& [key, node] : table) {
    const std::string name(key.str()), own = joined(path, name);
    const Field<T>* match = nullptr;
    const Field<T>* elsewhere = nullptr;
    for (const auto& row : section.fields)
      if (row.key.path == name) (exists(row) ? match : elsewhere) = &row;
    if (path.empty() && !match && !elsewhere) continue;  // tables, and what is unknown at the top: see read_document
    const Value value = value_of(node, dimension);
    problems.given(own, line_of(node), value.found);
    if (match) {
      if (!match->read(value, draft)) problems.add(own, value.found, match->allowed(dimension));
    } else if (elsewhere && !Section<T>::exists(*elsewhere, dimension)) {
      problems.add(own, fmt::format("it with dimension = {}", dimension),
                   fmt::format("only with dimension = {}",
                               elsewhere->dimension == 2 ? "2 (discs and polygons)" : "3 (spheres and clusters)"));
    } else if (elsewhere && selected && elsewhere->is_idle) {
      if (!elsewhere->is_idle(value)) problems.add(own, value.found, elsewhere->allowed_elsewhere);
    } else if (elsewhere && selected) {
      std::string words;
      for (const auto& row : section.fields)
        if (row.key.path == name)
          for (const auto& only : row.only_for) words += fmt::format("{}\"{}\"", words.empty() ? "" : ", ", only);
      problems.add(own, fmt::format("it with {} = \"{}\"", section.selector, word),
                   fmt::format("only with {} = {}", section.selector, words));
    } else if (!elsewhere) {
      problems.add_first(own, "an unknown key",
                         fmt::format("the keys of [{0}] (dem help {0}){1}", section.name,
                                     suggestion(section.name, path, name, table, problems)));
    }
  }
  for (const auto& row : section.fields)
    if (row.required && exists(row) && !table.contains(row.key.path))
      problems.add(joined(path, row.key.path), "nothing", row.allowed(dimension) + " (required)");
}

template <class T>
void read_part(const Section<T>& section, const toml::table& document, int dimension, T& draft, Problems& problems) {
  const toml::table none;
  const auto* node = section.name.empty() ? &document : document.get(section.name);
  if (!node) return read_table(section, none, section.name, dimension, draft, problems);
  problems.given(section.name, line_of(*node));
  if (const auto* table = node->as_table())
    read_table(section, *table, section.name, dimension, draft, problems);
  else
    problems.add(section.name, shown(*node), fmt::format("one table [{}]", section.name));
}

template <class T>
void read_part(const Section<T>& section, const toml::table& document, int dimension, std::optional<T>& draft,
               Problems& problems) {
  if (document.contains(section.name))
    read_part(section, document, dimension, draft.emplace(section.fresh()), problems);
}

template <class T>
void read_part(const Section<T>& section, const toml::table& document, int dimension, std::vector<T>& draft,
               Problems& problems) {
  const auto* node = document.get(section.name);
  if (!node) return;
  problems.given(section.name, line_of(*node));
  const auto* list = node->as_array();
  if (!list || !list->is_array_of_tables()) {
    problems.add(section.name, shown(*node), fmt::format("tables, each under its own [[{}]]", section.name));
    return;
  }
  for (const auto& entry : *list) {
    const std::string path = fmt::format("{}[{}]", section.name, draft.size() + 1);
    problems.given(path, line_of(entry));
    read_table(section, *entry.as_table(), path, dimension, draft.emplace_back(), problems);
  }
}

/// Keys and tables at the top that no section knows.
void refuse_unknown(const toml::table& document, CaseDraft& draft, Problems& problems) {
  for (const auto& [key, node] : document) {
    const std::string name(key.str());
    bool known = root_section().find(name) != nullptr;
    std::string nearest;
    int distance = 1000;
    for_each_section(draft, [&](const auto& section, auto&) {
      known = known || section.name == name;
      if (const int d = edit_distance(name, section.name); !section.name.empty() && d < distance)
        distance = d, nearest = section.name;
    });
    if (known) continue;
    problems.given(name, line_of(node));
    if (node.is_table() || node.is_array_of_tables()) {
      const bool near = distance <= near_enough(name);
      if (near && !document.contains(nearest)) problems.meant(nearest);
      problems.add_first(
          name, "an unknown table",
          fmt::format("the tables of a case (dem help){}", near ? "; nearest known table: " + nearest : ""));
    } else {
      problems.add_first(
          name, "an unknown key",
          fmt::format("the keys of the case (dem help){}", suggestion("", "", name, document, problems)));
    }
  }
}

/// `judged`: combinations and files are looked at as well.
CaseDraft read_document(const toml::table& document, const std::filesystem::path& directory, Problems& problems,
                        bool judged) {
  CaseDraft draft;
  // Of a file of another format nothing else can be said.
  if (const auto* format = document.get("format");
      format && !decode(value_of(*format), Range{case_format, case_format}, draft.root.format)) {
    problems.given("format", line_of(*format));
    problems.add("format", shown(*format), fmt::format("{}: this version reads no other format", case_format));
    return draft;
  }
  int dimension = 2;  // decides which keys exist
  if (const auto* node = document.get("dimension"); node && !decode(value_of(*node), Range{2, 3}, dimension)) {
    problems.given("dimension", line_of(*node));
    problems.add("dimension", shown(*node), "2 (discs and polygons) or 3 (spheres and clusters)");
    return draft;
  }
  for_each_section(draft,
                   [&](const auto& section, auto& part) { read_part(section, document, dimension, part, problems); });
  refuse_unknown(document, draft, problems);
  if (judged) check_combinations(draft, directory, problems);
  return draft;
}

Case read_case_of(const toml::table& document, const std::filesystem::path& name, bool judged) {
  const auto directory = std::filesystem::absolute(name).parent_path();
  Problems problems(name.string());
  const CaseDraft draft = read_document(document, directory, problems, judged);
  if (problems.any()) throw CaseErrors(problems.messages());
  Case result = resolve(draft, directory);
  result.file = name == standard_input_name ? name : std::filesystem::absolute(name).lexically_normal();
  return result;
}

}  // namespace

Case case_of(const toml::table& document, const std::filesystem::path& name) {
  return read_case_of(document, name, true);
}

}  // namespace case_file

CaseErrors::CaseErrors(std::vector<std::string> all)
    : std::runtime_error(fmt::format("{}", fmt::join(all, "\n"))), messages(std::move(all)) {}

Case parse_case(std::string_view text, const std::filesystem::path& name) {
  return case_file::case_of(parse_toml(text, name.string()), name);
}
Case parse_written_case(std::string_view text) {
  const std::string name = "the case of the checkpoint";
  return case_file::read_case_of(parse_toml(text, name), name, false);
}

std::string read_case_text(const std::filesystem::path& file) {
  if (file == "-" || file == standard_input_name) return read_standard_input();
  // The case of a results folder tells every key: it may be many times as long as the one it was made from.
  return is_results_folder(file.parent_path()) ? read_file(file) : read_toml_file(file);
}

Case read_case(const std::filesystem::path& file) {
  return parse_case(read_case_text(file), file == "-" ? std::filesystem::path(standard_input_name) : file);
}

int case_key_line(const std::filesystem::path& file, std::string_view key) {
  try {
    const toml::table document = parse_toml(read_case_text(file), file.string());
    std::string place;  // entries of lists count from 1 in messages, from 0 here
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
  } catch (const CaseErrors&) {
    return 0;
  } catch (const FileError&) {
    return 0;
  }
}

}  // namespace dem
