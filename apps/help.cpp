// dem help: explains the case file, with its keys, tables and words, and pages on generators, drivers and laws.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "apps/manual.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "geometry/printable.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/contact_parameters.hpp"
#include "libdem/case/topics.hpp"
#include "libdem/laws/catalogue.hpp"

namespace dem {
namespace {

std::string indented(const std::string& text) {
  std::string out = "  ";
  for (const char c : text) out += c == '\n' ? "\n  " : std::string(1, c);
  return out.substr(0, out.find_last_not_of(' ') + 1);
}

/// The first clause of a text, for a list.
std::string_view start_of(std::string_view text) {
  text = text.substr(0, std::min({text.find(". "), text.find(": "), text.find("; ")}));
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

void print_line(std::string_view name, std::string_view text) {
  // Names are ASCII, so that their width is their length.
  fmt::print("  {:<18}{}\n", name, text);
}

void print_topics(CaseTopic::Kind kind, std::string_view heading) {
  fmt::print("\n{}\n", heading);
  for (const CaseTopic& topic : case_topics())
    if (topic.kind == kind) print_line(topic.name, topic.summary);
}

void print_overview() {
  fmt::print(
      "A case is a TOML file. This one can be run as it stands: save it as case.toml, then dem run case.toml\n\n{}\n",
      indented(minimal_case()));
  fmt::print(
      "dem help WORD explains a word below, a key (dem help friction) or a value of a key (dem help predicted).\n");
  fmt::print("\nTables of a case\n");
  for (const CaseTable& table : case_tables())
    if (!table.name.empty()) print_line(table.name, start_of(table.description));
  print_topics(CaseTopic::Kind::generator, "Where bodies come from: assembly.generator");
  print_topics(CaseTopic::Kind::driver, "How bodies are loaded");
  print_topics(CaseTopic::Kind::law, "Forces: contact.law");
  fmt::print("\nAll of it\n");
  print_line("keys", "every key with its unit and its default");
  print_line("--reference", "full description of every key, as Markdown tables");
}

void print_list() {
  fmt::print("Keys of the case file; dem help KEY explains a key, dem help TABLE all keys of a table.\n");
  std::string table = "-";
  for (const auto& key : case_keys()) {
    const auto dot = key.path.rfind('.');
    const std::string own = dot == std::string::npos ? "" : key.path.substr(0, dot);
    if (own != table) fmt::print("\n{}\n", own.empty() ? "at the top" : "[" + own + "]");
    table = own;
    fmt::print("  {:<28} {:<8} {}\n", key.path.substr(own.empty() ? 0 : dot + 1), key.units(),
               key.when.empty() ? key.default_text : fmt::format("{}  ({})", key.default_text, key.when));
  }
}

/// Prints keys that the word may mean. Returns false if there are none.
bool print_search(const std::string& word) {
  const auto found = search_case_keys(word);
  if (found.empty()) return false;
  fmt::print("There is no key {}. Keys with the word in their name or description:\n\n", printable(word));
  for (const auto& key : found) fmt::print("  {:<28} {}\n", key.path, key.description);
  return true;
}

void print_key(const CaseKey& key) {
  fmt::print("{}{}\n  {}\n", key.path, key.when.empty() ? "" : "  (with " + key.when + ")", key.description);
  fmt::print("  type:    {}{}\n", key.type, key.unit.empty() ? "" : ", in " + key.units());
  fmt::print("  default: {}\n  allowed: {}\n", key.default_text, key.allowed);
  for (const auto& [value, meaning] : key.meanings) fmt::print("    {:<20} {}\n", value, meaning);
}

/// Parameters of a law in dem contact. Parameters that are keys of a case are shown with their table.
void print_law(const laws::LawEntry& law) {
  fmt::print("law {}: {}\n", law.name, law.description);
  const CaseTopic* topic = find_case_topic(law.name);
  for (const ContactParameter& p : contact_parameters(law)) {
    std::string table;
    for (const CaseKey* key : topic->keys)
      if (key->path.ends_with(fmt::format(".{}", p.name))) table = "; of a case: " + key->path;
    fmt::print("  {:<27} {}{}\n  {:<27} default: {}; allowed: {}{}\n", p.name, p.text,
               p.unit.empty() ? "" : fmt::format(" ({})", p.unit), "", p.default_text, p.allowed(), table);
  }
}

void print_laws() {
  fmt::print("\n[parameters] of dem contact, for each law\n");
  for (const laws::LawEntry& law : laws::catalogue()) {
    fmt::print("\n");
    print_law(law);
  }
}

void print_topic(const CaseTopic& topic) {
  if (topic.kind == CaseTopic::Kind::law) {
    print_law(*laws::find(topic.name));
    fmt::print(
        "\nA case may have restitution instead of dampings, and its bodies have their own masses and radii: dem help "
        "material, dem help contact.\n");
  } else {
    fmt::print("{}: {}{}\n{}", topic.name,
               topic.kind == CaseTopic::Kind::generator ? "a value of assembly.generator: " : "", topic.summary,
               topic.text);
    for (const CaseKey* key : topic.keys) {
      fmt::print("\n");
      print_key(*key);
    }
  }
  fmt::print("\nExample, a whole case:\n\n{}", indented(topic.example));
}

/// Prints the keys with the word as a value. Returns false if there are none.
bool print_words(const std::string& word, bool more) {
  bool any = false;
  for (const CaseWord& known : case_words()) {
    if (known.word != word) continue;
    if (more || any) fmt::print("\n");
    fmt::print("{}: a value of {}\n  {}\n", word, known.key->path,
               known.meaning.empty() ? known.key->description : known.meaning);
    any = true;
  }
  if (any) fmt::print("\ndem help KEY explains the key and its other values.\n");
  return any;
}

/// Returns false if the word is unknown.
bool print_word(const std::string& word) {
  if (const CaseTopic* topic = find_case_topic(word)) return print_topic(*topic), true;
  const auto keys = find_case_keys(word);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (k > 0) fmt::print("\n");
    print_key(keys[k]);
  }
  if (word == "contact") print_laws();
  return print_words(word, !keys.empty()) || !keys.empty() || print_search(word);
}

}  // namespace

void add_help(CLI::App& app, int& exit_code) {
  struct Options {
    std::string word;
    bool reference = false, manual = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "help", "Explain the case file: a minimal case, its tables, keys, generators, drivers and laws");
  command->add_option("WORD", options->word,
                      "A key (material.density), a table (material), the last part of a key (density), a generator, "
                      "driver or law (rain, plates, linear), "
                      "a value of a key (predicted), `keys` for all of them, or a word to search for");
  command->add_flag("--reference", options->reference, "All keys as Markdown tables");
  command->add_flag("--man", options->manual, "The manual page of dem, for man -l");
  command->footer("Example:\n  dem help contact.contact_plane");
  command->callback([options, &app, &exit_code] {
    if (options->reference) return fmt::print("{}", case_reference());
    if (options->manual) return fmt::print("{}", manual_page(app));
    if (options->word.empty()) return print_overview();
    if (options->word == "keys") return print_list();
    if (print_word(options->word)) return;
    const std::string nearest = nearest_case_key(options->word);
    complain(
        fmt::format("dem help: found an unknown word {}, allowed keys of a case file, their values, generators, "
                    "drivers and laws (dem help){}",
                    printable(options->word), nearest.empty() ? "" : "; nearest known key: " + nearest));
    exit_code = exit_bad_input;
  });
}

}  // namespace dem
