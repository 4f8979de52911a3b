// A script that runs a sweep in parts as one array of the queue Slurm.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "libdem/sweep/sweep.hpp"

namespace dem {

struct SlurmChoice {
  std::filesystem::path program, sweep_file, folder;  ///< program: dem
  int tasks = 200;                                    ///< at most so many, and at most one a point
  int minutes = 240;                                  ///< limit of each task
  int cores = 1;                                      ///< of each task; a point uses all of them
};

inline constexpr int most_slurm_tasks = 999;  ///< larger arrays are refused by many clusters

/// Minutes of "4h", "90min", "2d", "1d12h". Throws std::invalid_argument with a sentence.
int minutes_of_text(std::string_view);

/// The script. The name of its job belongs to one user and one folder. Slurm sends SIGTERM before the limit, and each
/// part then leaves a checkpoint. `own_lines` are those of the user. Throws std::invalid_argument for a path that a
/// script cannot hold.
std::string slurm_script(const SweepSpec&, const SlurmChoice&, std::string_view own_lines = "");

/// Writes the script into the folder of the sweep, with a folder for its messages. Lines that the user has added to the
/// script that is there stay. Throws FileError, also if that script has no place for them.
std::filesystem::path write_slurm_script(const SweepSpec&, const SlurmChoice&);

}  // namespace dem
