// The studies of Peña, Lind and Herrmann, "Modeling slow deformation of polygonal particles using DEM". One folder
// each.
#pragma once
#include "validation/study.hpp"

namespace dem::validation::pena2008 {

void figure_8(StudyRun&);         // contact-plane angle of a sliding pair
void continuity(StudyRun&);       // §6: jumps of each definition on random paths, frame error
void particle_number(StudyRun&);  // the 1/N conjecture
void slow_shear(StudyRun&);       // the 256-polygon cell at two rates, two shapes; avalanches
void cyclic(StudyRun&);           // closed loops of two bodies, cyclic shear

}  // namespace dem::validation::pena2008
