#include "geometry/overlap_component.hpp"

#include <algorithm>

#include "geometry/loop_measures.hpp"

namespace dem::geometry {
namespace {

bool straight_at(Vec2 b, Vec2 a, Vec2 c) { return straight(lanes(b - a), lanes(c - b), lanes(a), lanes(b), lanes(c)); }

/// "Splitting an edge must not change any output" (polygon-dem reference, §6).
void merge_pieces(BoundaryLoop& loop) {
  auto& v = loop.vertices;
  auto& owner = loop.owners;
  const std::size_t n = v.size();
  std::size_t kept = 0;  // vertices 0 .. kept − 1 stay
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 next = v[k + 1 < n ? k + 1 : 0];
    if (v[k] == next) continue;  // an edge without length goes with its first vertex
    if (kept > 0 && owner[kept - 1] == owner[k] && straight_at(v[k], v[kept - 1], next)) continue;
    v[kept] = v[k];
    owner[kept] = owner[k];
    ++kept;
  }
  std::size_t first = 0;
  if (kept > 2 && owner[kept - 1] == owner[0] && straight_at(v[0], v[kept - 1], v[1])) first = 1;
  v.resize(kept);
  owner.resize(kept);
  if (first) {
    v.erase(v.begin());
    owner.erase(owner.begin());
  }
}

double side(Owner owner) { return owner == Owner::j ? 1. : owner == Owner::i ? -1. : 0.; }

}  // namespace

void append_component(BoundaryLoop& loop, Vec2 origin, Overlap& out) {
  merge_pieces(loop);
  const std::size_t n = loop.vertices.size();
  if (n < 3) return;
  LoopSums<double> sums{.base = {loop.vertices[0].x, loop.vertices[0].y}};
  int crossings = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 end = loop.vertices[k + 1 < n ? k + 1 : 0];
    sums.add({end.x, end.y}, side(loop.owners[k]));
    crossings += loop.owners[k] != loop.owners[k > 0 ? k - 1 : n - 1];
  }
  if (!sums.has_area()) return;
  const auto m = sums.measures({origin.x, origin.y});
  OverlapComponent& c = out.components.emplace_back();  // in place: a copy would wait for its stores
  c.area = m.area;
  c.centroid = {m.centroid.x, m.centroid.y};
  c.perimeter = m.perimeter;
  c.crossings = crossings;
  c.gradient = {m.gradient.x, m.gradient.y};
  c.gradient_length = m.gradient_length;
  c.gradient_moment = m.gradient_moment;
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
