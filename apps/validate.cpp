// dem validate: compares published figures and tables with results of libdem, claim by claim.
#include "validation/validate.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/platform/folder_lock.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/sweep/task_display.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> studies;
  bool quick = false, fresh = false, list = false;
  int workers = 0;
  std::string output = "validation-results";
};

std::size_t terminal_width() {
  winsize size{};
  std::size_t width = 110;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    width = size.ws_col;
  else if (const char* columns = std::getenv("COLUMNS"); columns && std::atoi(columns) > 0)
    width = std::size_t(std::atoi(columns));
  return std::clamp<std::size_t>(width, 80, 180);
}

void list_studies() {
  fmt::print("{:<28} {:>9}  {:>9}  {}\n", "study", "quick", "full", "on 2 cores");
  for (const validation::Study& s : validation::studies())
    fmt::print("{:<28} {:>9}  {:>9}  {}\n", s.name, duration_text(s.quick_seconds), duration_text(60 * s.full_minutes),
               s.title);
}

int validate(const Options& options) {
  if (options.list) {
    list_studies();
    return exit_good;
  }
  const auto all = validation::studies();
  std::vector<const validation::Study*> studies;
  try {
    studies = validation::find_studies(all, options.studies);
  } catch (const validation::UnknownStudy& error) {
    complain(fmt::format("dem validate: {}", error.what()));
    return exit_bad_input;
  }
  validation::ValidationChoice choice;
  choice.quick = options.quick;
  choice.fresh = options.fresh;
  choice.workers = options.workers;
  choice.sources = validation::validation_sources();
  choice.output = options.output;
  create_folder(choice.output);
  const FolderLock lock(choice.output, "dem validate");

  fmt::print("{} {}, {} set: about {}; less where an earlier call has finished a part of it\n\n", studies.size(),
             studies.size() == 1 ? "study" : "studies", options.quick ? "quick" : "full",
             duration_text(validation::expected_seconds(studies, options.quick, options.workers)));
  choice.before = [&](const validation::Study& study, std::size_t k, std::size_t of) {
    const validation::Study* one[] = {&study};
    fmt::print("[{}/{}] {}: {}, about {}\n", k + 1, of, study.name, study.title,
               duration_text(validation::expected_seconds(one, options.quick, options.workers)));
    std::fflush(stdout);
  };
  choice.after = [](const validation::StudyResult& r) {
    fmt::print("  {}{} ({})\n", r.error.empty() ? "" : "FAILED: " + r.error + "; ", validation::counts_text(r.claims),
               duration_text(r.seconds));
    if (!r.remark.empty()) fmt::print("  {}\n", r.remark);
    std::fflush(stdout);
  };
  const validation::ValidationEnd end = validation::run_studies(studies, all, choice);

  fmt::print("\n");
  std::vector<validation::Claim> claims;
  for (const auto& result : end.results) {
    fmt::print("{}\n", validation::claims_table(result, terminal_width()));
    claims.insert(claims.end(), result.claims.begin(), result.claims.end());
  }
  if (!end.results.empty()) fmt::print("{} claims: {}\n", claims.size(), validation::counts_text(claims));
  const auto failed = std::ranges::count_if(end.results, [](const auto& r) { return !r.error.empty(); });
  if (failed > 0) fmt::print("{} {} failed, see FAILED above\n", failed, failed == 1 ? "study" : "studies");
  if (end.interrupted)
    fmt::print("Interrupted after {} of {} studies: finished ones are kept, and the same command continues\n",
               end.results.size(), studies.size());
  if (!end.results.empty()) {
    const std::string no_page = validation::draw_page(choice.output, choice.sources);
    fmt::print("{}\n{}\n", (choice.output / "claims.json").string(),
               no_page.empty() ? (choice.output / "report.html").string() : no_page);
  }
  return end.interrupted ? exit_stopped : failed > 0 ? exit_failed : exit_good;
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
  command->footer(
      "Writes OUTPUT/claims.json, OUTPUT/report.html (needs Python with matplotlib) and OUTPUT/STUDY/. Studies that\n"
      "are not run again keep their earlier results and dates in both. The same command continues an interrupted\n"
      "one.\n\n"
      "A claim that differs is a finding, not a failure. The exit code is 0 if all studies came to their end, 1 if\n"
      "one failed, 2 for an unknown study, 3 for a file problem, 4 after Ctrl-C.\n\n"
      "Example:\n  dem validate pena2008/two-discs --quick");
  command->callback([options, &exit_code] { exit_code = validate(*options); });
}

}  // namespace dem
