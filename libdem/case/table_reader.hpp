// Reads the tables of a TOML file by their rows: cases, sweeps and drives of a contact.
#pragma once
#include <fmt/format.h>

#include "libdem/case/problems.hpp"
#include "libdem/case/table_rows.hpp"
#include "libdem/case/toml_text.hpp"

namespace dem::case_file {

Value value_of(const toml::node&, int dimension = 2);
/// "material.friction", or only the key for a table without a name.
std::string joined(const std::string& table, std::string_view key);
/// The suggestion `; nearest known value: linear`. Empty for a value that is no word, or near none.
std::string nearest_value(const Value&, const std::vector<std::string>& words);

/// A key that no row has.
struct UnknownKey {
  const std::string& section;  ///< name of the table in the schema
  const Names& keys;           ///< all keys of that table
  const std::string& path;     ///< of the table in messages, such as "stage[2]"
  const std::string& key;
  const toml::table& table;
};
/// Returns the allowed keys as text, with a suggestion. The Problems note the suggestion.
using Speller = std::function<std::string(const UnknownKey&, Problems&)>;
/// Lists all keys of the table. `tables` maps the name of a table in the schema to its name in messages.
Speller listing_speller(std::vector<std::pair<std::string, std::string>> tables);
/// Refuses keys and tables at the top that are not `known`.
void refuse_unknown(const toml::table& document, const Names& known, Problems&, const Speller&);

/// Kinds of TOML files.
enum class FileKind { parsed_case, sweep, contact_drive };
/// True if the file is of another kind by its keys. Then this is its only error.
bool is_of_other_kind(const toml::table& document, FileKind expected, Problems&);

/// Reads the keys of one table. `path` is its name in messages, such as "stage[2]".
template <class T>
void read_table(const Section<T>& section, const toml::table& table, const std::string& path, int dimension, T& draft,
                Problems& problems, const Speller& speller) {
  bool selected = true;
  if (!section.selector.empty()) {
    const auto* row = section.find(section.selector);
    const auto* node = table.get(section.selector);
    selected =
        node ? row->read(value_of(*node, dimension), draft) : !(row->required && Section<T>::exists(*row, dimension));
  }
  const std::string word = section.selected(draft);
  const auto exists = [&](const Field<T>& row) {
    return Section<T>::exists(row, dimension) &&
           (row.key.only_for.empty() || (selected && Section<T>::selects(row, word)));
  };

  for (const auto& [key, node] : table) {
    const std::string name(key.str()), own = joined(path, name);
    const Field<T>* match = nullptr;
    const Field<T>* elsewhere = nullptr;
    for (const auto& row : section.fields)
      if (row.key.path == name) (exists(row) ? match : elsewhere) = &row;
    if (path.empty() && !match && !elsewhere) continue;  // tables, and unknown names at the top: see read_document
    const Value value = value_of(node, dimension);
    problems.given(own, line_of(node), value.found);
    if (match) {
      if (!match->read(value, draft))
        problems.add(own, value.found, match->allowed(dimension) + nearest_value(value, match->words));
    } else if (elsewhere && !Section<T>::exists(*elsewhere, dimension)) {
      problems.add(own, fmt::format("this key with dimension = {}", dimension),
                   fmt::format("only with dimension = {}",
                               elsewhere->dimension == 2 ? "2 (discs and polygons)" : "3 (spheres and clusters)"));
    } else if (elsewhere && selected && elsewhere->is_idle) {
      if (!elsewhere->is_idle(value)) problems.add(own, value.found, elsewhere->allowed_elsewhere);
    } else if (elsewhere && selected) {
      std::string words;
      for (const auto& row : section.fields)
        if (row.key.path == name)
          for (const auto& only : row.key.only_for) words += fmt::format("{}\"{}\"", words.empty() ? "" : ", ", only);
      problems.add(own, fmt::format("this key with {} = \"{}\"", section.selector, word),
                   fmt::format("only with {} = {}", section.selector, words));
    } else if (!elsewhere) {
      Names keys;
      for (const auto& row : section.fields)
        if (keys.empty() || keys.back() != row.key.path) keys.emplace_back(row.key.path);  // some keys have two rows
      problems.add_first(own, "an unknown key", speller({section.name, keys, path, name, table}, problems));
    }
  }
  for (const auto& row : section.fields)
    if (row.required && exists(row) && !table.contains(row.key.path))
      problems.add(joined(path, row.key.path), "nothing", row.allowed(dimension) + " (required)");
}

template <class T>
void read_part(const Section<T>& section, const toml::table& document, int dimension, T& draft, Problems& problems,
               const Speller& speller) {
  const toml::table none;
  const auto* node = section.name.empty() ? &document : document.get(section.name);
  if (!node) return read_table(section, none, section.name, dimension, draft, problems, speller);
  problems.given(section.name, line_of(*node));
  if (const auto* table = node->as_table())
    return read_table(section, *table, section.name, dimension, draft, problems, speller);
  problems.meant(section.name);  // no errors of keys that are missing
  problems.add(section.name, shown(*node), fmt::format("one table [{}]", section.name));
}

template <class T>
void read_part(const Section<T>& section, const toml::table& document, int dimension, std::vector<T>& draft,
               Problems& problems, const Speller& speller) {
  const auto* node = document.get(section.name);
  if (!node) return;
  problems.given(section.name, line_of(*node));
  const auto* list = node->as_array();
  if (!list || (!list->empty() && !list->is_array_of_tables())) {
    problems.add(section.name, shown(*node), fmt::format("tables, each under its own [[{}]]", section.name));
    return;
  }
  for (const auto& entry : *list) {
    const std::string path = fmt::format("{}[{}]", section.name, draft.size() + 1);
    problems.given(path, line_of(entry));
    read_table(section, *entry.as_table(), path, dimension, draft.emplace_back(), problems, speller);
  }
}

}  // namespace dem::case_file
