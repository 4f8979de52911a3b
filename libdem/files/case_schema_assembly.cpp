// Rows of the schema: bodies, walls, plates and what is done with them.
#include "libdem/files/case_schema.hpp"

namespace dem::case_file {
namespace {
// Reach into the part of an AssemblyDraft that one generator uses.
template <class V>
auto of_voronoi(V geometry::VoronoiInput::*member) {
  return [member](auto& draft) -> auto& { return draft.voronoi.*member; };
}
template <class V>
auto of_grains(V GrainsSpec::*member) {
  return [member](auto& draft) -> auto& { return draft.grains.*member; };
}
template <class V>
auto of_lattice(V LatticeSpec::*member) {
  return [member](auto& draft) -> auto& { return draft.lattice.*member; };
}
const std::vector<std::string> voronoi{"voronoi"}, grains{"grains"}, lattice{"lattice"};
}  // namespace

const Section<AssemblyDraft>& assembly_section() {
  using T = AssemblyDraft;
  using V = geometry::VoronoiInput;
  using G = GrainsSpec;
  using L = LatticeSpec;
  static const Section<T> section{
      "assembly",
      "Where the bodies come from: a generator, and whatever [[body]] lists beside it.",
      {
          field<T>("generator", &T::generator, "", {},
                   "bodies: only those listed; voronoi: cells of displaced lattice sites; grains: outlines from a "
                   "file; lattice: "
                   "equal discs or polygons."),
          field<T>("largest_start_overlap", &T::largest_start_overlap, "", not_negative,
                   "Largest overlap allowed at the start, as a fraction of the smaller body's equivalent diameter."),

          field<T>("columns", of_voronoi(&V::columns), "", Range{3, 1e5}, "Sites along x.")
              .only(voronoi),
          field<T>("rows", of_voronoi(&V::rows), "", Range{1, 1e5},
                   "Sites along y; with plates the first and the last row are the plates.")
              .only(voronoi),
          field<T>("spacing", of_voronoi(&V::spacing), "m", positive, "Distance of the lattice sites.").only(voronoi),
          field<T>("disorder", of_voronoi(&V::disorder), "", Range{0, 1, false, true},
                   "Each site is displaced uniformly within ± disorder/2 of the spacing in x and y.")
              .only(voronoi),
          field<T>("elongation", of_voronoi(&V::elongation), "", Range{0.1, 10},
                   "Cells are stretched along x by the square root of this and along y by its inverse: their areas stay.")
              .only(voronoi),
          field<T>("solid_fraction", of_voronoi(&V::solid_fraction), "", Range{0, 1, true, false},
                   "Each cell is scaled about its centroid by the square root of this.")
              .only(voronoi),
          field<T>("seed", of_voronoi(&V::seed), "", {}, "Seed of the displacements.").only(voronoi),

          field<T>("file", of_grains(&G::file), "", {},
                   "Outlines, one a line: id, name, POLYGON((x y, …)); .gz is read too.")
              .only(grains)
              .require(),
          field<T>("scale", of_grains(&G::scale), "m", positive, "Metres per unit of the file.").only(grains),
          field<T>("simplify", of_grains(&G::simplify), "", not_negative,
                   "Outlines are simplified within this tolerance, in the file's unit. 0: as they are.")
              .only(grains),
          field<T>("shrink", of_grains(&G::shrink), "", Range{0, 1, true, false},
                   "Factor of each outline about its centroid.")
              .only(grains),
          field<T>("shrink_until_free", of_grains(&G::shrink_until_free), "", {},
                   "Shrink all outlines by 1 % at a time until no overlap exceeds largest_start_overlap.")
              .only(grains),
          field<T>("fill_holes", of_grains(&G::fill_holes), "", {},
                   "Fill holes of outlines; otherwise they are refused by name.")
              .only(grains),
          field<T>("flip_y", of_grains(&G::flip_y), "", {}, "Mirror y: files in pixels count y downwards.")
              .only(grains),

          field<T>("shape", of_lattice(&L::shape), "", {}, "Discs or regular polygons.").only(lattice),
          field<T>("columns", of_lattice(&L::columns), "", Range{1, 1e5}, "Bodies along x.").only(lattice).require(),
          field<T>("rows", of_lattice(&L::rows), "", Range{1, 1e5}, "Bodies along y.").only(lattice).require(),
          field<T>("sides", of_lattice(&L::sides), "", Range{3, 1000}, "Sides of a polygon.").only(lattice),
          field<T>("radius", of_lattice(&L::radius), "m", positive,
                   "Radius of a disc, or of the circle of a polygon's area.")
              .only(lattice),
          field<T>("elongation", of_lattice(&L::elongation), "", positive,
                   "Stretch of a polygon along its x axis; its y axis shrinks by as much.")
              .only(lattice),
          field<T>("spacing", of_lattice(&L::spacing), "m", positive, "Distance of neighbouring centres.")
              .only(lattice),
          field<T>("hexagonal", of_lattice(&L::hexagonal), "", {}, "Hexagonal lattice; false: square.").only(lattice),
          field<T>("angle", of_lattice(&L::angle), "rad", {}, "Angle of every body.").only(lattice),
          field<T>("random_angle", of_lattice(&L::random_angle), "rad", not_negative,
                   "A random angle, uniform within ± this, is added to each.")
              .only(lattice),
          field<T>("seed", of_lattice(&L::seed), "", {}, "Seed of the random angles.").only(lattice),
      },
      "generator"};
  return section;
}

const Section<BodyDraft>& body_section() {
  using T = BodyDraft;
  static const Section<T> section{
      "body",
      "One body. Repeat [[body]] for each.",
      {
          field<T>("name", &T::name, "", {}, "Its name in messages and results."),
          field<T>("shape", &T::how, "", {}, "Its shape; the resolved case lists every polygon by its vertices.")
              .require(),
          field<T>("radius", &T::radius, "m", positive,
                   "Radius of the disc, or of the circle of the regular polygon's area.")
              .only({"disc", "regular-polygon"})
              .require(),
          field<T>("sides", &T::sides, "", Range{3, 1000}, "Sides of the regular polygon.")
              .only({"regular-polygon"})
              .require(),
          field<T>("elongation", &T::stretch, "", positive,
                   "Stretch of the regular polygon along its x axis; its y axis shrinks by as much.")
              .only({"regular-polygon"}),
          field<T>("width", &T::width, "m", positive, "Width of the rectangle.").only({"rectangle"}).require(),
          field<T>("height", &T::height, "m", positive, "Height of the rectangle.").only({"rectangle"}).require(),
          field<T>("vertices", &T::outline, "m", {},
                   "Outline of the polygon, in either sense, without repeating the first vertex.")
              .only({"polygon"})
              .require(),
          field<T>("position", &T::own_position, "m", {}, "Where the centroid is.")
              .by_default("polygon: where its vertices put it; else required"),
          field<T>("angle", &T::angle, "rad", {}, "Turn about the centroid."),
          field<T>("velocity", &T::velocity, "m/s", {}, "Start velocity; in fixed directions it is kept throughout: prescribed motion."),
          field<T>("spin", &T::spin, "rad/s", {},
                   "Start angular velocity; kept throughout, as prescribed motion, when the rotation is fixed."),
          field<T>("force", &T::force, "N", {}, "Constant external force at the centroid."),
          field<T>("torque", &T::torque, "N m", {}, "Constant external torque."),
          field<T>("fixed", &T::fixed, "", std::vector<std::string_view>{"x", "y", "rotation"},
                   "Coordinates whose motion no force changes: it stays as velocity and spin say, 0 by default."),
          field<T>("density", &T::density, "kg/m²", positive, "Mass per area of this body.")
              .by_default("material.density"),
          field<T>("group", &T::group, "", {},
                   "free, bottom-plate, top-plate, or a word of your own; results are kept by group."),
      },
      "shape"};
  return section;
}

const Section<WallSpec>& wall_section() {
  using T = WallSpec;
  static const Section<T> section{
      "wall",
      "A straight wall without end: bodies stay on the left of the line through `from` and `to`. Repeat [[wall]] for "
      "each.",
      {
          field<T>("name", &T::name, "", {}, "Its name in messages and results."),
          field<T>("from", &T::from, "m", {}, "A point of the line.").require(),
          field<T>("to", &T::to, "m", {}, "Another, in the direction that has the bodies on its left.").require(),
          field<T>("velocity", &T::velocity, "m/s", {}, "Velocity of the wall."),
      },
      ""};
  return section;
}

const Section<PlatesDraft>& plates_section() {
  using T = PlatesDraft;
  static const Section<T> section{
      "plates",
      "Two rough plates of boundary particles, below and above the assembly, that move as rigid bodies.",
      {
          field<T>("from_rows", &T::own_from_rows, "", {},
                   "The first and the last row of the assembly are the plates (voronoi, lattice); false: particles are "
                   "added.")
              .by_default("true for voronoi, else false"),
          field<T>("sides", &T::sides, "", Range{3, 1000}, "Sides of added plate particles."),
          field<T>("particle_size", &T::particle_size, "m", not_negative,
                   "Equal-area radius of added plate particles. 0: the mean of the assembly."),
          field<T>("gap", &T::gap, "m", not_negative, "Distance between plates and assembly at the start."),
      },
      ""};
  return section;
}

const Section<Stage>& stage_section() {
  using T = Stage;
  const std::vector<std::string> height{"move-to-height"}, stress{"hold-stress"},
      moving{"move-to-height", "hold-stress"};
  static const Section<T> section{
      "stage",
      "One part of the run, in order. It ends at the first of the ends it names: duration, strain, cycles, "
      "until_target, quiet.",
      {
          field<T>("name", &T::name, "", {}, "Its name in messages and results."),
          field<T>("normal", &T::normal, "", {}, "What the plates do vertically."),
          field<T>("height", &T::height, "m", positive, "Distance of the plates to reach.").only(height).require(),
          field<T>("normal_stress", &T::normal_stress, "N/m", positive, "Normal stress to hold, compression positive.")
              .only(stress)
              .require(),
          field<T>("plate_speed", &T::plate_speed, "m/s", positive, "Vertical speed of a plate that nothing resists; under stress control it may be pushed back faster.")
              .only(moving)
              .require(),
          field<T>("shear_rate", &T::shear_rate, "1/s", {},
                   "γ̇: the plates, at distance H, move at ±γ̇H/2 along x."),
          field<T>("duration", &T::duration, "s", positive, "End after this time.").by_default("no such end"),
          field<T>("strain", &T::strain, "", positive, "End when the shear strain |γ| of the stage reaches this.")
              .by_default("no such end"),
          field<T>("cycles", &T::cycles, "", Range{1, 1e9},
                   "End after this number of closed cycles of shear strain, up by strain_amplitude, down to minus it and "
                   "back; a negative shear_rate begins downwards.")
              .by_default("no cycles"),
          field<T>("strain_amplitude", &T::strain_amplitude, "", positive,
                   "A of the cycles. The step that reaches a turning point is shortened to end there exactly; the plates "
                   "move at ±γ̇H₀/2 with H₀ their distance at the start of the stage.")
              .by_default("no cycles"),
          field<T>("until_target", &T::until_target, "", {}, "End when the height or the stress is reached.")
              .only(moving),
          field<T>("stress_tolerance", &T::stress_tolerance, "", positive,
                   "Relative difference within which the stress counts as reached.")
              .only(stress),
          field<T>("stress_hold_time", &T::stress_hold_time, "s", not_negative, "Time for which it must stay so.")
              .only(stress),
          field<T>("quiet", &T::quiet, "J", positive, "End when the kinetic energy of the free bodies has fallen below this, having been above it.")
              .by_default("no such end"),
      },
      "normal"};
  return section;
}

}  // namespace dem::case_file
