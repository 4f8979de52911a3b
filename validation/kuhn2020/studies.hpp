// The studies of Kuhn, Suzuki and Daouadji, "Linear-frictional contact model for 3D discrete element (DEM) simulations
// of granular systems" (2020). One folder each.
#pragma once
#include "validation/study.hpp"

namespace dem::validation::kuhn2020 {

void probes(StudyRun&);         // Fig. 5: stress probes, plastic modulus of both models

}  // namespace dem::validation::kuhn2020
