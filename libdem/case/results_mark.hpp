// Recognises a results folder. It stands below results/, because reading a case needs it: the case of such a folder may
// be larger than one written by hand.
#pragma once
#include <filesystem>
#include <string_view>

namespace dem {

inline constexpr std::string_view readme_name = "README.txt";
inline constexpr std::string_view first_line = "Results of a libdem run, format = ";

/// True if the folder is a results folder of any format.
bool is_results_folder(const std::filesystem::path&);

}  // namespace dem
