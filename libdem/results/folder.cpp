#include "libdem/results/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "libdem/pictures/svg.hpp"
#include "libdem/pictures/vtk.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view fingerprint_line = "fingerprint of the case at the start = ";
/// Braces: lines on profiles and plane jumps.
constexpr std::string_view readme = R"(
case.toml            the resolved case: every key with its value; `dem run` repeats the run from it
series/              measurements over time (HDF5, in segments; one dataset per column, with unit and description)
{}{}series.csv           the series as a table, if the case asks for it (output.csv)
snapshots/STEP.h5    bodies at one moment (HDF5, describes itself), with output.contacts = true also the contacts;
                     few, unless output.snapshot_interval asks for more
frames/STEP.svg      pictures of the assembly, in space only with output.frame_interval
paraview/            particles.pvd, contacts.pvd and walls.pvd (walls in space) for ParaView, with output.vtk = true
checkpoint.h5        state for `dem resume` on this folder; checkpoint.previous.h5 is the one before
verdict.txt, .json   how the run judged itself
.lock                name of the process that writes here, while it writes

Units are SI and radians, per metre of thickness in two-dimensional cases. Contact forces act on body i, and normals
point from i to j. Stresses are tension positive, pressures compression positive. Bodies are numbered from 0. A name
such as body[1] counts the tables of the case, from 1.
`dem run --overwrite` removes only the files listed here. Other files in these folders are neither read nor removed.
)";
constexpr std::string_view readme_profiles =
    "profiles/            profiles over the height (HDF5, like series; [row][bin], bin centres in the group bins)\n";

constexpr std::string_view readme_jumps =
    "plane_jumps/         one row per jump of a contact plane, for every definition (HDF5, like series), if there "
    "are any\n";

std::string listed(std::string_view heading, const std::vector<std::string>& sentences) {
  std::string text = sentences.empty() ? "" : fmt::format("\n{}\n", heading);
  for (const std::string& s : sentences) text += fmt::format("  {}\n", s);
  return text;
}

std::string readme_text(bool profiles, bool jumps, const FolderRecord& record) {
  return fmt::format(
      "{}{}\n{}{:016x}\n{}{}{}{}", first_line, hdf5::file_format, fingerprint_line, record.first_fingerprint,
      fmt::format(readme, profiles ? readme_profiles : "", jumps ? readme_jumps : ""),
      listed("The case was changed on the way, so that case.toml does not repeat this run:", record.changes),
      listed("Rows were lost on the way:", record.losses),
      listed("What is written was changed on the way:", record.output_changes));
}

/// Names that a run writes, in the order of removal. Checkpoints go first, the older before the newer, so that after an
/// interruption whatever can be resumed is whole. The README goes last, so that the rest stays recognisable.
constexpr std::array removal_order{"checkpoint.h5.new",
                                   "checkpoint.previous.h5",
                                   "checkpoint.h5",
                                   "verdict.txt",
                                   "verdict.json",
                                   "series.csv",
                                   "series",
                                   "profiles",
                                   "plane_jumps",
                                   "snapshots",
                                   "frames",
                                   "paraview",
                                   "case.toml",
                                   "README.txt"};

/// True if a run writes a file of this name into this folder of its results.
bool is_written(std::string_view folder, const fs::path& file) {
  if (std::ranges::find(segment_folders, folder) != segment_folders.end()) return segment_number(file).has_value();
  return std::ranges::any_of(file_kinds, [&](const FileKind& kind) {
    return folder == kind.folder && (kind.step_of(file) || (kind.collection && file.filename() == kind.collection));
  });
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    out.push_back(it->path());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<fs::path> files_of(const fs::path& results, const FileKind& kind) {
  std::vector<fs::path> out = files_of(results / kind.folder);
  std::erase_if(out, [&](const fs::path& file) { return !kind.step_of(file); });
  return out;
}

/// True for files that a killed writer leaves behind.
bool is_unfinished(std::string_view folder, const fs::path& file) {
  return file.extension() == ".part" && is_written(folder, file.parent_path() / file.stem());
}

/// Removes one entry of removal_order: a file, or the files of a run in a folder and then the folder if empty.
void remove_results(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return remove_path(path);
  const std::string name = path.filename().string();
  for (const fs::path& file : files_of(path))
    if (is_written(name, file) || is_unfinished(name, file)) remove_path(file);
  if (fs::is_empty(path, error)) remove_path(path);
}

/// True for an empty folder, or one with only a lock (of a run that begins) or a README cut by the end of its run.
bool holds_nothing(const fs::path& folder) {
  const std::string unfinished = std::string(readme_name) + ".part";
  return std::all_of(fs::directory_iterator(folder), fs::directory_iterator(), [&](const fs::directory_entry& entry) {
    return entry.path().filename() == FolderLock::name || entry.path().filename() == unfinished;
  });
}

/// None: the folder has no segment.
std::optional<Series> series_if_any(const fs::path& folder) {
  return is_series_folder(folder) ? std::optional(read_series(folder)) : std::nullopt;
}

}  // namespace

