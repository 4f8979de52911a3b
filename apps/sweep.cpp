// dem sweep: a case at many parameter values.
#include "libdem/sweep/sweep.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/draw.hpp"
#include "apps/subcommands.hpp"
#include "apps/sweep_cluster.hpp"
#include "geometry/printable.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/platform/number_text.hpp"

namespace dem {
namespace {

/// Prints the first lines of the table for people, at most `most` points.
void print_table(const SweepTable& table, std::size_t most = 24) {
  const auto line = [&](auto&& parameter, auto&& result) {
    std::string text;
    for (std::size_t k = 0; k < table.parameters.size(); ++k) text += fmt::format("{:>14} ", parameter(k));
    for (std::size_t k = 0; k < table.results.size(); ++k)
      if (table.results[k].name != "steps" && table.results[k].name != "t_c") text += fmt::format("{:>14} ", result(k));
    return text;
  };
  fmt::print("{}\n", line([&](std::size_t k) { return table.parameters[k].name; },
                          [&](std::size_t k) { return table.results[k].name; }));
  for (std::size_t row = 0; row < std::min(most, table.rows()); ++row)
    fmt::print("{}{}\n",
               line(
                   [&](std::size_t k) {
                     const auto* number = std::get_if<double>(&table.parameter[row][k]);
                     return number ? fmt::format("{:.6g}", *number) : text_of(table.parameter[row][k]);
                   },
                   [&](std::size_t k) { return fmt::format("{:.6g}", table.result[row][k]); }),
               table.message[row].empty() ? "" : " " + table.message[row]);
  if (table.rows() > most) fmt::print("… and {} more\n", counted(table.rows() - most, "point"));
}

/// Refuses a word that is no file, but nearly the name of the subcommand.
std::string no_misspelt_part(const std::string& word) {
  const std::string_view part = "time-step";
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored) || case_file::nearest(word, {part}).empty()) return "";
  return fmt::format("found {}, which is no file; did you mean dem sweep {}?", printable(word), part);
}

}  // namespace

void add_sweep(CLI::App& app, int& exit_code) {
  struct Options {
    std::string file, output;
    int workers = 0;
    bool overwrite = false;
    ClusterOptions cluster;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("sweep", "Run a case at many parameter values, on all cores, and write a table");
  add_sweep_time_step(*command, exit_code);
  command->add_option("SWEEP", options->file, "Sweep file (TOML)")->check(named)->check(no_misspelt_part);
  command->add_option("--output,-o", options->output, "Folder of the table; default: results/NAME of the sweep file")
      ->check(named);
  command->add_option("--workers", options->workers, "Points at a time; 0: one a core")->check(CLI::Range(0, 1024));
  command->add_flag("--overwrite", options->overwrite, "Replace another sweep that is in the folder");
  add_cluster_options(*command, options->cluster);
  // They would have no effect on time-step, which has options of its own.
  for (CLI::Option* option : command->get_options())
    if (option != command->get_help_ptr()) command->get_subcommand("time-step")->excludes(option);
  command->footer(
      "Sweep file: format = 1, case = \"FILE\", title;\n"
      "  [[axis]]      key, keys or name; values = [...] or range = { from, to, count or per_decade, spacing };\n"
      "                names\n"
      "  [set]         \"KEY\" = \"expression\" of axes, keys of the case, t_c, seed, replicate\n"
      "  [replicates]  count, first_seed, key\n"
      "  [[quantity]]  kind = relaxation, or final, mean, minimum, maximum, deviation of a column; stage, name,\n"
      "                time_window or strain_window = [from, to]\n"
      "  keep = \"series\" keeps the rows of each point too, in series/point-K; columns = [...] chooses among them\n"
      "  start_from = { case = \"PACKING.toml\", by = \"seed\" or an axis, key = \"assembly.seed\" }  the points "
      "start\n"
      "                from that case, which is run once for each seed or value of the axis\n"
      "Keys: material.friction, stage.NAME.duration, body.NAME.force[0] (dem help lists them).\n\n"
      "The same command continues an interrupted sweep. A point that cannot be run has its message in the table;\n"
      "the exit code is 0 if at least one point could be run. dem sweep time-step CASE.toml finds the time step\n"
      "that a case needs.\n\n"
      "On a cluster (apps/examples/cluster-sweep.md): part k of T runs the points k, k + T, ... of all points, the\n"
      "longest first, one after the other. A killed or stopped part goes on from the checkpoint of its point.\n"
      "  dem sweep SWEEP.toml --slurm --tasks 50 --time 2h --submit    once more where time ran out\n"
      "  dem sweep SWEEP.toml --status\n"
      "  dem sweep SWEEP.toml --collect                                exit code 1 while points are missing\n\n"
      "Example:\n  dem sweep apps/examples/time-step-sweep.toml --output results/time-step-sweep");
  command->callback([command, options, &exit_code] {
    if (!command->get_subcommands().empty()) return;
    if (options->file.empty()) throw CLI::RequiredError("SWEEP");
    const std::filesystem::path folder = options->output.empty()
                                             ? "results" / std::filesystem::path(options->file).stem()
                                             : std::filesystem::path(options->output);
    bool has_quantities = false;
    const auto show = [&](const SweepTable& table) {
      has_quantities = table.results.size() > 2;  // beside t_c and steps
      print_table(table);
    };
    if (options->cluster.is_wanted()) {
      exit_code = sweep_on_cluster(options->cluster, options->file, folder, show);
      if (has_quantities) draw_sweep(folder);
      return;
    }
    if (command->count("--cores") > 0) throw CLI::RequiresError("--cores", "--slurm or --part");
    const SweepSpec spec = read_sweep(options->file);
    fmt::print("{}: {}\n", spec.title.empty() ? folder.filename().string() : spec.title,
               counted(spec.points(), "point"));
    std::fflush(stdout);
    const SweepTable table = run_sweep(spec, {options->workers, folder, true, options->overwrite});
    show(table);
    if (table.failed() > 0)
      fmt::print("{} of {} points could not be run; their messages are in the table.\n", table.failed(), table.rows());
    fmt::print("Table in {0}/table.csv and {0}/table.h5\n", folder.string());
    if (spec.keep_series) fmt::print("Rows of point K in {}/series/point-K\n", folder.string());
    if (has_quantities) draw_sweep(folder);
    exit_code = table.failed() == table.rows() ? exit_failed : exit_good;
  });
}

}  // namespace dem
