// dem validate: compares published figures and tables with results of libdem, claim by claim. The script
// validation/validate.py does all of it; this file finds and starts it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "apps/subcommands.hpp"
#include "libdem/platform/file_error.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> studies;
  bool quick = false, fresh = false, list = false;
  int workers = 0;
  std::string output = "validation-results";
};

/// Folder with the files of the studies: $LIBDEM_VALIDATION, then where this program was installed, then the source
/// folder. Throws FileError when none of them has validate.sh.
fs::path validation_sources() {
  if (const char* named = std::getenv("LIBDEM_VALIDATION"); named && *named) {
    if (fs::exists(fs::path(named) / "validate.sh")) return fs::absolute(named);
    throw FileError(fmt::format(
        "LIBDEM_VALIDATION: found '{}', which has no validate.sh; allowed: the folder validation of libdem", named));
  }
  std::vector<fs::path> places;
  std::error_code error;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
    places.push_back(program.parent_path().parent_path() / LIBDEM_VALIDATION_INSTALLED);
  places.emplace_back(LIBDEM_VALIDATION_SOURCE);
  for (const fs::path& place : places)
    if (fs::exists(place / "validate.sh")) return place;
  throw FileError(
      fmt::format("the files of the studies are not there: neither {} nor {} has validate.sh; name their folder in the "
                  "environment variable LIBDEM_VALIDATION",
                  places.front().string(), places.back().string()));
}

/// Makes this process the driver.
[[noreturn]] void start_driver(const Options& options) {
  const std::string script = (validation_sources() / "validate.sh").string();
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
  if (const auto program = fs::read_symlink("/proc/self/exe", error); !error)
    ::setenv("DEM_PROGRAM", program.c_str(), 1);
  ::execvp("bash", pointers.data());
  throw FileError(fmt::format("{}: cannot be started ({})", script, std::strerror(errno)));
}

}  // namespace

void add_validate(CLI::App& app, int& /*exit_code*/) {
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
  command->footer(
      "Needs Python with numpy. Writes OUTPUT/claims.json, OUTPUT/VERDICTS.md, OUTPUT/report.html (needs matplotlib)\n"
      "and OUTPUT/STUDY/. A finished study with unchanged files and program is not run again, and keeps\n"
      "its result and date. The same command continues an interrupted one.\n\n"
      "A claim that differs is a finding, not a failure. The exit code is 0 if all studies came to their end, 1 if\n"
      "one failed, 2 for an unknown study, 3 for a file problem, 4 after Ctrl-C.\n\n"
      "Example:\n  dem validate pena2008/two-discs --quick");
  command->callback([options] { start_driver(*options); });
}

}  // namespace dem
