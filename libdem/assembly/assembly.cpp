#include "libdem/assembly/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "libdem/assembly/generators.hpp"
#include "libdem/assembly/start_check.hpp"
#include "libdem/assembly/stl.hpp"
#include "libdem/drivers/catalogue.hpp"
#include "libdem/platform/file_error.hpp"
#include "libdem/state/quaternion.hpp"
#include "libdem/state/solid_shapes.hpp"

namespace dem {

namespace {

class Builder {
 public:
  Builder(const Case& given, bool has_clusters) : case_(given), has_clusters_(has_clusters) {
    state_.groups = {"free", "bottom-plate", "top-plate", "wall"};
    state_.gravity = given.gravity;
    state_.dimension = given.dimension;
    state_.dt = given.time.step > 0 ? given.time.step : 1;  // Simulation chooses it and needs the bodies for that
  }

  void set_cell(Vec3 origin, Vec3 size, Vec3 tilt) {  // tilt: xy, xz, yz
    state_.cell_origin = origin;
    state_.cell.periodic = case_.periodic;
    if ((case_.periodic[0] && !(size.x > 0)) || (case_.periodic[1] && !(size.y > 0)) ||
        (case_.periodic[2] && !(size.z > 0)))
      throw AssemblyError("a periodic direction needs a cell size: set cell.size");
    if (size.x > 0) state_.cell.vectors[0] = {size.x, 0, 0};
    if (size.y > 0) state_.cell.vectors[1] = {tilt.x, size.y, 0};
    if (size.z > 0) state_.cell.vectors[2] = {tilt.y, tilt.z, size.z};
    state_.evaluated_cell = state_.evaluated_cell_before = state_.cell;
  }

  void add(const BodySpec& spec) {
    if (is_solid(spec.shape) != (case_.dimension == 3))
      throw AssemblyError(fmt::format("{}: {}", describe(spec),
                                      is_solid(spec.shape) ? "spheres and clusters need dimension 3, found 2"
                                                           : "discs and polygons need dimension 2, found 3"));
    try {
      if (is_solid(spec.shape))
        add_solid(spec);
      else
        add_planar(spec);
    } catch (const geometry::GeometryError& error) {
      throw geometry::GeometryError(fmt::format("{}: {}", describe(spec), error.what()));
    }
  }

  /// Adds the bodies of the walls, after all others. In space the walls of one name are one body, whose position is its
  /// displacement since the start.
  void add(const std::vector<WallSpec>& walls) {
    if (case_.dimension == 2) {
      for (const WallSpec& spec : walls) add(spec);
      return;
    }
    for (std::size_t k = 0; k < walls.size(); ++k) {
      const auto same = [&](const WallSpec& other) { return other.name == walls[k].name; };
      if (std::any_of(walls.begin(), walls.begin() + std::ptrdiff_t(k), same)) continue;
      std::vector<geometry::Facet> facets;
      for (std::size_t w = k; w < walls.size(); ++w) {
        if (!same(walls[w])) continue;
        const std::string place = place_of(walls[w], w);
        if (walls[w].velocity != walls[k].velocity || walls[w].material != walls[k].material)
          throw AssemblyError(place +
                              ": walls of one name are one rigid part: they have the same velocity and material");
        try {
          add_facets(walls[w], facets);
        } catch (const geometry::GeometryError& error) {
          throw AssemblyError(fmt::format("{}: {}", place, error.what()));
        } catch (const ContentError& error) {
          throw ContentError(fmt::format("{}.file: {}", place, error.what()));
        } catch (const FileError& error) {
          throw FileError(fmt::format("{}.file: {}", place, error.what()));
        }
      }
      BodySpec body;
      body.material = walls[k].material;
      append(Shape::wall(geometry::FacetSurface(std::move(facets))), 1, 1, 0, "wall", walls[k].name);
      Bodies& b = state_.bodies;
      if (has_clusters_) {
        b.principal_moments.push_back({1, 1, 1});
        b.orientation[0].push_back({});
      }
      b.material.back() = material_of(body);
      b.position[1].back() = state_.dt * walls[k].velocity;
    }
  }

  void add(const WallSpec& spec) {
    const Vec2 along = spec.to - spec.from;
    const double length = norm(along);
    if (!(length > 0)) throw AssemblyError(fmt::format("wall '{}': its two points are the same", spec.name));
    const Vec2 outward = turned_left((1 / length) * along);
    append(Shape::half_plane(), 1, 1, 0, "wall", spec.name);
    const Vec2 middle = 0.5 * (spec.from + spec.to);
    Bodies& b = state_.bodies;
    b.position[0].back() = {middle.x, middle.y, 0};
    b.position[1].back() = {spec.velocity.x * state_.dt, spec.velocity.y * state_.dt, 0};
    b.rotation[0].back() = {0, 0, std::atan2(outward.y, outward.x)};
  }