ResultsFolder ResultsFolder::create(const fs::path& path, const RunDescription& run, bool overwrite,
                                    std::string_view command) {
  std::error_code error;
  const auto refuse_others = [&] {
    if (!fs::exists(path, error)) {
      if (fs::is_symlink(path, error))
        throw FileError(fmt::format("{} is a link to {}, and there is no such folder; make it, or choose another one",
                                    path.string(), fs::read_symlink(path, error).string()));
      return;
    }
    if (!fs::is_directory(path)) throw FileError(fmt::format("{} exists and is not a folder", path.string()));
    if (holds_nothing(path)) return;
    if (!is_results_folder(path))
      throw FileError(fmt::format("folder {} is not empty and holds no results of this program; choose another one",
                                  path.string()));
    if (!overwrite)
      throw FileError(fmt::format(
          "folder {} holds the results of a run; choose another one, or overwrite them (--overwrite)", path.string()));
  };
  refuse_others();
  create_folder(path);
  ResultsFolder folder(path);
  folder.lock(command);
  refuse_others();  // another run may have begun and ended meanwhile
  for (const char* name : removal_order) remove_results(path / name);
  folder.run_ = run;
  folder.record_.first_fingerprint = run.fingerprint;
  write_file(path / readme_name, readme_text(false, false, folder.record_));
  write_file(path / "case.toml", run.case_text);
  return folder;
}

ResultsFolder ResultsFolder::open(const fs::path& path) {
  constexpr const char* advice = "give the folder that dem run wrote (its --output)";
  std::error_code error;
  for (const fs::path& part : {path, path / readme_name})  // a locked folder is not one without results
    if (!fs::exists(part, error) && error)
      throw FileError(fmt::format("cannot read folder {}: {}", path.string(), error.message()), error.value());
  if (!fs::is_directory(path, error))
    throw FileError(fs::exists(path, error)
                        ? fmt::format("{} is a file, needed a results folder; {}", path.string(), advice)
                        : fmt::format("there is no folder {}; {}", path.string(), advice));
  if (!is_results_folder(path))
    throw FileError(fs::exists(path / "journal", error) || fs::exists(path / "table.h5", error)
                        ? fmt::format("folder {} is that of a sweep, not of a run: its results are in the table {}",
                                      path.string(), (path / "table.csv").string())
                        : fmt::format("folder {} holds no results of this program; {}", path.string(), advice));
  const std::string text = read_file(path / readme_name);
  const std::string format = text.substr(first_line.size(), text.find('\n') - first_line.size());
  if (format != std::to_string(hdf5::file_format))
    throw FileError(
        fmt::format("folder {} has format {}; this program reads format {}", path.string(), format, hdf5::file_format));
  ResultsFolder folder(path);
  if (const auto at = text.find(fingerprint_line); at != text.npos)
    folder.record_.first_fingerprint = std::strtoull(text.c_str() + at + fingerprint_line.size(), nullptr, 16);
  return folder;
}

std::string ResultsFolder::case_text() const { return read_file(path_ / "case.toml"); }

void ResultsFolder::start_series(const OutputColumns& columns) {
  const std::array all{columns.series, columns.profiles, columns.jumps};
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!all[k].empty()) rows_[k].emplace(path_ / segment_folders[k], all[k]);
  write_readme();
}

