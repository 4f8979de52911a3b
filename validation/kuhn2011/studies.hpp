// The studies of M. R. Kuhn, "Implementation of the Jäger contact model for discrete element simulations", Int. J.
// Numer. Meth. Engng 88 (2011) 66. One folder each.
#pragma once
#include "validation/study.hpp"

namespace dem::validation::kuhn2011 {

void figure_5(StudyRun&);      // Fig. 5: what the merging of legs costs and saves
void figure_9(StudyRun&);      // Fig. 9: tractions over the contact area
void biaxial(
    StudyRun&);  // Table 1, Fig. 1: biaxial compression with exact and approximate laws, cost, movement of contacts
void shear_cycles(StudyRun&);        // small cycles of simple shear: secant modulus and damping with each law
void oblique_impact(StudyRun&);      // a sphere that meets a plate: measurements, benchmark, Maw, Barber and Fawcett
void pressure_stiffness(StudyRun&);  // shear stiffness of packings against pressure

}  // namespace dem::validation::kuhn2011