  /// Reserves memory for exactly so many bodies; growing would leave a third unused.
  void reserve(std::size_t bodies) {
    Bodies& b = state_.bodies;
    for (auto* terms : {&b.position, &b.rotation})
      for (auto& r : *terms) r.reserve(bodies);
    for (auto* vectors : {&b.force, &b.torque}) vectors->reserve(bodies);
    for (auto* values : {&b.mass, &b.moment}) values->reserve(bodies);
    for (auto* numbers : {&b.group, &b.material}) numbers->reserve(bodies);
    b.shape.reserve(bodies);
    b.freedom.reserve(bodies);
  }

  State finish() {
    Bodies& b = state_.bodies;
    b.evaluated_position = b.evaluated_position_before = b.position[0];
    b.evaluated_rotation = b.evaluated_rotation_before = b.rotation[0];
    if (has_clusters_) {
      if (case_.time.integrator == Integrator::gear5)
        for (std::size_t k = 1; k < b.orientation.size(); ++k)
          b.orientation[k].assign(b.size(), Quaternion{0, 0, 0, 0});
      b.evaluated_orientation = b.evaluated_orientation_before = b.orientation[0];
    }
    const auto fill = [&b](auto& values) {
      if (!values.empty()) values.resize(b.size());
    };
    fill(b.applied_force);
    fill(b.applied_torque);
    fill(b.name);
    state_.shapes.shrink_to_fit();
    return std::move(state_);
  }

 private:
  /// Sets a property of the last body. A property that no body has takes no memory.
  template <class T>
  void put(std::vector<T>& values, const T& value) {
    if (value == T{}) return;
    values.resize(state_.bodies.size());
    values.back() = value;
  }

  /// The key of a wall of the case. Walls of drivers, which come after these, have names alone.
  std::string place_of(const WallSpec& wall, std::size_t index) const {
    return index < case_.assembly.walls.size() ? fmt::format("wall[{}]", index + 1)
                                               : fmt::format("wall '{}'", wall.name);
  }

  // Bodies count from 0, as in all results files.
  std::string describe(const BodySpec& spec) const {
    return spec.name.empty() ? fmt::format("body {}", state_.bodies.size()) : "body '" + spec.name + "'";
  }

  static std::uint8_t freedom_of(const BodySpec& spec, std::uint8_t all) {
    const int held = (spec.fix_x ? free_x : 0) | (spec.fix_y ? free_y : 0) | (spec.fix_z ? free_z : 0) |
                     (spec.fix_rotation ? free_rx | free_ry | free_rz : 0);
    return std::uint8_t(all & ~held);
  }

  void add_planar(const BodySpec& spec) {
    Shape shape;
    Vec2 position = planar(spec.position);
    if (spec.shape == ShapeKind::disc) {
      shape = Shape::disc(spec.radius);
    } else {
      geometry::Polygon polygon(spec.outline);
      if (spec.outline_is_placed) position = polygon.outline_centroid();
      shape = Shape::polygon(std::move(polygon));
    }
    Bodies& b = state_.bodies;
    const double density = density_of(spec);
    append(shape, density * shape.area(), density * shape.polar_moment(), freedom_of(spec, free_in_plane), spec.group,
           spec.name);
    b.material.back() = material_of(spec);
    b.position[0].back() = {position.x, position.y, 0};
    b.position[1].back() = {spec.velocity.x * state_.dt, spec.velocity.y * state_.dt, 0};
    b.rotation[0].back() = {0, 0, spec.angle};
    b.rotation[1].back() = {0, 0, spec.spin * state_.dt};
    put(b.applied_force, {spec.force.x, spec.force.y, 0});
    put(b.applied_torque, {0, 0, spec.torque});
  }

  // The position and axes of a cluster become those of its centroid and principal axes.
  void add_solid(const BodySpec& spec) {
    Vec3 position = spec.position;
    const double length = std::sqrt(dot(spec.orientation, spec.orientation));
    if (!(std::abs(length - 1) <= 1e-6))
      throw AssemblyError(fmt::format("{}: the quaternion of its orientation must have unit length, found {:.9g}",
                                      describe(spec), length));
    Quaternion orientation = normalised(spec.orientation);
    std::uint32_t index;
    if (spec.shape == ShapeKind::sphere) {
      const auto [known, is_new] = sphere_of_radius_.try_emplace(spec.radius, std::uint32_t(state_.shapes.size()));
      if (is_new) state_.shapes.push_back(Shape::sphere(spec.radius));
      index = known->second;
    } else {
      ClusterShapes::Made made = clusters_.make(spec.spheres);
      position += rotated(orientation, made.centroid);
      orientation = normalised(orientation * made.axes);
      index = std::uint32_t(state_.shapes.size());
      state_.shapes.push_back(std::move(made.shape));
    }
    const Shape& shape = state_.shapes[index];
    const double density = density_of(spec);
    const Vec3 moments = density * shape.principal_moments();
    append(index, density * shape.volume(), std::min({moments.x, moments.y, moments.z}),
           freedom_of(spec, free_in_space), spec.group, spec.name);
    Bodies& b = state_.bodies;
    if (has_clusters_) {  // otherwise the orientation has no effect
      b.principal_moments.push_back(moments);
      b.orientation[0].push_back(orientation);
    }
    b.material.back() = material_of(spec);
    b.position[0].back() = position;
    b.position[1].back() = state_.dt * spec.velocity;
    b.rotation[1].back() = state_.dt * spec.angular_velocity;
    put(b.applied_force, spec.force);
    put(b.applied_torque, spec.applied_couple);
  }

