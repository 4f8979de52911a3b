#include "geometry/overlap_component.hpp"

#include <algorithm>

namespace dem::geometry {
namespace {

/// b lies on the line from a to c, within round-off of coordinates of their size.
bool straight(Vec2 a, Vec2 b, Vec2 c) {
  const Vec2 e = b - a, f = c - b, line = c - a;
  const double off = cross(e, f), size2 = std::max(dot(b, b), dot(line, line));
  return off * off <= 1e-30 * size2 * dot(line, line) && dot(e, f) > 0;
}

/// "Splitting an edge must not change any output" (polygon-dem reference, §6).
void merge_pieces(BoundaryLoop& loop) {
  auto& v = loop.vertices;
  auto& owner = loop.owners;
  const std::size_t n = v.size();
  std::size_t kept = 0;  // vertices 0 .. kept − 1 stay
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 next = v[k + 1 < n ? k + 1 : 0];
    if (v[k] == next) continue;  // an edge without length goes with its first vertex
    if (kept > 0 && owner[kept - 1] == owner[k] && straight(v[kept - 1], v[k], next)) continue;
    v[kept] = v[k];
    owner[kept] = owner[k];
    ++kept;
  }
  std::size_t first = 0;
  if (kept > 2 && owner[kept - 1] == owner[0] && straight(v[kept - 1], v[0], v[1])) first = 1;
  v.resize(kept);
  owner.resize(kept);
  if (first) {
    v.erase(v.begin());
    owner.erase(owner.begin());
  }
}

/// +1 for an edge of j, −1 for one of i, 0 for both: there the gradient is the mean of its two one-sided values.
double side(Owner owner) { return owner == Owner::j ? 1. : owner == Owner::i ? -1. : 0.; }

}  // namespace

void append_component(BoundaryLoop& loop, Vec2 origin, Overlap& out) {
  merge_pieces(loop);
  const std::size_t n = loop.vertices.size();
  if (n < 3) return;
  // All sums are about the first vertex, so that their round-off scales with this component. Plain doubles stay in
  // registers.
  const Vec2 base = loop.vertices[0];
  double twice_area = 0, perimeter = 0, moment = 0, first_x = 0, first_y = 0, gradient_x = 0, gradient_y = 0;
  double low_x = 0, low_y = 0, high_x = 0, high_y = 0;
  double ax = 0, ay = 0;
  int crossings = 0;
  Owner before = loop.owners[n - 1];
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 next = loop.vertices[k + 1 < n ? k + 1 : 0];
    const double bx = next.x - base.x, by = next.y - base.y, ex = bx - ax, ey = by - ay;
    const double w = ax * by - ay * bx, s = side(loop.owners[k]);
    twice_area += w;
    first_x += w * (ax + bx);
    first_y += w * (ay + by);
    perimeter += std::sqrt(ex * ex + ey * ey);
    gradient_x += s * ex;
    gradient_y += s * ey;
    moment += s * (ex * (ax + bx) + ey * (ay + by));  // |b|² − |a|²
    crossings += loop.owners[k] != before;
    before = loop.owners[k];
    low_x = std::min(low_x, bx);
    low_y = std::min(low_y, by);
    high_x = std::max(high_x, bx);
    high_y = std::max(high_y, by);
    ax = bx;
    ay = by;
  }
  if (!(twice_area > 1e-300)) return;  // also keeps `weight` below finite

  OverlapComponent& c = out.components.emplace_back();  // in place: a copy would wait for its stores
  c.area = 0.5 * twice_area;
  // The quotient of two tiny numbers may leave the component; its box bounds it.
  const double weight = 1 / (3 * twice_area);
  const Vec2 centroid{std::clamp(weight * first_x, low_x, high_x), std::clamp(weight * first_y, low_y, high_y)};
  c.perimeter = perimeter;
  c.crossings = crossings;
  const Vec2 gradient{0.5 * gradient_x, 0.5 * gradient_y};
  c.gradient = gradient;
  c.gradient_moment = 0.25 * moment - dot(centroid, gradient);
  c.centroid = origin + (base + centroid);
  c.first_vertex = static_cast<std::uint32_t>(out.vertices.size());
  c.end_vertex = c.first_vertex + static_cast<std::uint32_t>(n);
  for (const Vec2 v : loop.vertices) out.vertices.push_back(origin + v);
  for (const Owner o : loop.owners) out.owners.push_back(o);
}

void sort_components(Overlap& out) {
  if (out.components.size() < 2) return;
  std::sort(out.components.begin(), out.components.end(), [](const OverlapComponent& a, const OverlapComponent& b) {
    if (a.centroid.x != b.centroid.x) return a.centroid.x < b.centroid.x;
    return a.centroid.y != b.centroid.y ? a.centroid.y < b.centroid.y : a.first_vertex < b.first_vertex;
  });
}

}  // namespace dem::geometry
