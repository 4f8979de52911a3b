// The table of all studies in C++. New ones are scripts (README.md).
#include <vector>

#include "validation/study.hpp"

namespace dem::validation {

std::span<const Study> studies() {
  static const std::vector<Study> all;
  return all;
}

}  // namespace dem::validation
