// What a checkpoint knows of its results folder beside the state: the case that made the state, what was changed on the
// way, and which rows and files there were. So a resumed run notices an edited case, a checkpoint of another run, and
// what was lost meanwhile.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libdem/results/checkpoint.hpp"
#include "libdem/results/series.hpp"
#include "libdem/state/fields.hpp"

namespace dem {

/// Files that a run writes, one a moment: FOLDER/PREFIX, the step in twelve digits, EXTENSION. Others in these folders
/// are not of the run.
struct FileKind {
  const char *folder, *prefix, *extension;
  std::string name(std::uint64_t step) const;
  std::optional<std::uint64_t> step_of(const std::filesystem::path& file) const;
};
enum FileKindNumber { snapshot_files, frame_files, particle_files, contact_files, wall_files, file_kind_count };
inline constexpr std::array<FileKind, file_kind_count> file_kinds{{{"snapshots", "", ".h5"},
                                                                   {"frames", "", ".svg"},
                                                                   {"paraview", "particles-", ".vtp"},
                                                                   {"paraview", "contacts-", ".vtp"},
                                                                   {"paraview", "walls-", ".vtp"}}};

/// The files of one kind that were written, in the order of their steps.
struct WrittenFiles {
  std::vector<std::uint64_t> steps;
  std::vector<double> times;  ///< s
  void add(std::uint64_t step, double time);
};

struct FolderRecord {
  std::string case_text;                    ///< the resolved case
  std::uint64_t fingerprint = 0;            ///< of this case
  std::uint64_t first_fingerprint = 0;      ///< of the case at the start of the run
  std::vector<std::uint64_t> file_sums;     ///< of the contents of the files that the case names
  std::vector<std::string> changes;         ///< of the case on the way, a sentence each
  std::vector<std::string> losses;          ///< of rows on the way
  std::vector<std::string> output_changes;  ///< of what is written on the way; the physics is the same
  std::vector<SegmentRecord> series, profiles, jumps;
  std::array<WrittenFiles, file_kind_count> files;

  void save(ArchiveWriter&) const;
  /// FileError where the checkpoint was written without one.
  static FolderRecord of(const Checkpoint&);

 private:
  void fields(FieldVisitor&);
};

}  // namespace dem
