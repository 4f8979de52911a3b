// Runs the points of a sweep on this machine, each in a process of its own.
#include <fmt/format.h>

#include <memory>

#include "libdem/platform/folder_lock.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/sweep/point_run.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/sweep_folder.hpp"

namespace dem {
namespace {

/// Takes over what parts have finished. Another sweep is refused before any of its files is touched or a journal made.
void take_over_parts(const TaskChoice& choice, const std::filesystem::path& folder, const SweepSpec& spec) {
  const JournalContent found = sweep_folder::finished(folder, spec);
  TaskJournal journal(choice.journal, choice.fingerprint, spec.points());
  for (std::size_t k = 0; k < spec.points(); ++k) {
    if (!found.kept[k] && journal.content().kept[k])
      journal.append_lost(k, found.lost[k].empty() ? "failed with another content of its input file" : found.lost[k]);
    if (!found.kept[k]) continue;
    if (!journal.content().kept[k]) journal.append(k, found.results[k]);
    choice.when_kept(k);
  }
}

/// Removes what killed parts left, and the folder of the parts if nothing is in it.
void tidy(const std::filesystem::path& folder) {
  std::error_code ignored;
  const std::filesystem::path parts = folder / sweep_folder::parts;
  for (const auto& entry : std::filesystem::directory_iterator(parts, ignored))
    if (entry.path().extension() == ".lock" && !FileLock::holder(entry.path()))
      std::filesystem::remove(entry.path(), ignored);
  if (!std::filesystem::is_symlink(parts, ignored)) std::filesystem::remove(parts, ignored);
}

}  // namespace

SweepTable run_sweep(const SweepSpec& given, const SweepRun& how) {
  const SweepSpec spec = sweep_folder::placed(given, how.folder);
  if (spec.quantities.empty() && !spec.keep_series) throw std::logic_error("a sweep without a quantity");
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
  choice.cost = expected_costs(spec);
  choice.order = starting_order(spec, choice.cost);

  std::vector<TaskResult> results;
  try {
    if (!how.folder.empty()) {
      take_over_parts(choice, how.folder, spec);
      const sweep_folder::TablesLock turn(how.folder);
      sweep_folder::write_inputs(how.folder, spec);
    }
    results = run_tasks(
        spec.points(),
        [&](std::size_t point, TaskProgress& progress) {
          return run_point(spec, point, progress,
                           {1, checkpoint_of(point), sweep_folder::series_of(how.folder, point), choice.fingerprint});
        },
        choice);
    if (!how.folder.empty()) sweep_folder::check_inputs(how.folder, spec, results);
  } catch (const OtherTasks& error) {
    throw FileError(fmt::format("{}; --overwrite replaces them", error.what()));
  }
  SweepTable table = sweep_folder::table_of(spec, std::move(results));
  if (!how.folder.empty()) {
    const sweep_folder::TablesLock turn(how.folder);
    sweep_folder::write_tables(how.folder, spec, table);
    tidy(how.folder);
  }
  return table;
}

}  // namespace dem
