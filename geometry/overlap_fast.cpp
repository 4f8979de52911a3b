// Overlap of two simple polygons, convex or not, from the sections of their boundaries.
//
//   1. Only edges that meet the overlap of the two boxes are looked at.
//   2. Nodes are where the boundaries meet (crossing of two edges, vertex on edge, vertex on vertex).
//   3. The nodes are put in order along either boundary. A section runs from one node to the next. It lies inside or
//      outside the other polygon, or along its boundary. The node where the section starts decides which.
//   4. Sections inside the other polygon, and shared ones of the same direction, bound the overlap. They are linked
//   into
//      loops. Where two may follow, the sharper turn is taken, so that parts that meet in one vertex stay separate.
//
// Every decision is an exact orientation of three given vertices. So the loops are those of the exact overlap in every
// configuration. Only their coordinates, kept about a local origin, carry round-off. An ill-conditioned crossing of
// nearly parallel edges moves along both of them. It changes the area only by round-off, because the sections around it
// share the same point. (Sections summed one by one without that link fail there: performance-design reference, §1.)
#include <algorithm>
#include <array>
#include <numeric>

#include "geometry/boundary_crossings.hpp"
#include "geometry/edge_crossing.hpp"
#include "geometry/overlap_component.hpp"

namespace dem::geometry {
namespace {

using Index = std::uint32_t;

/// Where a section that starts at a node runs, seen from the other polygon. `shared`: along its boundary, in the same
/// direction.
enum class Place : std::uint8_t { outside, inside, shared };

struct Node {
  Vec2 at;                       ///< relative to the local origin
  std::array<Index, 2> edge;     ///< the edge of i and of j on which it lies
  std::array<bool, 2> vertex;    ///< of i and of j: it is the start of that edge, not in its interior
  std::array<Place, 2> leaving;  ///< the section of i and of j that starts here
  std::array<Index, 2> next;     ///< the next node along i and along j
  std::array<bool, 2> wraps;     ///< the section to `next` passes the first node again (last in order)
  std::array<bool, 2> visited;
};

struct NearEdge {
  Vec2 from, to;
  Box box;
  Index index;
};

/// One per thread, kept from call to call, so that a step takes no memory.
struct Workspace {
  std::array<std::vector<NearEdge>, 2> near;  ///< filled up to near_end
  std::array<const NearEdge*, 2> near_end{};
  std::vector<Node> nodes;
  std::vector<Index> order;
  BoundaryLoop loop;
  Workspace() {
    for (auto& list : near) list.resize(64);
    nodes.reserve(64);
    order.reserve(64);
    loop.vertices.reserve(128);
    loop.owners.reserve(128);
  }
};

class Clip {
 public:
  Clip(const PlacedPolygon& i, const PlacedPolygon& j, Box common, Workspace& w)
      : polygon_{i.vertices, j.vertices}, common_(common), origin_(centre(common)), w_(w) {}

  void find_nodes();
  bool has_nodes() const { return !w_.nodes.empty(); }
  void link(Overlap& out);
  void append_whole(int side, Overlap& out);
  BoundaryCrossings crossings() const;

 private:
  Vec2 vertex(int side, Index k) const { return polygon_[side][k]; }
  Index size(int side) const { return static_cast<Index>(polygon_[side].size()); }
  Index after(int side, Index k) const { return k + 1 < size(side) ? k + 1 : 0; }
  Index previous(int side, Index k) const { return k > 0 ? k - 1 : size(side) - 1; }
  /// `source` is the vertex from which the section that ends at the node comes. `target` is the vertex to which the
  /// section that starts there goes.
  Vec2 source(int side, const Node& n) const {
    return vertex(side, n.vertex[side] ? previous(side, n.edge[side]) : n.edge[side]);
  }
  Vec2 target(int side, const Node& n) const { return vertex(side, after(side, n.edge[side])); }

  void list_near_edges(int side);
  void meet(const NearEdge& e, const NearEdge& f);
  void add_touching_node(Vec2 at, Index e, bool e_vertex, Index f, bool f_vertex);
  Place place(int side, const Node& n, Vec2 at) const;
  bool precedes(int side, const Node& a, const Node& b) const;
  void order_along(int side);
  bool bounds(int side, const Node& n) const {
    return n.leaving[side] == Place::inside || (side == 0 && n.leaving[side] == Place::shared);
  }
  int choose(int arriving, const Node& n) const;
  void trace(int side, Index start, Overlap& out);

