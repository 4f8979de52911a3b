#include "geometry/polygon.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "geometry/predicates.hpp"

namespace dem::geometry {
namespace {

struct EdgeSpan {
  double low_x, high_x, low_y, high_y;
  std::size_t edge;
};

void check_vertices(std::span<const Vec2> outline) {
  const std::size_t n = outline.size();
  if (n < 3) throw GeometryError(fmt::format("the outline has {} vertices; at least 3 are needed", n));
  for (std::size_t k = 0; k < n; ++k)
    if (!std::isfinite(outline[k].x) || !std::isfinite(outline[k].y))
      throw GeometryError(
          fmt::format("vertex {} is ({}, {}); coordinates must be finite", k + 1, outline[k].x, outline[k].y));
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (outline[a].x != outline[b].x) return outline[a].x < outline[b].x;
    return outline[a].y != outline[b].y ? outline[a].y < outline[b].y : a < b;
  });
  for (std::size_t k = 1; k < n; ++k)
    if (outline[order[k - 1]] == outline[order[k]])
      throw GeometryError(fmt::format("vertex {} repeats vertex {} at ({}, {})", order[k] + 1, order[k - 1] + 1,
                                      outline[order[k]].x, outline[order[k]].y));
}

/// Throws when the edges that start at vertices k < m meet, except in a common vertex.
void check_edges(std::span<const Vec2> outline, std::size_t k, std::size_t m) {
  const std::size_t n = outline.size(), k1 = (k + 1) % n, m1 = (m + 1) % n;
  const Vec2 a = outline[k], b = outline[k1], c = outline[m], d = outline[m1];
  if (k1 == m || m1 == k) {  // neighbours: only folding back is wrong
    const std::size_t middle = k1 == m ? k1 : k;
    const Vec2 before = k1 == m ? a : c, after = k1 == m ? d : b;
    if (orientation_sign(before, outline[middle], after) == 0 && same_direction(outline[middle], before, after))
      throw GeometryError(fmt::format("the outline folds back on itself at vertex {} ({}, {})", middle + 1,
                                      outline[middle].x, outline[middle].y));
    return;
  }
  const int a_side = orientation_sign(c, d, a), b_side = orientation_sign(c, d, b);
  if (a_side * b_side > 0) return;
  const int c_side = orientation_sign(a, b, c), d_side = orientation_sign(a, b, d);
  if (c_side * d_side > 0) return;
  if (a_side * b_side < 0 && c_side * d_side < 0)
    throw GeometryError(fmt::format("the edge from vertex {} to {} crosses the edge from vertex {} to {}", k + 1,
                                    k1 + 1, m + 1, m1 + 1));
  const auto touches = [&](std::size_t vertex, int side, Vec2 from, Vec2 to, std::size_t edge) {
    if (side == 0 && strictly_between(outline[vertex], from, to))
      throw GeometryError(fmt::format("vertex {} ({}, {}) lies on the edge from vertex {} to {}", vertex + 1,
                                      outline[vertex].x, outline[vertex].y, edge + 1, (edge + 1) % n + 1));
  };
  touches(k, a_side, c, d, m);
  touches(k1, b_side, c, d, m);
  touches(m, c_side, a, b, k);
  touches(m1, d_side, a, b, k);
}

/// Orientation of a simple outline, from its leftmost, lowest corner.
bool is_clockwise(std::span<const Vec2> outline) {
  const std::size_t n = outline.size();
  std::size_t corner = 0;
  for (std::size_t k = 1; k < n; ++k)
    if (outline[k].x < outline[corner].x || (outline[k].x == outline[corner].x && outline[k].y < outline[corner].y))
      corner = k;
  return orientation_sign(outline[(corner + n - 1) % n], outline[corner], outline[(corner + 1) % n]) < 0;
}

}  // namespace

AreaProperties area_properties(std::span<const Vec2> outline) {
  AreaProperties result;
  if (outline.empty()) return result;
  // Area and centroid by a fan of triangles from the first vertex; then the moment about the centroid.
  const Vec2 base = outline[0];
  double twice_area = 0;
  Vec2 moment;
  for (std::size_t k = 1; k + 1 < outline.size(); ++k) {
    const Vec2 a = outline[k] - base, b = outline[k + 1] - base;
    const double w = cross(a, b);
    twice_area += w;
    moment += w * (a + b);
  }
  result.area = 0.5 * twice_area;
  result.centroid = twice_area != 0 ? base + (1 / (3 * twice_area)) * moment : base;
  double twelve_j = 0;
  Vec2 a = outline.back() - result.centroid;
  for (const Vec2 vertex : outline) {
    const Vec2 b = vertex - result.centroid;
    twelve_j += cross(a, b) * (dot(a, a) + dot(a, b) + dot(b, b));
    a = b;
  }
  result.polar_moment = twelve_j / 12;
  return result;
}

void check_simple(std::span<const Vec2> outline) {
  check_vertices(outline);
  const std::size_t n = outline.size();
  bool flat = true;
  for (std::size_t k = 2; k < n && flat; ++k) flat = orientation_sign(outline[0], outline[1], outline[k]) == 0;
  if (flat) throw GeometryError(fmt::format("the outline has no area: all {} vertices lie on one line", n));

  // Sweep in x. Only edges whose boxes meet are looked at.
  std::vector<EdgeSpan> edges(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 a = outline[k], b = outline[(k + 1) % n];
    edges[k] = {std::min(a.x, b.x), std::max(a.x, b.x), std::min(a.y, b.y), std::max(a.y, b.y), k};
  }
  std::sort(edges.begin(), edges.end(), [](const EdgeSpan& a, const EdgeSpan& b) {
    return a.low_x != b.low_x ? a.low_x < b.low_x : a.edge < b.edge;
  });
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t m = k + 1; m < n && edges[m].low_x <= edges[k].high_x; ++m)
      if (edges[m].low_y <= edges[k].high_y && edges[k].low_y <= edges[m].high_y)
        check_edges(outline, std::min(edges[k].edge, edges[m].edge), std::max(edges[k].edge, edges[m].edge));
}

Outline counter_clockwise(Outline outline) {
  check_simple(outline);
  if (is_clockwise(outline)) std::reverse(outline.begin(), outline.end());
  return outline;
}

Polygon::Polygon(std::span<const Vec2> outline) : vertices_(counter_clockwise({outline.begin(), outline.end()})) {
  outline_centroid_ = area_properties(vertices_).centroid;
  for (Vec2& v : vertices_) v -= outline_centroid_;
  const AreaProperties properties = area_properties(vertices_);
  area_ = properties.area;
  polar_moment_ = properties.polar_moment;
  if (!(area_ > 0))
    throw GeometryError(fmt::format("the outline has no area: {} m² with {} vertices", area_, vertices_.size()));
  const std::size_t n = vertices_.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 next = vertices_[(k + 1) % n], edge = next - vertices_[k], following = vertices_[(k + 2) % n] - next;
    perimeter_ += norm(next - vertices_[k]);
    bounding_radius_ = std::max(bounding_radius_, norm(vertices_[k]));
    convex_ = convex_ && orientation_sign(vertices_[k], next, vertices_[(k + 2) % n]) >= 0;
    convexity_margin_ = std::min(convexity_margin_, cross(edge, following) / (norm(edge) + norm(following)));
  }
  if (!convex_) convexity_margin_ = 0;
}

}  // namespace dem::geometry
