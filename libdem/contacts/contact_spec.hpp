// How a case evaluates its contacts: the law with its options, and the choices beside it.
#pragma once
#include <optional>

#include "geometry/contact_plane.hpp"
#include "libdem/laws/law_choice.hpp"

namespace dem {

enum class Elongation { geometric, velocity };
enum class VelocitySource { predicted, corrected, trapezoid };  ///< elongation = velocity: which velocity enters v_t Δt
/// elongation = geometric. Discs: `exact` is form (G). Polygons: `exact` is form (P). The literal readings of Eqs.
/// 10-11 and of the polygon recipe are for comparison only (polygon-dem reference, §3 and §4).
enum class GeometricForm { exact, eq10_11_literal, centroid_displacement };
enum class Lever { conjugate, contact_point, proportional, radius };
enum class NormalForce { overlap, area_over_length, area_potential };  ///< discs: overlap
enum class CharacteristicLength { sqrt_area_over_2pi, sqrt_area_over_pi };
enum class FixedMass { material, infinite };
enum class GeometryMethod { fast, exact };
/// How a stored tangential force follows its contact from one step to the next (linear-frictional reference, §3 and
/// §10). `exact` and `swing_twist` keep length and tangency; the others are for comparison.
enum class Transport { none, projection, projection_rescaled, projection_twirl, swing_twist, exact };
enum class DissimilarMaterials { refuse, equivalent };  ///< Hertzian laws: bodies of different elastic constants

struct ContactChoice {
  laws::LawChoice law;  ///< with its options
  Elongation elongation = Elongation::geometric;
  VelocitySource velocity_source = VelocitySource::predicted;
  GeometricForm geometric_form = GeometricForm::exact;
  bool arc_correction = false;  ///< polygons only; discs always use the arc
  /// None: conjugate for (G) on discs, else contact_point. Spheres: contact_point or radius.
  std::optional<Lever> lever;
  geometry::ContactPlane plane = geometry::ContactPlane::area_gradient;
  NormalForce normal_force = NormalForce::area_over_length;
  double potential_exponent = 2;  ///< m of area_potential
  CharacteristicLength length = CharacteristicLength::sqrt_area_over_2pi;
  FixedMass fixed_mass = FixedMass::material;
  bool clip_tension = false;               ///< no attraction at the end of a damped contact
  Transport transport = Transport::exact;  ///< bodies in space
  DissimilarMaterials dissimilar_materials = DissimilarMaterials::refuse;
  bool damp_while_sliding = false;
  GeometryMethod geometry = GeometryMethod::fast;
  friend bool operator==(const ContactChoice&, const ContactChoice&) = default;
};

}  // namespace dem
