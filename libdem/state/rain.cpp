#include "libdem/state/rain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/random.hpp"
#include "libdem/state/assembly.hpp"
#include "libdem/state/random_size.hpp"
#include "libdem/state/wall_facets.hpp"

namespace dem {

namespace {

[[noreturn]] void refuse(const char* key, const std::string& found, const std::string& allowed) {
  throw AssemblyError(fmt::format("assembly.{}: found {}, allowed {}", key, found, allowed));
}

/// Room is compared up to rounding: six places of 10 mm fill 60 mm.
bool holds(double room, double wanted) { return room >= wanted * (1 - 1e-12); }

/// The plan area that holds all spheres, and what makes it so; a width of 0 is any.
struct PlanArea {
  Vec2 width;
  const char* maker = "assembly.width";
};

PlanArea plan_area(const RainSpec& spec, const Case& given) {
  PlanArea area;
  if (given.periodic[0]) area.width.x = given.cell_size.x;
  if (given.periodic[1]) area.width.y = given.cell_size.y;
  if (given.periodic[0] || given.periodic[1]) area.maker = "the periodic cell";
  if (given.shear_box) area = {{given.shear_box->length, given.shear_box->area() / given.shear_box->length}, "the shear box"};
  if (!given.assembly.walls.empty() && !(spec.width.x > 0 && spec.width.y > 0)) {
    const Vec2 half = free_half_width(given.assembly.walls, spec.centre, spec.lowest);
    const auto narrow = [&](double free, double& width) {
      if (std::isfinite(free) && !(width > 0 && width <= 2 * free)) width = 2 * free, area.maker = "the space between the walls, about assembly.centre,";
    };
    narrow(half.x, area.width.x);
    narrow(half.y, area.width.y);
  }
  if (spec.width.x > 0) area.width.x = spec.width.x;
  if (spec.width.y > 0) area.width.y = spec.width.y;
  if (spec.width.x > 0 && spec.width.y > 0) area.maker = "assembly.width";
  return area;
}

void check_room(const RainSpec& spec, double pitch, double layer_spacing, double largest, const PlanArea& area) {
  if (!holds(pitch, 2 * largest * (1 + spec.jitter)))
    refuse("pitch", fmt::format("{:.6g} m", pitch),
           fmt::format("at least {:.6g} m, two radii and twice the jitter of the largest sphere ({:.6g} m): neighbours in a layer could overlap",
                       2 * largest * (1 + spec.jitter), largest));
  if (!holds(layer_spacing, 2 * largest))
    refuse("layer_spacing", fmt::format("{:.6g} m", layer_spacing),
           fmt::format("at least {:.6g} m, two radii of the largest sphere: layers could overlap", 2 * largest));
  const auto fits = [&](const char* key, int places, double room, const char* axis) {
    const double wanted = (places - 1) * pitch + 2 * largest * (1 + spec.jitter);
    if (room > 0 && !holds(room, wanted))
      refuse(key, fmt::format("{}", places),
             fmt::format("fewer: with a pitch of {:.6g} m{} and the jitter they take {:.6g} m along {}, and {} has {:.6g} m; or a smaller pitch with a smaller jitter",
                         pitch, spec.pitch > 0 ? "" : ", four radii of the largest sphere,", wanted, axis, area.maker, room));
  };
  fits("columns", spec.columns, area.width.x, "x");
  fits("rows", spec.rows, area.width.y, "y");
}

}  // namespace

void add_rain(const RainSpec& spec, const Case& given, GeneratedBodies& out) {
  if (given.dimension != 3) refuse("generator", "rain with dimension = 2", "it with dimension = 3 only: it makes spheres");
  if (spec.columns < 1 || spec.rows < 1) refuse("columns", fmt::format("{} columns and {} rows", spec.columns, spec.rows), "at least 1 of each");
  if (spec.layers < 0 || (spec.layers == 0 && spec.count == 0))
    refuse("layers", fmt::format("{} layers and {} spheres", spec.layers, spec.count), "a positive number of at least one of them");
  const std::size_t in_layer = std::size_t(spec.columns) * std::size_t(spec.rows), room = in_layer * std::size_t(spec.layers);
  if (spec.layers > 0 && spec.count > room)
    refuse("count", fmt::format("{} spheres", spec.count),
           fmt::format("at most {}: {} layers of {} x {}", room, spec.layers, spec.columns, spec.rows));
  if (!(spec.jitter >= 0) || spec.pitch < 0 || spec.layer_spacing < 0 || spec.width.x < 0 || spec.width.y < 0)
    refuse("jitter",
           fmt::format("jitter {:g}, pitch {:g} m, layer_spacing {:g} m, width {:g} and {:g} m", spec.jitter, spec.pitch, spec.layer_spacing,
                       spec.width.x, spec.width.y),
           "numbers >= 0");

  geometry::Random random(spec.seed);
  std::vector<double> radii(spec.count > 0 ? spec.count : room);
  for (double& r : radii) r = random_radius(spec, random, 3);
  const double largest = *std::ranges::max_element(radii);
  if (!(*std::ranges::min_element(radii) > 0)) refuse("radius", "a sphere without a size", "radii > 0");
  const double pitch = spec.pitch > 0 ? spec.pitch : 4 * largest, layer_spacing = spec.layer_spacing > 0 ? spec.layer_spacing : 2.04 * largest;
  check_room(spec, pitch, layer_spacing, largest, plan_area(spec, given));

  const double reach = spec.jitter * largest;
  for (std::size_t k = 0; k < radii.size(); ++k) {
    const std::size_t layer = k / in_layer, row = k % in_layer / std::size_t(spec.columns), column = k % std::size_t(spec.columns);
    const double x = reach * (2 * random.uniform() - 1), y = reach * (2 * random.uniform() - 1);
    BodySpec body;
    body.shape = ShapeKind::sphere;
    body.radius = radii[k];
    body.position = {spec.centre.x + (double(column) - 0.5 * (spec.columns - 1)) * pitch + x,
                     spec.centre.y + (double(row) - 0.5 * (spec.rows - 1)) * pitch + y, spec.lowest + double(layer) * layer_spacing};
    out.bodies.push_back(std::move(body));
  }
}

}  // namespace dem
