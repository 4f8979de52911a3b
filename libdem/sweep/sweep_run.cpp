// Runs the points of a sweep on this machine, each in a process of its own.
#include <fmt/format.h>

#include <memory>

#include "libdem/platform/folder_lock.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/sweep/point_run.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/sweep_folder.hpp"

namespace dem {
namespace {

/// Takes over what parts have finished. Another sweep is refused before any of its files is touched or a journal made.
void take_over_parts(const TaskChoice& choice, const std::filesystem::path& folder, std::size_t points) {
  const JournalContent found = sweep_folder::finished(folder, choice.fingerprint, points);
  TaskJournal journal(choice.journal, choice.fingerprint, points);
  for (std::size_t k = 0; k < points; ++k)
    if (found.kept[k] && !journal.kept()[k]) journal.append(k, found.results[k]);
}

}  // namespace

SweepTable run_sweep(const SweepSpec& spec, const SweepRun& how) {
  if (spec.quantities.empty()) throw std::logic_error("a sweep without a quantity");
  const auto checkpoint_of = [&](std::size_t point) {
    return how.folder.empty() ? how.folder : sweep_folder::file_of(how.folder, point, "h5");
  };
  std::unique_ptr<FolderLock> lock;
  TaskChoice choice;
  choice.workers = how.workers;
  choice.fingerprint = fingerprint(spec);
  if (how.show_progress) choice.title = spec.title.empty() ? "sweep" : spec.title;
  if (!how.folder.empty()) {
    create_folder(how.folder);
    lock = std::make_unique<FolderLock>(how.folder, "dem sweep");
    sweep_folder::refuse_running_parts(how.folder);
    sweep_folder::claim(how.folder, how.overwrite);
    choice.journal = how.folder / sweep_folder::journal;
    choice.tasks_stop_by_themselves = true;
    choice.when_kept = [&](std::size_t point) { remove_checkpoint(checkpoint_of(point)); };
  }
  for (std::size_t point = 0; point < spec.points(); ++point) choice.cost.push_back(expected_cost(spec, point));

  std::vector<TaskResult> results;
  try {
    if (!how.folder.empty()) {
      take_over_parts(choice, how.folder, spec.points());
      sweep_folder::write_inputs(how.folder, spec);
    }
    results = run_tasks(
        spec.points(),
        [&](std::size_t point, TaskProgress& progress) {
          return run_point(spec, point, progress, {1, checkpoint_of(point), choice.fingerprint});
        },
        choice);
  } catch (const OtherTasks& error) {
    throw FileError(fmt::format("{}; --overwrite replaces them", error.what()));
  }
  const SweepTable table = sweep_folder::table_of(spec, std::move(results));
  if (!how.folder.empty()) {
    sweep_folder::write_tables(how.folder, spec, table);
    std::error_code not_empty;
    std::filesystem::remove(how.folder / sweep_folder::parts, not_empty);
  }
  return table;
}

}  // namespace dem
