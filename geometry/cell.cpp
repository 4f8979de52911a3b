#include "geometry/cell.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/error.hpp"

namespace dem::geometry {
namespace {

/// Replaces the vectors by those of the same lattice that lean by less than half of each other. A cell that leans far
/// has faces close to each other. A cell that leans less keeps its vectors.
void reduce(ReducedCell& of) {
  auto& v = of.cell.vectors;
  for (int round = 0; round < 100; ++round) {
    bool changed = false;
    for (const auto& [a, b] : {std::array{1, 0}, {2, 1}, {2, 0}, {0, 1}, {1, 2}, {0, 2}}) {
      if (!of.cell.periodic[std::size_t(a)] || !of.cell.periodic[std::size_t(b)]) continue;
      const Vec3 along = v[std::size_t(b)];
      const double lean = dot(v[std::size_t(a)], along) / dot(along, along);
      if (!(std::abs(lean) > 0.5 + 1e-6) || !(std::abs(lean) < largest_image)) continue;
      const int times = int(nearest_integer(lean));
      v[std::size_t(a)] += -double(times) * along;
      for (std::size_t k = 0; k < 3; ++k) of.of_given[std::size_t(a)][k] -= times * of.of_given[std::size_t(b)][k];
      changed = of.reduced = true;
    }
    if (!changed) break;
  }
}

}  // namespace

ReducedCell::ReducedCell(const Cell& given, bool planar) : cell(given) {
  auto& v = cell.vectors;
  if (planar) {
    cell.periodic[2] = false;
    v = {Vec3{v[0].x, v[0].y, 0}, Vec3{v[1].x, v[1].y, 0}, Vec3{0, 0, 1}};
  }
  any_periodic = cell.periodic[0] || cell.periodic[1] || cell.periodic[2];
  if (!any_periodic) v = Cell{}.vectors;
  reduce(*this);
  const double volume = dot(v[0], cross(v[1], v[2]));
  if (!(std::abs(volume) > 0) || !std::isfinite(volume))
    throw GeometryError("the vectors of the periodic cell are not linearly independent");
  for (int a = 0; a < 3; ++a) {
    row[a] = (1 / volume) * cross(v[(a + 1) % 3], v[(a + 2) % 3]);
    width[a] = 1 / norm(row[a]);
    if (cell.periodic[a]) narrowest = std::min(narrowest, width[a]);
  }
}

std::array<double, 3> reduced_widths(const Cell& cell, bool planar) { return ReducedCell(cell, planar).width; }

}  // namespace dem::geometry