void ResultsFolder::write_readme() {
  write_file(path_ / readme_name, readme_text(rows_[profile_rows].has_value(), rows_[jump_rows].has_value(), record_));
}

SegmentFaults ResultsFolder::compare_series(std::uint64_t last_step) const {
  SegmentFaults all;
  for (std::size_t k = 0; k < segment_folders.size(); ++k) {
    SegmentFaults faults = compare_segments(path_ / segment_folders[k], record_.segments[k], last_step);
    std::ranges::move(faults.lost, std::back_inserter(all.lost));
    std::ranges::move(faults.strange, std::back_inserter(all.strange));
  }
  return all;
}

void ResultsFolder::resume_series(const OutputColumns& columns, std::uint64_t last_step) {
  const std::array all{columns.series, columns.profiles, columns.jumps};
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!all[k].empty()) rows_[k] = SeriesWriter::resume(path_ / segment_folders[k], all[k], last_step);
  remove_after(last_step);
  for (const auto* sentences : {&record_.changes, &record_.losses})
    run_.changes.insert(run_.changes.end(), sentences->begin(), sentences->end());
  write_readme();
}

void ResultsFolder::remove_after(std::uint64_t last_step) {
  for (const char* name : removal_order) {
    remove_path(path_ / (std::string(name) + ".part"));
    for (const fs::path& file : files_of(path_ / name))
      if (is_unfinished(name, file)) remove_path(file);
  }
  for (std::size_t k = 0; k < file_kinds.size(); ++k) {
    for (const fs::path& file : files_of(path_, file_kinds[k]))
      if (*file_kinds[k].step_of(file) > last_step) remove_path(file);
    record_.files[k] = files_there(k, problems_);
    if (!file_kinds[k].collection) continue;
    if (!record_.files[k].steps.empty())
      write_collection(k);  // made anew: the old one may be truncated, or list removed files
    else
      remove_path(path_ / file_kinds[k].folder / file_kinds[k].collection);
  }
  for (const char* name : {"verdict.txt", "verdict.json", "series.csv"}) remove_path(path_ / name);
}

std::vector<std::string> ResultsFolder::losses(const std::vector<std::string>& told) const {
  SegmentFaults faults = compare_series(*checkpoint_step_);
  std::vector<std::string> out = std::move(faults.lost);
  std::ranges::move(faults.strange, std::back_inserter(out));
  if (std::error_code error; !fs::exists(path_ / "case.toml", error))
    out.push_back((path_ / "case.toml").string() + " is missing");
  for (std::size_t k = 0; k < file_kinds.size(); ++k) files_there(k, out);
  std::erase_if(out, [&](const std::string& fault) {
    return std::ranges::any_of(told, [&](const std::string& t) { return fault.starts_with(t); });
  });
  return out;
}

WrittenFiles ResultsFolder::files_there(std::size_t k, std::vector<std::string>& problems) const {
  WrittenFiles there;
  std::vector<std::uint64_t> missing;
  const WrittenFiles& written = record_.files[k];
  for (std::size_t f = 0; f < written.steps.size(); ++f) {
    std::error_code error;
    if (fs::exists(path_ / file_kinds[k].folder / file_kinds[k].name(written.steps[f]), error))
      there.add(written.steps[f], written.times[f]);
    else
      missing.push_back(written.steps[f]);
  }
  if (missing.empty()) return there;
  const std::string first = (path_ / file_kinds[k].folder / file_kinds[k].name(missing.front())).string();
  problems.push_back(missing.size() == 1 ? fmt::format("{} is missing", first)
                                         : fmt::format("{} is missing, and {} more of its kind until step {}", first,
                                                       missing.size() - 1, missing.back()));
  return there;
}

std::vector<std::string> ResultsFolder::problems() const {
  std::vector<std::string> out = problems_;
  for (const auto& writer : rows_)
    if (writer) out.insert(out.end(), writer->problems().begin(), writer->problems().end());
  return out;
}

void ResultsFolder::flush() {
  for (auto& writer : rows_)
    if (writer) writer->flush();
}

