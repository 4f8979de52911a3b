// The table of all studies. Adding one: a folder, a function declared in the paper's studies.hpp, a row here.
#include <vector>

#include "validation/kuhn2011/studies.hpp"
#include "validation/pena2008/studies.hpp"

namespace dem::validation {

std::span<const Study> studies() {
  static const std::vector<Study> all{
      {"pena2008/cyclic", "Closed loops of two bodies; cyclic shear of packings", 7, 12, pena2008::cyclic},
      {"kuhn2011/biaxial",
       "Table 1 and Fig. 1: biaxial compression with exact and approximate laws, cost, movement of contacts", 25, 9,
       kuhn2011::biaxial},
  };
  return all;
}

}  // namespace dem::validation
