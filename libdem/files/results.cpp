#include "libdem/files/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "libdem/files/text_file.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view readme_name = "README.txt";
constexpr std::string_view first_line = "Results of a libdem run, format = ";
/// The braces: the lines on profiles and plane jumps.
constexpr std::string_view readme = R"(
case.toml            the resolved case: every key with its value; `dem run` repeats the run from it
series/              measurements over time (HDF5, in segments; a column a dataset with unit and description)
{}{}snapshots/STEP.h5    bodies at one moment (HDF5, describes itself), with output.contacts = true also the contacts
frames/STEP.svg      pictures of the assembly
paraview/            with output.vtk = true: open particles.pvd and contacts.pvd with ParaView; walls.pvd where there are walls in space
checkpoint.h5        the state to go on from (`dem resume` on this folder), and the one before: checkpoint.previous.h5
verdict.txt, .json   how the run judged itself
.lock                only while a process writes here: which one

SI units, radians; two-dimensional cases: per metre of thickness. Contact forces act on body i, normals point from i to j,
stresses are tension positive, pressures compression positive.
`dem run --overwrite` removes what is listed here and nothing else.
)";
constexpr std::string_view readme_profiles =
    "profiles/            profiles over the height (HDF5, as series; [row][bin], bin centres in the group bins)\n";

constexpr std::string_view readme_jumps =
    "plane_jumps/         a row for each jump of a contact plane, of every definition (HDF5, as series); no folder: none\n";

std::string readme_text(bool profiles, bool jumps) {
  return fmt::format("{}{}\n{}", first_line, hdf5::file_format,
                     fmt::format(readme, profiles ? readme_profiles : "", jumps ? readme_jumps : ""));
}

/// What a run writes, in the order in which it is removed. Checkpoints go first, the older one before the newer: where the
/// removal is interrupted, whatever can still be resumed is whole. The README goes last: the rest stays recognisable.
constexpr std::array removal_order{"checkpoint.h5.new", "checkpoint.previous.h5", "checkpoint.h5", "verdict.txt",
                                   "verdict.json",      "series",                 "profiles",      "plane_jumps",
                                   "snapshots",         "frames",                 "paraview",      "case.toml",
                                   "README.txt"};

void remove_path(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw FileError(fmt::format("cannot remove {}: {}", path.string(), error.message()));
}

std::string step_name(std::uint64_t step, std::string_view extension) {
  return fmt::format("{:012}{}", step, extension);
}

/// The step in a name such as 000000012345.h5 or contacts-000000012345.vtp.
std::optional<std::uint64_t> step_in(const fs::path& file) {
  const std::string stem = file.stem().string(), digits = stem.substr(stem.rfind('-') + 1);
  std::uint64_t step = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return step;
}

std::vector<fs::path> sorted_files(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == extension) out.push_back(it->path());
  std::sort(out.begin(), out.end());
  return out;
}

/// Nothing in it but, perhaps, the lock of a run that has only just begun.
/// Apart from the lock, and from the README that a run was killed at writing: its first file.
bool holds_nothing(const fs::path& folder) {
  const std::string unfinished = std::string(readme_name) + ".part";
  return std::all_of(fs::directory_iterator(folder), fs::directory_iterator(), [&](const fs::directory_entry& entry) {
    return entry.path().filename() == FolderLock::name || entry.path().filename() == unfinished;
  });
}

/// What a killed writer may have left.
void remove_parts(const fs::path& folder) {
  for (const fs::path& part : sorted_files(folder, ".part")) remove_path(part);
}

std::vector<SeriesColumn> profile_columns(std::span<const SeriesColumn> profiles) {
  std::vector<SeriesColumn> columns{{{"step", "1", "step number"}, {}, ""},
                                    {{"time", "s", "time"}, {}, ""},
                                    {{"strain", "1", "shear strain"}, {}, ""}};
  columns.insert(columns.end(), profiles.begin(), profiles.end());
  return columns;
}

