// The general overlap of two polygons, with the crossings of their boundaries. Private to the fast overlaps.
#pragma once
#include <algorithm>
#include <cstdint>

#include "geometry/overlap.hpp"

namespace dem::geometry {

/// Where the boundaries of two polygons meet.
struct BoundaryCrossings {
  enum class Kind : std::uint8_t { none, two_crossings, other };
  struct Place {
    std::uint32_t edge_of_i, edge_of_j;
  };
  Kind kind = Kind::none;
  Place entry{}, exit{};  ///< of two crossings in the interiors of edges: where i enters j and leaves it
};

/// As overlap_fast(). Returns where the boundaries met.
BoundaryCrossings overlap_with_crossings(const PlacedPolygon& i, const PlacedPolygon& j, Overlap& out);

/// Common part of two boxes that overlap. Its centre is the local origin of the overlap.
inline Box common_part(const Box& a, const Box& b) {
  return {{std::max(a.low.x, b.low.x), std::max(a.low.y, b.low.y)},
          {std::min(a.high.x, b.high.x), std::min(a.high.y, b.high.y)}};
}
inline Vec2 centre(const Box& box) { return 0.5 * (box.low + box.high); }

}  // namespace dem::geometry
