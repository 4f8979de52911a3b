// Names of choices in case files (kebab-case) and their meanings.
#pragma once
#include <string_view>
#include <vector>

#include "libdem/case.hpp"

namespace dem::case_file {

enum class Generator { bodies, voronoi, grains, lattice, random, rain, import };  ///< `assembly.generator`
/// `body.shape`: the kinds of ShapeKind, then polygons that are given otherwise than by their vertices.
enum class BodyShape { disc, polygon, sphere, cluster, regular_polygon, rectangle };
inline ShapeKind kind_of(BodyShape how) {
  return how < BodyShape::regular_polygon ? ShapeKind(how) : ShapeKind::polygon;
}

/// The meanings are for `dem help`.
template <class E>
using Words = std::vector<laws::Word<E>>;

inline Words<Elongation> words_of(Elongation) {
  return {{Elongation::geometric, "geometric",
           "from positions and angles alone, independent of the time step (Peña, Lind, Herrmann, Eqs. 10-11, mended)"},
          {Elongation::velocity, "velocity",
           "sum of tangential velocity times time step (Cundall and Strack; Eq. 4 of Peña, Lind, Herrmann)"}};
}
inline Words<VelocitySource> words_of(VelocitySource) {
  return {
      {VelocitySource::predicted, "predicted",
       "velocity predicted for the end of the step; adds a damping of k_t Δt/2"},
      {VelocitySource::corrected, "corrected",
       "corrected velocity of the start of the step; takes k_t Δt/2 of damping away, so that contacts can gain energy"},
      {VelocitySource::trapezoid, "trapezoid", "mean of the two; no damping of first order in Δt"}};
}
inline Words<GeometricForm> words_of(GeometricForm) {
  return {{GeometricForm::exact, "exact",
           "zero in every rigid motion of a pair: for discs the exact arcs, for polygons the migration of the contact "
           "point over both bodies"},
          {GeometricForm::eq10_11_literal, "eq10-11-literal",
           "discs, for comparison only: Eqs. 10-11 of Peña, Lind, Herrmann word by word, with absolute angles; not "
           "zero when a pair turns as a whole"},
          {GeometricForm::centroid_displacement, "centroid-displacement",
           "polygons, for comparison only: displacement of the overlap's centroid, which is not zero when a pair turns "
           "as a whole"}};
}
inline Words<Lever> words_of(Lever) {
  return {{Lever::conjugate, "conjugate",
           "lever arms and force follow from the virtual work of the exact elongation of discs: conserves angular "
           "momentum and, without slip, energy"},
          {Lever::contact_point, "contact-point",
           "the force acts at the contact point; of spheres the middle of the overlap"},
          {Lever::proportional, "proportional", "discs: the distance of the centres shared in the ratio of the radii"},
          {Lever::radius, "radius",
           "discs and spheres, for comparison: the whole radius of each, as some codes do; a pair that turns as one "
           "body slips, and angular momentum is not kept"}};
}
inline Words<NormalForce> words_of(NormalForce) {
  return {{NormalForce::overlap, "overlap", "discs: k_n times the overlap depth"},
          {NormalForce::area_over_length, "area-over-length",
           "polygons: k_n A/l_c, overlap area over characteristic length, as published (Peña, Lind, Herrmann); does "
           "not conserve energy on closed loops"},
          {NormalForce::area_potential, "area-potential",
           "polygons: gradient of a potential that grows as a power of the overlap area; conserves energy"}};
}
inline Words<CharacteristicLength> words_of(CharacteristicLength) {
  return {{CharacteristicLength::sqrt_area_over_2pi, "sqrt-area-over-2pi",
           "r = √(A/2π), as printed by Peña, Lind, Herrmann"},
          {CharacteristicLength::sqrt_area_over_pi, "sqrt-area-over-pi",
           "r = √(A/π), the radius of the circle of equal area; forces are smaller by √2"}};
}
inline Words<FixedMass> words_of(FixedMass) {
  return {{FixedMass::material, "material", "a fixed body counts with its own mass, as in the published figures"},
          {FixedMass::infinite, "infinite",
           "a fixed body counts as infinitely heavy, so that the restitution is that of the moving one"}};
}
inline Words<GeometryMethod> words_of(GeometryMethod) {
  return {{GeometryMethod::fast, "fast", "doubles, with exact decisions where rounding could matter"},
          {GeometryMethod::exact, "exact", "CGAL's exact numbers throughout: slow, for checks"}};
}
inline Words<Integrator> words_of(Integrator) {
  return {{Integrator::gear5, "gear5", "Gear's predictor-corrector of fifth order, as in Peña, Lind, Herrmann"},
          {Integrator::velocity_verlet, "velocity-verlet", "velocity Verlet, second order"}};
}
inline Words<GearCoefficients> words_of(GearCoefficients) {
  return {
      {GearCoefficients::velocity_dependent, "velocity-dependent", "c_0 = 3/16, for forces that depend on velocities"},
      {GearCoefficients::position_only, "position-only", "c_0 = 3/20, for forces that depend on positions only"}};
}
inline Words<ShapeKind> words_of(ShapeKind) {
  return {{ShapeKind::disc, "disc", "discs"},
          {ShapeKind::polygon, "polygon", "polygons"},
          {ShapeKind::sphere, "sphere", "spheres (dimension = 3)"},
          {ShapeKind::cluster, "cluster", "rigid clusters of spheres (dimension = 3)"}};
}
inline Words<Transport> words_of(Transport) {
  return {
      {Transport::none, "none", "for comparison: the force stays as it is in space, whatever the contact does"},
      {Transport::projection, "projection",
       "for comparison: the force is projected onto the new tangent plane, and shrinks with every turn; as published "
       "for hooke-history and hertz-history"},
      {Transport::projection_rescaled, "projection-rescaled",
       "for comparison: projection, then stretched to the length it had; does not follow the twist of the pair"},
      {Transport::projection_twirl, "projection-twirl",
       "for comparison: projection, then the printed first-order turn about the normal, which makes the force grow"},
      {Transport::swing_twist, "swing-twist",
       "smallest rotation that takes the old normal to the new one, then the mean spin about it; keeps length and "
       "tangency"},
      {Transport::exact, "exact", "the same with the twist that reproduces every rigid rotation to rounding"}};
}
inline Words<TangentialHistory> words_of(TangentialHistory) {
  return {std::begin(tangential_histories), std::end(tangential_histories)};
}
inline Words<DissimilarMaterials> words_of(DissimilarMaterials) {
  return {{DissimilarMaterials::refuse, "refuse", "the Hertz-Mindlin contact holds for bodies of one material"},
          {DissimilarMaterials::equivalent, "equivalent",
           "equivalent E* and G*, an approximation: normal and tangential problems are coupled"}};
}
inline Words<WallShape> words_of(WallShape) {
  return {{WallShape::line, "line", "a line without end, in the plane"},
          {WallShape::plane, "plane", "a plane without end (dimension = 3)"},
          {WallShape::rectangle, "rectangle", "a rectangle (dimension = 3)"},
          {WallShape::mesh, "mesh", "a triangle mesh from a file (dimension = 3)"}};
}
inline Words<PlateNormal> words_of(PlateNormal) {
  return {
      {PlateNormal::hold_height, "hold-height", "the plates keep their distance"},
      {PlateNormal::move_to_height, "move-to-height", "the plates move at plate_speed until their distance is height"},
      {PlateNormal::hold_stress, "hold-stress",
       "the plates move so that the mean normal stress on them becomes and stays normal_stress"}};
}
inline Words<Generator> words_of(Generator) {
  return {{Generator::bodies, "bodies", "only those listed as [[body]]"},
          {Generator::voronoi, "voronoi", "Voronoi cells of displaced lattice sites"},
          {Generator::grains, "grains", "outlines from a file"},
          {Generator::lattice, "lattice", "equal discs or regular polygons on a lattice"},
          {Generator::random, "random",
           "loose bodies of random size, place and turn in a periodic cell, to be compressed by a stage"},
          {Generator::rain, "rain", "spheres at rest in layers above a floor, to fall under gravity (dimension = 3)"},
          {Generator::import, "import",
           "discs, spheres or sphere clusters of a DEMPLA start file, or of a table of centres and radii"}};
}
inline Words<BodyShape> words_of(BodyShape) {
  return {{BodyShape::disc, "disc", "a disc of a radius"},
          {BodyShape::polygon, "polygon", "an outline by its vertices"},
          {BodyShape::regular_polygon, "regular-polygon", "equal sides, perhaps stretched"},
          {BodyShape::rectangle, "rectangle", "width and height"},
          {BodyShape::sphere, "sphere", "a sphere of a radius (dimension = 3)"},
          {BodyShape::cluster, "cluster", "rigidly joined spheres, which may overlap (dimension = 3)"}};
}
inline Words<geometry::ContactPlane> words_of(geometry::ContactPlane) {
  Words<geometry::ContactPlane> words;
  for (const auto& entry : geometry::contact_planes)
    words.push_back({entry.plane, entry.name.data(), entry.description.data()});
  return words;
}

template <class E>
std::string_view word_of(E choice) {
  for (const auto& word : words_of(E{}))
    if (word.value == choice) return word.name;
  return {};
}

}  // namespace dem::case_file
