#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "libdem/assembly/assembly.hpp"
#include "libdem/assembly/generators.hpp"
#include "libdem/drivers/shear_box.hpp"

namespace dem {
namespace {

[[noreturn]] void refuse(const char* key, const std::string& found, const std::string& allowed) {
  throw AssemblyError(fmt::format("assembly.{}: found {}, allowed {}", key, found, allowed));
}

/// Compares lengths up to rounding, so that six places of 10 mm fill 60 mm.
bool holds(double room, double wanted) { return room >= wanted * (1 - 1e-12); }

/// Width along one axis that must hold all spheres (m), and its origin for messages.
struct PlanWidth {
  double width = std::numeric_limits<double>::infinity();
  const char* maker = "";
};

/// Half width, along x and y, of the upright area about `centre` that the walls leave free at the height z (m). Rays
/// along ±x and ±y are stopped by upright facets. Infinite where a ray meets none.
Vec2 free_half_width(const std::vector<WallSpec>& walls, Vec2 centre, double z) {
  // Largest z component of an upright normal. Walls that lean leave a different width at other heights.
  constexpr double upright = 1e-3;
  Vec2 room{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  const Vec3 from{centre.x, centre.y, z};
  const auto facets_of = [](const WallSpec& wall) -> std::vector<geometry::Facet> {
    try {
      return wall_facets(wall);
    } catch (const std::runtime_error&) {  // refused with its name where the wall is made
      return {};
    }
  };
  for (const WallSpec& wall : walls)
    for (const geometry::Facet& f : facets_of(wall)) {
      if (std::abs(f.normal.z) > upright) continue;
      const auto meet = [&](Vec3 along, double& least) {
        const double slope = dot(f.normal, along);
        if (std::abs(slope) < 1e-9) return;
        const double way = dot(f.origin - from, f.normal) / slope;
        const Vec3 hit = from + way * along;
        if (norm(geometry::nearest_point(f, hit).point - hit) <= 1e-9 * (1 + std::abs(way)))
          least = std::min(least, std::abs(way));
      };
      meet({1, 0, 0}, room.x);
      meet({0, 1, 0}, room.y);
    }
  return room;
}

std::array<PlanWidth, 2> plan_area(const RainSpec& spec, const Case& given) {
  std::array<PlanWidth, 2> area;
  const double own[] = {spec.width.x, spec.width.y}, of_cell[] = {given.cell_size.x, given.cell_size.y};
  for (int axis = 0; axis < 2; ++axis) {
    PlanWidth& along = area[std::size_t(axis)];
    if (own[axis] > 0) {
      along = {own[axis], "assembly.width"};
      continue;
    }
    if (given.periodic[std::size_t(axis)]) along = {of_cell[axis], "the periodic cell"};
    if (const auto* box = given.driver_options<ShearBoxSpec>())
      along = {axis == 0 ? box->length : box->area() / box->length, "the shear box"};
    const Vec2 half = free_half_width(given.assembly.walls, spec.centre, spec.lowest);
    const double free = 2 * (axis == 0 ? half.x : half.y);
    if (free == 0)
      refuse("centre", fmt::format("({:g}, {:g}) m, on a wall", spec.centre.x, spec.centre.y),
             "a place between the walls, or an assembly.width");
    if (free < along.width) along = {free, "the space between the walls, about assembly.centre,"};
  }
  return area;
}

void check_room(const RainSpec& spec, double pitch, double layer_spacing, double largest,
                const std::array<PlanWidth, 2>& area) {
  if (!holds(pitch, 2 * largest * (1 + spec.jitter)))
    refuse("pitch", fmt::format("{:.6g} m", pitch),
           fmt::format("at least {:.6g} m, two radii and twice the jitter of the largest sphere ({:.6g} m): neighbours "
                       "in a layer could overlap",
                       2 * largest * (1 + spec.jitter), largest));
  if (!holds(layer_spacing, 2 * largest))
    refuse("layer_spacing", fmt::format("{:.6g} m", layer_spacing),
           fmt::format("at least {:.6g} m, two radii of the largest sphere: layers could overlap", 2 * largest));
  const auto fits = [&](const char* key, int places, const PlanWidth& room, const char* axis) {
    const double wanted = (places - 1) * pitch + 2 * largest * (1 + spec.jitter);
    if (!holds(room.width, wanted))
      refuse(key, fmt::format("{}", places),
             fmt::format("fewer: with a pitch of {:.6g} m{} and the jitter they take {:.6g} m along {}, and {} has "
                         "{:.6g} m; or a smaller pitch with a smaller jitter",
                         pitch, spec.pitch > 0 ? "" : ", four radii of the largest sphere,", wanted, axis, room.maker,
                         room.width));
  };
  fits("columns", spec.columns, area[0], "x");
  fits("rows", spec.rows, area[1], "y");
}

}  // namespace

void add_rain(const RainSpec& spec, const Case& given, GeneratedBodies& out) {
  if (given.dimension != 3) refuse("generator", "rain with dimension = 2", "dimension = 3: rain makes spheres");
  if (spec.columns < 1 || spec.rows < 1)
    refuse("columns", fmt::format("{} columns and {} rows", spec.columns, spec.rows), "at least 1 of each");
  if (spec.layers < 0 || (spec.layers == 0 && spec.count == 0))
    refuse("layers", fmt::format("{} layers and {} spheres", spec.layers, spec.count),
           "a positive number of at least one of them");
  const std::size_t in_layer = std::size_t(spec.columns) * std::size_t(spec.rows),
                    room = in_layer * std::size_t(spec.layers);
  if (spec.layers > 0 && spec.count > room)
    refuse("count", fmt::format("{} spheres", spec.count),
           fmt::format("at most {}: {} layers of {} x {}", room, spec.layers, spec.columns, spec.rows));
  if (!(spec.jitter >= 0) || spec.pitch < 0 || spec.layer_spacing < 0 || spec.width.x < 0 || spec.width.y < 0)
    refuse("jitter",
           fmt::format("jitter {:g}, pitch {:g} m, layer_spacing {:g} m, width {:g} and {:g} m", spec.jitter,
                       spec.pitch, spec.layer_spacing, spec.width.x, spec.width.y),
           "numbers >= 0");

  geometry::Random random(spec.seed);
  std::vector<double> radii(spec.count > 0 ? spec.count : room);
  for (double& r : radii) r = random_radius(spec, random, 3);
  const double largest = *std::ranges::max_element(radii);
  if (!(*std::ranges::min_element(radii) > 0)) refuse("radius", "a sphere without a size", "radii > 0");
  const double pitch = spec.pitch > 0 ? spec.pitch : 4 * largest,
               layer_spacing = spec.layer_spacing > 0 ? spec.layer_spacing : 2.04 * largest;
  check_room(spec, pitch, layer_spacing, largest, plan_area(spec, given));

  const double reach = spec.jitter * largest;
  out.spheres.reserve(radii.size());
  for (std::size_t k = 0; k < radii.size(); ++k) {
    const std::size_t layer = k / in_layer, row = k % in_layer / std::size_t(spec.columns),
                      column = k % std::size_t(spec.columns);
    const double x = reach * (2 * random.uniform() - 1), y = reach * (2 * random.uniform() - 1);
    out.spheres.push_back({{spec.centre.x + (double(column) - 0.5 * (spec.columns - 1)) * pitch + x,
                            spec.centre.y + (double(row) - 0.5 * (spec.rows - 1)) * pitch + y,
                            spec.lowest + double(layer) * layer_spacing},
                           radii[k]});
  }
}

}  // namespace dem
