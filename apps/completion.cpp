// dem completion: scripts for the completion of subcommands, options, keys and words in a shell.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <set>

#include "apps/command_line.hpp"
#include "apps/subcommands.hpp"
#include "libdem/case/topics.hpp"

namespace dem {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

/// Keys of the case. Lists of tables have the keys of a case with one entry.
std::vector<std::string> key_names() {
  std::set<std::string> all;
  for (const CaseKey& key : case_keys()) all.insert(key.path);
  return {all.begin(), all.end()};
}

/// Topics of dem help.
std::vector<std::string> help_words() {
  std::set<std::string> all{"keys"};
  for (const CaseKey& key : case_keys()) all.insert(key.path);
  for (const CaseTable& table : case_tables())
    if (!table.name.empty()) all.insert(table.name);
  for (const CaseTopic& topic : case_topics()) all.insert(topic.name);
  for (const CaseWord& word : case_words()) all.insert(word.word);
  return {all.begin(), all.end()};
}

/// Subcommands of the command, by their last word.
std::vector<std::string> parts_of(const std::vector<Command>& commands, const std::string& name) {
  std::vector<std::string> parts;
  const std::string start = name.empty() ? "" : name + " ";
  for (const Command& command : commands)
    if (!command.name.empty() && command.name.starts_with(start) &&
        command.name.find(' ', start.size()) == std::string::npos)
      parts.push_back(command.name.substr(start.size()));
  return parts;
}

std::vector<std::string> switches_of(const Command& command) {
  std::vector<std::string> names;
  for (const CommandOption& option : command.options) {
    if (option.is_argument()) continue;
    names.push_back(option.name);
    if (!option.short_name.empty()) names.push_back(option.short_name);
  }
  return names;
}

/// Calls visit(command, words that its arguments may be). Words are topics of help, and shells of completion.
std::vector<std::string> arguments_of(const Command& command, const std::vector<Command>& commands) {
  std::vector<std::string> words = parts_of(commands, command.name);
  if (command.name == "help")
    for (const std::string& word : help_words()) words.push_back(word);
  for (const CommandOption& option : command.options)
    if (option.is_argument()) words.insert(words.end(), option.choices.begin(), option.choices.end());
  return words;
}

/// The loop that finds the subcommand. Only its bounds differ between bash and zsh.
std::string finder(const std::vector<Command>& commands, std::string_view loop, std::string_view word) {
  std::string names;
  for (const Command& command : commands)
    if (!command.name.empty()) names += fmt::format("{}\"{}\"", names.empty() ? "" : "|", command.name);
  return fmt::format(
      "  local command= k\n"
      "  for {}; do\n"
      "    case \"$command${{command:+ }}{}\" in\n"
      "      {}) command=\"$command${{command:+ }}{}\";;\n"
      "    esac\n"
      "  done\n",
      loop, word, names, word);
}

/// One line per command for the words before the cursor: `take(words)`, or `files` for a file or free text.
template <class Take>
std::string values(const std::vector<Command>& commands, const Take& take, std::string_view files) {
  std::string out;
  for (const Command& command : commands)
    for (const CommandOption& option : command.options) {
      if (option.is_argument() || option.value.empty()) continue;
      const std::string shorter =
          option.short_name.empty() ? "" : fmt::format("|\"{}:{}\"", command.name, option.short_name);
      out += fmt::format("    \"{}:{}\"{}) {}; return;;\n", command.name, option.name, shorter,
                         option.choices.empty() ? std::string(files) : take(option.choices));
    }
  return out;
}

std::string bash(const std::vector<Command>& commands) {
  const auto offer = [](const std::vector<std::string>& words) {
    return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))", joined(words));
  };
  std::string out =
      "# Completion of dem for bash; made by: dem completion bash\n_dem() {\n  local current=${COMP_WORDS[COMP_CWORD]} "
      "previous=${COMP_WORDS[COMP_CWORD-1]}\n  COMPREPLY=()\n";
  out += finder(commands, "((k = 1; k < COMP_CWORD; ++k))", "${COMP_WORDS[k]}");
  out += "  case \"$command:$previous\" in\n";
  out +=
      fmt::format("    *:--set) COMPREPLY=($(compgen -S = -W \"{}\" -- \"$current\")); compopt -o nospace; return;;\n",
                  joined(key_names()));
  out += values(commands, offer, ":") + "  esac\n";
  out += "  case \"$command:$current\" in\n";
  for (const Command& command : commands) {
    out += fmt::format("    \"{}:\"-*) {};;\n", command.name, offer(switches_of(command)));
    if (const auto words = arguments_of(command, commands); !words.empty())
      out += fmt::format("    \"{}:\"*) {};;\n", command.name, offer(words));
  }
  return out + "  esac\n}\ncomplete -o default -F _dem dem\n";
}

