#include "libdem/sweep/sweep_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "libdem/platform/text_file.hpp"
#include "libdem/sweep/parts.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/quantities.hpp"

namespace dem::sweep_folder {
namespace {

namespace fs = std::filesystem;

// Files of a sweep in its folder. No other file is ever removed there. The script may have lines of the user.
constexpr std::array<const char*, 6> files{journal, "table.csv", "table.h5", "sweep.toml", "case.toml", "plot.svg"};
constexpr const char* tables_lock = ".files.lock";

/// The columns of a series, from the first point that can be built, among the first 20 points.
std::vector<Column> series_columns(const SweepSpec& spec) {
  for (std::size_t point = 0; point < std::min<std::size_t>(spec.points(), 20); ++point) {
    try {
      Case c = parse_case(point_case_text(spec, point), spec.case_file);
      c.threads = 1;
      c.time.override_limit = true;
      const Simulation run(c);
      return RunObserver(run).columns().series;
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

bool holds_sweep(const fs::path& folder) { return fs::exists(folder / journal) || fs::exists(folder / parts); }

void add(JournalContent& all, const JournalContent& more) {
  for (std::size_t k = 0; k < all.kept.size(); ++k) {
    if (all.lost[k].empty()) all.lost[k] = more.lost[k];
    if (!more.kept[k] || (all.kept[k] && all.results[k].done)) continue;
    all.results[k] = more.results[k];
    all.kept[k] = true;
  }
}

/// Without the journals of parts of the number `of`, and without points whose kept series is missing.
JournalContent content_of(const fs::path& folder, const SweepSpec& spec, const std::string& fingerprint, int of) {
  const std::size_t points = spec.points();
  JournalContent all(points);
  if (fs::exists(folder / journal)) add(all, read_journal(folder / journal, fingerprint, points));
  std::vector<fs::path> journals;
  for (const auto& entry :
       fs::exists(folder / parts) ? fs::directory_iterator(folder / parts) : fs::directory_iterator())
    if (entry.path().extension() == ".journal" &&
        (of == 0 || !entry.path().stem().string().ends_with(fmt::format("-of-{}", of))))
      journals.push_back(entry.path());
  std::ranges::sort(journals);
  for (const fs::path& file : journals) add(all, read_journal(file, fingerprint, points));
  for (std::size_t point = 0; spec.keep_series && point < points; ++point)
    if (all.results[point].done && !fs::exists(series_of(folder, point))) {
      all.kept[point] = all.results[point].done = false;
      all.lost[point] = "its series is missing";
    }
  return all;
}

}  // namespace

TablesLock::TablesLock(const fs::path& folder, int attempts) : FileLock(folder / tables_lock, "dem sweep", attempts) {
  if (!is_held() && !is_impossible())
    throw FileError(fmt::format("{} is written by {}; wait for it or stop it", folder.string(),
                                FileLock::text_of(folder / tables_lock)));
}

void require_locks(const FileLock& lock, const fs::path& folder, std::string_view what) {
  if (lock.is_impossible())
    throw FileError(
        fmt::format("{}: found a file system without file locks (flock), which keep {} twice; choose a folder on "
                    "another file system with --output",
                    folder.string(), what));
}

void make_folder_of(const fs::path& file) {
  std::error_code ignored;
  fs::create_directory(file.parent_path(), ignored);
}

fs::path file_of(const fs::path& folder, std::size_t point, std::string_view kind) {
  return folder / parts / fmt::format("point-{}.{}", point + 1, kind);
}

fs::path series_of(const fs::path& folder, std::size_t point) {
  return folder / series / fmt::format("point-{}", point + 1);
}

SweepSpec placed(const SweepSpec& spec, const fs::path& folder) {
  if (folder.empty() && (spec.keep_series || spec.packing))
    throw std::invalid_argument(fmt::format("a sweep with {} and no folder, expected a folder for its results",
                                            spec.keep_series ? "keep = \"series\"" : "start_from"));
  SweepSpec all = spec;
  if (!folder.empty()) all.folder = fs::absolute(folder);
  return all;
}

void refuse_running_parts(const fs::path& folder) {
  if (!fs::exists(folder / parts)) return;
  for (const auto& entry : fs::directory_iterator(folder / parts))
    if (entry.path().extension() == ".lock")
      if (const auto holder = FileLock::holder(entry.path()))
        throw FileError(fmt::format("{} is in use by {}; wait for it or stop it", folder.string(), *holder));
}

void claim(const fs::path& folder, bool overwrite) {
  if (!holds_sweep(folder)) {
    for (const auto& entry : fs::directory_iterator(folder))
      if (const fs::path name = entry.path().filename(); name != FolderLock::name && name != tables_lock &&
                                                         name != script &&
                                                         !holds_sweep(folder))  // a part may just have begun
        throw FileError(fmt::format("{} holds {} but no sweep; choose another folder with --output", folder.string(),
                                    entry.path().filename().string()));
    return;
  }
  if (!overwrite) return;
  refuse_running_parts(folder);
  // Journals last: they show that the rest belongs to a sweep.
  for (const char* made : {series, packings}) remove_path(folder / made);
  for (const char* file : files)
    if (std::string_view(file) != journal) remove_path(folder / file);
  remove_path(folder / parts);
  remove_path(folder / journal);
}

JournalContent finished(const fs::path& folder, const SweepSpec& spec) {
  JournalContent all = content_of(folder, spec, fingerprint(spec), 0);
  for (const std::size_t point : check_inputs(folder, spec, all.results)) all.kept[point] = false;
  return all;
}

bool is_finished(const fs::path& folder, const SweepSpec& spec, const std::string& fingerprint, std::size_t point,
                 int of) {
  return content_of(folder, spec, fingerprint, of).results[point].done;
}

std::vector<std::size_t> check_inputs(const fs::path& folder, const SweepSpec& spec,
                                      const std::vector<TaskResult>& results) {
  std::map<std::string, std::string> inputs_of_words;  // as they are now
  std::vector<std::size_t> failed;
  for (std::size_t point = 0; point < results.size(); ++point) {
    if (results[point].inputs.empty()) continue;
    std::string words;  // only words name files
    for (const SweepValue& value : point_values(spec, point))
      if (const auto* word = std::get_if<std::string>(&value)) words += *word + '\n';
    const auto [now, is_new] = inputs_of_words.try_emplace(words);
    if (is_new) now->second = inputs_of(spec, point);
    const std::string key = changed_input(results[point].inputs, now->second);
    if (key.empty()) continue;
    if (results[point].done)
      throw OtherTasks(
          fmt::format("{}: found {} with results of another content of {}, expected the file as it was then; put it "
                      "back, or choose another folder",
                      folder.string(), point_name(spec, point), key));
    failed.push_back(point);
  }
  return failed;
}

SweepTable table_of(const SweepSpec& spec, std::vector<TaskResult> results) {
  SweepTable table = empty_table(spec);
  for (std::size_t point = 0; point < results.size(); ++point) {
    TaskResult& result = results[point];
    if (!result.done) result.numbers.assign(table.results.size(), NAN);
    table.parameter.push_back(point_values(spec, point));
    table.result.push_back(std::move(result.numbers));
    table.message.push_back(std::move(result.message));
    table.seconds.push_back(result.seconds);
  }
  return table;
}

void write_tables(const fs::path& folder, const SweepSpec& spec, const SweepTable& table) {
  write_file(folder / "table.csv", table_csv(table));
  write_table_hdf5(folder / "table.h5", table, spec.text, spec.case_text);
}

void write_inputs(const fs::path& folder, const SweepSpec& spec) {
  write_file(folder / "case.toml", spec.case_text);
  if (!spec.text.empty()) write_file(folder / "sweep.toml", spec.text);
}

}  // namespace dem::sweep_folder
