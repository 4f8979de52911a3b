// dem sweep time-step: finds the time step that a case needs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/command_line.hpp"
#include "apps/draw.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/case/ranges.hpp"
#include "libdem/sweep/time_step_study.hpp"

namespace dem {

void add_sweep_time_step(CLI::App& sweep, int& exit_code) {
  struct Options {
    std::string file, output;
    TimeStepChoice how;
  };
  auto options = std::make_shared<Options>();
  auto* command =
      sweep.add_subcommand("time-step", "Find the time step that a case needs: order, thresholds, stability limit");
  command->add_option("CASE", options->file, "Case file (TOML)")->check(named)->required();
  command->add_option("--output,-o", options->output, "Folder of the results; default: results/NAME-time-step")
      ->check(named);
  command->add_option("--from", options->how.from, "Largest time step, s; default: 0.8 of the stability limit")
      ->check(number_in(case_file::within::duration));
  command
      ->add_option("--halvings", options->how.halvings,
                   "How often it is halved; default: 10 for a relaxation time, else 4")
      ->check(CLI::Range(2, 40));
  command->add_option("--quantity", options->how.quantity,
                      "relaxation, or a column of the series, of which the mean over the second half of the last stage "
                      "is taken; default: "
                      "relaxation where the case comes to rest, else shear_ratio, or kinetic_energy without plates");
  command->add_flag("--at-end", options->how.at_end, "The column at the end of the run instead of its mean");
  command
      ->add_option("--replicates", options->how.replicates,
                   "Runs with other seeds at each step, for error bars; default: 3 for a "
                   "generated assembly between plates, else 1")
      ->check(CLI::Range(1, 1000));
  command->add_option("--shorten", options->how.shorten, "The last stage lasts this share of its time in the case")
      ->check(CLI::Range(1e-6, 1.0));
  command->add_option("--workers", options->how.workers, "Runs at a time; 0: one a core")->check(CLI::Range(0, 1024));
  command->add_flag("--overwrite", options->how.overwrite, "Replace another study that is in the folder");
  command->footer(
      "Runs up to 8 times the a-priori limit look for instability first; then the step is halved from there. The\n"
      "same command continues an interrupted study.\n\n"
      "Example:\n"
      "  dem sweep time-step apps/examples/two-discs.toml --halvings 6 --output results/two-discs-time-step");
  command->callback([options, &exit_code] {
    TimeStepChoice& how = options->how;
    how.folder =
        options->output.empty()
            ? "results" / std::filesystem::path(std::filesystem::path(options->file).stem().string() + "-time-step")
            : std::filesystem::path(options->output);
    try {
      const TimeStepStudy study = study_time_step(options->file, how);
      fmt::print("{}Results in {}\n", time_step_report(study), how.folder.string());
    } catch (const std::invalid_argument& error) {
      complain(fmt::format("dem sweep time-step: {}", error.what()));
      exit_code = exit_bad_input;
      return;
    }
    draw_sweep(how.folder / "steps");
    exit_code = exit_good;
  });
}

}  // namespace dem
