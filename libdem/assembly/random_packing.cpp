#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry/broad_phase.hpp"
#include "geometry/outlines.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/assembly/generators.hpp"
#include "libdem/assembly/push_apart.hpp"
#include "libdem/state/quaternion.hpp"
#include "libdem/state/solid_shapes.hpp"
#include "libdem/state/spatial_order.hpp"

namespace dem {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double first_fill = 0.25;   // share of the cell that the circles or spheres fill at first
constexpr double growth = 1.01;       // of the radii between two rounds of pushing
constexpr double gap = 1e-4;          // pairs are pushed apart by this share beyond touching
constexpr int most_sweeps = 4000;     // over all pairs, at the final size
constexpr double most_visits = 1000;  // per body of many
constexpr double densest_fill = 0.9;  // share of the cell. No random packing is denser.

struct Drop {
  Vec3 position;      ///< of the centroid (m)
  double radius = 0;  ///< of the circle or sphere about the body (m)
  double size = 0;    ///< radius of the body (m)
};

/// Pushes the bodies apart. All radii are multiplied by `factor`. Returns true when nothing overlaps.
bool push_apart(std::vector<Drop>& drops, const geometry::Cell& cell, Vec3 origin, int dimension, double factor,
                int sweeps) {
  const std::size_t n = drops.size();
  std::vector<Vec3> positions(n);
  std::vector<double> radii(n);
  double mean = 0;
  for (std::size_t k = 0; k < n; ++k) {
    positions[k] = drops[k].position;
    radii[k] = factor * (1 + gap) * drops[k].radius;
    mean += radii[k] / double(n);
  }
  geometry::NeighbourList list;
  bool free = false;
  for (int sweep = 0; sweep < sweeps && !free; ++sweep) {
    if (list.expired(positions)) list.build({positions, radii, &cell, 0.5 * mean, dimension == 2, {}});
    free = true;
    for (const geometry::CandidatePair& pair : list.pairs()) {
      const Vec3 branch = positions[pair.j] + cell.shift(pair.image) - positions[pair.i];
      const double reach = radii[pair.i] + radii[pair.j], distance = norm(branch);
      if (!(distance < reach)) continue;
      if (distance < reach / (1 + gap)) free = false;
      const Vec3 along = distance > 0 ? (1 / distance) * branch : Vec3{1, 0, 0};
      positions[pair.i] += -0.5 * (reach - distance) * along;
      positions[pair.j] += 0.5 * (reach - distance) * along;
    }
    for (std::size_t k = 0; k < n; ++k) {  // in directions that are not periodic the bodies stay between the faces
      const auto keep = [&](double& x, double low, double size) {
        x = std::clamp(x, low + radii[k], std::max(low + radii[k], low + size - radii[k]));
      };
      if (!cell.periodic[0]) keep(positions[k].x, origin.x, cell.vectors[0].x);
      if (!cell.periodic[1]) keep(positions[k].y, origin.y, cell.vectors[1].y);
      if (dimension == 3 && !cell.periodic[2]) keep(positions[k].z, origin.z, cell.vectors[2].z);
    }
  }
  // A pair pushed early in the last sweep may have been pushed back later.
  if (free)
    for (const geometry::CandidatePair& pair : list.pairs())
      free = free && norm(positions[pair.j] + cell.shift(pair.image) - positions[pair.i]) >=
                         (radii[pair.i] + radii[pair.j]) / (1 + gap);
  for (std::size_t k = 0; k < n; ++k) drops[k].position = positions[k];
  return free;
}

/// Gives neighbours numbers near each other.
void sort_by_place(std::vector<Drop>& drops, const geometry::Cell& cell) {
  std::vector<Vec3> positions;
  for (const Drop& drop : drops) positions.push_back(drop.position);
  std::vector<Drop> sorted;
  for (const std::uint32_t k : spatial_order(positions, cell)) sorted.push_back(drops[k]);
  drops = std::move(sorted);
}

/// Lets bodies grow from the share `first` of their size while they are pushed apart. Returns the share that was
/// reached.
double grow(std::vector<Drop>& drops, const geometry::Cell& cell, Vec3 origin, int dimension, double first) {
  double factor = first, reached = 0;
  while (true) {
    const bool last = factor >= 1;
    const bool free = push_apart(drops, cell, origin, dimension, factor, last ? most_sweeps : 300);
    if (free) reached = factor;
    if (last || (!free && factor > 1.1 * reached)) return reached;
    factor = std::min(1.0, growth * factor);
  }
}

/// Pushes bodies of the share `first` of their size apart, at a cost in proportion to their number. Returns the share
/// that was reached.
double push_many_apart(std::vector<Drop>& drops, const geometry::Cell& cell, Vec3 origin, int dimension, double first) {
  const double largest = std::ranges::max_element(drops, {}, &Drop::radius)->radius;
  const std::array<Vec3, 3> rows = cell.reciprocal();
  for (std::size_t a = 0; a < std::size_t(dimension); ++a)
    if (const double width = 1 / norm(rows[a]); cell.periodic[a] && !(2 * largest <= width))
      throw AssemblyError(
          fmt::format("the periodic cell is {:.6g} m wide, but a body could touch its own image: its bounding circle "
                      "needs a width of at least {:.6g} m",
                      width, 2 * largest));
  sort_by_place(drops, cell);
  std::vector<Ball> balls;
  balls.reserve(drops.size());
  for (const Drop& drop : drops) balls.push_back({drop.position, drop.radius});
  OverlapRelaxation relaxation(std::move(balls), cell, origin, dimension);
  double share = first;
  bool free = relaxation.relax(share, share < 1 ? 30 : most_visits);
  while (!free && share > 0.01) free = relaxation.relax(share *= 0.99, 30);
  for (std::size_t k = 0; k < drops.size(); ++k) drops[k].position = relaxation.balls()[k].position;
  return free ? share : 0;
}

Quaternion random_orientation(geometry::Random& random) {  // uniform over all orientations (Shoemake 1992)
  const double u = random.uniform(), a = 2 * pi * random.uniform(), b = 2 * pi * random.uniform();
  const double s = std::sqrt(1 - u), t = std::sqrt(u);
  return {t * std::cos(b), s * std::sin(a), s * std::cos(a), t * std::sin(b)};
}

}  // namespace

