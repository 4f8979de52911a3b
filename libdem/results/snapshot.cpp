#include "libdem/results/snapshot.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>

#include "libdem/results/hdf5_sealed.hpp"
#include "libdem/state/columns.hpp"
#include "libdem/state/contact_columns.hpp"

namespace dem {
namespace {

constexpr std::string_view in_plane =
    "SI units, angles in radians. Two-dimensional: everything is per metre of thickness (mass kg, force N, stress "
    "N/m). ";
constexpr std::string_view in_space = "SI units, angles in radians. Three-dimensional: mass kg, force N, stress Pa. ";
constexpr std::string_view conventions =
    "A contact joins body i to body j (i < j); its normal points from i to j; its force acts on i, the opposite force "
    "on j. Stresses are tension positive; pressures and normal forces of contacts are compression positive and say so. "
    "Positions are not wrapped into the periodic cell.";

template <class Rows, class Value>
void write_column(hdf5::Group& g, std::string_view name, hdf5::Meaning meaning, const Rows& rows, Value value) {
  const auto column = column_of(rows, value);
  g.write<typename decltype(column)::Number>(name, column.numbers, meaning, column.width > 1 ? column.width : 0);
}

void write_header(hdf5::Group g, const AssemblyView& v, const RunDescription& run) {
  g.set("format", std::uint64_t{hdf5::file_format});
  g.set("program", "libdem");
  g.set("program_version", run.program_version);
  g.set("compiler", run.compiler);
  g.set("flags", run.flags);
  g.set("title", run.title);
  g.set("seed", run.seed);
  g.set("step", v.state.step);
  g.set("time", v.state.time);
  g.set("time_step", v.state.dt);
  g.set("strain", v.strain);
  g.set("conventions", std::string(v.state.dimension == 3 ? in_space : in_plane) + std::string(conventions));
  g.set("dimension", std::uint64_t(v.state.dimension));
  g.write_texts("case", std::vector{run.case_text}, {"", "the resolved case, TOML"});
  g.set("case_fingerprint", fmt::format("{:016x}", run.fingerprint));
  if (!run.changes.empty()) g.set_texts("changed_on_the_way", run.changes);
  write_column(g, "cell_vectors", {"m", "vectors a, b, c of the cell, a row each"}, v.state.cell.vectors,
               std::identity());
  const std::vector<std::uint8_t> periodic(v.state.cell.periodic.begin(), v.state.cell.periodic.end());
  g.write<std::uint8_t>("cell_periodic", periodic, {"", "1: periodic along a, b, c"});
  std::vector<double> origin{v.state.cell_origin.x, v.state.cell_origin.y};
  if (v.state.dimension == 3) origin.push_back(v.state.cell_origin.z);
  g.write<double>("cell_origin", origin, {"m", "lower left corner of the cell"});
}

/// Of bodies in space. A shape is a list of spheres.
void write_solid_shapes(hdf5::Group g, const State& state) {
  std::vector<double> spheres;
  std::vector<std::uint64_t> offsets{0};
  for (const Shape& s : state.shapes) {
    for (const auto& [at, r] : s.spheres()) spheres.insert(spheres.end(), {at.x, at.y, at.z, r});
    offsets.push_back(spheres.size() / 4);
  }
  write_column(g, "radius", {"m", "of single spheres; else 0"}, state.shapes, &Shape::radius);
  write_column(g, "volume", {"m3", "of the union"}, state.shapes, &Shape::volume);
  write_column(g, "principal_moments", {"m5", "of the union about its centroid, at unit density"}, state.shapes,
               &Shape::principal_moments);
  g.write<double>(
      "spheres", spheres,
      {"m", "x, y, z, radius of all component spheres one after the other, in principal axes about the centroid"}, 4);
  g.write<std::uint64_t>("offsets", offsets, {"", "shape s has the spheres offsets[s] to offsets[s + 1] - 1"});
}

void write_shapes(hdf5::Group g, const State& state) {
  if (state.dimension == 3) return write_solid_shapes(g, state);
  std::vector<std::uint8_t> kind;
  std::vector<double> vertices;
  std::vector<std::uint64_t> offsets{0};
  for (const Shape& s : state.shapes) {
    kind.push_back(s.is_half_plane() ? 2 : s.kind() == ShapeKind::polygon ? 1 : 0);
    if (!s.polygon().empty())
      for (const Vec2 p : s.polygon()[0].vertices()) vertices.insert(vertices.end(), {p.x, p.y});
    offsets.push_back(vertices.size() / 2);
  }
  g.write<std::uint8_t>("kind", kind,
                        {"", "0 disc, 1 polygon, 2 half plane (outward normal: x axis of the body frame)"});
  write_column(g, "radius", {"m", "of discs; else 0"}, state.shapes, &Shape::radius);
  write_column(g, "area", {"m2", "area"}, state.shapes, &Shape::area);
  write_column(g, "polar_moment", {"m4", "polar moment of area about the centroid"}, state.shapes,
               &Shape::polar_moment);
  g.write<double>(
      "vertices", vertices,
      {"m",
       "outlines of all polygons one after the other, counter-clockwise, in the body frame (centroid at the origin)"},
      2);
  g.write<std::uint64_t>("offsets", offsets, {"", "shape s has the vertices offsets[s] to offsets[s + 1] - 1"});
}

void write_bodies(hdf5::Group g, const State& state) {
  const Bodies& b = state.bodies;
  const bool space = state.dimension == 3;
  std::vector<std::size_t> bodies(b.size());
  std::iota(bodies.begin(), bodies.end(), std::size_t(0));
  const auto add = [&](std::string_view name, hdf5::Meaning meaning, auto value) {
    write_column(g, name, meaning, bodies, value);
  };
  const auto per_thickness = [space](const std::string& text) {
    return space ? text : text + ", per metre of thickness";
  };
  add("id", {"", "number of the body, as used by the contacts"}, [](std::size_t k) { return std::uint64_t{k}; });
  add("position", {"m", "centroid, not wrapped into the periodic cell"},
      [&](std::size_t k) { return b.position[0][k]; });
  add("velocity", {"m/s", "of the centroid"}, [&](std::size_t k) { return state.velocity(k); });
  add("mass", {"kg", per_thickness("of the body")}, [&](std::size_t k) { return b.mass[k]; });
  add("radius",
      {"m", space ? "of spheres; clusters: of the sphere of the same volume; walls: 0"
                  : "of discs; polygons: of the disc of the same area; walls: 0"},
      [&](std::size_t k) { return state.shape_of(k).equivalent_radius(); });
  if (space) {
    add("orientation", {"1", "quaternion w, x, y, z from principal axes to space (Hamilton); spheres: none is kept"},
        [&](std::size_t k) { return orientation(state, k); });
    add("rotation", {"rad", "sum of the rotation vectors of all steps, in space axes"},
        [&](std::size_t k) { return b.rotation[0][k]; });
    add("angular_velocity", {"rad/s", "in space axes"}, [&](std::size_t k) { return state.angular_velocity(k); });
    add("principal_moments", {"kg m2", "of inertia about the centroid"}, [&](std::size_t k) {
      return k < b.principal_moments.size() ? b.principal_moments[k] : Vec3{b.moment[k], b.moment[k], b.moment[k]};
    });
  } else {
    add("angle", {"rad", "rotation about z, counter-clockwise positive, not reduced modulo 2 pi"},
        [&](std::size_t k) { return b.rotation[0][k].z; });
    add("spin", {"rad/s", "about z, counter-clockwise positive"}, [&](std::size_t k) { return state.spin(k); });
    add("moment", {"kg m2", per_thickness("polar moment of inertia about the centroid")},
        [&](std::size_t k) { return b.moment[k]; });
  }
  g.write<std::uint8_t>("freedom", b.freedom.by_number(),
                        {"", "bits: 1 x, 2 y, 4 z, 8 rx, 16 ry, 32 rz are free to move; the others are prescribed"});
  g.write<std::uint32_t>("shape", b.shape, {"", "index into /shapes"});
  g.write<std::uint16_t>("group", b.group, {"", "index into /bodies/group_names"});
  g.write_texts("group_names", state.groups, {"", "names of the groups"});
  g.write_texts("name", b.name.empty() ? std::vector<std::string>(b.size()) : b.name,
                {"", "names given in the case; empty: none"});
  const auto torque = [&](std::size_t k) { return k < b.torque.size() ? b.torque[k] : Vec3{}; };
  add("force", {"N", per_thickness("sum of contact, applied and body forces")},
      [&](std::size_t k) { return k < b.force.size() ? b.force[k] : Vec3{}; });
  if (space)
    add("torque", {"N m", "sum of torques about the centroid, in space axes"}, torque);
  else
    add("torque", {"N m", "sum of torques about the centroid and z, counter-clockwise positive"},
        [&](std::size_t k) { return torque(k).z; });
}

void write_contacts(hdf5::Group g, std::span<const ContactRecord> contacts) {
  using Record = const ContactRecord&;
  const auto add = [&](std::string_view name, hdf5::Meaning meaning, auto value) {
    write_column(g, name, meaning, contacts, value);
  };
  add("i", {"", "first body, i < j"}, [](Record c) { return c.key.i; });
  add("j", {"", "second body"}, [](Record c) { return c.key.j; });
  std::vector<std::int16_t> image;
  for (Record c : contacts) image.insert(image.end(), c.key.image.begin(), c.key.image.end());
  g.write<std::int16_t>("image", image, {"", "periodic image of j that i meets, in cell vectors a, b, c"}, 3);
  add("feature", {"", "polygons: number of the overlap component; clusters: of the pair of component spheres"},
      [](Record c) { return c.key.feature; });
  add("regime", {"", "1: slid during a part of the step; 0: did not (dem contact has more regimes)"},
      [](Record c) { return static_cast<std::uint8_t>(c.regime); });
  for (const ContactVector& m : contact_vectors) add(m.name, {m.unit, m.description}, m.member);
  for (const ContactNumber& m : contact_numbers) add(m.name, {m.unit, m.description}, m.member);
}

}  // namespace

void write_snapshot(const std::filesystem::path& path, const AssemblyView& view, const RunDescription& run,
                    bool contacts) {
  hdf5::File file = hdf5::File::create(path.string());
  hdf5::Group root = file.root();
  write_header(root.group("header"), view, run);
  write_shapes(root.group("shapes"), view.state);
  write_bodies(root.group("bodies"), view.state);
  if (contacts) write_contacts(root.group("contacts"), view.contacts);
  hdf5::write_sealed(path, {"snapshot", run.program_version}, file);
}

Snapshot read_snapshot(const std::filesystem::path& path) {
  const hdf5::SealedFile sealed = hdf5::read_sealed(path, "snapshot");
  const hdf5::Group root = sealed.file.root(), header = root.open("header"), bodies = root.open("bodies");
  Snapshot s;
  s.run = {header.text("title"), header.text("program_version"), header.text("compiler"),
           header.text("flags"), header.integer("seed"),         header.read_texts("case").at(0)};
  if (header.has_attribute("changed_on_the_way")) s.run.changes = header.texts("changed_on_the_way");
  s.step = header.integer("step");
  s.time = header.number("time");
  s.strain = header.number("strain");
  s.time_step = header.number("time_step");
  if (header.has_attribute("dimension"))
    s.dimension = int(header.integer("dimension"));  // missing in folders of earlier versions
  s.groups = bodies.read_texts("group_names");
  s.bodies = bodies.dimensions("mass").at(0);
  s.shapes = root.open("shapes").dimensions("radius").at(0);
  s.has_contacts = root.has("contacts");
  if (s.has_contacts) s.contacts = root.open("contacts").dimensions("i").at(0);
  return s;
}

}  // namespace dem
