// Why the verification is enough. Let the boundary of i enter j at X, on its edge a, and leave j at Y, on its edge b.
// Let j leave i at X on its edge d, and enter i at Y on its edge c. The chord XY cuts i into two parts, and j as well.
// On one side lies the inner chain of i (from X to Y), on the other side the inner chain of j (from Y to X). Let the
// vertices of the inner chain of i be inside j, and those of j inside i. Then the part of i on one side is within that
// of j. On the other side the part of j is within that of i. So the boundaries meet nowhere else.
//
// The closing line of j goes from the end of d to the start of c. A vertex of the inner chain of i is inside j if it is
// left of c, of d and of that line. These three and the chord bound a part of j.
//
// The loop of the general routine starts at the crossing that it finds first. Below, the polygon that enters the other
// one there is the *first* polygon of the pair and the other one its *second*.
#pragma GCC diagnostic ignored "-Wpsabi"  // a helper that returns a vector is always inlined
#include "geometry/remembered_crossings.hpp"

#include <algorithm>
#include <array>

#include "geometry/edge_crossing.hpp"
#include "geometry/instructions.hpp"
#include "geometry/loop_measures.hpp"
#include "geometry/ring.hpp"

#define LIBDEM_INLINE [[gnu::always_inline]] inline

namespace dem::geometry {
namespace {

constexpr Index most_vertices = most_remembered_vertices;

/// `lanes` numbers, and the type of their comparisons.
template <int lanes>
struct LanesOf {
  typedef double Numbers __attribute__((vector_size(8 * lanes), may_alias));
  typedef long long Bits __attribute__((vector_size(8 * lanes), may_alias));
};

/// Pairs in lanes. A row has one number of each pair.
template <int lanes>
class Group {
 public:
  using Numbers = typename LanesOf<lanes>::Numbers;
  using Bits = typename LanesOf<lanes>::Bits;
  using Points = PointOf<Numbers>;

  void begin() { longest_ = longest_first_ = longest_second_ = 0; }
  /// Takes the data of a pair. False if it has too many vertices.
  LIBDEM_INLINE bool take(int lane, const RememberedPair& pair);
  /// Bits of the lanes whose pairs cross as remembered; their components.
  LIBDEM_INLINE Bits compute();
  LIBDEM_INLINE void give(int lane, OverlapComponent&) const;
  void give_boundary(int lane, Vec2 origin, OverlapComponent&, Overlap&) const;

 private:
  struct Row {
    alignas(8 * lanes) double x[lanes], y[lanes];
    LIBDEM_INLINE void set(int lane, TwoLanes p) {
      x[lane] = p[0];
      y[lane] = p[1];
    }
    LIBDEM_INLINE void set(const Points& p) {
      reinterpret_cast<Numbers&>(x) = p.x;
      reinterpret_cast<Numbers&>(y) = p.y;
    }
    LIBDEM_INLINE TwoLanes point(int lane) const { return TwoLanes{x[lane], y[lane]}; }
    LIBDEM_INLINE Points points() const {
      return {reinterpret_cast<const Numbers&>(x), reinterpret_cast<const Numbers&>(y)};
    }
  };
  struct Edge {
    Row from, to;
    LIBDEM_INLINE void set(int lane, const Ring& ring, Index edge) {
      from.set(lane, ring[edge]);
      to.set(lane, ring[ring.after(edge)]);
    }
  };
  /// The edges of the two polygons that cross.
  struct Crossing {
    Edge of_first, of_second;
  };
  struct alignas(8 * lanes) Counts {
    long long of[lanes];
    LIBDEM_INLINE const Bits& bits() const { return reinterpret_cast<const Bits&>(of); }
  };
  /// The inner chain of one polygon within the other, whose boundary enters the first one on one edge and leaves it on
  /// another. If the two are the same edge, the closing line goes round by a third vertex, the apex.
  struct Chain {
    Counts count, same_edge;
    Row apex;
  };

