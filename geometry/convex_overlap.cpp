#include "geometry/convex_overlap.hpp"

#include "geometry/boundary_crossings.hpp"
#include "geometry/ring.hpp"

namespace dem::geometry {
namespace {

using Found = ConvexMemory::Found;

/// The overlap of two polygons that cross where they are remembered to. False if this is not certain.
bool from_crossings(const PlacedPolygon& i, const PlacedPolygon& j, const ConvexMemory& memory, WantBoundary want,
                    Overlap& out) {
  const RememberedPair pair{i.vertices, j.vertices, {}, centre(common_part(i.box, j.box)), memory};
  const bool found = overlaps_at_crossings({&pair, 1}, want, out) != 0;
  if (!found) out.clear();
  return found;
}

/// All vertices of `other` are surely on the outer side of the edge.
bool separates(const Ring& polygon, Index edge, const Ring& other) {
  const TwoLanes from = polygon[edge], to = polygon[polygon.after(edge)];
  for (Index k = 0; k < other.size; ++k)
    if (!surely_right(from, to, other[k])) return false;
  return true;
}

/// An edge of the polygon that separates it from the other; its size if there is none.
Index separating_edge(const Ring& polygon, const Ring& other) {
  Index edge = 0;
  while (edge < polygon.size && !separates(polygon, edge, other)) ++edge;
  return edge;
}

/// Findings of the general routine, for the next time.
ConvexMemory remember(const Ring& p, const Ring& q, const BoundaryCrossings& met, bool overlap) {
  using Kind = BoundaryCrossings::Kind;
  ConvexMemory memory;
  if (std::max(p.size, q.size) > 256) return memory;  // edges are stored in a byte
  if (met.kind == Kind::two_crossings) {
    const auto stored = [](BoundaryCrossings::Place at) {
      return ConvexMemory::Crossing{std::uint8_t(at.edge_of_i), std::uint8_t(at.edge_of_j)};
    };
    memory.found = Found::crossings;
    memory.entry = stored(met.entry);
    memory.exit = stored(met.exit);
  } else if (met.kind == Kind::none && !overlap) {
    if (const Index of_i = separating_edge(p, q); of_i < p.size) {
      memory.found = Found::separating_edge_of_i;
      memory.separating_edge = std::uint8_t(of_i);
    } else if (const Index of_j = separating_edge(q, p); of_j < q.size) {
      memory.found = Found::separating_edge_of_j;
      memory.separating_edge = std::uint8_t(of_j);
    }
  }
  return memory;
}

}  // namespace

void overlap_convex(const PlacedPolygon& i, const PlacedPolygon& j, ConvexMemory& memory, WantBoundary want,
                    Overlap& out) {
  out.clear();
  if (!i.box.overlaps(j.box)) return;
  switch (memory.found) {
    case Found::nothing:
      break;
    case Found::crossings:
      if (from_crossings(i, j, memory, want, out)) return;
      break;
    case Found::separating_edge_of_i:
      if (separates(Ring(i.vertices), memory.separating_edge, Ring(j.vertices))) return;
      break;
    case Found::separating_edge_of_j:
      if (separates(Ring(j.vertices), memory.separating_edge, Ring(i.vertices))) return;
      break;
  }
  const BoundaryCrossings met = overlap_with_crossings(i, j, out);
  memory = remember(Ring(i.vertices), Ring(j.vertices), met, !out.components.empty());
}

}  // namespace dem::geometry
