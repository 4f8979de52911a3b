// One row of measurements a time: what the series of a run holds.
#pragma once
#include <string>
#include <vector>

namespace dem {

struct Column {
  std::string name;         ///< snake_case
  std::string unit;         ///< "m", "N/m", "1" …
  std::string description;  ///< one sentence, with its sign where it has one
};

}  // namespace dem
