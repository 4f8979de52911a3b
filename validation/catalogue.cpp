// The table of all studies. Adding one: a folder, a function declared in the paper's studies.hpp, a row here.
#include <vector>

#include "validation/pena2008/studies.hpp"

namespace dem::validation {

std::span<const Study> studies() {
  static const std::vector<Study> all{
      {"pena2008/particle-number", "The 1/N conjecture: packings of 2 to 1024 discs and polygons", 12, 20,
       pena2008::particle_number},
  };
  return all;
}

}  // namespace dem::validation
