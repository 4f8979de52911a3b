// Part of a checkpoint about its results folder. It has the case of the state, changes of the case during the run, and
// the rows and files so far. So a resumed run notices an edited case, a checkpoint of another run, and lost files.
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

/// Folders of rows in segments (series.hpp).
enum SegmentFolderNumber { series_rows, profile_rows, jump_rows, segment_folder_count };
inline constexpr std::array<const char*, segment_folder_count> segment_folders{"series", "profiles", "plane_jumps"};

/// Files of one kind, one per moment: FOLDER/PREFIX, the step in twelve digits, EXTENSION. Other files are foreign.
struct FileKind {
  const char *folder, *prefix, *extension;
  const char* collection = nullptr;  ///< file that lists them for ParaView, in the same folder
  std::string name(std::uint64_t step) const;
  std::optional<std::uint64_t> step_of(const std::filesystem::path& file) const;
};
enum FileKindNumber { snapshot_files, frame_files, particle_files, contact_files, wall_files, file_kind_count };
inline constexpr std::array<FileKind, file_kind_count> file_kinds{{{"snapshots", "", ".h5"},
                                                                   {"frames", "", ".svg"},
                                                                   {"paraview", "particles-", ".vtp", "particles.pvd"},
                                                                   {"paraview", "contacts-", ".vtp", "contacts.pvd"},
                                                                   {"paraview", "walls-", ".vtp", "walls.pvd"}}};

/// Written files of one kind, in the order of their steps.
struct WrittenFiles {
  std::vector<std::uint64_t> steps;
  std::vector<double> times;  ///< s
  void add(std::uint64_t step, double time);
};

struct FolderRecord {
  std::string case_text;                    ///< the resolved case
  std::uint64_t fingerprint = 0;            ///< of this case
  std::uint64_t first_fingerprint = 0;      ///< of the case when the run started
  std::vector<std::uint64_t> file_sums;     ///< of the contents of the files that the case names
  std::vector<std::string> changes;         ///< of the case during the run, one sentence each
  std::vector<std::string> losses;          ///< of rows during the run
  std::vector<std::string> output_changes;  ///< of output keys during the run, without effect on the physics
  std::array<std::vector<SegmentRecord>, segment_folder_count> segments;
  std::array<WrittenFiles, file_kind_count> files;

  void save(ArchiveWriter&) const;
  /// Throws FileError if the checkpoint has none.
  static FolderRecord of(const Checkpoint&);

 private:
  void fields(FieldVisitor&);
};

}  // namespace dem
