#include "libdem/sweep/parts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "libdem/platform/folder_lock.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/sweep/point_run.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/sweep_folder.hpp"
#include "libdem/sweep/task_crew.hpp"
#include "libdem/sweep/task_display.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

constexpr int most_parts = 1'000'000;

std::string host() {
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 ? name : "an unknown host";
}

/// "dem sweep --part 3/8 on node7, Slurm job 42_3".
std::string command_of(const SweepPart& part) {
  std::string text = fmt::format("dem sweep --part {}/{} on {}", part.k, part.of, host());
  if (const char* job = std::getenv("SLURM_ARRAY_JOB_ID"))
    text += fmt::format(", Slurm job {}_{}", job, part.k);
  else if (const char* job_alone = std::getenv("SLURM_JOB_ID"))
    text += fmt::format(", Slurm job {}", job_alone);
  return text;
}

/// Runs the points of one part.
class PartRun {
 public:
  PartRun(const SweepSpec& spec, const SweepPart& part)
      : spec_(spec),
        part_(part),
        command_(command_of(part)),
        fingerprint_(fingerprint(spec)),
        lock_(own_lock()),
        before_(sweep_folder::finished(part.folder, spec)),
        journal_(own_file("journal"), fingerprint_, spec.points()),
        task_([this](std::size_t point, TaskProgress& progress) {
          return run_point(spec_, point, progress,
                           {part_.threads, sweep_folder::file_of(part_.folder, point, "h5"),
                            sweep_folder::series_of(part_.folder, point), fingerprint_});
        }),
        crew_(task_, spec.points(), Stops::by_itself) {}

  PartReport run() {
    const std::vector<std::size_t> points = points_of_part(spec_, part_.k, part_.of);
    report_.points = points.size();
    report_.earlier = std::size_t(std::ranges::count_if(points, [&](std::size_t k) { return before_.kept[k]; }));
    for (const std::size_t k : points) report_.failed += before_.kept[k] && !before_.results[k].done;
    TaskDisplay display(part_.show_progress ? fmt::format("part {}/{}", part_.k, part_.of) : "", points.size(),
                        report_.earlier);
    for (const std::size_t point : points)
      if (!before_.kept[point]) run_locked(point, display);
    display.finish(report_.failed);
    return report_;
  }

 private:
  fs::path own_file(std::string_view kind) const {
    return part_.folder / sweep_folder::parts / fmt::format("{}-of-{}.{}", part_.k, part_.of, kind);
  }

  std::unique_ptr<FileLock> own_lock() const {
    auto lock = std::make_unique<FileLock>(own_file("lock"), command_, 20);
    sweep_folder::require_locks(*lock, part_.folder, "a point from running");
    if (!lock->is_held())
      throw FileError(fmt::format("{}: part {}/{} is run by {}; wait for it or stop it", part_.folder.string(), part_.k,
                                  part_.of, FileLock::text_of(own_file("lock"))));
    // A sweep on one machine looks for locks of parts after it has taken its own.
    if (const auto holder = FileLock::holder(part_.folder / FolderLock::name))
      throw FileError(fmt::format("{} is in use by {}; wait for it or stop it", part_.folder.string(), *holder));
    return lock;
  }

  void run_locked(std::size_t point, TaskDisplay& display) {
    const FileLock lock(sweep_folder::file_of(part_.folder, point, "lock"), command_);
    sweep_folder::require_locks(lock, part_.folder, "a point from running");
    if (!lock.is_held()) {
      report_.left.push_back(fmt::format("{} is run by {}", point_name(spec_, point),
                                         FileLock::text_of(sweep_folder::file_of(part_.folder, point, "lock"))));
      return;
    }
    // Parts of another number share points with this one. One of them may have finished the point meanwhile.
    if (sweep_folder::is_finished(part_.folder, spec_, fingerprint_, point, part_.of)) {
      ++report_.earlier;
      return;
    }
    if (!crew_.start(point))
      throw std::runtime_error(fmt::format("no process for a point could be started: {}", std::strerror(errno)));
    take(wait_for_end(display));
  }

  Crew::Ended wait_for_end(TaskDisplay& display) {
    for (bool asked = false;;) {
      if (auto ended = crew_.wait(100)) return *ended;
      if (watch_.is_impatient()) throw_interrupted("the running point goes on from its last checkpoint");
      if (watch_.is_stopped() && !asked) crew_.ask_to_stop(), asked = true;
      const std::size_t done = report_.earlier + report_.ran;
      const double share = crew_.size() > 0 ? crew_.share(crew_.workers().front().index) : 0;
      display.show((double(report_.ran) + share) / double(report_.points - report_.earlier), done, crew_.size(),
                   report_.failed);
    }
  }

  void take(const Crew::Ended& ended) {
    const std::string name = point_name(spec_, ended.index);
    if (ended.end == Crew::End::stopped) throw_interrupted(fmt::format("{} is {}", name, ended.result.message));
    if (watch_.is_stopped() && !ended.result.done) {
      // A checkpoint that could not be written is no result.
      throw_interrupted(fmt::format("{} stopped without a checkpoint: {}", name, ended.result.message));
    } else if (ended.end == Crew::End::lost) {
      journal_.append_lost(ended.index, ended.result.message);
      report_.left.push_back(fmt::format("{}: {}", name, ended.result.message));
    } else {
      journal_.append(ended.index, ended.result);
      remove_checkpoint(sweep_folder::file_of(part_.folder, ended.index, "h5"));
      ++report_.ran;
      report_.failed += !ended.result.done;
    }
    if (watch_.is_stopped()) throw_interrupted("no point was running");
  }

