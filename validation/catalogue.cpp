// The table of all studies. Adding one: a folder, a function declared in the paper's studies.hpp, a row here.
#include <vector>

#include "validation/fleischmann2015/studies.hpp"
#include "validation/kuhn2011/studies.hpp"
#include "validation/pena2008/studies.hpp"

namespace dem::validation {

std::span<const Study> studies() {
  static const std::vector<Study> all{
      {"pena2008/gear", "Order and stability of the Gear scheme (section 2 of the reference)", 0.1, 1, pena2008::gear},
      {"pena2008/elongation", "Elongation of polygons (section 4 of the reference)", 0.1, 2, pena2008::elongation},
      {"pena2008/two-discs", "Two discs: relaxation times, final states, readings (section 5 of the reference)", 2.5, 8,
       pena2008::two_discs},
      {"pena2008/figure-3", "Fig. 3: relaxation time against the time step", 12, 12, pena2008::figure_3},
      {"pena2008/figure-4", "Fig. 4: relaxation time against friction", 5, 4, pena2008::figure_4},
      {"pena2008/figure-6", "Fig. 6: geometric elongation and the time step", 1, 6, pena2008::figure_6},
      {"pena2008/thresholds", "Thresholds of the time step as a function (Eq. 9)", 3, 8, pena2008::thresholds},
      {"pena2008/figure-8", "Contact-plane angle of a sliding pair", 0.1, 1, pena2008::figure_8},
      {"pena2008/figure-9", "Fig. 9: force ratio and contact plane of a relaxing pair of polygons", 0.3, 1,
       pena2008::figure_9},
      {"pena2008/figure-10", "Fig. 10: relaxation time with both definitions of the contact plane", 0.6, 2,
       pena2008::figure_10},
      {"pena2008/polygon-pair",
       "Polygon pair: relaxation, rest, frames, rotation, energy loop (sections 6 and 7 of the reference)", 1.5, 4,
       pena2008::polygon_pair},
      {"pena2008/continuity", "Continuity and frame dependence of the contact plane (section 6 of the reference)", 0.3,
       3, pena2008::continuity},
      {"pena2008/particle-number", "The 1/N conjecture: packings of 2 to 1024 discs and polygons", 12, 20,
       pena2008::particle_number},
      {"pena2008/efficiency", "Cost at equal error; steps while sliding and without friction", 0.2, 5,
       pena2008::efficiency},
      {"pena2008/slow-shear", "Slow shear of 256 polygons: shear ratio, profiles, avalanches (section 8)", 25, 15,
       pena2008::slow_shear},
      {"pena2008/cyclic", "Closed loops of two bodies; cyclic shear of packings", 7, 12, pena2008::cyclic},
      {"kuhn2011/biaxial",
       "Table 1 and Fig. 1: biaxial compression with exact and approximate laws, cost, movement of contacts", 25, 9,
       kuhn2011::biaxial},
      {"fleischmann2015/unit-cases", "Displacement history: unit numbers T2 to T9 of the reference", 0.1, 1,
       fleischmann2015::unit_cases},
      {"fleischmann2015/angular-momentum",
       "Where the tangential force acts: angular momentum and rigid turns with both levers", 0.1, 1,
       fleischmann2015::angular_momentum},
      {"fleischmann2015/impact-energy", "Kinetic energy that an impact gains with each form of the tangential spring",
       1.2, 3, fleischmann2015::impact_energy},
      {"fleischmann2015/single-bodies",
       "Single spheres, pyramids and impacts on walls with true, pseudo and no history (case D)", 0.5, 3,
       fleischmann2015::single_bodies},
      {"fleischmann2015/case-a", "Direct shear of 1800 spheres with true, pseudo and no displacement history (Fig. 2)",
       2, 7, fleischmann2015::case_a},
      {"fleischmann2015/case-a-variants", "Case A with other stresses, walls, laws, speeds and plates", 6, 8,
       fleischmann2015::case_a_variants},
      {"fleischmann2015/case-b", "Direct shear of 5000 glass beads of two moduli under four normal stresses (Fig. 3)",
       6, 10, fleischmann2015::case_b},
      {"fleischmann2015/sensitivity", "Sensitivity of the direct shear test to k_n, k_t, γ_n and γ_t", 9, 8,
       fleischmann2015::sensitivity},
      {"fleischmann2015/repose", "Angle of repose of a heap beside the angle of the shear box, three gradings", 10, 5,
       fleischmann2015::repose},
      {"fleischmann2015/plane-shear",
       "Plane shear of a graded sand with and without displacement history (case C of the reference)", 25, 30,
       fleischmann2015::plane_shear},
  };
  return all;
}

}  // namespace dem::validation
