// The keys in which two cases differ, for example the case of a results folder and its present case.toml.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/case/case_file.hpp"

namespace dem {

/// Effect of a changed key on a run that continues.
enum class ChangeEffect {
  output,    ///< output or speed, not one bit of the motion
  physics,   ///< the results
  none_can,  ///< the state of the run cannot continue with it
};

struct CaseDifference {
  std::string key;          ///< "stage[2].friction"
  std::string before, now;  ///< as TOML; "nothing" for a missing key or table
  ChangeEffect effect = ChangeEffect::physics;
};

/// Reads the case of a checkpoint, as the run wrote it. The files it names may be gone.
Case parse_written_case(std::string_view text);

/// Files of the assembly and the walls, with their keys.
std::vector<std::pair<std::string, std::filesystem::path>> files_of_case(const Case&);
/// Checksums of their contents, in this order. Throws FileError where a file cannot be read.
std::vector<std::uint64_t> sums_of_files(const Case&);

/// Hash of all keys that change results, and of the contents of the files. Threads, skin, title and output have no
/// effect.
std::uint64_t case_fingerprint(const Case&, const std::vector<std::uint64_t>& file_sums);

/// Differences key by key, in the order of the resolved case. Renamed files with the same contents do not differ. Keys
/// of the first `stages_over` stages can no longer change.
std::vector<CaseDifference> case_differences(const Case& before, const std::vector<std::uint64_t>& sums_before,
                                             const Case& now, const std::vector<std::uint64_t>& sums_now,
                                             std::size_t stages_over = 0);

}  // namespace dem
