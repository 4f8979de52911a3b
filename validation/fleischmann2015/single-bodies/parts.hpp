// The parts of the study: each adds its claims and returns what it draws.
#pragma once
#include <vector>

#include "validation/study.hpp"

namespace dem::validation::fleischmann2015 {

std::vector<Panel> slopes(StudyRun&);   ///< D1, D7: inclines, sliding to rolling
Panel stacks(StudyRun&);                ///< D2: pyramid and wedge
Panel shear_loop(StudyRun&);            ///< D3: pressed, sheared, reversed
std::vector<Panel> impacts(StudyRun&);  ///< D4: oblique impacts, spinning spheres

}  // namespace dem::validation::fleischmann2015
