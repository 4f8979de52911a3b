// dem info: describes a file or a results folder.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/json_output.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/difference.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/case/words.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/results/series.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {
namespace {

std::string describe_generator(const Assembly& a) {
  if (a.made_by<std::monostate>()) return "no generator";
  if (const auto* random = a.made_by<RandomSpec>()) return fmt::format("{} random bodies", random->count);
  if (a.made_by<RainSpec>()) return "a rain of spheres";
  const std::string_view word = case_file::word_of(case_file::Generator(a.generator.index()));
  return a.file() ? fmt::format("{} of {}", word, a.file()->string()) : std::string(word);
}

std::string describe_case(const std::filesystem::path& file) {
  const Case c = read_case(file);
  const auto& a = c.assembly;
  std::string text = fmt::format("case file of format {}: \"{}\"\n", case_format, c.title);
  text += fmt::format("assembly: {}, {} listed, {}, {}\n", describe_generator(a),
                      counted(a.bodies.size(), "body", "bodies"), counted(a.walls.size(), "wall"),
                      c.driver_options<PlatesSpec>() ? "plates" : "no plates");
  if (c.dimension == 3) text += "in space (spheres and clusters)\n";
  text += fmt::format("{}, time step {}\n", counted(c.stages.size(), "stage"),
                      c.time.step > 0 ? fmt::format("{:g} s", c.time.step) : "auto");
  return text;
}

/// Progress of a run without a verdict.
std::string describe_progress(const std::filesystem::path& path) {
  std::error_code ignored;
  if (is_series_folder(path) || !std::filesystem::is_directory(path, ignored) || is_there(path / "verdict.txt"))
    return "";
  try {
    ResultsFolder folder = ResultsFolder::open(path);
    const Checkpoint checkpoint = folder.read_checkpoint();
    const Case c = parse_written_case(folder.record().case_text);
    const std::size_t stage = Simulation::saved_stage(checkpoint);
    return fmt::format("not finished: step {}{}\n", checkpoint.header().step,
                       stage < c.stages.size()
                           ? fmt::format(" of {}, one of {}", stage_label(c, stage), c.stages.size())
                           : ", behind the last stage");
  } catch (const std::runtime_error&) {  // reported with the checkpoint
    return "not finished\n";
  }
}

/// True if "problem" or "problems" occurs anywhere in the report.
bool tells_problem(const Json& report) {
  if (!report.is_structured()) return false;
  for (const auto& [key, value] : report.items())
    if (((key == "problem" || key == "problems") && !value.empty()) || tells_problem(value)) return true;
  return false;
}

/// Returns false if parts are damaged or missing.
bool print_csv(const std::filesystem::path& path) {
  if (path.extension() == ".toml")
    throw FileError(fmt::format(
        "--csv: found {}, a case file, which has no series; expected a results folder, a folder of segments "
        "or one segment",
        path.string()));
  std::error_code ignored;
  const Series series = is_series_folder(path)                         ? read_series(path)
                        : std::filesystem::is_directory(path, ignored) ? ResultsFolder::open(path).read_series()
                                                                       : read_series_segment(path);
  for (const std::string& problem : series.problems) complain(problem);
  say_text(csv_text(series));
  return series.problems.empty();
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  struct Options {
    std::string file;
    bool csv = false;
    Loudness loudness;
  };
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("info", "Describe a results folder, checkpoint, snapshot, series, verdict or case file");
  command->add_option("FILE", options->file, "A file, a results folder or a folder of segments")
      ->check(named)
      ->required();
  auto* csv = command->add_flag(
      "--csv", options->csv,
      "Print the series of a results folder, of a folder of segments (series/point-3 of a sweep) or of one segment\n"
      "as CSV: names, then one line per row");
  command->add_flag("--json", options->loudness.json, "Print one JSON object instead of text")->excludes(csv);
  command->footer(
      "The object of --json begins with kind: \"case\", \"results\", \"snapshot\", \"checkpoint\", \"series\" or\n"
      "\"verdict\". For a results folder it has path, snapshots, frames, checkpoint (step, time,\n"
      "program_version, changes and losses during the run), verdict (as in verdict.json) and problems\n"
      "(sentences on damaged or missing parts). series, profiles and plane_jumps have rows, first_step,\n"
      "last_step, and columns with name, unit and description (null: none). An unreadable file has only\n"
      "errors. The exit code is 3 if parts of the results are damaged or missing.\n\n"
      "Example:\n  dem info apps/examples/slow-shear.toml");
  command->callback([options, &exit_code] {
    with_loudness(options->loudness, [&]() -> Json {
      const std::filesystem::path path = options->file;
      const bool is_case = path.extension() == ".toml";
      if (options->loudness.json) {
        Json report = is_case ? json_of_case(path) : json_of_results(path);
        if (!is_case && tells_problem(report)) exit_code = exit_file;
        return report;
      }
      if (options->csv) {
        if (!print_csv(path)) exit_code = exit_file;
        return {};
      }
      const std::string text = is_case ? describe_case(path) : describe_results(path) + describe_progress(path);
      if (!is_case && text.find("\n  problem: ") != text.npos) exit_code = exit_file;
      say_text(text);
      return {};
    });
  });
}

}  // namespace dem
