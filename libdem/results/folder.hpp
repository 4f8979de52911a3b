// The folder a run writes:
//
//   README.txt           what is in it; its first line makes the folder recognisable
//   case.toml            the resolved case
//   series/000001.h5 …   one row of measurements a time, in segments
//   profiles/000001.h5 … profiles over the height, in segments
//   plane_jumps/000001.h5 … jumps of contact planes, in segments, where the case asks for them and there are any
//   series.csv           the series as a table, where the case asks for it
//   snapshots/STEP.h5    bodies, and contacts where the case asks for them
//   frames/STEP.svg      pictures
//   paraview/            particles.pvd, contacts.pvd and the .vtp files they list, where the case asks for them
//   checkpoint.h5        to go on from, and checkpoint.previous.h5
//   verdict.txt, .json   how the run judged itself
//   .lock                while a process writes: which one
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libdem/case/results_mark.hpp"
#include "libdem/pictures/svg.hpp"
#include "libdem/platform/folder_lock.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/results/record.hpp"
#include "libdem/results/series.hpp"
#include "libdem/results/snapshot.hpp"
#include "libdem/state/view.hpp"

namespace dem {

/// Every function throws FileError when the disk or the folder does not allow it.
class ResultsFolder {
 public:
  /// A new folder with case.toml (run.case_text). An existing one that is not empty is refused, unless `overwrite` and
  /// it is recognisably ours: then what a run wrote is removed, and only that; other files in it stay. The folder is
  /// locked as long as the object lives, in the name of `command`; FileError when another process holds it.
  static ResultsFolder create(const std::filesystem::path&, const RunDescription& run, bool overwrite = false,
                              std::string_view command = "a run");
  /// An existing one, to be read; lock it before anything is written. FileError when it is not one of ours.
  static ResultsFolder open(const std::filesystem::path&);
  /// From now on this process alone writes into it. FileError naming the holder when another one does.
  void lock(std::string_view command) { lock_ = std::make_shared<FolderLock>(path_, command); }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path checkpoint_file() const { return path_ / "checkpoint.h5"; }
  std::string case_text() const;  ///< the resolved case as written
  /// For `open`: what snapshots and checkpoints of the resumed run say; after read_checkpoint.
  void set_description(RunDescription run) { run_ = std::move(run); }
  /// After read_checkpoint: what that says of the folder. What is added to its sentences is in the README, all later
  /// checkpoints and snapshots.
  FolderRecord& record() { return record_; }
  const FolderRecord& record() const { return record_; }
  std::size_t record_bytes() const;  ///< of it in a checkpoint, about

  /// Call one of these before append. The first column is `step`. A profile row is step, time, strain and then all bins
  /// of all profiles; no profiles, no folder. The same holds for the list of plane jumps.
  void start_series(std::span<const Column>, std::span<const SeriesColumn> profiles = {},
                    std::span<const Column> jumps = {});
  /// After read_checkpoint: rows of series, profiles and plane jumps that are not as they were then.
  SegmentFaults compare_series(std::uint64_t last_step) const;
  /// Drops all rows, snapshots, frames and ParaView files after the step. FileError when the columns differ from those
  /// written.
  void resume_series(std::span<const Column>, std::span<const SeriesColumn> profiles, std::uint64_t last_step,
                     std::span<const Column> jumps = {});
  /// Sentences on damaged segments and on missing snapshots, frames and ParaView files met by resume_series.
  std::vector<std::string> problems() const;

  /// After read_checkpoint: sentences on rows, snapshots, frames and ParaView files that were there at the checkpoint
  /// and are not so any more, without those that begin with one of `told`.
  std::vector<std::string> losses(const std::vector<std::string>& told) const;

  void append(std::span<const double> row);
  void append_profiles(std::uint64_t step, double time, double strain, std::span<const double> all_bins);
  void append_jump(std::span<const double> row);
  void flush();

  void write_snapshot(const AssemblyView&, bool contacts = true);
  void write_frame(const AssemblyView&, const FrameChoice&);
  void write_paraview(const AssemblyView&, bool contacts = true);
  /// Series and profiles are flushed first, so that no row before the checkpoint can be missing.
  void write_checkpoint(const CheckpointHeader&, const std::function<void(ArchiveWriter&)>& save);
  void write_verdict(std::string_view text, std::string_view json);
  void write_csv();  ///< the series so far as series.csv

  Series read_series() const;                   ///< all segments merged
  std::optional<Series> read_profiles() const;  ///< none: the run has no profiles
  std::optional<Series> read_jumps() const;     ///< none: the run lists no plane jumps, or there were none
  /// FileError also where it is of a run that began with another case than this folder's.
  Checkpoint read_checkpoint();
  std::optional<std::uint64_t> checkpoint_step() const {
    return checkpoint_step_;
  }                                                      ///< of the one written or read last; none: neither
  std::vector<std::filesystem::path> snapshots() const;  ///< in the order of their steps
  std::vector<std::filesystem::path> frames() const;

 private:
  explicit ResultsFolder(std::filesystem::path path) : path_(std::move(path)) {}
  void remove_after(std::uint64_t step);
  WrittenFiles files_there(std::size_t kind, std::vector<std::string>& problems) const;
  void write_readme();

  std::filesystem::path path_;
  std::shared_ptr<FolderLock> lock_;
  std::optional<std::uint64_t> checkpoint_step_;
  RunDescription run_;
  std::optional<SeriesWriter> series_, profiles_, jumps_;
  FolderRecord record_;
  std::vector<std::string> problems_;
};

/// What a results folder, checkpoint, snapshot or series segment holds: lines for `dem info`. FileError when it is none
/// of these or damaged.
std::string describe_results(const std::filesystem::path&);

}  // namespace dem
