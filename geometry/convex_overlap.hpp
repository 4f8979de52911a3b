// Overlap of two convex polygons that met before: the pair remembers where its boundaries crossed, or which edge kept
// the polygons apart.
//
// The memory only says where to look first. It is verified with certain orientations, and the measures are computed by
// the arithmetic of overlap_fast(). If anything is not as remembered, overlap_fast() answers. So every bit is the same
// with a right, a wrong or no memory.
#pragma once
#include "geometry/overlap.hpp"
#include "geometry/remembered_crossings.hpp"

namespace dem::geometry {

/// The overlap of overlap_fast(), bit by bit. Both polygons are strictly convex as placed, see stays_convex(). The
/// memory is of the same pair of polygons, or empty.
void overlap_convex(const PlacedPolygon& i, const PlacedPolygon& j, ConvexMemory& memory, WantBoundary, Overlap& out);

/// True if a polygon with this convexity margin (Polygon::convexity_margin, m) is strictly convex as placed.
/// `coordinates` is a bound of its radius and of every coordinate on the way to its place (m).
constexpr bool stays_convex(double margin, double coordinates) { return margin > 0x1p-46 * coordinates; }

}  // namespace dem::geometry
