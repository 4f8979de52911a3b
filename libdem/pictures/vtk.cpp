#include "libdem/pictures/vtk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "libdem/state/columns.hpp"

namespace dem {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");

template <class T>
constexpr const char* vtk_type() {
  if constexpr (std::is_same_v<T, double>)
    return "Float64";
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return "Int64";
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return "UInt32";
  else
    return "UInt8";
}

/// Cells of one kind, by the points that each joins.
struct Cells {
  std::vector<std::int64_t> connectivity, offsets;
  /// Adds a point to the file and to the present cell.
  void add(std::vector<double>& points, Vec3 p) {
    connectivity.push_back(static_cast<std::int64_t>(points.size() / 3));
    append(points, p);
  }
  void end_cell() { offsets.push_back(static_cast<std::int64_t>(connectivity.size())); }
};
/// By the tag of their kind: Verts, Lines, Polys.
using CellsByTag = std::initializer_list<std::pair<std::string_view, const Cells&>>;

/// Writes the XML part and the appended data side by side, because a DataArray names the offset of its data.
class PolyData {
 public:
  template <class T>
  void array(std::string_view name, const std::vector<T>& values, std::size_t components = 1) {
    xml_ += fmt::format(
        "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        vtk_type<T>(), name, components, data_.size());
    const std::uint64_t bytes = values.size() * sizeof(T);
    data_.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    data_.append(reinterpret_cast<const char*>(values.data()), bytes);
  }
  /// Array of value(row) for each row: a number, vector, quaternion or tensor.
  template <class Rows, class Value>
  void column(std::string_view name, const Rows& rows, Value value) {
    const auto [numbers, width] = column_of(rows, value);
    array(name, numbers, width);
  }
  void open(std::string_view tag) { xml_ += fmt::format("      <{}>\n", tag); }
  void close(std::string_view tag) { xml_ += fmt::format("      </{}>\n", tag); }

  /// The whole file: the arrays so far, then its points and cells.
  std::string finish(const AssemblyView& v, const std::vector<double>& points, CellsByTag cells) {
    open("Points");
    array("position", points, 3);
    close("Points");
    for (const auto& [tag, all] : cells) {
      open(tag);
      array("connectivity", all.connectivity);
      array("offsets", all.offsets);
      close(tag);
    }
    std::string out =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  "
        "<PolyData>\n    <FieldData>\n";
    for (const auto& [name, value] :
         {std::pair("TimeValue", v.state.time), {"step", double(v.state.step)}, {"strain", v.strain}})
      out += fmt::format(
          "      <DataArray type=\"Float64\" Name=\"{}\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n", name,
          value);
    const auto count = [&](std::string_view tag) {
      const auto at = std::ranges::find(cells, tag, &CellsByTag::value_type::first);
      return at == cells.end() ? 0 : at->second.offsets.size();
    };
    out += fmt::format(
        "    </FieldData>\n    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
        points.size() / 3, count("Verts"), count("Lines"), count("Polys"));
    return out + xml_ + "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n   _" + data_ +
           "\n  </AppendedData>\n</VTKFile>\n";
  }

 private:
  std::string xml_, data_;
};

Vec3 force_on(const Bodies& b, std::size_t k) { return k < b.force.size() ? b.force[k] : Vec3{}; }

/// Columns of bodies, a row for each of these numbers.
void write_body_columns(PolyData& file, const AssemblyView& v, const std::vector<std::size_t>& rows) {
  const Bodies& b = v.state.bodies;
  const std::vector<std::uint32_t> touching = coordination(v);
  const std::vector<Tensor3> stress = body_stresses(v);
  file.column("group", rows, [&](std::size_t k) { return std::uint32_t{b.group[k]}; });
  file.column("mass", rows, [&](std::size_t k) { return b.mass[k]; });
  file.column("speed", rows, [&](std::size_t k) { return norm(v.state.velocity(k)); });
  file.column("velocity", rows, [&](std::size_t k) { return v.state.velocity(k); });
  if (v.state.dimension == 3) {
    file.column("angular_velocity", rows, [&](std::size_t k) { return v.state.angular_velocity(k); });
    file.column("orientation", rows, [&](std::size_t k) { return orientation(v.state, k); });
  } else {
    file.column("spin", rows, [&](std::size_t k) { return v.state.spin(k); });
    file.column("angle", rows, [&](std::size_t k) { return b.rotation[0][k].z; });
  }
  file.column("coordination", rows, [&](std::size_t k) { return touching[k]; });
  file.column("stress", rows, [&](std::size_t k) { return stress[k]; });
  file.column("mean_pressure", rows, [&](std::size_t k) { return mean_pressure(stress[k], v.state.dimension); });
  file.column("force", rows, [&](std::size_t k) { return force_on(b, k); });
}

/// One point per component sphere.
std::string vtp_spheres(const AssemblyView& v) {
  const std::vector<PlacedSphere> spheres = placed_spheres(v.state);
  std::vector<std::size_t> bodies;
  std::vector<double> points;
  Cells verts;
  for (const PlacedSphere& s : spheres) {
    verts.add(points, s.centre);
    verts.end_cell();
    bodies.push_back(s.body);
  }
  PolyData file;
  file.open("PointData");
  file.column("radius", spheres, &PlacedSphere::radius);
  file.column("body", bodies, [](std::size_t k) { return static_cast<std::uint32_t>(k); });
  write_body_columns(file, v, bodies);
  file.close("PointData");
  return file.finish(v, points, {{"Verts", verts}});
}

}  // namespace

std::string vtp_particles(const AssemblyView& v) {
  if (v.state.dimension == 3) return vtp_spheres(v);
  const Bodies& b = v.state.bodies;
  // Cell data follows VTK's order of cells: lines (half planes) before polygons.
  std::vector<std::size_t> order;
  Cells lines, polygons;
  std::vector<double> points;
  double reach = 0;  // half-planes are drawn as long as the assembly is wide
  for (std::size_t k = 0; k < b.size(); ++k)
    for (std::size_t j : {std::size_t{0}, b.size() - 1})
      reach = std::max(reach, norm(b.position[0][k] - b.position[0][j]));
  for (std::size_t k = 0; k < b.size(); ++k)
    if (v.state.shape_of(k).is_half_plane()) {
      const Vec2 along = Turn::by(b.rotation[0][k].z)({0, reach});
      order.push_back(k);
      for (const double side : {-1.0, 1.0})
        lines.add(points, b.position[0][k] + Vec3{side * along.x, side * along.y, 0});
      lines.end_cell();
    }
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (v.state.shape_of(k).is_half_plane()) continue;
    order.push_back(k);
    for (const Vec2 p : placed_outline(v.state, k)) polygons.add(points, {p.x, p.y, 0});
    polygons.end_cell();
  }