  struct Determinant {
    Numbers value, bound;
    LIBDEM_INLINE Bits positive() const { return value > bound; }
    LIBDEM_INLINE Bits negative() const { return value < -bound; }
  };
  LIBDEM_INLINE static Numbers size(const Numbers& v) {
    return reinterpret_cast<Numbers>(Bits(v) & 0x7fffffffffffffff);
  }
  LIBDEM_INLINE static Determinant determinant(const Points& a, const Points& b) {
    const Numbers left = a.x * b.y, right = a.y * b.x;
    return {left - right, orientation_bound(size(left) + size(right))};
  }
  LIBDEM_INLINE static Points minus(const Points& a, const Points& b) { return {a.x - b.x, a.y - b.y}; }
  LIBDEM_INLINE static Numbers length(const Points& a, const Points& b) {  // in the sum norm
    const Numbers low_x = b.x < a.x ? b.x : a.x, high_x = a.x < b.x ? b.x : a.x;
    const Numbers low_y = b.y < a.y ? b.y : a.y, high_y = a.y < b.y ? b.y : a.y;
    return high_x - low_x + high_y - low_y;
  }
  LIBDEM_INLINE Bits chain_inside(const Chain&, const Row* vertices, const Edge& enters, const Edge& leaves) const;
  struct CrossingPoints {
    Points at;
    Bits certain, parallel;  // nearly parallel edges: the point needs exact numbers
  };
  LIBDEM_INLINE CrossingPoints cross(const Crossing&, bool entry) const;
  LIBDEM_INLINE static bool any(const Bits& lanes_set) {
    long long sum = 0;
    for (int lane = 0; lane < lanes; ++lane) sum |= lanes_set[lane];
    return sum != 0;
  }
  // Of one lane, where the quick ways above do not do.
  bool chain_inside(int lane, const Chain&, const Row* vertices, bool within_first) const;
  TwoLanes cross_one(int lane, const Crossing&) const;
  LIBDEM_INLINE Bits no_pieces() const;

