// How a results folder is recognised. Below results/, since the case of such a folder may be larger than one that a
// person writes.
#pragma once
#include <filesystem>
#include <string_view>

namespace dem {

inline constexpr std::string_view readme_name = "README.txt";
inline constexpr std::string_view first_line = "Results of a libdem run, format = ";

/// Is this folder recognisably a results folder (of any format)?
bool is_results_folder(const std::filesystem::path&);

}  // namespace dem
