// The studies of J. Fleischmann, R. Serban, D. Negrut, P. Jayakumar, "On the importance of displacement history in
// soft-body contact models", J. Comput. Nonlinear Dyn. 11 (2016) 044502. One folder each.
#pragma once
#include "validation/study.hpp"

namespace dem::validation::fleischmann2015 {

void plane_shear(
    StudyRun&);  // case C of the reference: plane shear of a graded sand with and without displacement history

}  // namespace dem::validation::fleischmann2015
