// One row of measurements a time: what the series of a run holds.
#pragma once
#include <cctype>
#include <string>
#include <vector>

namespace dem {

struct Column {
  std::string name;         ///< snake_case
  std::string unit;         ///< "m", "N/m", "1" …
  std::string description;  ///< one sentence, with its sign where it has one
};

/// The name of a body or a wall as part of a column's name: letters, digits and underscores.
inline std::string column_word(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace dem
