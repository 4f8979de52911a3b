// dem check: reads a case and says what is wrong with it, or what it would do.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/subcommands.hpp"
#include "libdem/files/case_file.hpp"

namespace dem {

void add_check(CLI::App& app, int&) {
  struct Options {
    std::string file;
    bool resolved = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("check", "Read and inspect a case without running it");
  command->add_option("CASE", options->file, "Case file (TOML)")->required();
  command->add_flag("--resolved", options->resolved,
                    "Print the case with every key, given or default, and nothing else");
  command->footer("Example:\n  dem check apps/examples/slow-shear.toml");
  command->callback([options] {
    const Case c = read_case(options->file);
    if (options->resolved) return fmt::print("{}", resolved_case(c));
    fmt::print("{}: no errors\n", options->file);
  });
}

}  // namespace dem
