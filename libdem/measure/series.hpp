// Columns of the series of a run: one row of measurements per time.
#pragma once
#include <cctype>
#include <string>
#include <vector>

namespace dem {

/// A scalar has no bins; a profile has one value per bin.
struct Column {
  std::string name;               ///< snake_case
  std::string unit;               ///< "m", "N/m", "1" …
  std::string description;        ///< one sentence, with the sign convention where there is one
  std::vector<double> bins = {};  ///< bin centres; empty for scalars
  std::string bin_unit = "m";
  std::size_t width() const { return bins.empty() ? 1 : bins.size(); }
};

/// Replaces characters other than letters and digits by underscores, for the name of a body or wall in a column's name.
inline std::string column_word(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace dem