void ResultsFolder::write_snapshot(const AssemblyView& view, bool contacts) {
  create_folder(path_ / "snapshots");
  dem::write_snapshot(path_ / "snapshots" / file_kinds[snapshot_files].name(view.state.step), view, run_, contacts);
  record_.files[snapshot_files].add(view.state.step, view.state.time);
}

void ResultsFolder::write_picture(std::size_t k, const AssemblyView& view, std::string_view bytes) {
  const FileKind& kind = file_kinds[k];
  create_folder(path_ / kind.folder);
  write_file(path_ / kind.folder / kind.name(view.state.step), bytes, false);
  record_.files[k].add(view.state.step, view.state.time);
  if (kind.collection) write_collection(k);
}

void ResultsFolder::write_collection(std::size_t k) const {
  const FileKind& kind = file_kinds[k];
  const WrittenFiles& files = record_.files[k];
  std::vector<CollectionEntry> entries;
  for (std::size_t f = 0; f < files.steps.size(); ++f) entries.push_back({files.times[f], kind.name(files.steps[f])});
  write_file(path_ / kind.folder / kind.collection, pvd_collection(entries), false);
}

void ResultsFolder::write_frame(const AssemblyView& view, const std::string& title, std::string_view colour_by) {
  write_picture(frame_files, view, svg_frame(view, title, colour_by));
}

void ResultsFolder::write_paraview(const AssemblyView& view, bool contacts) {
  write_picture(particle_files, view, vtp_particles(view));
  if (contacts) write_picture(contact_files, view, vtp_contacts(view));
  if (const std::string walls = vtp_walls(view); !walls.empty()) write_picture(wall_files, view, walls);
}

void ResultsFolder::write_checkpoint(const CheckpointHeader& header, const std::function<void(ArchiveWriter&)>& save) {
  flush();
  record_.case_text = run_.case_text;
  record_.fingerprint = run_.fingerprint;
  record_.file_sums = run_.file_sums;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    record_.segments[k] = rows_[k] ? rows_[k]->segments() : std::vector<SegmentRecord>{};
  dem::write_checkpoint(checkpoint_file(), header, [&](ArchiveWriter& archive) {
    save(archive);
    record_.save(archive);
  });
  checkpoint_step_ = header.step;
}

std::size_t ResultsFolder::record_bytes() const {
  std::size_t bytes = run_.case_text.size();
  for (const auto& writer : rows_)
    if (writer) bytes += writer->segments().size() * sizeof(SegmentRecord);
  for (const WrittenFiles& files : record_.files) bytes += 16 * files.steps.size();
  return bytes;
}

void ResultsFolder::write_verdict(std::string_view text, std::string_view json) {
  write_file(path_ / "verdict.json", json);
  write_file(path_ / "verdict.txt", text);  // last, because resume takes a folder with this file for a finished run
}

void ResultsFolder::write_csv() {
  flush();
  write_file(path_ / "series.csv", csv_text(read_series()), false);
}

Series ResultsFolder::read_series() const { return dem::read_series(path_ / "series"); }
std::optional<Series> ResultsFolder::read_profiles() const { return series_if_any(path_ / "profiles"); }
std::optional<Series> ResultsFolder::read_jumps() const { return series_if_any(path_ / "plane_jumps"); }

Checkpoint ResultsFolder::read_checkpoint() {
  Checkpoint checkpoint = dem::read_checkpoint(checkpoint_file());
  checkpoint_step_ = checkpoint.header().step;
  const std::uint64_t first = record_.first_fingerprint;
  record_ = FolderRecord::of(checkpoint);
  if (record_.first_fingerprint != first)
    throw FileError(
        fmt::format("{} is of another run: that began with a case of fingerprint {:016x}, and the run of this folder "
                    "with one of {:016x}",
                    checkpoint.file().string(), record_.first_fingerprint, first));
  return checkpoint;
}

std::vector<fs::path> ResultsFolder::snapshots() const { return files_of(path_, file_kinds[snapshot_files]); }
std::vector<fs::path> ResultsFolder::frames() const { return files_of(path_, file_kinds[frame_files]); }

}  // namespace dem
