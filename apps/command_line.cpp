#include "apps/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

#include "geometry/printable.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/platform/number_text.hpp"

namespace dem {
namespace {

std::string shown(const std::string& text) { return text.empty() ? "an empty word" : printable(text); }

std::string guess(const std::string& given, const std::vector<std::string>& words) {
  const std::string_view best = case_file::nearest(given, {words.begin(), words.end()});
  return best.empty() ? "" : fmt::format("; did you mean {}?", best);
}

CommandOption option_of(const CLI::Option& option) {
  CommandOption out;
  out.description = option.get_description();
  const bool argument = option.get_lnames().empty() && option.get_snames().empty();
  out.name = argument                       ? option.get_name(true, false)
             : !option.get_lnames().empty() ? "--" + option.get_lnames()[0]
                                            : "-" + option.get_snames()[0];
  if (!option.get_lnames().empty() && !option.get_snames().empty()) out.short_name = "-" + option.get_snames()[0];
  if (option.get_items_expected_max() == 0) return out;
  const std::string type = option.get_type_name();  // "TEXT:{exact,fast}"
  if (!argument) out.value = type.substr(0, type.find_first_of(":{"));
  if (const auto open = type.find('{'), close = type.find('}'); open < close && close != type.npos) {
    std::istringstream words(type.substr(open + 1, close - open - 1));
    for (std::string word; std::getline(words, word, ',');) out.choices.push_back(word);
  }
  return out;
}

bool is_group(const CLI::App* part) { return part->get_name().empty(); }

/// Options of a subcommand and of its option groups.
void collect_options(const CLI::App& app, std::vector<CommandOption>& options) {
  for (const CLI::Option* option : app.get_options()) options.push_back(option_of(*option));
  for (const CLI::App* group : app.get_subcommands(is_group)) collect_options(*group, options);
}

void collect_commands(const CLI::App& app, const std::string& name, std::vector<Command>& commands) {
  Command command{name, app.get_description(), app.get_footer(), {}};
  collect_options(app, command.options);
  commands.push_back(std::move(command));
  for (const CLI::App* part : app.get_subcommands([](const CLI::App* p) { return !is_group(p); }))
    collect_commands(*part, name + (name.empty() ? "" : " ") + part->get_name(), commands);
}

/// Full name of a command: "dem sweep time-step".
std::string called(const CLI::App* command, const CLI::App& app) {
  return !command || command == &app ? app.get_name() : called(command->get_parent(), app) + " " + command->get_name();
}

/// The command that the words before the mistake name.
const CLI::App* parsed_command(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? &app : parsed_command(*parsed.front());
}

/// CLI11's message as what was found and what is allowed.
std::string in_our_words(const std::string& message, const std::string& command) {
  static const std::vector<std::pair<std::regex, std::string>> forms{
      {std::regex("^A subcommand is required$"),
       "found no command, allowed those that dem --help lists, as in dem run CASE"},
      {std::regex("^Exactly 1 option from \\[(.*)\\] is required$"), "found none of $1, allowed exactly one"},
      {std::regex("^Exactly 1 option from \\[(.*)\\] is required and (.*) were given$"),
       "found $2 of $1, allowed exactly one"},
      {std::regex("^(.*) is required$"), "found no $1, expected " + command + " $1"},
      {std::regex("^(.*): Value  not in range (.*) to (.*)$"),
       "$1: found an empty word, allowed a whole number in [$2, $3]"},
      {std::regex("^(.*): Value (.*) not in range (.*) to (.*)$"), "$1: found $2, allowed a whole number in [$3, $4]"},
      {std::regex("^(.*): (.*) not in \\{(.*)\\}$"), "$1: found $2, allowed one of $3"},
      {std::regex("^(.*): At least (.*) required but received (.*)$"),
       "$1: found too few values, $3, allowed at least $2"},
      {std::regex("^(.*): 1 required (.*) missing$"), "$1: found nothing after it, expected $2"},
      {std::regex("^The following arguments? (was|were) not expected: (.*)$"),
       "found $2, expected no further argument"},
  };
  for (const auto& [theirs, ours] : forms)
    if (std::regex_match(message, theirs)) return std::regex_replace(message, theirs, ours);
  return message;
}

/// Message about a misspelt command or option; empty if there is none.
std::string misspelt(const CLI::App& app, int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const CLI::App* command = nullptr;
  for (const std::string& word : words) {
    if (word == "--") break;
    const CLI::App& of = command ? *command : app;
    if (word.size() > 1 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[word[1] == '-' ? 2 : 1]))) {
      const std::string name = word[1] == '-' ? word.substr(0, word.find('=')) : word.substr(0, 2);
      std::vector<CommandOption> options;
      collect_options(of, options);
      std::vector<std::string> names;
      for (const CommandOption& option : options) names.push_back(option.name);
      if (!of.get_option_no_throw(name))
        return fmt::format("unknown option {} of {}{}", printable(name), called(command, app), guess(name, names));
    } else if (command) {
      for (const CLI::App* part : command->get_subcommands([](const CLI::App*) { return true; }))
        if (part->get_name() == word) command = part;
    } else if (app.get_subcommands([](const CLI::App*) { return true; }).size() > 0) {
      std::vector<std::string> names;
      for (const CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(known->get_name());
        if (known->get_name() == word) command = known;
      }
      if (command) continue;
      return fmt::format("unknown command '{}'{}", printable(word), guess(word, names));
    }
  }
  return "";
}

}  // namespace

std::string refusal(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (const std::string mistake = misspelt(app, argc, argv); !mistake.empty())
    return fmt::format("{}: {}\nRun with --help for more information.", app.get_name(), mistake);
  const std::string command = called(parsed_command(app), app);
  return fmt::format("{}: {}\nRun {} --help for more information.", command,
                     printable_message(in_our_words(error.what(), command)), command);
}

std::vector<Command> commands_of(const CLI::App& app) {
  std::vector<Command> commands;
  collect_commands(app, "", commands);
  return commands;
}

CLI::Validator number_in(const case_file::Range& range) {
  const std::string allowed = case_file::range_text("number", range);
  const auto check = [=](std::string& text) {
    double x = 0;
    return CLI::detail::lexical_cast(text, x) && range.contains(x)
               ? std::string()
               : fmt::format("found {}, allowed {}", shown(text), allowed);
  };
  return {check, "(" + allowed + ")"};
}

CLI::Validator whole_number() {
  const auto check = [](std::string& text) {
    const auto n = number_of<std::uint64_t>(text);
    return n && *n <= std::uint64_t{1000000000000000000}
               ? std::string()
               : fmt::format("found {}, allowed a whole number >= 0, at most 1e18, in digits alone", shown(text));
  };
  return {check, ""};
}

}  // namespace dem
