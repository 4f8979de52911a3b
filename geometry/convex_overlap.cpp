// Why the verification is enough. Let the boundary of i enter j at X, on its edge a, and leave j at Y, on its edge b.
// Let j leave i at X on its edge d, and enter i at Y on its edge c. The chord XY cuts i into two parts, and j as well.
// On one side lies the inner chain of i (from X to Y), on the other side the inner chain of j (from Y to X). Let the
// vertices of the inner chain of i be inside j, and those of j inside i. Then the part of i on one side is within that
// of j. On the other side the part of j is within that of i. So the boundaries meet nowhere else.
//
// The closing line of j goes from the end of d to the start of c. A vertex of the inner chain of i is inside j if it is
// left of c, of d and of that line. These three and the chord bound a part of j.
#include "geometry/convex_overlap.hpp"

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
bool surely_left(TwoLanes a, TwoLanes b, TwoLanes p) { return surely_left(orientation_filtered(a, b, p)); }
bool surely_right(TwoLanes a, TwoLanes b, TwoLanes p) { return surely_right(orientation_filtered(a, b, p)); }
/// One end is surely on the right of the other edge, and the other end on its left.
bool surely_apart(const EndOrientations& ends, TwoLanes sides) {
  const auto apart = sides * ends.value > ends.bound;
  return apart[0] & apart[1];
}
constexpr TwoLanes right_left{-1, 1}, left_right{1, -1};

/// Vertices in cyclic order.
struct Ring {
  const Vec2* vertices;
  Index size;
  explicit Ring(std::span<const Vec2> v) : vertices(v.data()), size(Index(v.size())) {}
  TwoLanes operator[](Index k) const { return lanes(vertices[k]); }
  Index after(Index k) const { return k + 1 < size ? k + 1 : 0; }
  Index count(Index from, Index to) const { return to >= from ? to - from : to + size - from; }
};

/// The vertices first, first + 1, … of a ring.
struct Chain {
  Index first, count;
};

bool inside(const Ring& polygon, TwoLanes p) {
  TwoLanes from = polygon[polygon.size - 1];
  bool left = true;
  for (Index k = 0; k < polygon.size; ++k) {
    const TwoLanes to = polygon[k];
    left &= surely_left(from, to, p);
    from = to;
  }
  return left;
}

/// True if all vertices of the chain of `ring` are surely inside `other`. The boundary of `other` enters the first
/// polygon on edge `enters` and leaves it on edge `leaves`.
[[gnu::always_inline]] inline bool chain_inside(const Ring& ring, Chain chain, const Ring& other, Index enters,
                                                Index leaves) {
  const TwoLanes c0 = other[enters], c1 = other[other.after(enters)], d0 = other[leaves],
                 d1 = other[other.after(leaves)];
  TwoLanes apex = d1;  // the diagonal goes from d1 to c0
  if (enters == leaves) {
    const Index half = enters + 1 + other.size / 2;
    apex = other[half < other.size ? half : half - other.size];
  }
  const bool no_diagonal = is_zero(apex - c0);
  Index v = chain.first;
  for (Index k = 0; k < chain.count; ++k, v = ring.after(v)) {
    const TwoLanes p = ring[v];
    bool left = no_diagonal || surely_left(apex, c0, p);
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
  const TwoLanes a0 = p[a], a1 = p[p.after(a)], b0 = p[b], b1 = p[p.after(b)];
  const TwoLanes c0 = q[c], c1 = q[q.after(c)], d0 = q[d], d1 = q[q.after(d)];
  const EdgeOrientations entry = edge_orientations(a0, a1, d0, d1), exit = edge_orientations(b0, b1, c0, c1);
  if (!(surely_apart(entry.of_e, right_left) & surely_apart(entry.of_f, left_right) &
        surely_apart(exit.of_e, left_right) & surely_apart(exit.of_f, right_left)))
    return false;
  const Chain of_i{p.after(a), p.count(a, b)}, of_j{q.after(c), q.count(c, d)};
  const Index n = of_i.count + of_j.count + 2;
  if (n > most_vertices) return false;
  if (!chain_inside(p, of_i, q, c, d) || !chain_inside(q, of_j, p, a, b)) return false;

  const Vec2 centre_of_boxes = centre(common_part(i.box, j.box));
  const TwoLanes origin = lanes(centre_of_boxes);
  const TwoLanes x = crossing_point(measured_edge(a0, a1), measured_edge(d0, d1), entry, origin),
                 y = crossing_point(measured_edge(b0, b1), measured_edge(c0, c1), exit, origin);

  // The general routine goes through the edges of i, the last one first, and for each of them through those of j. Its
  // loop starts at the crossing that it finds first.
  const Index a_rank = p.after(a), b_rank = p.after(b);
  const bool entry_first = a_rank != b_rank ? a_rank < b_rank : q.after(d) < q.after(c);
  TwoLanes v[most_vertices + 1];
  Index end = 0;
  const auto add = [&](TwoLanes crossing, const Ring& ring, Chain chain) __attribute__((always_inline)) {
    v[end++] = crossing;
    Index k = chain.first;
    for (Index m = 0; m < chain.count; ++m, k = ring.after(k)) v[end++] = ring[k] - origin;
    return end;
  };
  Index second = 0;  // the loop changes to the other polygon here
  if (entry_first) {
    second = add(x, p, of_i);
    add(y, q, of_j);
  } else {
    second = add(y, q, of_j);
    add(x, p, of_i);
  }
  v[n] = v[0];
  TwoLanes before{};
  for (Index k = 0; k < n; ++k) {  // pieces of an edge to merge are left to the general routine
    const TwoLanes edge = v[k + 1] - v[k];
    if (is_zero(edge)) return false;
    if (k != 0 && k != second && straight(before, edge, v[k - 1], v[k], v[k + 1])) return false;
    before = edge;
  }
  const double first_side = entry_first ? -1 : 1;
  const auto side = [&](std::size_t k) { return k < second ? first_side : -first_side; };
  OverlapComponent* const component =
      append_measures([&](std::size_t k) { return v[k]; }, n, side, centre_of_boxes, out);
  if (!component || want == WantBoundary::no) return true;
  component->end_vertex = n;
  for (Index k = 0; k < n; ++k) {
    out.vertices.push_back(vec2(origin + v[k]));
    out.owners.push_back(side(k) < 0 ? Owner::i : Owner::j);
  }
  return true;
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
