// dem info: what a file or a results folder is.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/json_output.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/files/case_file.hpp"
#include "libdem/files/results.hpp"
#include "libdem/files/results_series.hpp"

namespace dem {
namespace {

std::string describe_case(const std::filesystem::path& file) {
  const Case c = read_case(file);
  const auto& a = c.assembly;
  std::string text = fmt::format("case file of format {}: \"{}\"\n", case_format, c.title);
  text += fmt::format("assembly: {}, {} bodies listed, {} walls, {}\n",
                      a.voronoi   ? "voronoi"
                      : a.grains  ? "grains of " + a.grains->file.string()
                      : a.lattice ? "lattice"
                      : a.random  ? fmt::format("{} random bodies", a.random->count)
                      : a.rain    ? "a rain of spheres"
                      : a.import  ? "import of " + a.import->file.string()
                                  : "no generator",
                      a.bodies.size(), a.walls.size(), c.plates ? "plates" : "no plates");
  if (c.dimension == 3) text += "in space (spheres and clusters)\n";
  text += fmt::format("{} stages, time step {}\n", c.stages.size(), c.time.step > 0 ? fmt::format("{:g} s", c.time.step) : "auto");
  return text;
}

void print_csv(const std::filesystem::path& path) {
  const Series series = std::filesystem::is_directory(path) ? ResultsFolder::open(path).read_series() : read_series_segment(path);
  for (const std::string& problem : series.problems) complain(problem);
  say_text(csv_text(series));
}

}  // namespace

void add_info(CLI::App& app, int&) {
  struct Options {
    std::string file;
    bool csv = false;
    Loudness loudness;
  };
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("info", "Say what a results folder, checkpoint, snapshot, series, verdict or case file holds");
  command->add_option("FILE", options->file, "A file or a results folder")->check(named)->required();
  auto* csv = command->add_flag("--csv", options->csv, "Print the whole series of a results folder, or one segment, as CSV: names, then a line a row");
  command->add_flag("--json", options->loudness.json, "Print one JSON object instead of text")->excludes(csv);
  command->footer(
      "The object of --json begins with kind: \"case\", \"results\", \"snapshot\", \"checkpoint\", \"series\" or \"verdict\". Of a results folder it has path, series,\n"
      "profiles and plane_jumps (of each: rows, first_step, last_step, columns with name, unit and description; null: none), snapshots, frames, checkpoint (step,\n"
      "time, program_version), verdict (as in verdict.json) and problems (sentences on what is damaged). Of what cannot be read it has errors alone.\n\n"
      "Example:\n  dem info apps/examples/slow-shear.toml");
  command->callback([options] { with_loudness(options->loudness, [&]() -> Json {
    const std::filesystem::path path = options->file;
    const bool is_case = path.extension() == ".toml";
    if (options->loudness.json) return is_case ? json_of_case(path) : json_of_results(path);
    if (options->csv) print_csv(path);
    else fmt::print("{}", is_case ? describe_case(path) : describe_results(path));
    return {};
  }); });
}

}  // namespace dem
