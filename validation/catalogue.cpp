// The table of all studies. Adding one: a folder, a function declared in the paper's studies.hpp, a row here.
#include <vector>

#include "validation/kuhn2011/studies.hpp"
#include "validation/kuhn2020/studies.hpp"
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
      {"kuhn2020/contact-rotation", "Carrying the force of a turning contact (sections 2, 3 and 12 of the reference)",
       0.1, 1, kuhn2020::contact_rotation},
      {"kuhn2020/refinements", "The refinements of the linear-frictional contact, one by one", 0.1, 1,
       kuhn2020::refinements},
      {"kuhn2020/figure-6", "Fig. 6: an assembly turned as a rigid body", 2, 3, kuhn2020::figure_6},
      {"kuhn2020/triaxial", "Triaxial compression of clusters at constant mean stress (section 14 of the reference)",
       10, 5, kuhn2020::triaxial},
      {"kuhn2020/probes", "Fig. 5: stress probes and the plastic modulus of both models (section 15 of the reference)",
       28, 6, kuhn2020::probes},
      {"kuhn2020/fcc", "Face-centred cubic packing to failure: Thornton's closed forms", 0.5, 3, kuhn2020::fcc},
      {"kuhn2020/biaxial-shear",
       "Biaxial compression and simple shear of discs and pentagons: strength, volume, fabric", 8, 6,
       kuhn2020::biaxial_shear},
      {"kuhn2011/closed-forms", "Jäger contact: closed forms of Mindlin and Deresiewicz (U1 and U2 of the reference)",
       0.1, 1, kuhn2011::closed_forms},
      {"kuhn2011/figure-4", "Fig. 4: the stored history of a Jäger contact in nine steps", 0.1, 1, kuhn2011::figure_4},
      {"kuhn2011/figure-5", "Fig. 5: what the merging of legs costs and saves", 0.2, 1, kuhn2011::figure_5},
      {"kuhn2011/figure-8", "Fig. 8: oblique loading and unloading, incremental models beside the Jäger contact", 0.1,
       1, kuhn2011::figure_8},
      {"kuhn2011/figure-9", "Fig. 9: tractions over the contact area", 0.1, 1, kuhn2011::figure_9},
      {"kuhn2011/biaxial",
       "Table 1 and Fig. 1: biaxial compression with exact and approximate laws, cost, movement of contacts", 25, 9,
       kuhn2011::biaxial},
      {"kuhn2011/shear-cycles", "Small cycles of simple shear: modulus and damping with exact and approximate laws", 15,
       6, kuhn2011::shear_cycles},
      {"kuhn2011/oblique-impact",
       "Oblique impacts: measurements, benchmark of Chung and Ooi, solution of Maw, Barber and Fawcett", 2.5, 5,
       kuhn2011::oblique_impact},
      {"kuhn2011/pressure-stiffness", "Shear stiffness of sphere packings against pressure, Hertz and linear contacts",
       3, 4, kuhn2011::pressure_stiffness},
  };
  return all;
}

}  // namespace dem::validation
