// The studies of J. A. Fleischmann, R. Serban, D. Negrut, P. Jayakumar, "On the importance of displacement history in soft-body contact models",
// J. Comput. Nonlinear Dynam. 11 (2016). One folder each.
#pragma once
#include "validation/study.hpp"

namespace dem::validation::fleischmann2015 {

void plane_shear(StudyRun&);  // case C of the reference: plane shear of a graded sand with and without displacement history

}  // namespace dem::validation::fleischmann2015
