// The studies of M. R. Kuhn, "Implementation of the Jäger contact model for discrete element simulations", Int. J.
// Numer. Meth. Engng 88 (2011) 66. One folder each.
#pragma once
#include "validation/study.hpp"

namespace dem::validation::kuhn2011 {

void biaxial(
    StudyRun&);  // Table 1, Fig. 1: biaxial compression with exact and approximate laws, cost, movement of contacts

}  // namespace dem::validation::kuhn2011