  std::array<std::span<const Vec2>, 2> polygon_;
  Box common_;
  Vec2 origin_;
  Workspace& w_;
};

/// Box::overlaps in one expression without branches, because the outcome is hard to predict.
inline bool meet_closely(const Box& a, const Box& b) {
  return bool(int(a.low.x <= b.high.x) & int(b.low.x <= a.high.x) & int(a.low.y <= b.high.y) &
              int(b.low.y <= a.high.y));
}

/// x lies strictly within the angle that opens counter-clockwise from v→first to v→last. x lies on neither ray.
bool within_angle(Vec2 v, Vec2 first, Vec2 last, Vec2 x) {
  const int left_of_first = orientation_sign(v, first, x), right_of_last = orientation_sign(v, x, last);
  const int turn = orientation_sign(v, first, last);
  if (turn > 0) return left_of_first > 0 && right_of_last > 0;
  if (turn < 0) return left_of_first > 0 || right_of_last > 0;
  return left_of_first > 0;  // a straight angle
}

bool on_ray(Vec2 v, Vec2 along, Vec2 x) { return orientation_sign(v, along, x) == 0 && same_direction(v, along, x); }

void Clip::list_near_edges(int side) {
  const auto polygon = polygon_[side];
  auto& list = w_.near[side];
  if (list.size() < polygon.size()) list.resize(polygon.size());
  NearEdge* end = list.data();
  // No branches and plain doubles (a Box would pass through memory). Every edge is written, and kept if its box meets
  // the common one.
  const double low_x = common_.low.x, low_y = common_.low.y, high_x = common_.high.x, high_y = common_.high.y;
  const Index n = size(side);
  double ax = polygon[n - 1].x, ay = polygon[n - 1].y;
  for (Index k = 0; k < n; ++k) {
    const double bx = polygon[k].x, by = polygon[k].y;
    const double least_x = std::min(ax, bx), least_y = std::min(ay, by), most_x = std::max(ax, bx),
                 most_y = std::max(ay, by);
    end->from.x = ax;
    end->from.y = ay;
    end->to.x = bx;
    end->to.y = by;
    end->box.low.x = least_x;
    end->box.low.y = least_y;
    end->box.high.x = most_x;
    end->box.high.y = most_y;
    end->index = k - 1;
    end += int(least_x <= high_x) & int(low_x <= most_x) & int(least_y <= high_y) & int(low_y <= most_y);
    ax = bx;
    ay = by;
  }
  if (end != list.data() && list[0].index > n) list[0].index = n - 1;  // the edge before vertex 0 is the last one
  w_.near_end[side] = end;
}

void Clip::find_nodes() {
  w_.nodes.clear();
  list_near_edges(0);
  list_near_edges(1);
  for (const NearEdge* e = w_.near[0].data(); e != w_.near_end[0]; ++e)
    for (const NearEdge* f = w_.near[1].data(); f != w_.near_end[1]; ++f)
      if (meet_closely(e->box, f->box)) meet(*e, *f);
}

void Clip::meet(const NearEdge& e, const NearEdge& f) {
  const Vec2 a = e.from, b = e.to, c = f.from, d = f.to;
  Orientation o[4];
  o[0] = orientation_filtered(c, d, a);
  o[1] = orientation_filtered(c, d, b);
  const int a_side = orientation_sign(o[0], c, d, a), b_side = orientation_sign(o[1], c, d, b);
  if (a_side * b_side > 0) return;
  o[2] = orientation_filtered(a, b, c);
  o[3] = orientation_filtered(a, b, d);
  const int c_side = orientation_sign(o[2], a, b, c), d_side = orientation_sign(o[3], a, b, d);
  if (c_side * d_side > 0) return;
  if (a_side * b_side < 0 && c_side * d_side < 0) {
    Node& n = w_.nodes.emplace_back();  // in place: a copy would wait for its stores
    const EdgeOrientations found{{{o[0].value, o[1].value}, {o[0].bound, o[1].bound}},
                                 {{o[2].value, o[3].value}, {o[2].bound, o[3].bound}}};
    n.at = vec2(crossing_point(measured_edge(a, b, e.box), measured_edge(c, d, f.box), found, lanes(origin_)));
    n.edge = {e.index, f.index};
    n.leaving = {b_side > 0 ? Place::inside : Place::outside, d_side > 0 ? Place::inside : Place::outside};
    return;
  }
  // Touching. Start vertices belong to this pair of edges, end vertices to the pairs of the following edges.
  if (a == c) {
    add_touching_node(a, e.index, true, f.index, true);
    return;
  }
  if (a_side == 0 && strictly_between(a, c, d)) add_touching_node(a, e.index, true, f.index, false);
  if (c_side == 0 && strictly_between(c, a, b)) add_touching_node(c, e.index, false, f.index, true);
}

void Clip::add_touching_node(Vec2 at, Index e, bool e_vertex, Index f, bool f_vertex) {
  Node n{.at = at - origin_,
         .edge = {e, f},
         .vertex = {e_vertex, f_vertex},
         .leaving = {},
         .next = {},
         .wraps = {},
         .visited = {}};
  n.leaving = {place(0, n, at), place(1, n, at)};
  w_.nodes.push_back(n);
}

/// Where the section of `side` that starts at a touching node runs, from the angle of the other polygon there.
Place Clip::place(int side, const Node& n, Vec2 at) const {
  const Vec2 x = target(side, n), out = target(1 - side, n), in = source(1 - side, n);
  if (on_ray(at, out, x)) return Place::shared;
  if (on_ray(at, in, x)) return Place::outside;  // shared, but with the interiors on opposite sides
  return within_angle(at, out, in, x) ? Place::inside : Place::outside;
}

/// True if a comes before b on the same edge of `side`. The test is exact and uses only orientations of given vertices.
/// At least one of two edges of a simple polygon lies on one side of the other.
bool Clip::precedes(int side, const Node& a, const Node& b) const {
  const int other = 1 - side;
  if (a.vertex[side] != b.vertex[side]) return a.vertex[side];
  const Vec2 from = vertex(side, a.edge[side]), to = target(side, a);
  const Vec2 a0 = vertex(other, a.edge[other]), a1 = target(other, a);
  const Vec2 b0 = vertex(other, b.edge[other]), b1 = target(other, b);
  if (a.vertex[other] && b.vertex[other]) return strictly_between(a0, from, b0);
  if (a.vertex[other]) return orientation_sign(b0, b1, a0) == orientation_sign(b0, b1, from);
  if (b.vertex[other]) return orientation_sign(a0, a1, b0) == orientation_sign(a0, a1, to);
  const int p = orientation_sign(a0, a1, b0), q = orientation_sign(a0, a1, b1);
  if (p * q >= 0) return (p != 0 ? p : q) == orientation_sign(a0, a1, to);
  const int r = orientation_sign(b0, b1, a0), s = orientation_sign(b0, b1, a1);
  return (r != 0 ? r : s) == orientation_sign(b0, b1, from);
}

void Clip::order_along(int side) {
  auto& order = w_.order;
  order.clear();
  const auto before = [&](const Node& a, const Node& b) {
    return a.edge[side] != b.edge[side] ? a.edge[side] < b.edge[side] : precedes(side, a, b);
  };
  // Insertion sort: the nodes are few and nearly in order. It is safe even where round-off made an outline cross
  // itself.
  for (Index k = 0; k < w_.nodes.size(); ++k) {
    order.push_back(k);
    for (std::size_t m = k; m > 0 && before(w_.nodes[order[m]], w_.nodes[order[m - 1]]); --m)
      std::swap(order[m], order[m - 1]);
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool last = k + 1 == order.size();
    w_.nodes[order[k]].next[side] = order[last ? 0 : k + 1];
    w_.nodes[order[k]].wraps[side] = last;
  }
}

/// Polygon whose section continues the boundary of the overlap after the section of `arriving` ends at the node. −1
/// where there is none.
int Clip::choose(int arriving, const Node& n) const {
  const bool i = bounds(0, n), j = bounds(1, n);
  if (!i || !j) return i ? 0 : j ? 1 : -1;
  // Two parts meet here. The first section clockwise from the way back keeps to the part just followed.
  const Vec2 at = n.vertex[0] ? vertex(0, n.edge[0]) : vertex(1, n.edge[1]);
  return within_angle(at, source(arriving, n), target(0, n), target(1, n)) ? 0 : 1;
}

void Clip::trace(int side, Index start, Overlap& out) {
  w_.loop.clear();
  auto& [vertices, owners] = w_.loop;
  Index k = start;
  while (side >= 0 && !w_.nodes[k].visited[side]) {
    Node& n = w_.nodes[k];
    n.visited[side] = true;
    const Owner owner = n.leaving[side] == Place::shared ? Owner::both : side == 0 ? Owner::i : Owner::j;
    vertices.push_back(n.at);
    owners.push_back(owner);
    const Node& end = w_.nodes[n.next[side]];
    const Index total = size(side);
    Index count = (end.edge[side] + total - n.edge[side]) % total;
    if (count == 0 && n.wraps[side]) count = total;
    if (end.vertex[side] && count > 0) --count;
    for (Index v = n.edge[side]; count > 0; --count) {
      v = after(side, v);
      vertices.push_back(vertex(side, v) - origin_);
      owners.push_back(owner);
    }
    k = n.next[side];
    side = choose(side, end);
  }
  append_component(w_.loop, origin_, out);
}

void Clip::link(Overlap& out) {
  order_along(0);
  order_along(1);
  for (Index k = 0; k < w_.nodes.size(); ++k)
    for (int side : {0, 1})
      if (bounds(side, w_.nodes[k]) && !w_.nodes[k].visited[side]) trace(side, k, out);
}

void Clip::append_whole(int side, Overlap& out) {
  w_.loop.clear();
  for (const Vec2 v : polygon_[side]) w_.loop.vertices.push_back(v - origin_);
  w_.loop.owners.assign(w_.loop.vertices.size(), side == 0 ? Owner::i : Owner::j);
  append_component(w_.loop, origin_, out);
}

BoundaryCrossings Clip::crossings() const {
  using Kind = BoundaryCrossings::Kind;
  const auto& nodes = w_.nodes;
  if (nodes.empty()) return {};
  const auto crosses = [](const Node& n) { return !n.vertex[0] && !n.vertex[1]; };
  if (nodes.size() != 2 || !crosses(nodes[0]) || !crosses(nodes[1])) return {.kind = Kind::other};
  const auto place = [](const Node& n) { return BoundaryCrossings::Place{n.edge[0], n.edge[1]}; };
  const bool entry_first = nodes[0].leaving[0] == Place::inside;
  return {Kind::two_crossings, place(nodes[entry_first ? 0 : 1]), place(nodes[entry_first ? 1 : 0])};
}

bool contains(const Box& outer, const Box& inner) {
  return outer.low.x <= inner.low.x && inner.high.x <= outer.high.x && outer.low.y <= inner.low.y &&
         inner.high.y <= outer.high.y;
}

/// True if p, known not to lie on the boundary, is inside. Counts crossings of the ray in +x exactly.
bool point_inside(Vec2 p, std::span<const Vec2> polygon) {
  bool inside = false;
  Vec2 a = polygon.back();
  for (const Vec2 b : polygon) {
    if ((a.y > p.y) != (b.y > p.y) && orientation_sign(a, b, p) == (b.y > a.y ? 1 : -1)) inside = !inside;
    a = b;
  }
  return inside;
}

}  // namespace

Box bounding_box(std::span<const Vec2> vertices) {
  if (vertices.empty()) return {};
  Box box{vertices[0], vertices[0]};
  for (const Vec2 v : vertices) {
    box.low = {std::min(box.low.x, v.x), std::min(box.low.y, v.y)};
    box.high = {std::max(box.high.x, v.x), std::max(box.high.y, v.y)};
  }
  return box;
}

std::vector<std::pair<std::size_t, std::size_t>> meeting_boxes(std::span<const Box> boxes) {
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return boxes[k].low.x; });
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t m = k + 1; m < order.size() && boxes[order[m]].low.x <= boxes[order[k]].high.x; ++m)
      if (boxes[order[k]].overlaps(boxes[order[m]])) pairs.push_back(std::minmax(order[k], order[m]));
  std::ranges::sort(pairs);
  return pairs;
}

void overlap_fast(const PlacedPolygon& i, const PlacedPolygon& j, Overlap& out) { overlap_with_crossings(i, j, out); }

BoundaryCrossings overlap_with_crossings(const PlacedPolygon& i, const PlacedPolygon& j, Overlap& out) {
  out.clear();
  if (!i.box.overlaps(j.box)) return {};
  thread_local Workspace workspace;
  Clip clip(i, j, common_part(i.box, j.box), workspace);
  clip.find_nodes();
  if (clip.has_nodes()) {
    clip.link(out);
    sort_components(out);
  } else if (contains(j.box, i.box) && point_inside(i.vertices[0], j.vertices)) {
    clip.append_whole(0, out);
  } else if (contains(i.box, j.box) && point_inside(j.vertices[0], i.vertices)) {
    clip.append_whole(1, out);
  }
  return clip.crossings();
}

}  // namespace dem::geometry
