// dem run: a case from its start to its end.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/case_input.hpp"
#include "apps/command_line.hpp"
#include "apps/cost_report.hpp"
#include "apps/json_output.hpp"
#include "apps/run_driver.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/platform/stop_requests.hpp"

namespace dem {

void add_run(CLI::App& app, int& exit_code) {
  struct Options {
    std::string file, output;
    std::vector<std::string> settings;
    Loudness loudness;
    bool overwrite = false, profile = false;
    int threads = 0;
    std::uint64_t until_step = 0;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("run", "Run a case and write a results folder");
  command->add_option("CASE", options->file, "Case file (TOML); -: standard input")->check(named)->required();
  command->add_option("--output,-o", options->output, "Results folder; default: results/NAME of the case file")
      ->check(named);
  command->add_flag("--overwrite", options->overwrite, "Replace the results that are in the folder");
  command
      ->add_option("--threads", options->threads, "Threads, instead of those of the case; results do not depend on it")
      ->check(CLI::Range(1, 1024));
  auto* until = command->add_option("--until-step", options->until_step, "Stop with a checkpoint at this step")
                    ->check(whole_number());
  add_settings(*command, options->settings);
  command->add_flag("--profile", options->profile,
                    "Time the phases of the steps: a line of the verdict has the share of each");
  command->add_flag("--quiet,-q", options->loudness.quiet,
                    "Print nothing but errors; the exit code and verdict.txt report the result");
  command->add_flag("--json", options->loudness.json, "Print one JSON object at the end instead of text");
  command->footer(
      "The object of --json has results (the folder), finished (false: stopped before its end), step, time (s),\n"
      "hash and verdict (as in verdict.json; null without one). If the run cannot begin or continue, the object has\n"
      "only errors. Each has message, and where known file, line, key, found, allowed. The messages are on standard\n"
      "error, too.\n\n"
      "Example:\n  dem run apps/examples/two-discs.toml --output results/two-discs --overwrite");
  command->callback([options, until, &exit_code] {
    with_loudness(options->loudness, [&]() -> Json {
      Case c = read_case(options->file, options->settings);
      if (options->threads > 0) c.threads = options->threads;
      const std::filesystem::path output =
          options->output.empty() ? default_folder(c) : std::filesystem::path(options->output);
      const bool automatic = c.time.step == 0;
      Simulation run = build_simulation(c);
      start_where_the_case_says(run, c, output);
      if (options->profile) run.profile();
      if (*until && options->until_step < run.step_count())
        throw CaseErrors(
            {fmt::format("dem run: --until-step {} is in the past: the run starts with step {}; nothing "
                         "was done",
                         options->until_step, run.step_count())});
      RunObserver observer(run);
      ResultsFolder folder = ResultsFolder::create(output, describe_run(c), options->overwrite, "dem run");
      std::vector<BodySpec>().swap(c.assembly.bodies);  // the bodies are made; a second list would need as much memory
      exit_code = saying_how_to_go_on(folder, [&] {
        folder.start_series(observer.columns());
        const double limit = run.apriori_limit().dt;
        say("{}: {}, t_c = {:.6g} s, time step {:g} s{}, {}\n", c.title.empty() ? c.file.stem().string() : c.title,
            counted(run.state().bodies.size(), "body", "bodies"), run.scale().contact_duration, run.state().dt,
            automatic ? " (auto)" : "", std::isinf(limit) ? "no limit" : fmt::format("limit {:.4g} s", limit));
        say_text(cost_at_start(run, observer, output));
        for (const std::string& warning : start_warnings(observer.lost_bodies(), run.state()))
          complain("Warning: " + warning);
        stop_on_signals();
        return drive(run, observer, folder, true, *until ? std::optional(options->until_step) : std::nullopt);
      });
      return options->loudness.json ? json_of_run(run, folder) : Json();
    });
  });
}

}  // namespace dem
