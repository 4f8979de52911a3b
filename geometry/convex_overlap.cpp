// Why the verification is enough. Let the boundary of i enter j at X, on its edge a, and leave j at Y, on its edge b.
// Let j leave i at X on its edge d, and enter i at Y on its edge c. The chord XY cuts i into two parts, and j as well.
// On one side lies the inner chain of i (from X to Y), on the other side the inner chain of j (from Y to X). Let the
// vertices of either inner chain be inside the other polygon. Then the part of i on one side lies within that of j. On
// the other side the part of j lies within that of i. So the boundaries meet nowhere else.
//
// Three lines and the chord bound a part of j: c, d, and the line from the end of d to the start of c. A vertex of the
// inner chain of i that is left of all three is inside j.
#include "geometry/convex_overlap.hpp"

#include <array>

#include "geometry/boundary_crossings.hpp"
#include "geometry/edge_crossing.hpp"
#include "geometry/loop_measures.hpp"

namespace dem::geometry {
namespace {

using Found = ConvexMemory::Found;
using Index = std::uint32_t;

/// A verified loop has at most so many vertices. Longer ones go to the general routine.
constexpr Index most_vertices = 32;

bool surely_left(const Orientation& o) { return o.value > o.bound; }
bool surely_right(const Orientation& o) { return o.value < -o.bound; }
bool surely_left(Vec2 a, Vec2 b, Vec2 p) { return surely_left(orientation_filtered(a, b, p)); }
bool surely_right(Vec2 a, Vec2 b, Vec2 p) { return surely_right(orientation_filtered(a, b, p)); }

/// Vertices in cyclic order.
struct Ring {
  const Vec2* vertices;
  Index size;
  explicit Ring(std::span<const Vec2> v) : vertices(v.data()), size(Index(v.size())) {}
  Vec2 operator[](Index k) const { return vertices[k]; }
  Index after(Index k) const { return k + 1 < size ? k + 1 : 0; }
  Index count(Index from, Index to) const { return to >= from ? to - from : to + size - from; }
};

/// The vertices first, first + 1, … of a ring.
struct Chain {
  Index first, count;
};

bool inside(const Ring& polygon, Vec2 p) {
  Vec2 from = polygon[polygon.size - 1];
  bool left = true;
  for (Index k = 0; k < polygon.size; ++k) {
    const Vec2 to = polygon[k];
    left &= surely_left(from, to, p);
    from = to;
  }
  return left;
}

/// All vertices of the chain of `ring` are surely inside `other`. The boundary of `other` enters `ring` on edge
/// `enters` and leaves it on edge `leaves`.
bool chain_inside(const Ring& ring, Chain chain, const Ring& other, Index enters, Index leaves) {
  const Vec2 c0 = other[enters], c1 = other[other.after(enters)], d0 = other[leaves], d1 = other[other.after(leaves)];
  Vec2 apex = d1;  // the diagonal goes from d1 to c0
  if (enters == leaves) {
    const Index half = enters + 1 + other.size / 2;
    apex = other[half < other.size ? half : half - other.size];
  }
  Index v = chain.first;
  for (Index k = 0; k < chain.count; ++k, v = ring.after(v)) {
    const Vec2 p = ring[v];
    bool left = apex == c0 || surely_left(apex, c0, p);
    // By the crossings the first vertex is left of d, and the last one is left of c.
    if (k > 0) left &= surely_left(d0, d1, p);
    if (k + 1 < chain.count) left &= surely_left(c0, c1, p);
    if (enters == leaves) left &= surely_left(d1, apex, p);
    if (!left && !inside(other, p)) return false;
  }
  return true;
}

/// The overlap of two polygons that cross where they are remembered to. False if this is not certain.
bool from_crossings(const PlacedPolygon& i, const PlacedPolygon& j, const ConvexMemory& memory, WantBoundary want,
                    Overlap& out) {
  const Ring p(i.vertices), q(j.vertices);
  const Index a = memory.entry.edge_of_i, d = memory.entry.edge_of_j, b = memory.exit.edge_of_i,
              c = memory.exit.edge_of_j;
  const Vec2 a0 = p[a], a1 = p[p.after(a)], b0 = p[b], b1 = p[p.after(b)];
  const Vec2 c0 = q[c], c1 = q[q.after(c)], d0 = q[d], d1 = q[q.after(d)];
  const EdgeOrientations entry{orientation_filtered(d0, d1, a0), orientation_filtered(d0, d1, a1),
                               orientation_filtered(a0, a1, d0), orientation_filtered(a0, a1, d1)};
  const EdgeOrientations exit{orientation_filtered(c0, c1, b0), orientation_filtered(c0, c1, b1),
                              orientation_filtered(b0, b1, c0), orientation_filtered(b0, b1, c1)};
  const bool enters = surely_right(entry[0]) & surely_left(entry[1]) & surely_left(entry[2]) & surely_right(entry[3]);
  const bool leaves = surely_left(exit[0]) & surely_right(exit[1]) & surely_right(exit[2]) & surely_left(exit[3]);
  if (!(enters & leaves)) return false;
  const Chain of_i{p.after(a), p.count(a, b)}, of_j{q.after(c), q.count(c, d)};
  const Index n = of_i.count + of_j.count + 2;
  if (n > most_vertices) return false;
  if (!chain_inside(p, of_i, q, c, d) || !chain_inside(q, of_j, p, a, b)) return false;

  const Vec2 origin = centre(common_part(i.box, j.box));
  const Vec2 x = crossing_point(measured_edge(a0, a1), measured_edge(d0, d1), entry, origin),
             y = crossing_point(measured_edge(b0, b1), measured_edge(c0, c1), exit, origin);

  // The general routine goes through the edges of i, the last one first, and for each of them through those of j. Its
  // loop starts at the crossing that it finds first.
  const Index a_rank = p.after(a), b_rank = p.after(b);
  const bool entry_first = a_rank != b_rank ? a_rank < b_rank : q.after(d) < q.after(c);
  std::array<Vec2, most_vertices + 1> v;
  Vec2* end = v.data();
  const auto add = [&](Vec2 crossing, const Ring& ring, Chain chain) {
    *end++ = crossing;
    Index k = chain.first;
    for (Index m = 0; m < chain.count; ++m, k = ring.after(k)) *end++ = ring[k] - origin;
    return Index(end - v.data());
  };
  Index second = 0;  // the loop changes to the other polygon here
  if (entry_first) {
    second = add(x, p, of_i);
    add(y, q, of_j);
  } else {
    second = add(y, q, of_j);
    add(x, p, of_i);
  }
  *end = v[0];
  for (Index k = 0; k < n; ++k) {  // pieces of an edge to merge are left to the general routine
    if (v[k] == v[k + 1]) return false;
    if (k != 0 && k != second && straight(v[k - 1], v[k], v[k + 1])) return false;
  }
  const double first_side = entry_first ? -1 : 1;
  const auto side = [&](std::size_t k) { return k < second ? first_side : -first_side; };
  OverlapComponent* const component = append_measures(v.data(), n, side, origin, out);
  if (!component || want == WantBoundary::no) return true;
  component->end_vertex = n;
  for (Index k = 0; k < n; ++k) {
    out.vertices.push_back(origin + v[k]);
    out.owners.push_back(side(k) < 0 ? Owner::i : Owner::j);
  }
  return true;
}

/// All vertices of `other` are surely on the outer side of the edge.
bool separates(const Ring& polygon, Index edge, const Ring& other) {
  const Vec2 from = polygon[edge], to = polygon[polygon.after(edge)];
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
