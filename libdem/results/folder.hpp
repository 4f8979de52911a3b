// The folder that a run writes. Its README.txt, whose text is in folder.cpp, says what each file is.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libdem/case/case_file.hpp"
#include "libdem/platform/folder_lock.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/results/record.hpp"
#include "libdem/results/series.hpp"
#include "libdem/results/snapshot.hpp"
#include "libdem/state/view.hpp"

namespace dem {

/// Every function throws FileError if the disk or the folder does not allow it.
class ResultsFolder {
 public:
  /// Makes a folder with case.toml (run.case_text). An existing folder that is not empty is refused. Except: with
  /// `overwrite`, files of a recognisable earlier run are removed, and other files stay. The folder is locked in the
  /// name of `command` during the life of the object. Throws FileError if another process holds it.
  static ResultsFolder create(const std::filesystem::path&, const RunDescription& run, bool overwrite = false,
                              std::string_view command = "a run");
  /// Opens an existing folder for reading; lock it before writing. Throws FileError if it is not one of ours.
  static ResultsFolder open(const std::filesystem::path&);
  /// Makes this process the only writer. Throws FileError with the holder if another process writes.
  void lock(std::string_view command) { lock_ = std::make_shared<FolderLock>(path_, command); }
  void unlock() { lock_.reset(); }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path checkpoint_file() const { return path_ / "checkpoint.h5"; }
  std::string case_text() const;  ///< the resolved case as written
  /// For `open`, after read_checkpoint: description of the resumed run in its snapshots and checkpoints.
  void set_description(RunDescription run) { run_ = std::move(run); }
  /// After read_checkpoint: its record of the folder. Added sentences go into README, checkpoints and snapshots.
  FolderRecord& record() { return record_; }
  const FolderRecord& record() const { return record_; }
  std::size_t record_bytes() const;  ///< approximate size of the record in a checkpoint

  /// Call one of these before append. Without profiles there is no folder for them. The same holds for plane jumps.
  void start_series(const OutputColumns&);
  /// After read_checkpoint: changed rows of series, profiles and plane jumps.
  SegmentFaults compare_series(std::uint64_t last_step) const;
  /// Drops all rows, snapshots, frames and ParaView files after the step. Throws FileError if columns differ.
  void resume_series(const OutputColumns&, std::uint64_t last_step);
  /// Sentences on damaged segments, and on missing snapshots, frames and ParaView files, that resume_series found.
  std::vector<std::string> problems() const;

  /// After read_checkpoint: sentences on rows, snapshots, frames and ParaView files that changed or disappeared since
  /// the checkpoint. Sentences that begin with one of `told` are left out.
  std::vector<std::string> losses(const std::vector<std::string>& told) const;

  void append(std::span<const double> row, SegmentFolderNumber folder = series_rows) {
    rows_[folder].value().append(row);
  }
  void flush();

  void write_snapshot(const AssemblyView&, bool contacts = true);
  void write_frame(const AssemblyView&, const std::string& title, std::string_view colour_by);
  void write_paraview(const AssemblyView&, bool contacts = true);
  /// Flushes series and profiles first, so that no row before the checkpoint can be missing.
  void write_checkpoint(const CheckpointHeader&, const std::function<void(ArchiveWriter&)>& save);
  void write_verdict(std::string_view text, std::string_view json);
  void write_csv();  ///< the series so far as series.csv

  Series read_series() const;                   ///< all segments merged
  std::optional<Series> read_profiles() const;  ///< none: the run has no profiles
  std::optional<Series> read_jumps() const;     ///< none if the run lists no plane jumps or had none
  /// Throws FileError also for the checkpoint of a run that began with another case than this folder's.
  Checkpoint read_checkpoint();
  /// step of the last checkpoint that was written or read
  std::optional<std::uint64_t> checkpoint_step() const { return checkpoint_step_; }
  std::vector<std::filesystem::path> snapshots() const;  ///< in the order of their steps
  std::vector<std::filesystem::path> frames() const;

 private:
  explicit ResultsFolder(std::filesystem::path path) : path_(std::move(path)) {}
  void remove_after(std::uint64_t step);
  WrittenFiles files_there(std::size_t kind, std::vector<std::string>& problems) const;
  void write_picture(std::size_t kind, const AssemblyView&, std::string_view bytes);
  void write_collection(std::size_t kind) const;
  void write_readme();

  std::filesystem::path path_;
  std::shared_ptr<FolderLock> lock_;
  std::optional<std::uint64_t> checkpoint_step_;
  RunDescription run_;
  std::array<std::optional<SeriesWriter>, segment_folder_count> rows_;
  FolderRecord record_;
  std::vector<std::string> problems_;
};

/// Lines for `dem info` on a results folder, checkpoint, snapshot or segment. Throws FileError on other files.
std::string describe_results(const std::filesystem::path&);

}  // namespace dem
