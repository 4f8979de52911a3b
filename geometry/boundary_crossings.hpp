// The general overlap of two polygons, with the crossings of their boundaries. Private to the fast overlaps.
#pragma once
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

}  // namespace dem::geometry
