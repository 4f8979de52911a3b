// Pages of `dem help`, as text.
#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <iterator>

#include "geometry/printable.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/contact_parameters.hpp"
#include "libdem/case/topics.hpp"
#include "libdem/laws/catalogue.hpp"

namespace dem {
namespace {

template <class... T>
void print(std::string& out, fmt::format_string<T...> form, T&&... values) {
  fmt::format_to(std::back_inserter(out), form, std::forward<T>(values)...);
}

std::string indented(const std::string& text) {
  const std::string out = "  " + boost::replace_all_copy(text, "\n", "\n  ");
  return out.substr(0, out.find_last_not_of(' ') + 1);
}

/// The first clause of a text, for a list.
std::string_view start_of(std::string_view text) {
  text = text.substr(0, std::min({text.find(". "), text.find(": "), text.find("; ")}));
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

void print_line(std::string& out, std::string_view name, std::string_view text) {
  // Names are ASCII, so that their width is their length.
  print(out, "  {:<18}{}\n", name, text);
}

void print_topics(std::string& out, CaseTopic::Kind kind, std::string_view heading) {
  print(out, "\n{}\n", heading);
  for (const CaseTopic& topic : case_topics())
    if (topic.kind == kind) print_line(out, topic.name, topic.summary);
}

void print_overview(std::string& out) {
  print(out,
        "A case is a TOML file. This one can be run as it stands: save it as case.toml, then dem run case.toml\n\n{}\n",
        indented(example_case("minimal")));
  print(out,
        "dem help WORD explains a word below, a key (dem help friction) or a value of a key (dem help predicted).\n");
  print(out, "\nTables of a case\n");
  for (const CaseTable& table : case_tables())
    if (!table.name.empty()) print_line(out, table.name, start_of(table.description));
  print_topics(out, CaseTopic::Kind::generator, "Where bodies come from: assembly.generator");
  print_topics(out, CaseTopic::Kind::driver, "How bodies are loaded");
  print_topics(out, CaseTopic::Kind::law, "Forces: contact.law");
  print(out, "\nAll of it\n");
  print_line(out, "keys", "every key with its unit and its default");
  print_line(out, "--reference", "full description of every key, as Markdown tables");
}

void print_list(std::string& out) {
  print(out, "Keys of the case file; dem help KEY explains a key, dem help TABLE all keys of a table.\n");
  for (const CaseTable& table : case_tables()) {
    print(out, "\n{}\n", table.name.empty() ? "at the top" : "[" + table.name + "]");
    for (const CaseKey& key : table.keys)
      print(out, "  {:<28} {:<8} {}\n", key.path.substr(key.path.rfind('.') + 1), key.units(),
            key.when.empty() ? key.default_text : fmt::format("{}  ({})", key.default_text, key.when));
  }
}

/// Prints keys that the word may mean. Returns false if there are none.
bool print_search(std::string& out, const std::string& word) {
  const auto found = search_case_keys(word);
  if (found.empty()) return false;
  print(out, "There is no key {}. Keys with the word in their name or description:\n\n", printable(word));
  for (const auto& key : found) print(out, "  {:<28} {}\n", key.path, key.description);
  return true;
}

void print_key(std::string& out, const CaseKey& key) {
  print(out, "{}{}\n  {}\n", key.path, key.when.empty() ? "" : "  (with " + key.when + ")", key.description);
  print(out, "  type:    {}{}\n", key.type, key.unit.empty() ? "" : ", in " + key.units());
  print(out, "  default: {}\n  allowed: {}\n", key.default_text, key.allowed);
  for (const auto& [value, meaning] : key.meanings) print(out, "    {:<20} {}\n", value, meaning);
}

/// Parameters of a law in dem contact. Parameters that are keys of a case are shown with their table.
void print_law(std::string& out, const laws::LawEntry& law) {
  print(out, "law {}: {}\n", law.name, law.description);
  const CaseTopic* topic = find_case_topic(law.name);
  for (const ContactParameter& p : contact_parameters(law)) {
    std::string table;
    for (const CaseKey* key : topic->keys)
      if (key->path.ends_with(fmt::format(".{}", p.name))) table = "; of a case: " + key->path;
    print(out, "  {:<27} {}{}\n  {:<27} default: {}; allowed: {}{}\n", p.name, p.text,
          p.unit.empty() ? "" : fmt::format(" ({})", p.unit), "", p.default_text, p.allowed(), table);
  }
}

void print_topic(std::string& out, const CaseTopic& topic) {
  if (topic.kind == CaseTopic::Kind::law) {
    print_law(out, *laws::find(topic.name));
    print(out,
          "\nA case may have restitution instead of dampings, and its bodies have their own masses and radii: dem help "
          "material, dem help contact.\n");
  } else {
    print(out, "{}: {}{}\n{}", topic.name,
          topic.kind == CaseTopic::Kind::generator ? "a value of assembly.generator: " : "", topic.summary, topic.text);
    for (const CaseKey* key : topic.keys) {
      print(out, "\n");
      print_key(out, *key);
    }
  }
  print(out, "\nExample, a whole case:\n\n{}", indented(topic.example));
}

/// Prints the keys with the word as a value. Returns false if there are none.
bool print_words(std::string& out, const std::string& word, bool more) {
  bool any = false;
  for (const CaseWord& known : case_words()) {
    if (known.word != word) continue;
    if (more || any) print(out, "\n");
    print(out, "{}: a value of {}\n  {}\n", word, known.key->path,
          known.meaning.empty() ? known.key->description : known.meaning);
    any = true;
  }
  if (any) print(out, "\ndem help KEY explains the key and its other values.\n");
  return any;
}

bool print_word(std::string& out, const std::string& word) {
  if (const CaseTopic* topic = find_case_topic(word)) return print_topic(out, *topic), true;
  for (const CaseTable& table : case_tables())
    if (table.name == word)
      print(out, "{}{}{}: {}\n\n", table.list ? "[[" : "[", word, table.list ? "]]" : "]", table.description);
  const auto keys = find_case_keys(word);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (k > 0) print(out, "\n");
    print_key(out, keys[k]);
  }
  if (word == "contact") {
    print(out, "\n[parameters] of dem contact, for each law\n");
    for (const laws::LawEntry& law : laws::catalogue()) print(out, "\n"), print_law(out, law);
  }
  return print_words(out, word, !keys.empty()) || !keys.empty() || print_search(out, word);
}

}  // namespace

std::optional<std::string> case_help(std::string word) {
  std::string out;
  std::erase_if(word, [](char c) { return c == '[' || c == ']'; });
  if (word.empty()) return print_overview(out), out;
  if (word == "keys") return print_list(out), out;
  if (print_word(out, word)) return out;
  return std::nullopt;
}

}  // namespace dem
