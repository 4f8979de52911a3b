// Elastic moduli of a face-centred cubic packing of equal spheres under pressure, measured in periodic cells and in
// closed form.
//
// Every sphere is a centre of symmetry, so the packing deforms as the cell does, and the moduli are a sum over its
// contacts: C_ijkl = (1/V) Σ l² (K_n n_i n_j n_k n_l + K_t (δ_ik n_j n_l − n_i n_j n_k n_l)), volume l³/√2 and six
// contacts a sphere. Source of the moduli without slip: J. Duffy, R. D. Mindlin, Stress-strain relations and vibrations
// of a granular medium, J. Appl. Mech. 24 (1957) 585. Moduli are changes of the true stress with the strain; the
// pressure that the contacts carry adds its multiples (change of volume, turning and lengthening of branches under
// force): −p/2 to C11, 5p/4 to C12, −3p/4 to C44. What is left is of the order of overlap over diameter squared.
#pragma once
#include <string>

#include "libdem/case.hpp"

namespace dem::validation::kuhn2011::stiffness {

/// Unit: the shear modulus of the spheres, and their diameter.
inline constexpr double poisson_ratio = 0.25;

struct FccState {
  std::string law = "jaeger";
  double overlap = 1e-4;        ///< over the diameter
  double normal_stiffness = 0;  ///< law linear: k_n; k_t is k_n/κ
};

struct Moduli {
  double c11 = 0, c12 = 0, c44 = 0;
  double shear() const { return 0.5 * (c11 - c12); }  ///< of the other family of planes
};

/// K_n of the contacts of this state, and the pressure of rigid arrangement 2√2 f/l².
double contact_stiffness(const FccState&);
double pressure_of(const FccState&);

Moduli closed_form(const FccState&);

struct FccMeasurement {
  Moduli moduli;
  double pressure = 0;
};
/// By central differences of `strain` (over overlap/diameter) along [100], and along [110] against [1̄10].
FccMeasurement measure_fcc(const FccState&, double strain = 1e-3);

/// Cubic cell of 108 spheres, or its tetragonal form of 96 with x = [110], that is strained by `strain_x`, `strain_y`.
Case fcc_case(const FccState&, bool cubic, double strain_x, double strain_y);

}  // namespace dem::validation::kuhn2011::stiffness
