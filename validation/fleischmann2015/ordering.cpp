#include "validation/fleischmann2015/ordering.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dem::validation::fleischmann2015 {

namespace {

constexpr std::size_t planes_per_diameter = 20;

template <class Visit>
void for_each_sphere(const State& state, Visit visit) {
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (!state.shape_of(b).is_wall()) visit(state.bodies.position[0][b], state.shape_of(b).radius());
}

/// Area of the disc that a plane at this distance from the centre cuts out of a sphere.
double disc(double radius, double distance) {
  return std::max(0.0, std::numbers::pi * (radius * radius - distance * distance));
}

}  // namespace

WallProfile wall_profile(const State& state, const FilledBox& box) {
  WallProfile p;
  p.spacing = box.diameter / planes_per_diameter;
  const auto planes = std::size_t(0.5 * box.side / p.spacing);
  p.sides.assign(planes, 0);
  p.floor.assign(planes, 0);
  const double high = box.top - 2 * box.diameter, side_area = box.side * (high - box.floor);
  for (std::size_t k = 0; k < planes; ++k) {
    const double s = (double(k) + 0.5) * p.spacing;
    for_each_sphere(state, [&](Vec3 x, double r) {
      p.floor[k] += disc(r, x.z - box.floor - s) / (box.side * box.side);
      if (x.z >= high) return;
      for (const double from_wall : {x.x, box.side - x.x, x.y, box.side - x.y})
        p.sides[k] += disc(r, from_wall - s) / (4 * side_area);
    });
  }
  return p;
}

double WallProfile::reach(double share) const {
  double mean = 0;
  const std::size_t inner = sides.size() / 2;
  for (std::size_t k = inner; k < sides.size(); ++k) mean += sides[k] / double(sides.size() - inner);
  for (std::size_t k = sides.size(); k-- > 0;)
    if (std::abs(sides[k] - mean) > share * mean) return (double(k) + 0.5) * spacing;
  return 0;
}

double core_solid_fraction(const State& state, const FilledBox& box, double distance) {
  const double step = box.diameter / 20;
  const Vec3 low{distance, distance, box.floor + distance},
      high{box.side - distance, box.side - distance, box.top - 2 * distance};
  const auto places = [&](double a, double b) { return std::size_t(std::max(0.0, (b - a) / step)); };
  const std::size_t nx = places(low.x, high.x), ny = places(low.y, high.y), nz = places(low.z, high.z);
  std::vector<char> solid(nx * ny * nz, 0);
  for_each_sphere(state, [&](Vec3 x, double r) {
    const auto range = [&](double centre, double from, std::size_t n) {
      const double first = std::ceil((centre - r - from) / step - 0.5),
                   last = std::floor((centre + r - from) / step - 0.5);
      return std::pair(std::size_t(std::clamp(first, 0.0, double(n))),
                       std::size_t(std::clamp(last + 1, 0.0, double(n))));
    };
    const auto [i0, i1] = range(x.x, low.x, nx);
    const auto [j0, j1] = range(x.y, low.y, ny);
    const auto [k0, k1] = range(x.z, low.z, nz);
    for (std::size_t k = k0; k < k1; ++k)
      for (std::size_t j = j0; j < j1; ++j)
        for (std::size_t i = i0; i < i1; ++i) {
          const Vec3 at = low + step * Vec3{double(i) + 0.5, double(j) + 0.5, double(k) + 0.5};
          if (const Vec3 d = at - x; dot(d, d) < r * r) solid[(k * ny + j) * nx + i] = 1;
        }
  });
  return solid.empty() ? 0 : double(std::ranges::count(solid, 1)) / double(solid.size());
}

}  // namespace dem::validation::fleischmann2015
