#include "libdem/assembly/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <set>
#include <string_view>

#include "geometry/outlines.hpp"
#include "geometry/overlap.hpp"
#include "geometry/random.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/assembly/import_assembly.hpp"
#include "libdem/bounds.hpp"
#include "libdem/drivers/plates.hpp"

namespace dem {
namespace {

BodySpec placed_polygon(geometry::Outline outline, std::string name = {}) {
  BodySpec spec;
  spec.shape = ShapeKind::polygon;
  spec.outline = std::move(outline);
  spec.outline_is_placed = true;
  spec.name = std::move(name);
  return spec;
}

void hold(BodySpec& spec, const char* group) {
  spec.fix_x = spec.fix_y = spec.fix_rotation = true;
  spec.group = group;
}

void add_voronoi(const geometry::VoronoiInput& input, bool plates, GeneratedBodies& out) {
  for (geometry::VoronoiCell& cell : geometry::periodic_voronoi(input)) {
    BodySpec spec = placed_polygon(std::move(cell.outline));
    if (plates && cell.row == 0) hold(spec, "bottom-plate");
    if (plates && cell.row == input.rows - 1) hold(spec, "top-plate");
    out.bodies.push_back(std::move(spec));
  }
  const Vec2 size = geometry::voronoi_size(input);
  out.cell_size = {size.x, size.y, 0};
  out.cell_origin = {0, -input.spacing / std::sqrt(input.elongation)};
}

/// Largest overlap of two outlines as a share of the smaller equivalent diameter (area/chord, 1 for containment).
double largest_overlap(const std::vector<geometry::Outline>& outlines) {
  std::vector<geometry::Outline> turned = outlines;
  std::vector<geometry::Box> boxes;
  std::vector<double> diameters;
  for (auto& outline : turned) {
    const double area = geometry::area_properties(outline).area;
    if (area < 0) std::reverse(outline.begin(), outline.end());
    diameters.push_back(2 * std::sqrt(std::abs(area) / std::numbers::pi));
    boxes.push_back(geometry::bounding_box(outline));
  }
  double worst = 0;
  geometry::Overlap overlap;
  for (const auto& [i, j] : geometry::meeting_boxes(boxes)) {
    geometry::overlap_fast({turned[i], boxes[i], false}, {turned[j], boxes[j], false}, overlap);
    for (const auto& c : overlap.components) {
      const double chord = c.gradient_length, smaller = std::min(diameters[i], diameters[j]);
      worst = std::max(worst, c.crossings > 0 && chord > 0 ? std::min(1.0, c.area / chord / smaller) : 1.0);
    }
  }
  return worst;
}

void add_grains(const GrainsSpec& spec, double largest_start_overlap, GeneratedBodies& out) {
  std::vector<geometry::Grain> grains = geometry::read_grains(spec.file);
  std::vector<geometry::Outline> outlines;
  for (const geometry::Grain& grain : grains) {
    if (!grain.holes.empty() && !spec.fill_holes)
      throw AssemblyError(fmt::format(
          "{}:{}: grain '{}' has {} hole(s); a polygon has none: set assembly.fill_holes = true to fill them",
          spec.file.string(), grain.line, grain.id, grain.holes.size()));
    geometry::Outline outline;
    try {
      geometry::check_simple(grain.outline);
      outline = geometry::simplified(grain.outline, spec.simplify);
    } catch (const geometry::GeometryError& error) {
      throw geometry::GeometryError(
          fmt::format("{}:{}: grain '{}': {}", spec.file.string(), grain.line, grain.id, error.what()));
    }
    for (Vec2& v : outline) v = {spec.scale * v.x, (spec.flip_y ? -spec.scale : spec.scale) * v.y};
    outlines.push_back(std::move(outline));
  }
  double factor = spec.shrink;
  const auto shrunk = [&] {
    std::vector<geometry::Outline> result;
    for (const auto& outline : outlines) result.push_back(geometry::scaled_about_centroid(outline, factor));
    return result;
  };
  std::vector<geometry::Outline> result = shrunk();
  while (spec.shrink_until_free && largest_overlap(result) > largest_start_overlap) {
    factor *= 0.99;
    if (factor < 0.5)
      throw AssemblyError(spec.file.string() +
                          ": shrinking the grains to half their size does not free them of overlaps");
    result = shrunk();
  }
  Vec2 low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
  for (std::size_t k = 0; k < result.size(); ++k) {
    for (Vec2 v : result[k]) {
      low = {std::min(low.x, v.x), std::min(low.y, v.y)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y)};
    }
    out.bodies.push_back(placed_polygon(std::move(result[k]), grains[k].id));
  }
  out.cell_origin = {low.x, low.y, 0};
  out.cell_size = {high.x - low.x, high.y - low.y, 0};
}

void add_lattice(const LatticeSpec& spec, bool plates, GeneratedBodies& out) {
  geometry::Random random(spec.seed);
  const double row_height = spec.hexagonal ? spec.spacing * std::sqrt(0.75) : spec.spacing;
  const geometry::Outline outline =
      spec.shape == ShapeKind::polygon
          ? geometry::regular_polygon(spec.sides, std::numbers::pi * spec.radius * spec.radius, spec.elongation)
          : geometry::Outline{};
  for (int row = 0; row < spec.rows; ++row)
    for (int column = 0; column < spec.columns; ++column) {
      BodySpec body;
      body.shape = spec.shape;
      body.radius = spec.radius;
      body.outline = outline;
      const double stagger = spec.hexagonal && row % 2 == 1 ? 0.75 : 0.25;
      body.position = {(column + stagger) * spec.spacing, (row + 0.5) * row_height};
      body.angle = spec.angle + spec.random_angle * (2 * random.uniform() - 1);
      if (plates && row == 0) hold(body, "bottom-plate");
      if (plates && row == spec.rows - 1) hold(body, "top-plate");
      out.bodies.push_back(std::move(body));
    }
  out.cell_size = {spec.columns * spec.spacing, spec.rows * row_height};
}

/// Adds rows of equal particles below and above the bodies. `width` is the periodic width.
void add_plates(const PlatesSpec& plates, double origin_x, double width, GeneratedBodies& out) {
  double low = INFINITY, high = -INFINITY, size = 0;
  for (const BodySpec& body : out.bodies) {
    if (body.shape == ShapeKind::disc) {
      low = std::min(low, body.position.y - body.radius);
      high = std::max(high, body.position.y + body.radius);
      size += body.radius;
      continue;
    }
    const Turn turn = Turn::by(body.angle);
    const auto properties = geometry::area_properties(body.outline);
    size += std::sqrt(std::abs(properties.area) / std::numbers::pi);
    for (Vec2 v : body.outline) {
      const double y = body.outline_is_placed ? v.y : body.position.y + turn(v - properties.centroid).y;
      low = std::min(low, y);
      high = std::max(high, y);
    }
  }
  if (!(width > 0)) throw AssemblyError("plates need a cell with a width: set cell.size");
  const double radius = plates.particle_size > 0 ? plates.particle_size : size / double(out.bodies.size());
  const double wanted = std::round(width / (2 * radius));
  if (!(wanted <= bounds::most_polygons))
    throw AssemblyError(fmt::format(
        "plates.particle_size: found {:g} m, allowed at least {:g} m: a plate of {:g} m has at most {:g} particles",
        radius, width / (2 * bounds::most_polygons), width, bounds::most_polygons));
  const int count = std::max(2, int(wanted));
  const bool discs = out.bodies.front().shape == ShapeKind::disc;
  const geometry::Outline outline =
      discs ? geometry::Outline{} : geometry::regular_polygon(plates.sides, std::numbers::pi * radius * radius);
  double reach = radius;
  for (Vec2 v : outline) reach = std::max(reach, norm(v));
  for (const bool top : {false, true})
    for (int k = 0; k < count; ++k) {
      BodySpec body;
      body.shape = discs ? ShapeKind::disc : ShapeKind::polygon;
      body.radius = radius;
      body.outline = outline;
      body.position = {origin_x + (k + 0.5) * width / count,
                       top ? high + plates.gap + reach : low - plates.gap - reach};
      // Corners point inwards on both sides, because polygons stand on an edge.
      if (top) body.angle = std::numbers::pi;
      hold(body, top ? "top-plate" : "bottom-plate");
      out.bodies.push_back(std::move(body));
    }
}

void add_import(const ImportSpec& spec, int dimension, GeneratedBodies& out) {
  const ImportedAssembly file = read_assembly_file(spec.file);
  if (file.dimension() != dimension)
    throw AssemblyError(
        fmt::format("{}: found {}, allowed {} with dimension = {}; set dimension = {}", spec.file.string(),
                    file.shape == ShapeKind::disc     ? "discs"
                    : file.shape == ShapeKind::sphere ? "spheres"
                                                      : "sphere clusters",
                    dimension == 2 ? "discs" : "spheres or sphere clusters", dimension, file.dimension()));
  add_bodies(file, spec.scale, out);
}

}  // namespace

