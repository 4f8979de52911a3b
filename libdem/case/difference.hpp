// In which keys two cases differ: what a results folder was made with, and what its case.toml says now.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/case/case_file.hpp"

namespace dem {

/// What a changed key does to a run that goes on.
enum class ChangeEffect {
  output,    ///< what is written, or how fast; not one bit of the motion
  physics,   ///< the results
  none_can,  ///< the state of the run cannot go on with it
};

struct CaseDifference {
  std::string key;          ///< "stage[2].friction"
  std::string before, now;  ///< as TOML; "nothing": not given, or there is no such table
  ChangeEffect effect = ChangeEffect::physics;
};

/// The case that a run wrote, as it is in a checkpoint. The files it names need not be there any more.
Case parse_written_case(std::string_view text);

/// Files of the assembly and the walls: their keys and names.
std::vector<std::pair<std::string, std::filesystem::path>> files_of_case(const Case&);
/// Sums of what is in them, in this order. FileError where one cannot be read.
std::vector<std::uint64_t> sums_of_files(const Case&);

/// Of all keys that change results, and of the contents of the files: the same for any threads, skin, title and output.
std::uint64_t case_fingerprint(const Case&, const std::vector<std::uint64_t>& file_sums);

/// Key by key, in the order of the resolved case. Where files are now called otherwise but hold the same, they do not
/// differ. Keys of the first `stages_over` stages can no longer be changed.
std::vector<CaseDifference> case_differences(const Case& before, const std::vector<std::uint64_t>& sums_before,
                                             const Case& now, const std::vector<std::uint64_t>& sums_now,
                                             std::size_t stages_over = 0);

/// "case.toml:31: stage[2].friction"; without the line where the file does not have the key.
std::string place_of_key(const std::filesystem::path& file, const std::string& key);

}  // namespace dem
