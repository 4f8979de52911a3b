#include "libdem/run/resume.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <vector>

#include "libdem/case/difference.hpp"
#include "libdem/platform/shell_word.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {
namespace {

constexpr std::size_t most_lines = 20;

std::string go_on_command(const ResultsFolder& folder) {
  return fmt::format("dem resume {} --accept-changes", shell_word(folder.path().string()));
}

}  // namespace

std::string rerun_command(const ResultsFolder& folder) {
  return fmt::format("dem run {} --output {} --overwrite", shell_word((folder.path() / "case.toml").string()),
                     shell_word(folder.path().string()));
}

Checkpoint checkpoint_to_resume(ResultsFolder& folder) {
  try {
    return folder.read_checkpoint();
  } catch (const LayoutError&) {
    throw;
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; put a whole one of this run there, or start again with {}", error.what(),
                                rerun_command(folder)));
  }
}

void check_case_is_kept(ResultsFolder& folder, const Case& now, const RunDescription& described,
                        const Checkpoint& checkpoint, bool accept, const Remark& remark) {
  FolderRecord& record = folder.record();
  if (record.case_text == described.case_text && record.file_sums == described.file_sums) return;
  const Case before = parse_written_case(record.case_text);
  const bool over = Simulation::saved_stage(checkpoint) >= before.stages.size();
  const std::uint64_t step = checkpoint.header().step;
  const std::filesystem::path file = folder.path() / "case.toml";
  std::vector<std::string> lines, written;
  std::string fixed;
  std::size_t more = 0;
  for (const CaseDifference& d :
       case_differences(before, record.file_sums, now, described.file_sums, Simulation::saved_stage(checkpoint))) {
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

void check_rows_are_kept(ResultsFolder& folder, std::uint64_t step, bool accept, bool over, const Remark& remark) {
  const SegmentFaults faults = folder.compare_series(step);
  if (!faults.strange.empty())
    throw FileError(
        fmt::format("{}\n{}: rows of another run would be taken for those of this one; move these files away, or put "
                    "the right ones there",
                    fmt::join(faults.strange, "\n"), folder.path().string()));
  if (faults.lost.empty()) return;
  if (!accept || over)
    throw FileError(fmt::format(
        "{}\n{}: rows are lost that were there at the checkpoint of step {}; put the files back, or {}",
        fmt::join(faults.lost, "\n"), folder.path().string(), step,
        over ? "run it again: " + rerun_command(folder) : "go on without these rows: " + go_on_command(folder)));
  for (const std::string& loss : faults.lost) {
    remark(loss);
    const std::string start = (folder.path() / "").string();
    folder.record().losses.push_back(
        fmt::format("{}, noticed at step {}", loss.starts_with(start) ? loss.substr(start.size()) : loss, step));
  }
  remark("Accepted: the run goes on without these rows; the verdict and README.txt record it.");
}

bool is_over(const ResultsFolder& folder, const Checkpoint& checkpoint, const Case& c) {
  return Simulation::saved_stage(checkpoint) >= c.stages.size() &&
         std::filesystem::exists(folder.path() / "verdict.txt");
}

}  // namespace dem
