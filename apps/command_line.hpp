// The command line as data: misspelt words are compared with it; scripts for completion and the manual page are made
// from it.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "libdem/case/value.hpp"

namespace dem {

struct CommandOption {
  std::string name, short_name;  ///< "--output", "-o"; of an argument "CASE"
  std::string value;             ///< "TEXT"; empty: a switch, or an argument
  std::string description;
  std::vector<std::string> choices;  ///< words that the value may be; empty: anything
  bool is_argument() const { return !name.starts_with('-'); }
};

struct Command {
  std::string name;  ///< "sweep time-step"; empty: the program itself
  std::string description, footer;
  std::vector<CommandOption> options;
};

/// The program, then its subcommands in their order.
std::vector<Command> commands_of(const CLI::App&);

/// What a command line that was refused says wrongly, where that is a misspelt command or option; else empty.
std::string misspelt(const CLI::App&, int argc, char** argv);

/// As a word of a shell command: in single quotes where it needs them.
std::string shell_word(const std::string&);

/// Check of an option. CLI11's own tell the largest double with all of its 300 digits.
CLI::Validator number_in(const case_file::Range&);
/// CLI11's own conversion to unsigned numbers takes -1 for the largest one.
CLI::Validator whole_number();

}  // namespace dem
