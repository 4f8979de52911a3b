#include "libdem/case/table_reader.hpp"

namespace dem::case_file {

Value value_of(const toml::node& node, int dimension) {
  Value value;
  value.found = shown(node);
  value.dimension = dimension;
  if (const auto* b = node.as_boolean()) value.data = b->get();
  if (const auto* i = node.as_integer()) value.data = i->get();
  if (const auto* d = node.as_floating_point()) value.data = d->get();
  if (const auto* s = node.as_string()) value.data = s->get();
  if (const auto* list = node.as_array()) {
    auto& values = value.data.emplace<std::vector<Value>>();
    for (const auto& entry : *list) values.push_back(value_of(entry, dimension));
  }
  return value;
}

std::string joined(const std::string& table, std::string_view key) {
  return table.empty() ? std::string(key) : fmt::format("{}.{}", table, key);
}

std::string nearest_value(const Value& value, const std::vector<std::string>& words) {
  const auto* given = std::get_if<std::string>(&value.data);
  return given ? nearest(*given, Names(words.begin(), words.end()), "value") : "";
}

Speller listing_speller(std::vector<std::pair<std::string, std::string>> tables) {
  return [tables = std::move(tables)](const UnknownKey& unknown, Problems& problems) {
    std::string_view called = unknown.section;
    for (const auto& [name, text] : tables)
      if (name == unknown.section) called = text;
    if (const auto meant = nearest(unknown.key, unknown.keys); !meant.empty() && !unknown.table.contains(meant))
      problems.meant(joined(unknown.path, meant));
    return fmt::format("the keys of {}: {}{}", called, listed(unknown.keys, false),
                       nearest(unknown.key, unknown.keys, "key"));
  };
}

void refuse_unknown(const toml::table& document, const Names& known, Problems& problems, const Speller& speller) {
  static const std::string top;
  for (const auto& [key, node] : document) {
    const std::string name(key.str());
    if (std::ranges::find(known, name) != known.end()) continue;
    problems.given(name, line_of(node));
    problems.add_first(name, "an unknown key", speller({top, known, top, name, document}, problems));
  }
}

bool is_of_other_kind(const toml::table& document, FileKind expected, Problems& problems) {
  struct Kind {
    FileKind kind;
    std::string_view name, command;
    std::vector<std::string_view> keys;  // that no other kind has
  };
  static const std::vector<Kind> kinds{
      {FileKind::parsed_case, "case", "dem run", {"material", "time", "contact", "assembly", "body", "stage"}},
      {FileKind::sweep, "sweep", "dem sweep", {"case", "axis", "quantity", "replicates"}},
      {FileKind::contact_drive, "contact drive", "dem contact", {"parameters", "path"}}};
  const Kind* other = nullptr;
  std::string_view own;
  std::string key;
  for (const Kind& kind : kinds) {
    if (kind.kind == expected) own = kind.name;
    for (const std::string_view name : kind.keys) {
      if (!document.contains(name)) continue;
      if (kind.kind == expected) return false;
      if (other) continue;
      other = &kind;
      key = name;
    }
  }
  if (!other) return false;
  problems.given(key, line_of(*document.get(key)));
  problems.add(key, fmt::format("a key of a {}", other->name),
               fmt::format("the keys of a {}; {} takes this file", own, other->command));
  return true;
}

}  // namespace dem::case_file
