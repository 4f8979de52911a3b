// Columns of the series of a run: one row of measurements per time.
#pragma once
#include <cctype>
#include <string>

namespace dem {

struct Column {
  std::string name;         ///< snake_case
  std::string unit;         ///< "m", "N/m", "1" …
  std::string description;  ///< one sentence, with the sign convention where there is one
};

/// Replaces characters other than letters and digits by underscores, for the name of a body or wall in a column's name.
inline std::string column_word(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace dem