  void add_facets(const WallSpec& spec, std::vector<geometry::Facet>& out) const {
    const bool periodic = case_.periodic[0] || case_.periodic[1] || case_.periodic[2];
    const std::vector<geometry::Facet> facets = wall_facets(spec);
    out.insert(out.end(), facets.begin(), facets.end());
    for (std::size_t a = 0; a < 3 && spec.shape == WallShape::plane; ++a)
      if (case_.periodic[a] &&
          std::abs(dot(out.back().normal, state_.cell.vectors[a])) > 1e-12 * norm(state_.cell.vectors[a]))
        throw geometry::GeometryError("a plane has to be parallel to every periodic direction of the cell");
    if (periodic && spec.shape != WallShape::plane)
      throw geometry::GeometryError("in a periodic cell walls are planes: others would have no images");
  }

  std::uint16_t material_of(const BodySpec& spec) const {
    if (spec.material.empty()) return 0;
    for (std::size_t m = 0; m < case_.materials.size(); ++m)
      if (case_.materials[m].name == spec.material) return std::uint16_t(m + 1);
    throw AssemblyError(fmt::format("{}: there is no material '{}'", describe(spec), spec.material));
  }
  double density_of(const BodySpec& spec) const {
    const std::uint16_t m = material_of(spec);
    return spec.density.value_or(m == 0 ? case_.material.density : case_.materials[m - 1u].density);
  }

  void append(const Shape& shape, double mass, double moment, std::uint8_t freedom, const std::string& group,
              const std::string& name) {
    state_.shapes.push_back(shape);
    append(std::uint32_t(state_.shapes.size() - 1), mass, moment, freedom, group, name);
  }
  void append(std::uint32_t shape, double mass, double moment, std::uint8_t freedom, const std::string& group,
              const std::string& name) {
    Bodies& b = state_.bodies;
    for (auto* terms : {&b.position, &b.rotation})
      for (auto& r : *terms) r.push_back({});
    b.mass.push_back(mass);
    b.moment.push_back(moment);
    b.freedom.push_back(freedom);
    b.force.push_back({});
    b.torque.push_back({});
    b.shape.push_back(shape);
    const auto g = std::ranges::find(state_.groups, group) - state_.groups.begin();
    if (std::size_t(g) == state_.groups.size()) state_.groups.push_back(group);
    b.material.push_back(0);
    b.group.push_back(std::uint16_t(g));
    put(b.name, name);
  }

  const Case& case_;
  State state_;
  ClusterShapes clusters_;
  std::unordered_map<double, std::uint32_t> sphere_of_radius_;  // spheres of one radius share a shape
  bool has_clusters_ = false;
};

State make_bodies(const Case& given) {
  const GeneratedBodies generated = generate_bodies(given);
  const std::vector<BodySpec>& bodies = generated.bodies;
  if (generated.spheres.empty() && bodies.empty()) throw AssemblyError("the packing is empty: the case makes no body");
  Builder builder(given, std::ranges::find(bodies, ShapeKind::cluster, &BodySpec::shape) != bodies.end());
  builder.set_cell(generated.cell_origin, generated.cell_size, generated.cell_tilt);
  std::vector<WallSpec> walls = given.assembly.walls;
  for (const DriverChoice& driver : given.drivers)
    if (driver.entry->walls)
      for (WallSpec& wall : driver.entry->walls(driver.options.get())) walls.push_back(std::move(wall));
  builder.reserve(generated.spheres.size() + bodies.size() + walls.size());
  for (const Ball& sphere : generated.spheres) builder.add(sphere_spec(sphere));
  for (const BodySpec& spec : bodies) builder.add(spec);
  builder.add(walls);
  return builder.finish();
}

}  // namespace

std::vector<geometry::Facet> wall_facets(const WallSpec& spec) {
  switch (spec.shape) {
    case WallShape::plane:
      return {geometry::Facet::plane(spec.point, spec.normal)};
    case WallShape::rectangle:
      return {geometry::Facet::rectangle(spec.corner, spec.edge_1, spec.edge_2)};
    case WallShape::mesh: {
      std::vector<geometry::Facet> facets;
      for (const Triangle& t : read_stl(spec.file, spec.scale))
        facets.push_back(geometry::Facet::of_triangle(t[0], t[1], t[2]));
      return facets;
    }
    case WallShape::line:
      break;
  }
  throw geometry::GeometryError("a wall in space is a plane, a rectangle or a mesh");
}

State build_assembly(const Case& given) {
  State state = make_bodies(given);
  check_sizes(state);
  const bool rains = std::holds_alternative<RainSpec>(given.assembly.generator);
  check_start(state, given.assembly.largest_start_overlap,
              rains ? "raise assembly.lowest, the height of the centres of the lowest layer, or move the wall"
                    : "move or shrink them");
  return state;
}

}  // namespace dem
