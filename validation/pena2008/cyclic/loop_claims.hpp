// Claims and panels of the figure on closed loops of two bodies.
#pragma once
#include "validation/study.hpp"

namespace dem::validation::pena2008 {

void loops_of_discs(StudyRun&, Figure&);
void loops_of_polygons(StudyRun&, Figure&);

}  // namespace dem::validation::pena2008