std::string zsh(const std::vector<Command>& commands) {
  const auto offer = [](const std::vector<std::string>& words) { return "compadd -- " + joined(words); };
  std::string out = "#compdef dem\n# Completion of dem for zsh; made by: dem completion zsh\n_dem() {\n";
  out += finder(commands, "((k = 2; k < CURRENT; ++k))", "${words[k]}");
  out += "  case \"$command:${words[CURRENT-1]}\" in\n";
  out += fmt::format("    *:--set) compadd -S = -- {}; return;;\n", joined(key_names()));
  out += values(commands, offer, "_files") + "  esac\n";
  out += "  case \"$command:$PREFIX\" in\n";
  for (const Command& command : commands) {
    out += fmt::format("    \"{}:\"-*) {};;\n", command.name, offer(switches_of(command)));
    const auto words = arguments_of(command, commands);
    out += fmt::format("    \"{}:\"*) {};;\n", command.name,
                       words.empty()             ? "_files"
                       : command.name == "sweep" ? offer(words) + "; _files"
                                                 : offer(words));
  }
  return out + "  esac\n}\nif [ \"$funcstack[1]\" = \"_dem\" ]; then _dem \"$@\"; else compdef _dem dem; fi\n";
}

std::string fish(const std::vector<Command>& commands) {
  const auto quoted = [](std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' || c == '\\' ? "\\" + std::string(1, c) : std::string(1, c);
    return out + "'";
  };
  std::string out = "# Completion of dem for fish; made by: dem completion fish\n";
  for (const Command& command : commands) {
    const std::string last = command.name.substr(command.name.rfind(' ') + 1);
    const std::string when =
        command.name.empty() ? "__fish_use_subcommand" : quoted("__fish_seen_subcommand_from " + last);
    if (!command.name.empty()) {
      const bool top = last == command.name;
      out += fmt::format("complete -c dem -n {} -f -a {} -d {}\n",
                         top ? "__fish_use_subcommand"
                             : quoted("__fish_seen_subcommand_from " + command.name.substr(0, command.name.find(' '))),
                         last, quoted(command.description));
    }
    for (const CommandOption& option : command.options) {
      if (option.is_argument()) continue;
      out += fmt::format("complete -c dem -n {} -l {}", when, option.name.substr(2));
      if (!option.short_name.empty()) out += " -s " + option.short_name.substr(1);
      if (!option.value.empty()) out += " -r";
      if (!option.choices.empty()) out += " -f -a " + quoted(joined(option.choices));
      if (option.name == "--set") out += " -f -a " + quoted(joined(key_names(), "= ") + "=");
      out += fmt::format(" -d {}\n", quoted(option.description));
    }
    std::vector<std::string> words = arguments_of(command, commands);
    for (const std::string& part : parts_of(commands, command.name)) std::erase(words, part);
    if (!words.empty()) out += fmt::format("complete -c dem -n {} -f -a {}\n", when, quoted(joined(words)));
  }
  return out;
}

}  // namespace

void add_completion(CLI::App& app, int&) {
  auto shell = std::make_shared<std::string>();
  auto* command =
      app.add_subcommand("completion", "Print a script with which a shell completes commands, options and keys of dem");
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}));
  command->footer(
      "In bash:  source <(dem completion bash)   in ~/.bashrc\n"
      "In zsh:   source <(dem completion zsh)    in ~/.zshrc, after compinit\n"
      "In fish:  dem completion fish > ~/.config/fish/completions/dem.fish\n"
      "An installed dem has these files in their places.\n\n"
      "Example:\n  dem completion bash");
  command->callback([shell, &app] {
    const std::vector<Command> commands = commands_of(app);
    fmt::print("{}", *shell == "bash" ? bash(commands) : *shell == "zsh" ? zsh(commands) : fish(commands));
  });
}

}  // namespace dem
