#include "libdem/assembly/wall_facets.hpp"

#include <cmath>
#include <limits>

#include "libdem/assembly/stl.hpp"

namespace dem {

std::vector<geometry::Facet> wall_facets(const WallSpec& spec) {
  switch (spec.shape) {
    case WallShape::plane:
      return {geometry::Facet::plane(spec.point, spec.normal)};
    case WallShape::rectangle:
      return {geometry::Facet::rectangle(spec.corner, spec.edge_1, spec.edge_2)};
    case WallShape::mesh: {
      std::vector<geometry::Facet> facets;
      for (const Triangle& t : read_stl(spec.file, {spec.scale, false}))
        facets.push_back(geometry::Facet::of_triangle(t[0], t[1], t[2]));
      return facets;
    }
    case WallShape::line:
      break;
  }
  throw geometry::GeometryError("a wall in space is a plane, a rectangle or a mesh");
}

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

}  // namespace dem
