// Names of choices in case files (kebab-case) and what they stand for.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "libdem/case.hpp"

namespace dem::case_file {

enum class Generator { bodies, voronoi, grains, lattice };           ///< `assembly.generator`
enum class BodyShape { disc, polygon, regular_polygon, rectangle };  ///< `body.shape`

template <class E>
using Words = std::vector<std::pair<E, std::string_view>>;

inline Words<Elongation> words_of(Elongation) {
  return {{Elongation::geometric, "geometric"}, {Elongation::velocity, "velocity"}};
}
inline Words<VelocitySource> words_of(VelocitySource) {
  return {{VelocitySource::predicted, "predicted"},
          {VelocitySource::corrected, "corrected"},
          {VelocitySource::trapezoid, "trapezoid"}};
}
inline Words<GeometricForm> words_of(GeometricForm) {
  return {{GeometricForm::exact, "exact"},
          {GeometricForm::eq10_11_literal, "eq10-11-literal"},
          {GeometricForm::centroid_displacement, "centroid-displacement"}};
}
inline Words<Lever> words_of(Lever) {
  return {{Lever::conjugate, "conjugate"},
          {Lever::contact_point, "contact-point"},
          {Lever::proportional, "proportional"},
          {Lever::radius, "radius"}};
}
inline Words<NormalForce> words_of(NormalForce) {
  return {{NormalForce::overlap, "overlap"},
          {NormalForce::area_over_length, "area-over-length"},
          {NormalForce::area_potential, "area-potential"}};
}
inline Words<CharacteristicLength> words_of(CharacteristicLength) {
  return {{CharacteristicLength::sqrt_area_over_2pi, "sqrt-area-over-2pi"},
          {CharacteristicLength::sqrt_area_over_pi, "sqrt-area-over-pi"}};
}
inline Words<FixedMass> words_of(FixedMass) {
  return {{FixedMass::material, "material"}, {FixedMass::infinite, "infinite"}};
}
inline Words<GeometryMethod> words_of(GeometryMethod) {
  return {{GeometryMethod::fast, "fast"}, {GeometryMethod::exact, "exact"}};
}
inline Words<Integrator> words_of(Integrator) {
  return {{Integrator::gear5, "gear5"}, {Integrator::velocity_verlet, "velocity-verlet"}};
}
inline Words<GearCoefficients> words_of(GearCoefficients) {
  return {{GearCoefficients::velocity_dependent, "velocity-dependent"},
          {GearCoefficients::position_only, "position-only"}};
}
inline Words<ShapeKind> words_of(ShapeKind) { return {{ShapeKind::disc, "disc"}, {ShapeKind::polygon, "polygon"}}; }
inline Words<PlateNormal> words_of(PlateNormal) {
  return {{PlateNormal::hold_height, "hold-height"},
          {PlateNormal::move_to_height, "move-to-height"},
          {PlateNormal::hold_stress, "hold-stress"}};
}
inline Words<Generator> words_of(Generator) {
  return {{Generator::bodies, "bodies"},
          {Generator::voronoi, "voronoi"},
          {Generator::grains, "grains"},
          {Generator::lattice, "lattice"}};
}
inline Words<BodyShape> words_of(BodyShape) {
  return {{BodyShape::disc, "disc"},
          {BodyShape::polygon, "polygon"},
          {BodyShape::regular_polygon, "regular-polygon"},
          {BodyShape::rectangle, "rectangle"}};
}
inline Words<geometry::ContactPlane> words_of(geometry::ContactPlane) {
  Words<geometry::ContactPlane> words;
  for (const auto& entry : geometry::contact_planes) words.emplace_back(entry.plane, entry.name);
  return words;
}

template <class E>
std::string_view word_of(E choice) {
  for (const auto& [value, word] : words_of(E{}))
    if (value == choice) return word;
  return {};
}

}  // namespace dem::case_file