std::vector<CollectionEntry> read_collection(const fs::path& file) {
  return fs::exists(file) ? parse_pvd_collection(read_file(file)) : std::vector<CollectionEntry>{};
}

}  // namespace

bool is_results_folder(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path / readme_name, error)) return false;
  return read_file(path / readme_name).starts_with(first_line);
}

ResultsFolder ResultsFolder::create(const fs::path& path, const RunDescription& run, bool overwrite,
                                    std::string_view command) {
  std::error_code error;
  const auto refuse_others = [&] {
    if (!fs::exists(path, error)) return;
    if (!fs::is_directory(path)) throw FileError(fmt::format("{} exists and is not a folder", path.string()));
    if (holds_nothing(path)) return;
    if (!is_results_folder(path))
      throw FileError(fmt::format("folder {} is not empty and holds no results of this program; choose another one",
                                  path.string()));
    if (!overwrite)
      throw FileError(
          fmt::format("folder {} holds the results of a run; choose another one, or overwrite them (--overwrite)",
                      path.string()));
  };
  refuse_others();
  create_folder(path);
  ResultsFolder folder(path);
  folder.lock(command);
  refuse_others();  // another run may have begun and ended meanwhile
  for (const char* name : removal_order) remove_path(path / name);
  folder.run_ = run;
  write_file(path / readme_name, readme_text(false, false));
  write_file(path / "case.toml", run.case_text);
  return folder;
}

ResultsFolder ResultsFolder::open(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) throw FileError(fmt::format("there is no folder {}", path.string()));
  if (!is_results_folder(path))
    throw FileError(fmt::format("folder {} holds no results of this program", path.string()));
  const std::string text = read_file(path / readme_name);
  const std::string format = text.substr(first_line.size(), text.find('\n') - first_line.size());
  if (format != std::to_string(hdf5::file_format))
    throw FileError(
        fmt::format("folder {} has format {}; this program reads format {}", path.string(), format, hdf5::file_format));
  return ResultsFolder(path);
}

std::string ResultsFolder::case_text() const { return read_file(path_ / "case.toml"); }

void ResultsFolder::start_series(std::span<const Column> columns, std::span<const SeriesColumn> profiles,
                                 std::span<const Column> jumps) {
  series_.emplace(path_ / "series", scalar_columns(columns));
  if (!profiles.empty()) profiles_.emplace(path_ / "profiles", profile_columns(profiles));
  if (!jumps.empty()) jumps_.emplace(path_ / "plane_jumps", scalar_columns(jumps));
  write_file(path_ / readme_name, readme_text(!profiles.empty(), !jumps.empty()));
}

void ResultsFolder::resume_series(std::span<const Column> columns, std::span<const SeriesColumn> profiles,
                                  std::uint64_t last_step, std::span<const Column> jumps) {
  series_ = SeriesWriter::resume(path_ / "series", scalar_columns(columns), last_step);
  if (!profiles.empty()) profiles_ = SeriesWriter::resume(path_ / "profiles", profile_columns(profiles), last_step);
  if (!jumps.empty()) jumps_ = SeriesWriter::resume(path_ / "plane_jumps", scalar_columns(jumps), last_step);
  remove_after(last_step);
}

void ResultsFolder::remove_after(std::uint64_t last_step) {
  for (const auto& [folder, extension] : {std::pair{"snapshots", ".h5"}, {"frames", ".svg"}, {"paraview", ".vtp"}}) {
    remove_parts(path_ / folder);
    for (const fs::path& file : sorted_files(path_ / folder, extension))
      if (const auto step = step_in(file); step && *step > last_step) remove_path(file);
  }
  for (const fs::path& folder : {path_, path_ / "series", path_ / "profiles", path_ / "plane_jumps"}) remove_parts(folder);
  for (auto [list, name] : {std::pair{&particles_, "particles.pvd"}, {&contacts_, "contacts.pvd"}, {&walls_, "walls.pvd"}}) {
    const fs::path file = path_ / "paraview" / name;
    *list = read_collection(file);
    const auto gone =
        std::erase_if(*list, [&](const CollectionEntry& e) { return step_in(e.file).value_or(0) > last_step; });
    if (gone) write_file(file, pvd_collection(*list), false);
  }
  for (const char* name : {"verdict.txt", "verdict.json"}) remove_path(path_ / name);
}

