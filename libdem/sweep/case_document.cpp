#include "libdem/sweep/case_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "geometry/printable.hpp"
#include "libdem/case/toml_text.hpp"
#include "libdem/platform/number_text.hpp"

namespace dem {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw std::invalid_argument(text); }

/// Turns "force[0]" into "force" and {0}.
std::pair<std::string, std::vector<std::size_t>> split_entries(std::string_view text, std::string_view place) {
  const auto bracket = text.find('[');
  std::pair<std::string, std::vector<std::size_t>> parts(text.substr(0, bracket), std::vector<std::size_t>{});
  for (auto at = bracket; at < text.size();) {
    const auto end = text.find(']', at);
    const auto n =
        end < text.size() && text[at] == '[' ? number_of<std::size_t>(text.substr(at + 1, end - at - 1)) : std::nullopt;
    if (!n) refuse(fmt::format("\"{}\", allowed an entry as in body.NAME.force[0]", place));
    parts.second.push_back(*n);
    at = end + 1;
  }
  return parts;
}

const CaseKey* known(std::string_view path) {
  const auto at = std::ranges::find(case_keys(), path, &CaseKey::path);
  return at == case_keys().end() ? nullptr : &*at;
}

}  // namespace

struct CaseDocument::Content {
  toml::table document;

  struct Place {
    std::string table, own, key;       // "body", "body.force", "force"
    std::string numbered;              // as in messages: "body[2].force"
    std::vector<std::size_t> entries;  // of a list in the key
    toml::table* in = nullptr;         // null for a missing table

    const toml::node* node() const {  // null where the key is not given
      const toml::node* found = in ? in->get(key) : nullptr;
      for (const std::size_t n : entries) found = found && found->is_array() ? found->as_array()->get(n) : nullptr;
      return found;
    }
  };

  /// The table of a list that the place names. The remaining part of the place goes into `rest`.
  toml::table* entry_of(std::string_view table, std::string_view place, std::string_view& rest, std::size_t& number) {
    auto* list = document.get_as<toml::array>(table);
    if (!list || !list->is_array_of_tables() || list->empty())
      refuse(fmt::format("\"{}\", allowed keys of what the case has: it has no [[{}]]", place, table));
    if (rest.starts_with('[')) {
      const auto end = rest.find("].");
      const auto n = end == rest.npos ? std::nullopt : number_of<std::size_t>(rest.substr(1, end - 1));
      if (!n || *n < 1 || *n > list->size())
        refuse(fmt::format("\"{}\", allowed {}[1] to {}[{}]{}", place, table, table, list->size(),
                           end == rest.npos ? " and a key" : ""));
      rest.remove_prefix(end + 2);
      number = *n;
      return list->get_as<toml::table>(*n - 1);
    }
    rest.remove_prefix(1);  // the dot
    std::string names;
    for (std::size_t k = 0; k < list->size(); ++k) {
      const auto name = (*list)[k].as_table()->get("name");
      const std::string text = name && name->is_string() ? name->as_string()->get() : "";
      if (text.empty()) continue;
      if (rest.starts_with(text + ".")) {
        rest.remove_prefix(text.size() + 1);
        number = k + 1;
        return list->get_as<toml::table>(k);
      }
      names += fmt::format("{}{}.{}", names.empty() ? "" : ", ", table, text);
    }
    number = 1;
    if (list->size() == 1 && rest.find('.') == rest.npos) return list->get_as<toml::table>(0);
    refuse(fmt::format("\"{}\", allowed {} and a key", place,
                       names.empty() ? fmt::format("{}[1] to {}[{}]", table, table, list->size()) : names));
  }

  /// Number of components of a vector key, otherwise 0.
  std::size_t numbers_of(const CaseKey& key) const {
    const bool in_space = document["dimension"].value<std::int64_t>() == 3;
    if (key.type == "[x, y]; 3D [x, y, z]") return in_space ? 3 : 2;
    return key.type == "[x, y]" ? 2 : key.type == "[x, y, z]" || key.type == "[xy, xz, yz]" ? 3 : 0;
  }

