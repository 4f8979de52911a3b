// The overlap of convex pairs with a memory: the bits of the general routine, whatever is remembered.
#include "geometry/convex_overlap.hpp"

#include "geometry/predicates.hpp"
#include "overlap_families.hpp"

namespace dem::geometry::testing {
namespace {

using Found = ConvexMemory::Found;

PlacedPolygon placed(const Outline& outline) { return {outline, bounding_box(outline), true}; }

bool strictly_convex(const Outline& o) {
  const std::size_t n = o.size();
  for (std::size_t k = 0; k < n; ++k)
    if (orientation_sign(o[k], o[(k + 1) % n], o[(k + 2) % n]) <= 0) return false;
  return simple(o);
}

Outline regular(int n, double angle) {
  Outline o;
  for (int k = 0; k < n; ++k) o.push_back(Turn::by(angle + 2 * pi * k / n)({1, 0}));
  return o;
}
Outline shape(Random& random) {
  Outline o;
  do {
    o = dyadic(random_convex(random, whole(random, 3, 8), uniform(random, 0.3, 1)));
  } while (!strictly_convex(o));
  return o;
}

// clang-format off
const std::vector<Family> families{
    {"regular", [](Random& r) -> Pair {
       return {regular(whole(r, 3, 12), uniform(r, 0, pi)),
               shifted(regular(whole(r, 3, 12), uniform(r, 0, pi)), uniform(r, 0, 2.1) * direction(r))};
     }},
    {"hexagons face to face", [](Random& r) -> Pair {
       const Vec2 by = Turn::by(pi / 6 + whole(r, 0, 5) * pi / 3)({0.99 * std::sqrt(3.), uniform(r, -0.1, 0.1)});
       return {regular(6, power(r, -12, -1)), shifted(regular(6, 0), by)};
     }},
    {"irregular", [](Random& r) -> Pair {
       return {random_convex(r, whole(r, 3, 12), uniform(r, 0.3, 1)),
               shifted(random_convex(r, whole(r, 3, 12), uniform(r, 0.3, 1)), uniform(r, 0, 2) * direction(r))};
     }},
    {"of different size", [](Random& r) -> Pair {
       const double scale = power(r, -3, 0);
       const Outline small = mapped(random_convex(r, whole(r, 3, 8), 0.7), [&](Vec2 v) { return scale * v; });
       return {random_convex(r, whole(r, 3, 8), 0.7), shifted(small, uniform(r, 0.6, 1.1) * direction(r))};
     }},
    {"thin", [](Random& r) -> Pair {
       const double width = power(r, -8, -1);
       return {random_ellipse(r, whole(r, 3, 8), width),
               shifted(turned(random_ellipse(r, whole(r, 3, 8), width), power(r, -12, 0)),
                       {uniform(r, -2, 2), width * uniform(r, -2, 2)})};
     }},
    {"parallel slivers", parallel_slivers<30>},
    {"identical", identical<shape>},
    {"shared edge", shared_edge<shape>},
    {"sliding along an edge", sliding_along_an_edge<shape>},
    {"vertex on vertex", vertex_on_vertex<shape>},
    {"vertex on edge", vertex_on_edge<shape>},
};
// clang-format on

/// A pair of a random family, half of them turned, half of them far from the origin. Both are strictly convex.
Pair random_pair(Random& random, std::size_t family) {
  Pair pair;
  do {
    pair = anywhere(random, families[family].make(random));
  } while (!strictly_convex(pair.i) || !strictly_convex(pair.j));
  return pair;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same_bits(Vec2 a, Vec2 b) { return same_bits(a.x, b.x) && same_bits(a.y, b.y); }
/// Every bit that a contact reads; with the boundary also the numbers of its vertices.
bool same_bits(const Overlap& a, const Overlap& b, WantBoundary want) {
  const auto same = [want](const OverlapComponent& c, const OverlapComponent& d) {
    const bool vertices = c.first_vertex == d.first_vertex && c.end_vertex == d.end_vertex;
    return same_bits(c.area, d.area) && same_bits(c.centroid, d.centroid) && same_bits(c.perimeter, d.perimeter) &&
           c.crossings == d.crossings && same_bits(c.gradient, d.gradient) &&
           same_bits(c.gradient_length, d.gradient_length) && same_bits(c.gradient_moment, d.gradient_moment) &&
           (want == WantBoundary::no || vertices);
  };
  if (!std::ranges::equal(a.components, b.components, same)) return false;
  if (want == WantBoundary::no) return true;
  return std::ranges::equal(a.vertices, b.vertices, [](Vec2 v, Vec2 w) { return same_bits(v, w); }) &&
         a.owners == b.owners;
}

ConvexMemory any_memory(Random& random, const Pair& pair) {
  const auto crossing = [&] {
    return ConvexMemory::Crossing{std::uint8_t(random() % pair.i.size()), std::uint8_t(random() % pair.j.size())};
  };
  ConvexMemory memory{.found = Found(random() % 4), .separating_edge = 0, .entry = crossing(), .exit = crossing()};
  memory.separating_edge =
      memory.found == Found::separating_edge_of_i ? memory.entry.edge_of_i : memory.entry.edge_of_j;
  return memory;
}

// LIBDEM_CONVEX_PAIRS sets another number of pairs.
BOOST_AUTO_TEST_CASE(every_bit_with_right_wrong_and_no_memory) {
  const char* wanted = std::getenv("LIBDEM_CONVEX_PAIRS");
  const int pairs = wanted ? std::atoi(wanted) : 100000;
  Random random(20261125);
  std::array<int, 4> found{};
  Overlap general, fast;
  for (int k = 0; k < pairs; ++k) {
    const std::size_t f = std::size_t(k) % families.size();
    const Pair pair = random_pair(random, f);
    const PlacedPolygon i = placed(pair.i), j = placed(pair.j);
    overlap_fast(i, j, general);
    const auto agrees = [&](ConvexMemory& memory, WantBoundary want) {
      overlap_convex(i, j, memory, want, fast);
      return same_bits(general, fast, want);
    };
    ConvexMemory memory;
    bool good = agrees(memory, WantBoundary::yes);     // no memory
    good = agrees(memory, WantBoundary::yes) && good;  // the right one
    good = agrees(memory, WantBoundary::no) && good;   // the boundary left out
    ++found[std::size_t(memory.found)];
    for (int wrong = 0; wrong < 4; ++wrong) {
      ConvexMemory other = any_memory(random, pair);
      good = agrees(other, WantBoundary::yes) && good;
    }
    BOOST_TEST(good, families[f].name << ", pair " << k);
  }
  for (const int times : found) BOOST_TEST(times > pairs / 100);
}

// Batches of any size, with images, right and wrong memories, and loops too long for a lane; each instruction set.
BOOST_AUTO_TEST_CASE(every_bit_in_batches) {
  Random random(20261128);
  Overlap general, batch, alone;
  int found = 0, pairs = 0, right = 0, refused = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t size = 1 + random() % 64;
    std::vector<Pair> list;
    std::vector<Outline> before_shift;
    std::vector<RememberedPair> remembered;
    list.reserve(size);
    before_shift.reserve(size);
    for (std::size_t k = 0; k < size; ++k) {
      const bool is_long = random() % 16 == 0;
      const Pair& pair = list.emplace_back(
          is_long ? Pair{regular(60, 0.01), shifted(regular(60, 0.03), uniform(random, 0.2, 0.5) * direction(random))}
                  : random_pair(random, random() % families.size()));
      const Vec2 shift =
          random() % 2 ? Vec2{} : std::ldexp(1., int(random() % 8) - 4) * Vec2{1, double(random() % 3) - 1};
      Outline& j = before_shift.emplace_back(shifted(pair.j, -shift));
      for (std::size_t v = 0; v < j.size(); ++v) list.back().j[v] = j[v] + shift;
      if (shift == Vec2{}) list.back().j = j;
      ConvexMemory memory;
      const PlacedPolygon placed_i = placed(pair.i), placed_j = placed(list.back().j);
      overlap_convex(placed_i, placed_j, memory, WantBoundary::no, alone);
      refused += is_long && memory.found == Found::crossings;
      right += !is_long && memory.found == Found::crossings;
      if (memory.found != Found::crossings || random() % 8 == 0) memory = any_memory(random, pair);
      const Vec2 origin =
          placed_i.box.overlaps(placed_j.box) ? centre(common_part(placed_i.box, placed_j.box)) : Vec2{};
      remembered.push_back({pair.i, j, shift, origin, memory});
    }
    for (const auto function : {overlaps_at_crossings, overlaps_at_crossings_generic})
      for (const WantBoundary want : {WantBoundary::no, WantBoundary::yes}) {
        const std::uint64_t bits = function(remembered, want, batch);
        for (std::size_t k = 0; k < size; ++k) {
          ++pairs;
          if (!(bits >> k & 1)) continue;
          ++found;
          overlap_fast(placed(list[k].i), placed(list[k].j), general);
          const OverlapComponent& c = batch.components[k];
          const auto of_pair = [&](const auto& all) {
            using All = std::remove_cvref_t<decltype(all)>;
            return want == WantBoundary::yes ? All(all.begin() + c.first_vertex, all.begin() + c.end_vertex) : All{};
          };
          alone.components = {c};
          alone.components[0].end_vertex -= c.first_vertex;
          alone.components[0].first_vertex = 0;
          alone.vertices = of_pair(batch.vertices);
          alone.owners = of_pair(batch.owners);
          BOOST_TEST(same_bits(general, alone, want));
        }
      }
  }
  BOOST_TEST(found > pairs / 4);
  BOOST_TEST(refused > 100);
  BOOST_TEST(found > 3 * right);  // four of each pair with the right memory, but for an eighth
}

// As in a run: the pair moves a little, and the memory is that of the place before.
BOOST_AUTO_TEST_CASE(every_bit_on_paths) {
  Random random(5);
  Overlap general, fast;
  int overlapping = 0, kept = 0, steps = 0;
  for (int path = 0; path < 200; ++path) {
    const Outline a = random_convex(random, whole(random, 3, 9), 0.8),
                  b = random_convex(random, whole(random, 3, 9), 0.8);
    const Vec2 from = uniform(random, 1.2, 2) * direction(random), velocity = power(random, -3, -2) * direction(random);
    const double spin = uniform(random, -0.01, 0.01);
    ConvexMemory memory;
    for (int step = 0; step < 200; ++step) {
      const Outline moved = shifted(turned(b, step * spin), from + double(step) * velocity);
      overlap_fast(placed(a), placed(moved), general);
      const ConvexMemory before = memory;
      overlap_convex(placed(a), placed(moved), memory, WantBoundary::yes, fast);
      BOOST_TEST_REQUIRE(same_bits(general, fast, WantBoundary::yes));
      overlapping += !general.components.empty();
      kept += before.found == memory.found && before.separating_edge == memory.separating_edge &&
              before.entry.edge_of_i == memory.entry.edge_of_i && before.entry.edge_of_j == memory.entry.edge_of_j;
      ++steps;
    }
  }
  BOOST_TEST(overlapping > steps / 10);
  BOOST_TEST(kept > steps * 9 / 10);
}

BOOST_AUTO_TEST_CASE(what_is_remembered_of_a_pair) {
  const Outline square = rectangle(0, 0, 1, 1);
  const auto remembered = [&](const Outline& j) {
    ConvexMemory memory;
    Overlap overlap;
    overlap_convex(placed(square), placed(j), memory, WantBoundary::yes, overlap);
    return memory;
  };
  // The corner (0.75, 0.5) of j lies inside; edge 1 of the square, its right side, is crossed twice.
  const ConvexMemory corner_inside = remembered({{0.75, 0.5}, {2, 0.25}, {2, 0.75}});
  BOOST_TEST((corner_inside.found == Found::crossings));
  BOOST_TEST((corner_inside.entry.edge_of_i == 1 && corner_inside.exit.edge_of_i == 1));
  BOOST_TEST((corner_inside.entry.edge_of_j == 0 && corner_inside.exit.edge_of_j == 2));
  const ConvexMemory apart = remembered({{0.9, 1.2}, {1.3, 0.8}, {1.3, 1.2}});
  BOOST_TEST((apart.found == Found::separating_edge_of_j));
  BOOST_TEST(int(apart.separating_edge) == 0);
  BOOST_TEST((remembered(rectangle(-1, 0.25, 2, 0.75)).found == Found::nothing));  // four crossings
  BOOST_TEST((remembered(rectangle(1, 0, 2, 1)).found == Found::nothing));         // touching is not certain
  BOOST_TEST((remembered(rectangle(0.25, 0.25, 0.5, 0.5)).found == Found::nothing));
}

// A polygon with more edges than a byte can name is never remembered.
BOOST_AUTO_TEST_CASE(a_polygon_of_many_edges_is_not_remembered) {
  Overlap general, fast;
  for (const int n : {256, 257, 400}) {
    const Outline i = regular(n, 0.001), j = shifted(regular(n, 0.002), {1.9, 0.1});
    overlap_fast(placed(i), placed(j), general);
    BOOST_TEST(general.components.size() == 1U);
    ConvexMemory memory;
    for (int time = 0; time < 2; ++time) {
      overlap_convex(placed(i), placed(j), memory, WantBoundary::yes, fast);
      BOOST_TEST(same_bits(general, fast, WantBoundary::yes));
    }
    BOOST_TEST((memory.found == (n <= 256 ? Found::crossings : Found::nothing)));
  }
}

// Far from the origin a flat corner may be lost in round-off. The margin shows it first.
BOOST_AUTO_TEST_CASE(margin_of_convexity) {
  BOOST_TEST(Polygon(rectangle(0, 0, 1, 1)).convexity_margin() == 0.5);
  BOOST_TEST(Polygon(split_edges(rectangle(0, 0, 1, 1))).convexity_margin() == 0);
  BOOST_TEST(Polygon(Outline{{0, 0}, {2, 0}, {2, 2}, {1, 0.5}, {0, 2}}).convexity_margin() == 0);
  Random random(2);
  int lost = 0;
  for (int k = 0; k < 2000; ++k) {
    const double flat = power(random, -15, -6);
    const Polygon house(Outline{{0, 0}, {1, 0}, {1, 1}, {0.5, 1 + flat}, {0, 1}});
    const Vec2 at = power(random, -1, 5) * direction(random);
    const Turn turn = Turn::by(uniform(random, -pi, pi));
    Outline there;
    for (const Vec2 v : house.vertices()) there.push_back(at + turn(v));
    const bool convex = strictly_convex(there);
    lost += !convex;
    if (stays_convex(house.convexity_margin(), std::abs(at.x) + std::abs(at.y) + 2)) BOOST_TEST(convex);
  }
  BOOST_TEST(lost > 100);
}

}  // namespace
}  // namespace dem::geometry::testing