std::vector<std::string> ResultsFolder::problems() const {
  std::vector<std::string> out;
  for (const auto* writer : {&series_, &profiles_, &jumps_})
    if (*writer) out.insert(out.end(), (*writer)->problems().begin(), (*writer)->problems().end());
  return out;
}

void ResultsFolder::append(std::span<const double> row) { series_.value().append(row); }

void ResultsFolder::append_profiles(std::uint64_t step, double time, double strain, std::span<const double> all_bins) {
  std::vector<double> row{static_cast<double>(step), time, strain};
  row.insert(row.end(), all_bins.begin(), all_bins.end());
  profiles_.value().append(row);
}

void ResultsFolder::append_jump(std::span<const double> row) { jumps_.value().append(row); }

void ResultsFolder::flush() {
  if (series_) series_->flush();
  if (profiles_) profiles_->flush();
  if (jumps_) jumps_->flush();
}

void ResultsFolder::write_snapshot(const AssemblyView& view, bool contacts) {
  create_folder(path_ / "snapshots");
  dem::write_snapshot(path_ / "snapshots" / step_name(view.step, ".h5"), view, run_, contacts);
}

void ResultsFolder::write_frame(const AssemblyView& view, const FrameChoice& choice) {
  create_folder(path_ / "frames");
  write_file(path_ / "frames" / step_name(view.step, ".svg"), svg_frame(view, choice), false);
}

void ResultsFolder::write_paraview(const AssemblyView& view, bool contacts) {
  const fs::path folder = path_ / "paraview";
  create_folder(folder);
  const auto add = [&](std::vector<CollectionEntry>& list, const std::string& name, const std::string& bytes) {
    const std::string file = name + "-" + step_name(view.step, ".vtp");
    write_file(folder / file, bytes, false);
    std::erase_if(list, [&](const CollectionEntry& e) { return e.file == file; });
    list.push_back({view.time, file});
    write_file(folder / (name + ".pvd"), pvd_collection(list), false);
  };
  add(particles_, "particles", vtp_particles(view));
  if (contacts) add(contacts_, "contacts", vtp_contacts(view));
  if (const std::string walls = vtp_walls(view); !walls.empty()) add(walls_, "walls", walls);
}

void ResultsFolder::write_checkpoint(const CheckpointHeader& header, const std::function<void(ArchiveWriter&)>& save) {
  flush();
  dem::write_checkpoint(checkpoint_file(), header, save);
  checkpoint_step_ = header.step;
}

void ResultsFolder::write_verdict(std::string_view text, std::string_view json) {
  write_file(path_ / "verdict.json", json);
  write_file(path_ / "verdict.txt", text);  // last: where it stands, the run is over (resume)
}

Series ResultsFolder::read_series() const { return dem::read_series(path_ / "series"); }

std::optional<Series> ResultsFolder::read_profiles() const {
  if (!fs::exists(path_ / "profiles") || sorted_files(path_ / "profiles", ".h5").empty()) return std::nullopt;
  return dem::read_series(path_ / "profiles");
}

std::optional<Series> ResultsFolder::read_jumps() const {
  if (!fs::exists(path_ / "plane_jumps") || sorted_files(path_ / "plane_jumps", ".h5").empty()) return std::nullopt;
  return dem::read_series(path_ / "plane_jumps");
}

Checkpoint ResultsFolder::read_checkpoint(std::uint64_t layout) {
  Checkpoint checkpoint = dem::read_checkpoint(checkpoint_file(), layout);
  checkpoint_step_ = checkpoint.header().step;
  return checkpoint;
}

std::vector<fs::path> ResultsFolder::snapshots() const { return sorted_files(path_ / "snapshots", ".h5"); }
std::vector<fs::path> ResultsFolder::frames() const { return sorted_files(path_ / "frames", ".svg"); }

}  // namespace dem
