// dem validate: compares published figures and tables with results of libdem, claim by claim. The driver of the studies
// is the script validation/validate.py; this program runs those studies that are still written in C++.
#include "validation/validate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/platform/file_error.hpp"

namespace dem {
namespace {

struct Options {
  std::vector<std::string> studies;
  bool quick = false, fresh = false, list = false, cpp = false, cpp_list = false;
  int workers = 0;
  std::string output = "validation-results";
};

/// Runs the study in C++ that the driver names.
int run_cpp(const Options& options) {
  for (const validation::Study& study : validation::studies()) {
    if (options.studies.size() != 1 || study.name != options.studies.front()) continue;
    const auto sources = validation::validation_sources();
    const auto result = validation::run_study(study, {options.quick, options.workers, options.output, sources});
    return result.error.empty() ? exit_good : exit_failed;
  }
  complain("dem validate --cpp: found no study in C++ of this name; dem validate --cpp-list names them");
  return exit_bad_input;
}

/// Makes this process the driver.
int start_driver(const Options& options) {
  const std::string script = (validation::validation_sources() / "validate.sh").string();
  std::vector<std::string> words{"bash", script, "--output", options.output};
  if (options.workers > 0) words.insert(words.end(), {"--workers", std::to_string(options.workers)});
  if (options.quick) words.emplace_back("--quick");
  if (options.fresh) words.emplace_back("--fresh");
  if (options.list) words.emplace_back("--list");
  words.emplace_back("--");
  words.insert(words.end(), options.studies.begin(), options.studies.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::error_code error;
  if (const auto program = std::filesystem::read_symlink("/proc/self/exe", error); !error)
    ::setenv("DEM_PROGRAM", program.c_str(), 1);
  ::execvp("bash", pointers.data());
  throw FileError(fmt::format("{}: cannot be started ({})", script, std::strerror(errno)));
}

}  // namespace

void add_validate(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("validate", "Compare published figures and tables with results of libdem, claim by claim");
  command->add_option("STUDY", options->studies,
                      "A paper (pena2008) or a study (pena2008/figure-3); default: all of them");
  command->add_flag("--quick", options->quick, "A reduced set, in minutes");
  command->add_option("--output", options->output, "Folder of the results")->check(named)->capture_default_str();
  command->add_option("--workers", options->workers, "Processes at a time; default: one a core")
      ->check(CLI::Range(1, 4096));
  command->add_flag("--fresh", options->fresh, "Discard finished parts of these studies from earlier calls");
  command->add_flag("--list", options->list, "List the studies and their times");
  command->add_flag("--cpp", options->cpp, "Run one study in C++, for the driver")->group("");
  command->add_flag("--cpp-list", options->cpp_list, "List the studies in C++ as JSON, for the driver")->group("");
  command->footer(
      "Needs Python with numpy. Writes OUTPUT/claims.json, OUTPUT/VERDICTS.md, OUTPUT/report.html (needs matplotlib)\n"
      "and OUTPUT/STUDY/. A finished study with unchanged files and program is not run again, and keeps\n"
      "its result and date. The same command continues an interrupted one.\n\n"
      "A claim that differs is a finding, not a failure. The exit code is 0 if all studies came to their end, 1 if\n"
      "one failed, 2 for an unknown study, 3 for a file problem, 4 after Ctrl-C.\n\n"
      "Example:\n  dem validate pena2008/two-discs --quick");
  command->callback([options, &exit_code] {
    if (options->cpp_list)
      say_text(validation::list_as_json(validation::studies()));
    else
      exit_code = options->cpp ? run_cpp(*options) : start_driver(*options);
  });
}

}  // namespace dem
