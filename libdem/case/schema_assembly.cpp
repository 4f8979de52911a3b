// Rows of the schema: bodies and walls.
#include "libdem/case/ranges.hpp"
#include "libdem/case/schema.hpp"

namespace dem::case_file {

const Section<BodyDraft>& body_section() {
  using T = BodyDraft;
  static const Section<T> section{
      "body",
      "One body. Repeat [[body]] for each.",
      {field<T>("name", &T::name, "", {}, "Its name in messages and results."),
       field<T>("shape", &T::how, "", {}, "Its shape; the resolved case lists every polygon by its vertices.")
           .require(),
       field<T>("radius", &T::radius, "m", within::length,
                "Radius of the disc or the sphere, or of the circle of the regular polygon's area.")
           .only({"disc", "regular-polygon", "sphere"})
           .require(),
       field<T>("sides", &T::sides, "", Range{3, 1000}, "Sides of the regular polygon.")
           .only({"regular-polygon"})
           .require(),
       field<T>("elongation", &T::stretch, "", within::stretch,
                "Stretch of the regular polygon along its x axis; its y axis shrinks by as much.")
           .only({"regular-polygon"}),
       field<T>("width", &T::width, "m", within::length, "Width of the rectangle.").only({"rectangle"}).require(),
       field<T>("height", &T::height, "m", within::length, "Height of the rectangle.").only({"rectangle"}).require(),
       field<T>("vertices", &T::outline, "m", within::coordinate,
                "Outline of the polygon, in either sense, without repeating the first vertex.")
           .only({"polygon"})
           .require(),
       field<T>(
           "spheres", &T::spheres, "m", within::coordinate,
           "Spheres of the cluster, in any frame: position is where its origin lies, orientation how it is turned.")
           .only({"cluster"})
           .require(),
       field<T>("position", &T::own_position, "m", within::coordinate,
                "Where the centroid is; of a cluster the origin of its spheres.")
           .by_default("polygon: where its vertices put it; else required"),
       field<T>("angle", &T::angle, "rad", within::angle, "Turn about the centroid.").in_plane(),
       field<T>("orientation", &T::orientation, "", {},
                "Turn of the cluster about the origin of its spheres, a unit quaternion with the scalar part first: "
                "x = R(q) x′.")
           .only({"cluster"})
           .in_space(),
       field<T>("velocity", &T::velocity, "m/s", within::velocity,
                "Start velocity; in fixed directions it is kept throughout: prescribed motion."),
       field<T>("spin", &T::spin, "rad/s", within::spin,
                "Start angular velocity; kept throughout, as prescribed motion, when the rotation is fixed.")
           .in_plane(),
       field<T>("angular_velocity", &T::angular_velocity, "rad/s", within::spin,
                "Start angular velocity, in space axes; kept throughout, as prescribed motion, when the rotation is "
                "fixed.")
           .in_space(),
       field<T>("force", &T::force, "N", within::force, "Constant external force at the centroid."),
       field<T>("torque", &T::torque, "N m", within::force, "Constant external torque.").in_plane(),
       field<T>("couple", &T::applied_couple, "N m", within::force, "Constant external couple, in space axes.")
           .in_space(),
       field<T>("fixed", &T::fixed, "", std::vector<std::string_view>{"x", "y", "z", "rotation"},
                "Coordinates whose motion no force changes: it stays as velocity and spin say, 0 by default."),
       field<T>("density", &T::density, "kg/m²", within::density, "Mass per area (in space: per volume) of this body.")
           .unit_of_space("kg/m³")
           .by_default("that of its material"),
       field<T>("material", &T::material, "", {}, "Name of its material, one of [[other_material]].")
           .by_default("that of [material]")
           .if_unusual(),
       field<T>("group", &T::group, "", {},
                "free, bottom-plate, top-plate, or a word of your own; results are kept by group.")},
      "shape"};
  return section;
}

const Section<WallSpec>& wall_section() {
  using T = WallSpec;
  const auto in_space = [](Field<T> row, std::string shape) {
    return std::move(row).only({std::move(shape)}).in_space();
  };
  static const Section<T> section{
      "wall",
      "What bodies cannot enter. In the plane a straight wall without end: bodies stay on the left of the line through "
      "`from` and `to`. In "
      "space (dimension = 3) a plane, a rectangle or a mesh, with two sides; walls of one name are one rigid part. "
      "Repeat [[wall]] for each.",
      {field<T>("name", &T::name, "", {}, "Its name in messages and results."),
       field<T>("shape", &T::shape, "", std::vector<std::string_view>{"plane", "rectangle", "mesh"}, "Its shape.")
           .in_space()
           .require(),
       field<T>("from", &T::from, "m", within::coordinate, "A point of the line.").only({"line"}).in_plane().require(),
       field<T>("to", &T::to, "m", within::coordinate,
                "Another point of the line. Seen from `from` to `to`, the bodies are on the left.")
           .only({"line"})
           .in_plane()
           .require(),
       in_space(field<T>("point", &T::point, "m", within::coordinate, "A point of the plane."), "plane").require(),
       in_space(field<T>("normal", &T::normal, "", within::coordinate, "Normal of the plane, of any length."), "plane")
           .require(),
       in_space(field<T>("corner", &T::corner, "m", within::coordinate, "A corner of the rectangle."), "rectangle")
           .require(),
       in_space(field<T>("edge_1", &T::edge_1, "m", within::coordinate, "Edge of the rectangle from that corner."),
                "rectangle")
           .require(),
       in_space(field<T>("edge_2", &T::edge_2, "m", within::coordinate, "The other edge, perpendicular to it."),
                "rectangle")
           .require(),
       in_space(field<T>("file", &T::file, "", {},
                         "Mesh: an STL file, relative to the case file; its surface has to be closed."),
                "mesh")
           .require(),
       in_space(field<T>("scale", &T::scale, "", within::length, "Mesh: metres per unit of the file."), "mesh"),
       field<T>("velocity", &T::velocity, "m/s", within::velocity, "Velocity of the wall, known to its contacts."),
       field<T>("material", &T::material, "", {}, "Name of its material, one of [[other_material]].")
           .by_default("that of [material]")
           .in_space()
           .if_unusual()},
      "shape"};
  return section;
}

}  // namespace dem::case_file
