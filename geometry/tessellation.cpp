#include "geometry/tessellation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace dem::geometry {

Outline regular_polygon(int sides, double area, double elongation) {
  if (sides < 3) throw GeometryError(fmt::format("a regular polygon needs at least 3 sides, found {}", sides));
  if (!(area > 0) || !std::isfinite(area))
    throw GeometryError(fmt::format("the area of a polygon must be positive, found {}", area));
  if (!(elongation > 0) || !std::isfinite(elongation))
    throw GeometryError(fmt::format("the elongation of a polygon must be positive, found {}", elongation));
  // Area of the n-gon of circumradius R: ½ n R² sin(2π/n).
  const double step = 2 * std::numbers::pi / sides;
  const double radius = std::sqrt(2 * area / (sides * std::sin(step)));
  Outline outline;
  outline.reserve(std::size_t(sides));
  // The first edge lies at the bottom, so that the polygon stands on it.
  for (int k = 0; k < sides; ++k) {
    const double angle = step * (k - 0.5) - std::numbers::pi / 2;
    outline.push_back({radius * std::cos(angle) * elongation, radius * std::sin(angle) / elongation});
  }
  return outline;
}

}  // namespace dem::geometry