  [[noreturn]] void throw_interrupted(const std::string& what) const {
    throw TasksInterrupted(
        fmt::format("part {}/{} interrupted: {} of {} points are finished, {}; the same command goes "
                    "on there",
                    part_.k, part_.of, report_.earlier + report_.ran, report_.points, what));
  }

  const SweepSpec& spec_;
  const SweepPart& part_;
  std::string command_, fingerprint_;
  std::unique_ptr<FileLock> lock_;
  JournalContent before_;  // read first: a journal of its own would make the folder that of this sweep
  TaskJournal journal_;
  Task task_;
  Crew crew_;
  StopWatch watch_;
  PartReport report_;
};

void refuse_missing(const fs::path& folder) {
  if (!fs::exists(folder / sweep_folder::journal) && !fs::exists(folder / sweep_folder::parts))
    throw FileError(
        fmt::format("{}: found no sweep there; run dem sweep with --part or --slurm first, or name its "
                    "folder with --output",
                    folder.string()));
}

}  // namespace

SweepPart part_of_text(std::string_view text) {
  const auto slash = text.find('/');
  const auto k = number_of<int>(text.substr(0, slash)),
             of = slash == text.npos ? std::nullopt : number_of<int>(text.substr(slash + 1));
  if (!k || !of || *k < 1 || *of < *k || *of > most_parts)
    throw std::invalid_argument(fmt::format(
        "found {}, allowed k/T with whole numbers k from 1 to T, T at most {}: the parts of 8 are 1/8 to 8/8", text,
        most_parts));
  return {*k, *of};
}

std::vector<std::size_t> points_of_part(const SweepSpec& spec, int k, int of) {
  const std::vector<std::size_t> order = starting_order(spec, expected_costs(spec));
  std::vector<std::size_t> own;
  for (std::size_t at = std::size_t(k - 1); at < order.size(); at += std::size_t(of)) own.push_back(order[at]);
  return own;
}

PartReport run_sweep_part(const SweepSpec& given, const SweepPart& part) {
  const SweepSpec spec = sweep_folder::placed(given, part.folder);
  if (spec.quantities.empty() && !spec.keep_series) throw std::logic_error("a sweep without a quantity");
  create_folder(part.folder);
  sweep_folder::claim(part.folder, false);
  sweep_folder::finished(part.folder, spec);  // refuses another sweep before anything is made
  create_folder(part.folder / sweep_folder::parts);
  return PartRun(spec, part).run();
}

std::vector<PointStatus> sweep_status(const SweepSpec& given, const fs::path& folder) {
  refuse_missing(folder);
  const SweepSpec spec = sweep_folder::placed(given, folder);
  std::vector<PointStatus> all(spec.points());
  // Locks are read first. A point that finishes meanwhile is then in the journals.
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / sweep_folder::parts, ignored)) {
    const std::string name = entry.path().filename().string();
    std::size_t number = 0;
    if (!name.starts_with("point-")) continue;
    const auto end = std::from_chars(name.data() + 6, name.data() + name.size(), number).ptr;
    if (number < 1 || number > all.size()) continue;
    PointStatus& point = all[number - 1];
    const std::string_view kind(end, std::size_t(name.data() + name.size() - end));
    if (kind == ".h5" || kind == ".previous.h5") point.has_checkpoint = true;
    if (kind != ".lock") continue;
    if (const auto holder = FileLock::holder(entry.path())) {
      point.state = PointState::running;
      point.text = *holder;
    } else if (const std::string text = FileLock::text_of(entry.path()); fs::exists(entry.path(), ignored)) {
      point.text = text + " was killed";
    }
  }
  const JournalContent found = sweep_folder::finished(folder, spec);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (found.kept[k])
      all[k] = {found.results[k].done ? PointState::done : PointState::failed, found.results[k].message, false};
    else if (all[k].state == PointState::waiting && !found.lost[k].empty())
      all[k].text = found.lost[k];
  }
  return all;
}

SweepTable collect_sweep(const SweepSpec& given, const fs::path& folder) {
  refuse_missing(folder);
  const SweepSpec spec = sweep_folder::placed(given, folder);
  const sweep_folder::TablesLock lock(folder);
  JournalContent found = sweep_folder::finished(folder, spec);
  for (std::size_t k = 0; k < found.kept.size(); ++k)
    if (!found.kept[k])
      found.results[k].message =
          found.lost[k].empty() ? "not run yet" : fmt::format("not run yet; last time {}", found.lost[k]);
  SweepTable table = sweep_folder::table_of(spec, std::move(found.results));
  sweep_folder::write_inputs(folder, spec);
  sweep_folder::write_tables(folder, spec, table);
  return table;
}

std::string point_name(const SweepSpec& spec, std::size_t point) {
  std::string text = fmt::format("point {}", point + 1), values;
  const std::vector<SweepValue> all = point_values(spec, point);
  std::size_t k = 0;
  for (const SweepAxis& axis : spec.axes)
    for (const std::string& name : axis.names)
      values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, text_of(all[k++]));
  if (spec.replicates > 1) values += fmt::format("{}replicate {}", values.empty() ? "" : ", ", text_of(all[k]));
  return values.empty() ? text : fmt::format("{} ({})", text, values);
}

}  // namespace dem
