// dem help: the keys of the case file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/subcommands.hpp"
#include "libdem/files/case_file.hpp"
#include "libdem/laws/catalogue.hpp"
#include "libdem/laws/parameters.hpp"

namespace dem {
namespace {

void print_list() {
  fmt::print("Keys of the case file; dem help KEY tells more, dem help TABLE all keys of a table.\n");
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

/// What the word may have meant. False: nothing comes near.
bool print_search(const std::string& word) {
  const auto found = search_case_keys(word);
  if (found.empty()) return false;
  fmt::print("There is no key {}. Keys with the word in their name or description:\n\n", word);
  for (const auto& key : found) fmt::print("  {:<28} {}\n", key.path, key.description);
  return true;
}

void print_key(const CaseKey& key) {
  fmt::print("{}{}\n  {}\n", key.path, key.when.empty() ? "" : "  (with " + key.when + ")", key.description);
  fmt::print("  type:    {}{}\n", key.type, key.unit.empty() ? "" : ", in " + key.units());
  fmt::print("  default: {}\n  allowed: {}\n", key.default_text, key.allowed);
  for (const auto& [value, meaning] : key.meanings) fmt::print("    {:<20} {}\n", value, meaning);
}

/// Parameters of a law, as dem contact takes them.
void print_law(const laws::LawEntry& law) {
  fmt::print("law {}: {}\n", law.name, law.description);
  for (const laws::Parameter& p : laws::parameters(law.name)) {
    std::string allowed;
    for (const auto choice : p.choices) allowed += fmt::format("{}\"{}\"", allowed.empty() ? "" : ", ", choice);
    if (p.kind == laws::Parameter::Kind::number) allowed = p.range();
    if (p.kind == laws::Parameter::Kind::truth) allowed = "true or false";
    if (p.kind == laws::Parameter::Kind::words) allowed = "a list of " + allowed;
    fmt::print("  {:<27} {}{}\n  {:<27} default: {}; allowed: {}\n", p.name, p.meaning, p.unit.empty() ? "" : fmt::format(" ({})", p.unit), "",
               p.default_text, allowed);
  }
}

void print_laws() {
  fmt::print("\n[parameters] of dem contact, for each law\n");
  for (const laws::LawEntry& law : laws::catalogue()) {
    fmt::print("\n");
    print_law(law);
  }
}

}  // namespace

void add_help(CLI::App& app, int& exit_code) {
  struct Options {
    std::string word;
    bool reference = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("help", "Explain a key of the case file, or list all keys");
  command->add_option("KEY", options->word,
                      "A key (material.density), a table (material), the last part of a key (density), a law (linear), or a word to search for");
  command->add_flag("--reference", options->reference, "All keys as Markdown tables");
  command->footer("Example:\n  dem help contact.contact_plane");
  command->callback([options, &exit_code] {
    if (options->reference) return fmt::print("{}", case_reference());
    if (options->word.empty()) return print_list();
    if (const laws::LawEntry* law = laws::find(options->word)) return print_law(*law);
    const auto keys = find_case_keys(options->word);
    if (keys.empty() && !print_search(options->word)) {
      const std::string nearest = nearest_case_key(options->word);
      fmt::print(stderr, "dem help: found an unknown key {}, allowed the keys of a case file (dem help){}\n", options->word,
                 nearest.empty() ? "" : "; nearest known key: " + nearest);
      exit_code = exit_bad_input;
    }
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (k > 0) fmt::print("\n");
      print_key(keys[k]);
    }
    if (options->word == "contact") print_laws();
  });
}

}  // namespace dem