BodySpec sphere_spec(const Ball& ball) {
  BodySpec spec;
  spec.shape = ShapeKind::sphere;
  spec.radius = ball.radius;
  spec.position = ball.position;
  return spec;
}

GeneratedBodies generate_bodies(const Case& given) {
  GeneratedBodies out;
  const auto* plates = given.driver_options<PlatesSpec>();
  const bool rows_are_plates = plates && plates->from_rows;
  const Assembly& a = given.assembly;
  if (const auto* voronoi = a.made_by<geometry::VoronoiInput>()) add_voronoi(*voronoi, rows_are_plates, out);
  if (const auto* grains = a.made_by<GrainsSpec>()) add_grains(*grains, a.largest_start_overlap, out);
  if (const auto* lattice = a.made_by<LatticeSpec>()) add_lattice(*lattice, rows_are_plates, out);
  if (const auto* import = a.made_by<ImportSpec>()) add_import(*import, given.dimension, out);
  if (const auto* random = a.made_by<RandomSpec>()) add_random(*random, given, out);
  if (const auto* rain = a.made_by<RainSpec>()) add_rain(*rain, given, out);
  std::set<std::string_view> made;
  for (const BodySpec& body : out.bodies)
    if (!body.name.empty()) made.insert(body.name);
  for (std::size_t k = 0; k < given.assembly.bodies.size(); ++k)
    if (const std::string& name = given.assembly.bodies[k].name; !name.empty() && made.contains(name))
      throw AssemblyError(
          fmt::format("body[{}].name: found \"{}\", which a body of the generator has too, allowed a name of its own",
                      k + 1, name));
  made.clear();
  out.bodies.insert(out.bodies.end(), given.assembly.bodies.begin(), given.assembly.bodies.end());
  if (given.cell_size != Vec3{} || given.cell_tilt != Vec3{}) out.cell_tilt = given.cell_tilt;
  for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z})
    if (given.cell_size.*axis > 0) {
      out.cell_size.*axis = given.cell_size.*axis;
      out.cell_origin.*axis = given.cell_origin.*axis;
    }
  if (plates && !plates->from_rows && !out.bodies.empty()) add_plates(*plates, out.cell_origin.x, out.cell_size.x, out);
  return out;
}

}  // namespace dem