  /// With `as_list` the place may be a whole list. Otherwise only its entries are places.
  Place find(std::string_view place, bool as_list = false) {
    Place found;
    std::string_view rest = place;
    const auto end = place.find_first_of(".[");
    const std::string_view first = place.substr(0, end);
    std::size_t number = 0;
    const auto names_list = [&](const CaseTable& table) { return table.list && table.name == first; };
    if (end != place.npos && std::ranges::any_of(case_tables(), names_list)) {
      found.table = first;
      rest.remove_prefix(first.size());
      found.in = entry_of(first, place, rest, number);
    } else if (end != place.npos && place[end] == '.') {
      found.table = first;
      rest.remove_prefix(end + 1);
      found.in = document.get_as<toml::table>(first);
    } else {
      found.in = &document;
    }
    std::tie(found.key, found.entries) = split_entries(rest, place);
    const std::string path = found.table.empty() ? found.key : found.table + "." + found.key;
    const CaseKey* key = known(path);
    if (!key) {
      const std::string nearest = nearest_case_key(path);
      refuse(fmt::format("\"{}\", allowed a key of the case (dem help){}", place,
                         nearest.empty() ? "" : "; nearest known key: " + nearest));
    }
    found.own = path;
    found.numbered = number > 0 ? fmt::format("{}[{}].{}", found.table, number, found.key) : path;
    const std::size_t numbers = numbers_of(*key);
    const auto entries_of = [&](std::string_view vector) {
      return fmt::format("{}[0]{} and {}[{}]", vector, numbers == 3 ? fmt::format(", {}[1]", vector) : "", vector,
                         numbers - 1);
    };
    if (numbers > 0 && (found.entries.size() > 1 || (found.entries.size() == 1 && found.entries[0] >= numbers)))
      refuse(fmt::format("\"{}\", allowed {}", place, entries_of(path)));
    if (numbers > 0 && found.entries.empty() && !as_list)
      refuse(fmt::format("\"{}\", which is {}, allowed {}", place, numbers == 2 ? "[x, y]" : "[x, y, z]",
                         entries_of(place)));
    if (numbers == 0 && key->type != "list of [x, y]" && !found.entries.empty())
      refuse(fmt::format("\"{}\", allowed \"{}\": it has no entries", place, place.substr(0, place.rfind('['))));
    return found;
  }

  /// A value that is set has no line in a text. The list that contains it has none either (see case_of).
  std::string set(std::string_view place, const toml::node& value) {
    Place found = find(place, value.is_array());
    if (!found.in) found.in = document.insert_or_assign(found.table, toml::table{}).first->second.as_table();
    if (found.entries.empty()) {
      found.in->insert_or_assign(found.key, value);
      return found.numbered;
    }
    if (!value.is_number())
      refuse(fmt::format("\"{}\" for \"{}\", allowed a number",
                         value.is_string() ? printable(value.as_string()->get()) : shown(value), place));
    const toml::array* given = found.in->get_as<toml::array>(found.key);
    toml::array old = given ? *given : toml::array{};
    if (!given) old.resize(std::max<std::size_t>(2, numbers_of(*known(found.own))), 0.0);
    toml::array* list = found.in->insert_or_assign(found.key, old).first->second.as_array();
    for (std::size_t k = 0; k < found.entries.size(); ++k) {
      const std::size_t n = found.entries[k];
      if (n >= list->size()) refuse(fmt::format("\"{}\", allowed [0] to [{}]", place, list->size() - 1));
      if (k + 1 == found.entries.size()) {
        list->replace(list->cbegin() + std::ptrdiff_t(n), value);
      } else {
        list = list->get_as<toml::array>(n);
        if (!list) refuse(fmt::format("\"{}\", allowed fewer entries: [{}] is a number", place, n));
      }
    }
    return found.numbered;
  }
};

CaseDocument::CaseDocument(std::string_view text, const std::string& name)
    : content_(std::make_unique<Content>()), name_(name) {
  content_->document = parse_toml(text, name);
}
CaseDocument::CaseDocument(const CaseDocument& other)
    : content_(std::make_unique<Content>(*other.content_)), name_(other.name_) {}
CaseDocument::~CaseDocument() = default;

void CaseDocument::set(std::string_view place, const SweepValue& value) {
  const auto* x = std::get_if<double>(&value);
  if (x && std::abs(*x) < 9007199254740992.0 && *x == std::floor(*x))  // a whole number
    content_->set(place, toml::value(std::int64_t(*x)));
  else
    std::visit([&](const auto& own) { content_->set(place, toml::value(own)); }, value);
}

std::string CaseDocument::set_text(std::string_view place, std::string_view value) {
  try {
    const toml::table read = parse_toml(fmt::format("value = {}", value), "--set");
    if (read.size() == 1) return content_->set(place, *read.get("value"));
  } catch (const CaseErrors&) {  // then it is a text
  }
  return content_->set(place, toml::value(std::string(value)));
}

Case CaseDocument::read() const { return case_file::case_of(content_->document, name_); }

std::string CaseDocument::value_text(std::string_view place) const {
  const toml::node* node = content_->find(place, true).node();
  std::ostringstream out;
  if (node) node->visit([&](const auto& value) { out << value; });
  return out.str();
}

std::optional<double> CaseDocument::number(std::string_view place) const {
  try {
    const toml::node* node = content_->find(place).node();
    return node && node->is_number() ? node->value<double>() : std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

std::string CaseDocument::key(std::string_view place) const { return content_->find(place).own; }

std::size_t CaseDocument::stages() const {
  const auto* list = content_->document.get_as<toml::array>("stage");
  return list ? list->size() : 0;
}

std::string CaseDocument::text() const {
  std::ostringstream out;
  out << content_->document << '\n';
  return out.str();
}

}  // namespace dem
