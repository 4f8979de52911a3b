// dem help: explains the case file, with its keys, tables and words, and pages on generators, drivers and laws.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/command_line.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "geometry/printable.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/topics.hpp"

namespace dem {

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
                      "a value of a key (predicted), `keys` for all of them, a command, or a word to search for");
  command->add_flag("--reference", options->reference, "All keys as Markdown tables");
  command->add_flag("--man", options->manual, "The manual page of dem, for man -l");
  command->footer("Example:\n  dem help contact.contact_plane");
  command->callback([options, &app, &exit_code] {
    if (options->reference) return fmt::print("{}", case_reference());
    if (options->manual) return fmt::print("{}", manual_page(app));
    const auto page = case_help(options->word);
    if (!page || page->starts_with("There is no key"))  // words of a case come before commands of their name
      for (CLI::App* about : app.get_subcommands([&](CLI::App* each) { return each->get_name() == options->word; }))
        return say_text(about->help("dem"));
    if (page) return say_text(*page);
    const std::string nearest = nearest_case_key(options->word);
    complain(
        fmt::format("dem help: found an unknown word {}, allowed keys of a case file, their values, generators, "
                    "drivers and laws (dem help){}",
                    printable(options->word), nearest.empty() ? "" : "; nearest known key: " + nearest));
    exit_code = exit_bad_input;
  });
}

}  // namespace dem