  PolyData file;
  file.open("CellData");
  file.column("id", order, [](std::size_t k) { return static_cast<std::uint32_t>(k); });
  write_body_columns(file, v, order);
  file.close("CellData");
  return file.finish(v, points, {{"Lines", lines}, {"Polys", polygons}});
}

std::string vtp_walls(const AssemblyView& v) {
  const Bodies& b = v.state.bodies;
  Vec3 low{infinity, infinity, infinity}, high = -1.0 * low;  // of the bodies' centres
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (v.state.shape_of(k).is_wall()) continue;
    const Vec3 x = b.position[0][k];
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  const bool any = low.x <= high.x;
  const Vec3 middle = any ? 0.5 * (low + high) : Vec3{};
  const double reach = any && norm(high - low) > 0 ? norm(high - low) : 1;
  Cells polygons;
  std::vector<std::uint32_t> wall;
  std::vector<double> points;
  for (std::size_t k = 0; k < b.size(); ++k) {
    const geometry::FacetSurface* surface = v.state.shape_of(k).facets();
    if (!surface) continue;
    for (const geometry::Facet& f : surface->facets()) {
      std::vector<Vec3> corners{f.origin, f.origin + f.edge_1, f.origin + f.edge_2};
      if (!f.triangle) {
        // Ends of an unbounded facet, measured from its point nearest to the middle of the bodies.
        const Vec3 from = middle - b.position[0][k] - f.origin;
        const auto end = [&](double bound, Vec3 along, double side) {
          return std::isfinite(bound) ? bound : dot(from, along) + side * reach;
        };
        const double l1 = end(f.low_1, f.edge_1, -1), h1 = end(f.high_1, f.edge_1, 1), l2 = end(f.low_2, f.edge_2, -1),
                     h2 = end(f.high_2, f.edge_2, 1);
        corners.clear();
        for (const auto& [p, q] : {std::pair(l1, l2), {h1, l2}, {h1, h2}, {l1, h2}})
          corners.push_back(f.origin + p * f.edge_1 + q * f.edge_2);
      }
      for (const Vec3 corner : corners) polygons.add(points, b.position[0][k] + corner);
      polygons.end_cell();
      wall.push_back(static_cast<std::uint32_t>(k));
    }
  }
  if (wall.empty()) return {};
  PolyData file;
  file.open("CellData");
  file.array("wall", wall);
  file.column("velocity", wall, [&](std::size_t k) { return v.state.velocity(k); });
  file.column("force", wall, [&](std::size_t k) { return force_on(b, k); });
  file.close("CellData");
  return file.finish(v, points, {{"Polys", polygons}});
}

std::string vtp_contacts(const AssemblyView& v) {
  Cells lines;
  std::vector<double> points;
  for (const ContactRecord& c : v.contacts) {
    const Vec3 centre = v.state.bodies.position[0][c.key.i];
    for (const Vec3 p : {centre, c.point, centre + c.branch}) lines.add(points, p);
    lines.end_cell();
  }
  using Record = const ContactRecord&;
  PolyData file;
  file.open("CellData");
  file.column("i", v.contacts, [](Record c) { return c.key.i; });
  file.column("j", v.contacts, [](Record c) { return c.key.j; });
  file.column("feature", v.contacts, [](Record c) { return std::uint32_t{c.key.feature}; });
  file.column("force", v.contacts, &ContactRecord::force);
  file.column("normal", v.contacts, &ContactRecord::normal);
  file.column("normal_force", v.contacts, &ContactRecord::normal_force);
  file.column("tangential_force", v.contacts, &ContactRecord::tangential_force);
  file.column("overlap", v.contacts, &ContactRecord::overlap);
  file.column("elongation", v.contacts, &ContactRecord::elongation);
  file.column("plane_angle", v.contacts, &ContactRecord::plane_angle);
  file.column("regime", v.contacts, [](Record c) { return static_cast<std::uint8_t>(c.regime); });
  file.close("CellData");
  return file.finish(v, points, {{"Lines", lines}});
}

std::string pvd_collection(const std::vector<CollectionEntry>& entries) {
  std::string out =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  "
      "<Collection>\n";
  for (const CollectionEntry& e : entries)
    out += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", e.time, e.file);
  return out + "  </Collection>\n</VTKFile>\n";
}

}  // namespace dem
