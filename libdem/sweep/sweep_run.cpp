// Runs the points of a sweep, each in a process of its own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "libdem/platform/every.hpp"
#include "libdem/platform/folder_lock.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/run/start_from.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/quantities.hpp"
#include "libdem/sweep/task_journal.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

// Files of a sweep in its folder. No other file is ever removed there.
constexpr const char* journal_name = "journal";
constexpr std::array<const char*, 6> files{journal_name, "table.csv", "table.h5",
                                           "sweep.toml", "case.toml", "plot.svg"};

/// Returns t_c, steps, then the quantities.
std::vector<double> run_point(const SweepSpec& spec, std::size_t point, TaskProgress& progress) {
  Case c;
  try {
    c = parse_case(point_case_text(spec, point), spec.case_file);
  } catch (const CaseErrors& errors) {
    throw std::runtime_error(without_lines(errors, spec.case_file));
  }
  c.threads = 1;  // points run in parallel instead
  take_step_of_start(c);
  Simulation run(c);
  if (!c.start_from.empty()) start_from_results(run, c);
  QuantityMeter meter(spec.quantities, run);
  while (!run.finished()) {
    run.step();
    meter.after_step(run);
    if (!Every{256}.at(run.step_count())) continue;
    if (meter.satisfied()) break;
    if (Every{4096}.at(run.step_count())) progress.done(meter.share(run));
  }
  std::string remark;
  std::vector<double> values{run.contact_duration(), double(run.step_count())};
  const auto measured = meter.results(run, remark);
  values.insert(values.end(), measured.begin(), measured.end());
  progress.remark(remark);
  return values;
}

/// The columns of a series, from the first point that can be built, among the first 20 points.
std::vector<Column> series_columns(const SweepSpec& spec) {
  for (std::size_t point = 0; point < std::min<std::size_t>(spec.points(), 20); ++point) {
    try {
      Case c = parse_case(point_case_text(spec, point), spec.case_file);
      c.threads = 1;
      c.time.override_limit = true;
      const Simulation run(c);
      return RunObserver(run).columns();
    } catch (const std::exception&) {
    }
  }
  return {};
}

Column parameter_column_of(const SweepAxis& axis, std::size_t k, bool in_space) {
  Column column{axis.names[k], "", axis.keys[k].empty() ? "free parameter of the sweep" : "key " + axis.keys[k]};
  std::string key = axis.keys[k];
  if (key.size() > 2 && key[key.size() - 3] == '[') key.resize(key.size() - 3);
  const auto dot = key.find('.'), last = key.rfind('.');
  const std::string path = dot == last ? key : key.substr(0, dot) + key.substr(last);
  for (const CaseKey& known : case_keys())
    if (!axis.keys[k].empty() && known.path == path)
      column.unit = in_space && !known.unit_in_space.empty() ? known.unit_in_space : known.unit,
      column.description += ": " + known.description;
  return column;
}

SweepTable empty_table(const SweepSpec& spec) {
  SweepTable table;
  table.title = spec.title;
  const bool in_space = CaseDocument(spec.case_text, spec.case_file.string()).number("dimension") == 3.0;
  for (const SweepAxis& axis : spec.axes)
    for (std::size_t k = 0; k < axis.names.size(); ++k)
      table.parameters.push_back(parameter_column_of(axis, k, in_space));
  if (spec.replicates > 1) {
    table.parameters.push_back({"replicate", "", "number of the replicate, from 0"});
    table.parameters.push_back({"seed", "", spec.seed_key.empty() ? "seed of the replicate" : "key " + spec.seed_key});
  }
  table.results = {{"t_c", "s", "contact time of two mean bodies"}, {"steps", "1", "time steps of the run"}};
  const bool series =
      std::ranges::any_of(spec.quantities, [](const auto& q) { return q.kind != QuantityKind::relaxation; });
  const auto columns = series ? series_columns(spec) : std::vector<Column>{};
  for (const SweepQuantity& quantity : spec.quantities)
    for (Column& column : quantity_columns(quantity, columns)) table.results.push_back(std::move(column));
  return table;
}

/// Accepts a folder that is new, empty, or holds a sweep.
void claim(const fs::path& folder, bool overwrite) {
  const bool sweep = fs::exists(folder / journal_name);
  if (!sweep)
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().filename() != FolderLock::name)
        throw FileError(fmt::format("{} holds {} but no sweep; choose another folder with --output", folder.string(),
                                    entry.path().filename().string()));
  if (sweep && overwrite)
    for (const char* file : files) fs::remove(folder / file);
}

void write_folder(const fs::path& folder, const SweepSpec& spec, const SweepTable& table) {
  write_file(folder / "table.csv", table_csv(table));
  write_table_hdf5(folder / "table.h5", table, spec.text, spec.case_text);
}

}  // namespace

SweepTable run_sweep(const SweepSpec& spec, const SweepRun& how) {
  if (spec.quantities.empty()) throw std::logic_error("a sweep without a quantity");
  std::unique_ptr<FolderLock> lock;
  TaskChoice choice;
  choice.workers = how.workers;
  choice.fingerprint = fingerprint(spec);
  if (how.show_progress) choice.title = spec.title.empty() ? "sweep" : spec.title;
  if (!how.folder.empty()) {
    create_folder(how.folder);
    lock = std::make_unique<FolderLock>(how.folder, "dem sweep");
    claim(how.folder, how.overwrite);
    choice.journal = how.folder / journal_name;
  }
  for (std::size_t point = 0; point < spec.points(); ++point) choice.cost.push_back(expected_cost(spec, point));

  SweepTable table = empty_table(spec);
  std::vector<TaskResult> results;
  try {
    if (!how.folder.empty()) {
      {  // refuses another sweep before its files are touched
        const TaskJournal opened(choice.journal, choice.fingerprint, spec.points());
      }
      write_file(how.folder / "case.toml", spec.case_text);
      if (!spec.text.empty()) write_file(how.folder / "sweep.toml", spec.text);
    }
    results = run_tasks(
        spec.points(), [&](std::size_t point, TaskProgress& progress) { return run_point(spec, point, progress); },
        choice);
  } catch (const OtherTasks& error) {
    throw FileError(fmt::format("{}; --overwrite replaces them", error.what()));
  }
  for (std::size_t point = 0; point < results.size(); ++point) {
    TaskResult& result = results[point];
    if (!result.done) result.numbers.assign(table.results.size(), NAN);
    table.parameter.push_back(point_values(spec, point));
    table.result.push_back(std::move(result.numbers));
    table.message.push_back(std::move(result.message));
    table.seconds.push_back(result.seconds);
  }
  if (!how.folder.empty()) write_folder(how.folder, spec, table);
  return table;
}

}  // namespace dem
