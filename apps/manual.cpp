// The manual page of the program.
#include <fmt/format.h>

#include "apps/command_line.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/topics.hpp"
#include "libdem/state/view.hpp"

namespace dem {
namespace {

/// Code point of the UTF-8 character at `at`. Moves `at` behind it.
unsigned next_character(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  unsigned code = more == 3 ? lead & 0x07u : more == 2 ? lead & 0x0fu : more == 1 ? lead & 0x1fu : lead;
  for (; more > 0 && at < text.size(); --more) code = code << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fu);
  return code;
}

/// Text for troff without commands.
std::string escaped(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (std::size_t at = 0; at < text.size();) {
    const unsigned code = next_character(text, at);
    if (line_start && (code == '.' || code == '\'')) out += "\\&";
    line_start = code == '\n';
    if (code == '\\')
      out += "\\e";
    else if (code == '-')
      out += "\\-";
    else if (code < 0x80)
      out += char(code);
    else
      out += fmt::format("\\[u{:04X}]", code);
  }
  return out;
}

/// Preformatted lines.
std::string literal(std::string_view text) {
  return fmt::format(".PP\n.nf\n{}{}.fi\n", escaped(text), text.ends_with('\n') ? "" : "\n");
}

std::string item(const std::string& name, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", name, escaped(text));
}

std::string options_of(const Command& command) {
  std::string out;
  for (const CommandOption& option : command.options) {
    std::string name = option.is_argument() ? fmt::format("\\fI{}\\fR", escaped(option.name))
                                            : fmt::format("\\fB{}\\fR", escaped(option.name));
    if (!option.short_name.empty()) name = fmt::format("\\fB{}\\fR, ", escaped(option.short_name)) + name;
    if (!option.value.empty()) name += fmt::format(" \\fI{}\\fR", escaped(option.value));
    out += item(name, option.description);
  }
  return out;
}

std::string key_pages() {
  std::string out;
  for (const CaseTable& table : case_tables()) {
    const std::string name = table.name.empty() ? "before the first table"
                                                : (table.list ? "[[" : "[") + table.name + (table.list ? "]]" : "]");
    out += fmt::format(".SS {}\n{}\n", escaped(name), escaped(table.description));
    for (const CaseKey& key : table.keys) {
      std::string text = key.description + fmt::format("\nDefault: {}. Allowed: {}.", key.default_text, key.allowed);
      if (!key.when.empty()) text += fmt::format(" Only with {}.", key.when);
      out += item(fmt::format("\\fB{}\\fR{}", escaped(key.path.substr(key.path.rfind('.') + 1)),
                              key.unit.empty() ? "" : escaped(" (" + key.units() + ")")),
                  text);
      for (const auto& [word, meaning] : key.meanings)
        out += fmt::format(".br\n{}: {}\n", escaped(word), escaped(meaning));
    }
  }
  return out;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  const std::vector<Command> commands = commands_of(app);
  const Command& program = commands.front();
  std::string out = fmt::format(
      ".TH DEM 1 \"\" \"libdem {}\" \"\"\n.SH NAME\ndem \\- discrete element method for granular mechanics\n",
      escaped(this_build().program_version));
  out += ".SH SYNOPSIS\n.B dem\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" + escaped(program.description) +
         "\n";
  out += ".SH OPTIONS\n" + options_of(program);
  out += ".SH COMMANDS\n";
  for (const Command& command : commands)
    if (!command.name.empty())
      out += fmt::format(".SS dem {}\n{}\n{}{}", escaped(command.name), escaped(command.description),
                         options_of(command), literal(command.footer));
  const std::string_view footer = program.footer;
  out += ".SH EXIT STATUS\n" + literal(footer.substr(footer.find('\n') + 1));
  out += ".SH CASE FILE\nA case is a TOML file. This one can be run as it stands:\n" + literal(example_case("minimal"));
  out += ".PP\n\\fBdem help\\fR explains generators, drivers and laws, each with an example.\n" + key_pages();
  return out;
}

}  // namespace dem
