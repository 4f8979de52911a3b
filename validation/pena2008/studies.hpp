// The studies of Peña, Lind and Herrmann, "Modeling slow deformation of polygonal particles using DEM". One folder
// each.
#pragma once
#include "validation/study.hpp"

namespace dem::validation::pena2008 {

void cyclic(StudyRun&);  // closed loops of two bodies, cyclic shear

}  // namespace dem::validation::pena2008
