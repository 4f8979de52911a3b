// The table of all studies. Adding one: a folder, a function declared in the paper's studies.hpp, a row here.
#include <vector>

#include "validation/pena2008/studies.hpp"

namespace dem::validation {

std::span<const Study> studies() {
  static const std::vector<Study> all{
      {"pena2008/elongation", "Elongation of polygons (section 4 of the reference)", 0.1, 2, pena2008::elongation},
  };
  return all;
}

}  // namespace dem::validation
