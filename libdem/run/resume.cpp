#include "libdem/run/resume.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "libdem/case/difference.hpp"
#include "libdem/platform/shell_word.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/run/run_case.hpp"
#include "libdem/run/same_forces.hpp"

namespace dem {
namespace {

constexpr std::size_t most_lines = 20;

std::string go_on_command(const ResultsFolder& folder) {
  return fmt::format("dem resume {} --accept-changes", shell_word(folder.path().string()));
}

/// The earlier case, with its files where the present one has them: a study may have been moved.
Case with_files_of(const Case& now, Case earlier) {
  if (auto* file = earlier.assembly.file()) *file = *now.assembly.file();
  for (std::size_t k = 0; k < earlier.assembly.walls.size(); ++k)
    earlier.assembly.walls[k].file = now.assembly.walls[k].file;
  earlier.threads = now.threads;
  return earlier;
}

/// Throws FileError with advice.
Checkpoint checkpoint_of(ResultsFolder& folder) {
  try {
    return folder.read_checkpoint();
  } catch (const LayoutError&) {
    throw;
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; put a whole one of this run there, or start again with {}", error.what(),
                                rerun_command(folder)));
  }
}

}  // namespace

std::string rerun_command(const ResultsFolder& folder) {
  const std::filesystem::path file = folder.path() / "case.toml";
  return fmt::format("dem run {} --output {} --overwrite", is_there(file) ? shell_word(file.string()) : "CASE",
                     shell_word(folder.path().string()));
}

RunToResume open_to_resume(const std::filesystem::path& path, const char* command, const Remark& remark) {
  ResultsFolder folder = ResultsFolder::open(path);
  if (command) folder.lock(command);
  const std::filesystem::path newest = folder.checkpoint_file();
  if (!is_there(newest) && !is_there(previous_checkpoint(newest)))
    throw FileError(
        fmt::format("{} has no checkpoint: its run ended before the first one, or somebody removed it; put "
                    "it there, or start again with {}",
                    path.string(), rerun_command(folder)));
  Case c = parse_case(folder.case_text(), folder.path() / "case.toml");
  RunDescription described = describe_run(c);
  Checkpoint checkpoint = checkpoint_of(folder);
  if (!checkpoint.message.empty()) remark(checkpoint.message);
  const bool over =
      Simulation::saved_stage(checkpoint) >= c.stages.size() && std::filesystem::exists(folder.path() / "verdict.txt");
  return {std::move(folder), std::move(c), std::move(described), std::move(checkpoint), over};
}

void check_case_is_kept(RunToResume& run, bool accept, const Remark& remark) {
  if (run.has_its_case()) return;
  const ResultsFolder& folder = run.folder;
  FolderRecord& record = run.folder.record();
  const Case before = parse_written_case(record.case_text);
  const std::size_t stage = Simulation::saved_stage(run.checkpoint);
  const bool over = stage >= before.stages.size();
  const std::uint64_t step = run.step();
  const std::filesystem::path file = folder.path() / "case.toml";
  std::vector<std::string> lines, written;
  std::string fixed;
  std::size_t more = 0;
  for (const CaseDifference& d : case_differences(before, record.file_sums, run.c, run.described.file_sums, stage)) {
    const std::string sentence = fmt::format("{} from {} to {} at step {}", d.key, d.before, d.now, step);
    if (d.effect == ChangeEffect::output) {
      written.push_back(
          fmt::format("{}: {} until step {}, {} from then on", located(file, d.key), d.before, step, d.now));
      record.output_changes.push_back(sentence);
      continue;
    }
    if (d.effect == ChangeEffect::none_can) fixed += (fixed.empty() ? "" : ", ") + d.key;
    if (record.changes.size() < most_lines) record.changes.push_back(sentence);
    if (lines.size() < most_lines)
      lines.push_back(fmt::format("{}: the run was made with {}, found {}", located(file, d.key), d.before, d.now));
    else
      ++more;
  }
  if (more > 0) {
    lines.push_back(fmt::format("{}: {} more keys differ", file.string(), more));
    record.changes.push_back(fmt::format("{} more keys at step {}", more, step));
  }
  if (over && lines.empty()) return;
  if (lines.empty() || (accept && !over && fixed.empty())) {
    lines.insert(lines.end(), written.begin(), written.end());
    for (const std::string& line : lines) remark(line);
    if (lines.size() > written.size())
      remark(
          fmt::format("Accepted: the values found hold from step {} on; the verdict and README.txt record it.", step));
    if (!over && !has_forces_of(run.c, std::min(stage, run.c.stages.size() - 1), before, stage))
      run.other_forces = with_files_of(run.c, before);
    return;
  }
  const std::string folder_name = folder.path().string();
  lines.push_back(
      over ? fmt::format("{}: the run is over, and its results are those of the values before; put them back. A case "
                         "of its own can go on from these results with start_from = \"{}\"",
                         folder_name, folder_name)
      : !fixed.empty()
          ? fmt::format("{}: a run cannot go on with another {}; put the values back, or start again with {}",
                        folder_name, fixed, rerun_command(folder))
          : fmt::format("{}: its checkpoint of step {} was made with another case; put the values back, or go on with "
                        "those found: {}",
                        folder_name, step, go_on_command(folder)));
  throw CaseErrors(lines);
}

void load_checkpoint(Simulation& run, const RunToResume& old) {
  run.load(old.checkpoint);
  if (!old.other_forces) return;
  Simulation before(*old.other_forces);
  before.load(old.checkpoint);
  run.change_forces(before.ledger().residual());
}

void check_rows_are_kept(RunToResume& run, bool accept, const Remark& remark) {
  ResultsFolder& folder = run.folder;
  const std::uint64_t step = run.step();
  const SegmentFaults faults = folder.compare_series(step);
  if (!faults.strange.empty())
    throw FileError(
        fmt::format("{}\n{}: rows of another run would be taken for those of this one; move these files away, or put "
                    "the right ones there",
                    fmt::join(faults.strange, "\n"), folder.path().string()));
  if (faults.lost.empty()) return;
  if (!accept || run.over)
    throw FileError(fmt::format(
        "{}\n{}: rows are lost that were there at the checkpoint of step {}; put the files back, or {}",
        fmt::join(faults.lost, "\n"), folder.path().string(), step,
        run.over ? "run it again: " + rerun_command(folder) : "go on without these rows: " + go_on_command(folder)));
  for (const std::string& loss : faults.lost) {
    remark(loss);
    const std::string start = (folder.path() / "").string();
    folder.record().losses.push_back(
        fmt::format("{}, noticed at step {}", loss.starts_with(start) ? loss.substr(start.size()) : loss, step));
  }
  remark("Accepted: the run goes on without these rows; the verdict and README.txt record it.");
}

}  // namespace dem
