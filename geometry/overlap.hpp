// Overlap of two placed polygons: two implementations behind one interface.
//
//   fast   doubles about a local origin; exact predicates where doubles cannot decide. The step uses it.
//   exact  CGAL numbers (EPECK) on the double coordinates given. The reference in tests and for `geometry = "exact"`.
//
// The overlap of two simple polygons has no holes, but may have several *components* (connected interiors). Parts that
// meet in a single vertex are separate. Touching without area is no overlap.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/polygon.hpp"

namespace dem::geometry {

/// A polygon in its place: counter-clockwise vertices (m) in global coordinates, with their bounding box.
struct PlacedPolygon {
  std::span<const Vec2> vertices;
  Box box;
  bool convex = true;
};

/// The polygon to which an edge of the overlap's boundary belongs; `both` where edges of both coincide.
enum class Owner : std::uint8_t { i = 1, j = 2, both = 3 };

/// One connected part of the overlap.
struct OverlapComponent {
  double area = 0;       ///< m², > 0
  Vec2 centroid;         ///< m
  double perimeter = 0;  ///< m
  int crossings = 0;     ///< boundary vertices where the owner changes (2 in a simple contact, 0 in containment)
  /// g = ½(Σ edges of j − Σ edges of i), boundary counter-clockwise (m). ∇_{R_j} A = (g.y, −g.x). At two crossings g is
  /// the chord (polygon-dem reference, §6).
  Vec2 gradient;
  double gradient_length = 0;  ///< |g| (m)
  /// S = ½[Σ_j − Σ_i] ½(|end − C|² − |start − C|²), C the centroid (m²). ∂A/∂θ_j = −(S − (R_j − C)·g), and for i
  /// ∂A/∂θ_i = +(S − (R_i − C)·g).
  double gradient_moment = 0;
  std::uint32_t first_vertex = 0, end_vertex = 0;  ///< its boundary within Overlap::vertices, counter-clockwise
};

/// Result of one overlap. It is reused from call to call and takes no memory once it has grown.
struct Overlap {
  std::vector<OverlapComponent> components;  ///< in the order of centroid (x, y)
  std::vector<Vec2> vertices;                ///< boundary of all components (m)
  std::vector<Owner> owners;                 ///< owners[k]: owner of the edge that starts at vertices[k]
  void clear() {
    components.clear();
    vertices.clear();
    owners.clear();
  }
  double area() const {
    double a = 0;
    for (const auto& c : components) a += c.area;
    return a;
  }
};

void overlap_fast(const PlacedPolygon& i, const PlacedPolygon& j, Overlap& out);
void overlap_exact(const PlacedPolygon& i, const PlacedPolygon& j, Overlap& out);
/// Area alone (m²), by CGAL's Boolean operation without own code. Benchmarks compare with it.
double boolean_area_exact(const PlacedPolygon& i, const PlacedPolygon& j);
using OverlapFunction = void (*)(const PlacedPolygon&, const PlacedPolygon&, Overlap&);

/// Common part of two boxes that overlap. Its centre is the local origin of the overlap.
inline Box common_part(const Box& a, const Box& b) {
  return {{std::max(a.low.x, b.low.x), std::max(a.low.y, b.low.y)},
          {std::min(a.high.x, b.high.x), std::min(a.high.y, b.high.y)}};
}
inline Vec2 centre(const Box& box) { return 0.5 * (box.low + box.high); }

Box bounding_box(std::span<const Vec2> vertices);
/// Pairs (first < second) of boxes that meet, in order.
std::vector<std::pair<std::size_t, std::size_t>> meeting_boxes(std::span<const Box>);

}  // namespace dem::geometry