void add_random(const RandomSpec& spec, const Case& given, GeneratedBodies& out) {
  if (spec.count == 0) throw AssemblyError("assembly.count: found 0, allowed at least 1");
  const int dimension = given.dimension;
  const bool is_polygon = spec.shape == ShapeKind::polygon, is_cluster = spec.shape == ShapeKind::cluster;
  geometry::Random random(spec.seed);

  // Volume, reach and centroid of a body of radius 1.
  double unit_volume = dimension == 2 ? pi : 4 * pi / 3, reach = 1;
  Vec3 centroid;
  geometry::Outline outline;
  if (is_polygon) {
    outline = geometry::regular_polygon(spec.sides, pi, spec.elongation);
    for (const Vec2 v : outline) reach = std::max(reach, norm(v));
  } else if (is_cluster) {
    const ClusterShapes::Made made = ClusterShapes().make(spec.cluster);
    unit_volume = made.shape.volume();
    reach = made.shape.bounding_radius();
    centroid = made.centroid;
  }

  std::vector<double> radii(spec.count);
  double solid = 0, held = 0;  // volume of the bodies, and of the circles or spheres about them
  for (double& r : radii) {
    r = random_radius(spec, random, dimension);
    solid += unit_volume * std::pow(r, dimension);
    held += (dimension == 2 ? pi : 4 * pi / 3) * std::pow(reach * r, dimension);
  }
  Vec3 size = given.cell_size;
  if (!(size.x > 0) || !(size.y > 0) || (dimension == 3 && !(size.z > 0))) {
    const double side = std::pow((1 + spec.void_ratio) * solid, 1.0 / dimension);
    size = {side, side, dimension == 3 ? side : 0};
  }
  const Vec3 origin = given.cell_origin;
  geometry::Cell cell;
  cell.periodic = given.periodic;
  cell.vectors = {Vec3{size.x, 0, 0}, Vec3{given.cell_tilt.x, size.y, 0},
                  dimension == 3 ? Vec3{given.cell_tilt.y, given.cell_tilt.z, size.z} : Vec3{0, 0, 1}};
  const double volume = size.x * size.y * (dimension == 3 ? size.z : 1);

  std::vector<Drop> drops(spec.count);
  for (std::size_t k = 0; k < spec.count; ++k) {
    const double a = random.uniform(), b = random.uniform(), c = dimension == 3 ? random.uniform() : 0;
    drops[k] = {origin + a * cell.vectors[0] + b * cell.vectors[1] + c * cell.vectors[2], reach * radii[k], radii[k]};
  }
  const bool is_large = is_made_by_place(given);
  const auto share_at = [&](double fill) { return std::min(1.0, std::pow(fill * volume / held, 1.0 / dimension)); };
  const double share = is_large ? push_many_apart(drops, cell, origin, dimension, share_at(densest_fill))
                                : grow(drops, cell, origin, dimension, share_at(first_fill));
  if (share < 1)
    throw AssemblyError(
        fmt::format("assembly.void_ratio: found {:.4g}, but {} of this kind could be placed without overlap only "
                    "down to about {:.4g}: start looser and let a stage compress the assembly",
                    volume / solid - 1,
                    spec.shape == ShapeKind::disc ? "discs"
                    : is_polygon                  ? "polygons"
                    : is_cluster                  ? "clusters"
                                                  : "spheres",
                    share > 0 ? 1.02 * volume / (solid * std::pow(share, dimension)) - 1 : INFINITY));

  if (is_large) sort_by_place(drops, cell);
  out.cell_origin = origin;
  out.cell_size = size;
  if (spec.shape == ShapeKind::sphere) {
    out.spheres.reserve(drops.size());
    for (const Drop& drop : drops) out.spheres.push_back({drop.position, drop.size});
    return;
  }
  for (const Drop& drop : drops) {
    BodySpec body;
    body.shape = spec.shape;
    body.radius = drop.size;
    body.position = drop.position;
    if (is_polygon) {
      for (const Vec2 v : outline) body.outline.push_back(drop.size * v);
      body.angle = 2 * pi * random.uniform();
    } else if (is_cluster) {
      for (const ClusterSphere& s : spec.cluster)
        body.spheres.push_back({drop.size * s.position, drop.size * s.radius});
      body.orientation = random_orientation(random);
      body.position += -1.0 * rotated(body.orientation, drop.size * centroid);
    }
    out.bodies.push_back(std::move(body));
  }
}

}  // namespace dem