  Crossing entry_, exit_;  // where the first polygon enters the second one and leaves it
  Chain first_, second_;
  Row second_vertices_[most_vertices];
  Row loop_[most_vertices + 1];  // crossing, chain of the first polygon, crossing, chain of the second, first crossing
  Row origin_;
  Counts vertices_, turn_;  // of the loop; the number of its second crossing
  Counts first_is_i_;       // all bits or none
  std::array<const RememberedPair*, lanes> pairs_;
  Index longest_ = 0, longest_first_ = 0, longest_second_ = 0;
  typename LoopSums<Numbers>::Measures measures_;
};

template <int lanes>
bool Group<lanes>::take(int lane, const RememberedPair& pair) {
  const Ring p(pair.i), q(pair.j, pair.shift);
  Index a = pair.memory.entry.edge_of_i, d = pair.memory.entry.edge_of_j, b = pair.memory.exit.edge_of_i,
        c = pair.memory.exit.edge_of_j;
  // The general routine goes through the edges of i, the last one first, and for each of them through those of j.
  const Index a_rank = p.after(a), b_rank = p.after(b);
  const bool i_first = a_rank != b_rank ? a_rank < b_rank : q.after(d) < q.after(c);
  const Ring &first = i_first ? p : q, &second = i_first ? q : p;
  // The first polygon enters the second one on its edge a, where the second one has its edge d.
  if (!i_first) {
    std::swap(a, c);
    std::swap(b, d);
  }
  const Index of_first = first.count(a, b), of_second = second.count(c, d), n = of_first + of_second + 2;
  if (n > most_vertices) return false;

  const auto apex = [lane](Chain & chain, const Ring& other, Index enters, Index leaves)
      __attribute__((always_inline)) {
    const bool same = enters == leaves;
    Index at = other.after(leaves);
    if (same) {
      at = enters + 1 + other.size / 2;
      if (at >= other.size) at -= other.size;
    }
    chain.same_edge.of[lane] = same ? -1 : 0;
    chain.apex.set(lane, other[at]);
  };
  entry_.of_first.set(lane, first, a);
  entry_.of_second.set(lane, second, d);
  exit_.of_first.set(lane, first, b);
  exit_.of_second.set(lane, second, c);
  pairs_[std::size_t(lane)] = &pair;
  first_.count.of[lane] = of_first;
  second_.count.of[lane] = of_second;
  apex(first_, second, c, d);
  apex(second_, first, a, b);
  Index at = 1;
  for (Index m = 0, k = first.after(a); m < of_first; ++m, k = first.after(k)) loop_[at++].set(lane, first[k]);
  ++at;
  for (Index m = 0, k = second.after(c); m < of_second; ++m, k = second.after(k)) {
    const TwoLanes vertex = second[k];
    second_vertices_[m].set(lane, vertex);
    loop_[at++].set(lane, vertex);
  }
  origin_.set(lane, geometry::lanes(pair.origin));
  vertices_.of[lane] = n;
  turn_.of[lane] = 1 + of_first;
  first_is_i_.of[lane] = i_first ? -1 : 0;
  longest_ = std::max(longest_, n);
  longest_first_ = std::max(longest_first_, of_first);
  longest_second_ = std::max(longest_second_, of_second);
  return true;
}

/// True if all vertices of the chain are surely inside the other polygon.
template <int lanes>
auto Group<lanes>::chain_inside(const Chain& chain, const Row* vertices, const Edge& enters, const Edge& leaves) const
    -> Bits {
  const Index longest = vertices == second_vertices_ ? longest_second_ : longest_first_;
  const Points c0 = enters.from.points(), c1 = enters.to.points(), d0 = leaves.from.points(), d1 = leaves.to.points(),
               apex = chain.apex.points();
  const Bits count = chain.count.bits(), other_edges = ~chain.same_edge.bits();
  const Bits no_closing_line = (apex.x == c0.x) & (apex.y == c0.y);
  Bits inside = count == count;
  for (Index k = 0; k < longest; ++k) {
    const Points p = vertices[k].points();
    const Points to_c0 = minus(c0, p), to_c1 = minus(c1, p), to_d0 = minus(d0, p), to_d1 = minus(d1, p),
                 to_apex = minus(apex, p);
    // By the crossings the first vertex is left of d, and the last one is left of c.
    Bits left = no_closing_line | determinant(to_apex, to_c0).positive();
    if (k > 0) left &= determinant(to_d0, to_d1).positive();
    left &= (count == (long long)(k) + 1) | determinant(to_c0, to_c1).positive();
    left &= other_edges | determinant(to_d1, to_apex).positive();
    inside &= left | (count <= (long long)(k));
  }
  return inside;
}

/// The same for one lane, by all edges of the other polygon.
template <int lanes>
bool Group<lanes>::chain_inside(int lane, const Chain& chain, const Row* vertices, bool within_first) const {
  const RememberedPair& pair = *pairs_[std::size_t(lane)];
  const Ring other = within_first == (first_is_i_.of[lane] != 0) ? Ring(pair.i) : Ring(pair.j, pair.shift);
  for (long long k = 0; k < chain.count.of[lane]; ++k)
    if (!surrounds(other, vertices[k].point(lane))) return false;
  return true;
}

/// The point where two edges cross, relative to the origin. By the arithmetic of crossing_point().
template <int lanes>
auto Group<lanes>::cross(const Crossing& crossing, bool entry) const -> CrossingPoints {
  const Points a = crossing.of_first.from.points(), b = crossing.of_first.to.points(),
               c = crossing.of_second.from.points(), d = crossing.of_second.to.points();
  const Points ac = minus(c, a), ad = minus(d, a), bc = minus(c, b), bd = minus(d, b);
  const Determinant a_of_cd = determinant(ac, ad), b_of_cd = determinant(bc, bd), c_of_ab = determinant(ac, bc),
                    d_of_ab = determinant(ad, bd);
  const Bits certain = entry ? a_of_cd.negative() & b_of_cd.positive() & c_of_ab.positive() & d_of_ab.negative()
                             : a_of_cd.positive() & b_of_cd.negative() & c_of_ab.negative() & d_of_ab.positive();

  // Along the shorter edge, and along that of i if they are equal.
  const Numbers first_length = length(a, b), second_length = length(c, d);
  const Bits along_first = (first_length < second_length) | (first_is_i_.bits() & (first_length == second_length));
  const Numbers size_0 = along_first ? size(a_of_cd.value) : size(c_of_ab.value),
                size_1 = along_first ? size(b_of_cd.value) : size(d_of_ab.value),
                bounds = along_first ? a_of_cd.bound + b_of_cd.bound : c_of_ab.bound + d_of_ab.bound;
  const Points from{along_first ? a.x : c.x, along_first ? a.y : c.y},
      to{along_first ? b.x : d.x, along_first ? b.y : d.y},
      other_from{along_first ? c.x : a.x, along_first ? c.y : a.y},
      other_to{along_first ? d.x : b.x, along_first ? d.y : b.y}, origin = origin_.points();
  const Numbers sizes = size_0 + size_1, t = size_0 / sizes;
  const Points at{other_from.x == other_to.x ? other_from.x - origin.x : (from.x - origin.x) + t * (to.x - from.x),
                  other_from.y == other_to.y ? other_from.y - origin.y : (from.y - origin.y) + t * (to.y - from.y)};
  return {at, certain, certain & (bounds > 1e-10 * sizes)};
}

template <int lanes>
TwoLanes Group<lanes>::cross_one(int lane, const Crossing& crossing) const {
  const Edge &of_i = first_is_i_.of[lane] ? crossing.of_first : crossing.of_second,
             &of_j = first_is_i_.of[lane] ? crossing.of_second : crossing.of_first;
  const TwoLanes a = of_i.from.point(lane), b = of_i.to.point(lane), c = of_j.from.point(lane), d = of_j.to.point(lane);
  return crossing_point(measured_edge(a, b), measured_edge(c, d), edge_orientations(a, b, c, d), origin_.point(lane));
}

/// True if the general routine surely merges no vertices of the loop.
template <int lanes>
auto Group<lanes>::no_pieces() const -> Bits {
  const Bits n = vertices_.bits(), turn = turn_.bits();
  Points before = loop_[0].points(), here = before, edge_before{};
  Bits none = n == n;
  for (Index k = 0; k < longest_; ++k) {
    const Points next = loop_[k + 1].points(), edge = minus(next, here);
    Bits piece = (edge.x == 0) & (edge.y == 0);
    if (k > 0) {  // as straight()
      const Points line = minus(next, before);
      const Numbers off = edge_before.x * edge.y - edge_before.y * edge.x, length2 = line.x * line.x + line.y * line.y,
                    here2 = here.x * here.x + here.y * here.y, size2 = here2 < length2 ? length2 : here2;
      piece |= (off * off <= 1e-30 * size2 * length2) & (turn != (long long)(k));
    }
    none &= ~piece | (n <= (long long)(k));
    edge_before = edge;
    before = here;
    here = next;
  }
  return none;
}

template <int lanes>
auto Group<lanes>::compute() -> Bits {
  CrossingPoints enters = cross(entry_, true), leaves = cross(exit_, false);
  Bits first_inside = chain_inside(first_, loop_ + 1, exit_.of_second, entry_.of_second),
       second_inside = chain_inside(second_, second_vertices_, entry_.of_first, exit_.of_first);
  const Bits certain = enters.certain & leaves.certain;
  if (any(certain & (~first_inside | ~second_inside | enters.parallel | leaves.parallel)))
    for (int lane = 0; lane < lanes; ++lane) {
      if (!certain[lane]) continue;
      if (!first_inside[lane] && chain_inside(lane, first_, loop_ + 1, false)) first_inside[lane] = -1;
      if (!second_inside[lane] && chain_inside(lane, second_, second_vertices_, true)) second_inside[lane] = -1;
      const auto replace = [&](CrossingPoints& point, const Crossing& crossing) {
        const TwoLanes at = cross_one(lane, crossing);
        point.at.x[lane] = at[0];
        point.at.y[lane] = at[1];
      };
      if (enters.parallel[lane]) replace(enters, entry_);
      if (leaves.parallel[lane]) replace(leaves, exit_);
    }
  Bits good = certain & first_inside & second_inside;

  const Points origin = origin_.points();
  for (Index k = 1; k < longest_; ++k) loop_[k].set(minus(loop_[k].points(), origin));
  loop_[0].set(enters.at);
  Row turns;
  turns.set(leaves.at);
  for (int lane = 0; lane < lanes; ++lane) {
    const Index n = Index(vertices_.of[lane]);
    Row& turn = loop_[turn_.of[lane]];
    turn.x[lane] = turns.x[lane];
    turn.y[lane] = turns.y[lane];
    for (Index k = n; k <= longest_; ++k) {  // edges without length end a shorter loop
      loop_[k].x[lane] = loop_[0].x[lane];
      loop_[k].y[lane] = loop_[0].y[lane];
    }
  }
  good &= no_pieces();

  LoopSums<Numbers> sums{.base = enters.at};
  const Numbers first_side = first_is_i_.bits() ? Numbers{} - 1 : Numbers{} + 1;
  for (Index k = 0; k < longest_; ++k)
    sums.add(loop_[k + 1].points(), turn_.bits() > (long long)(k) ? first_side : -first_side);
  measures_ = sums.measures(origin);
  return good & Bits(sums.has_area());
}

template <int lanes>
void Group<lanes>::give(int lane, OverlapComponent& c) const {
  c.area = measures_.area[lane];
  c.centroid = {measures_.centroid.x[lane], measures_.centroid.y[lane]};
  c.perimeter = measures_.perimeter[lane];
  c.crossings = 2;
  c.gradient = {measures_.gradient.x[lane], measures_.gradient.y[lane]};
  c.gradient_length = measures_.gradient_length[lane];
  c.gradient_moment = measures_.gradient_moment[lane];
  c.first_vertex = c.end_vertex = 0;
}

template <int lanes>
void Group<lanes>::give_boundary(int lane, Vec2 origin, OverlapComponent& c, Overlap& out) const {
  const std::size_t l = std::size_t(lane);
  const Owner first = first_is_i_.of[l] ? Owner::i : Owner::j, second = first_is_i_.of[l] ? Owner::j : Owner::i;
  c.first_vertex = Index(out.vertices.size());
  c.end_vertex = c.first_vertex + Index(vertices_.of[l]);
  for (Index k = 0; k < vertices_.of[l]; ++k) {
    out.vertices.push_back(origin + Vec2{loop_[k].x[l], loop_[k].y[l]});
    out.owners.push_back(k < turn_.of[l] ? first : second);
  }
}

template <int lanes>
LIBDEM_INLINE std::uint64_t overlaps(std::span<const RememberedPair> pairs, WantBoundary want, Overlap& out) {
  Group<lanes> group{};
  std::array<std::size_t, lanes> pair_of{};
  out.components.resize(pairs.size());  // not cleared before: that would set all of them to zero
  out.vertices.clear();
  out.owners.clear();
  std::uint64_t found = 0;
  int filled = 0;
  const auto finish = [&]() __attribute__((always_inline)) {
    const auto good = group.compute();
    for (int lane = 0; lane < filled; ++lane) {
      if (!good[lane]) continue;
      const std::size_t k = pair_of[std::size_t(lane)];
      group.give(lane, out.components[k]);
      if (want == WantBoundary::yes) group.give_boundary(lane, pairs[k].origin, out.components[k], out);
      found |= std::uint64_t(1) << k;
    }
    filled = 0;
    group.begin();
  };
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (!group.take(filled, pairs[k])) continue;
    pair_of[std::size_t(filled)] = k;
    if (++filled == lanes) finish();
  }
  if (filled > 0) finish();
  return found;
}

// All sets compute a pair by the same operations.
using Overlaps = std::uint64_t (*)(std::span<const RememberedPair>, WantBoundary, Overlap&);
#if defined(__x86_64__) && defined(__GNUC__)
[[gnu::flatten, gnu::target("avx2")]] std::uint64_t overlaps_avx2(std::span<const RememberedPair> pairs,
                                                                  WantBoundary want, Overlap& out) {
  return overlaps<4>(pairs, want, out);
}
Overlaps fastest() { return instructions() == Instructions::generic ? overlaps_at_crossings_generic : overlaps_avx2; }
#else
Overlaps fastest() { return overlaps_at_crossings_generic; }
#endif

}  // namespace

std::uint64_t overlaps_at_crossings_generic(std::span<const RememberedPair> pairs, WantBoundary want, Overlap& out) {
  return overlaps<2>(pairs, want, out);
}

std::uint64_t overlaps_at_crossings(std::span<const RememberedPair> pairs, WantBoundary want, Overlap& out) {
  static const Overlaps chosen = fastest();
  return chosen(pairs, want, out);
}

}  // namespace dem::geometry
