// The command line as data, for misspelt words, scripts for completion, and the manual page.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "libdem/case/value.hpp"
#include "libdem/platform/shell_word.hpp"

namespace dem {

struct CommandOption {
  std::string name, short_name;  ///< "--output", "-o"; "CASE" for an argument
  std::string value;             ///< "TEXT"; empty for a switch or an argument
  std::string description;
  std::vector<std::string> choices;  ///< allowed words for the value; empty for any value
  bool is_argument() const { return !name.starts_with('-'); }
};

struct Command {
  std::string name;  ///< "sweep time-step"; empty for the program itself
  std::string description, footer;
  std::vector<CommandOption> options;
};

/// The program, then its subcommands in their order.
std::vector<Command> commands_of(const CLI::App&);

/// The manual page of the program, made from its options and the schema of the case file. Language: man(7), ASCII.
std::string manual_page(const CLI::App&);

/// Message about a refused command line: a misspelt command or option, or the command, what was found and what is
/// allowed.
std::string refusal(const CLI::App&, const CLI::ParseError&, int argc, char** argv);

/// Check of an option. CLI11's own check prints the largest double with all of its 300 digits.
CLI::Validator number_in(const case_file::Range&);
/// Check of an unsigned number. CLI11's own conversion takes -1 for the largest one.
CLI::Validator whole_number();

}  // namespace dem
