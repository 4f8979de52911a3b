// Rows of the schema: bodies, walls and plates.
#include "libdem/files/case_schema.hpp"

namespace dem::case_file {

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
                   "Radius of the disc or the sphere, or of the circle of the regular polygon's area.")
              .only({"disc", "regular-polygon", "sphere"})
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
          field<T>("spheres", &T::spheres, "m", {},
                   "Spheres of the cluster, in any frame: position is where its origin lies, orientation how it is turned.")
              .only({"cluster"})
              .require(),
          field<T>("position", &T::own_position, "m", {}, "Where the centroid is; of a cluster the origin of its spheres.")
              .by_default("polygon: where its vertices put it; else required"),
          field<T>("angle", &T::angle, "rad", {}, "Turn about the centroid.").in_plane(),
          field<T>("orientation", &T::orientation, "", {},
                   "Turn of the cluster about the origin of its spheres, a unit quaternion with the scalar part first: x = R(q) x′.")
              .only({"cluster"})
              .in_space(),
          field<T>("velocity", &T::velocity, "m/s", {}, "Start velocity; in fixed directions it is kept throughout: prescribed motion."),
          field<T>("spin", &T::spin, "rad/s", {},
                   "Start angular velocity; kept throughout, as prescribed motion, when the rotation is fixed.")
              .in_plane(),
          field<T>("angular_velocity", &T::angular_velocity, "rad/s", {},
                   "Start angular velocity, in space axes; kept throughout, as prescribed motion, when the rotation is fixed.")
              .in_space(),
          field<T>("force", &T::force, "N", {}, "Constant external force at the centroid."),
          field<T>("torque", &T::torque, "N m", {}, "Constant external torque.").in_plane(),
          field<T>("couple", &T::applied_couple, "N m", {}, "Constant external couple, in space axes.").in_space(),
          field<T>("fixed", &T::fixed, "", std::vector<std::string_view>{"x", "y", "z", "rotation"},
                   "Coordinates whose motion no force changes: it stays as velocity and spin say, 0 by default."),
          field<T>("density", &T::density, "kg/m²", positive, "Mass per area (in space: per volume) of this body.")
              .unit_of_space("kg/m³")
              .by_default("that of its material"),
          field<T>("material", &T::material, "", {}, "Name of its material, one of [[other_material]].")
              .by_default("that of [material]")
              .if_unusual(),
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

}  // namespace dem::case_file
