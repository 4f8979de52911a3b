// The table of all studies. Adding one: a folder, a function declared in the paper's studies.hpp, a row here.
#include <vector>

#include "validation/fleischmann2015/studies.hpp"
#include "validation/kuhn2011/studies.hpp"
#include "validation/kuhn2020/studies.hpp"
#include "validation/pena2008/studies.hpp"

namespace dem::validation {

std::span<const Study> studies() {
  static const std::vector<Study> all{
      {"pena2008/particle-number", "The 1/N conjecture: packings of 2 to 1024 discs and polygons", 12, 20,
       pena2008::particle_number},
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
