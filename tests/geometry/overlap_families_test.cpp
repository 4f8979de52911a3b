// The fast overlap against the exact one on random and on degenerate pairs (performance-design reference, §1).
// LIBDEM_OVERLAP_PAIRS sets the number of pairs (default 3000; 100000 takes about a minute).
#include "overlap_families.hpp"

namespace dem::geometry::testing {
namespace {

Outline shape(Random& random) {
  Outline result;
  do {
    const int n = whole(random, 3, 14);
    result = dyadic(random() % 2 ? random_star(random, n, 0.3) : random_convex(random, n, uniform(random, 0.3, 1)));
  } while (!simple(result));
  return result;
}
Vec2 distance(Random& random) {
  const double angle = uniform(random, 0, 2 * pi), r = uniform(random, 0, 2);
  return {r * std::cos(angle), r * std::sin(angle)};
}
/// Pixel steps: a skyline of integer heights over a flat base.
Outline skyline(Random& random, bool upside_down) {
  const int columns = whole(random, 2, 8);
  Outline outline{{0, 0}, {double(columns), 0}};
  double before = -1;
  for (int c = columns - 1; c >= 0; --c) {
    const double height = whole(random, 1, 4);
    if (height != before) {
      if (before >= 0) outline.push_back({c + 1., before});
      outline.push_back({c + 1., height});
    }
    before = height;
  }
  outline.push_back({0, before});
  return upside_down ? reflected(outline, {double(whole(random, 2, 10)), double(whole(random, 2, 8))}) : outline;
}

// clang-format off
const std::vector<Family> families{
    {"convex", [](Random& r) -> Pair {
       return {random_convex(r, whole(r, 3, 12), uniform(r, 0.3, 1)),
               shifted(random_convex(r, whole(r, 3, 12), uniform(r, 0.3, 1)), distance(r))};
     }},
    {"non-convex", [](Random& r) -> Pair {
       return {random_star(r, whole(r, 4, 20), 0.2), shifted(random_star(r, whole(r, 4, 20), 0.2), distance(r))};
     }},
    {"slivers", [](Random& r) -> Pair {  // nearly parallel
       const double width = power(r, -8, -1);
       const Vec2 by{uniform(r, -2, 2), width * uniform(r, -2, 2)};
       return {random_ellipse(r, whole(r, 3, 8), width),
               shifted(turned(random_ellipse(r, whole(r, 3, 8), width * power(r, -1, 1)), power(r, -12, 0)), by)};
     }},
    {"tiny on large", [](Random& r) -> Pair {
       const Outline any = random_star(r, whole(r, 4, 12), 0.2);
       const double scale = power(r, -5, -1);
       const Outline large = random_star(r, whole(r, 4, 12), 0.2);
       const Vec2 at = large[0] + uniform(r, 0, 1) * edge(large, 0);
       return {large, mapped(any, [&](Vec2 v) { return scale * v + at; })};
     }},
    {"identical", identical<shape>},
    {"shared edge outside", shared_edge<shape>},
    {"vertex on vertex", vertex_on_vertex<shape>},
    {"vertex on edge", vertex_on_edge<shape>},
    {"sliding along an own edge", sliding_along_an_edge<shape>},
    {"parallel slivers", parallel_slivers<40>},
    {"split edges", [](Random& r) -> Pair { const Outline s = shape(r); return {s, split_edges(s)}; }},
    {"pixel steps", [](Random& r) -> Pair { return {skyline(r, false), skyline(r, true)}; }},
};
// clang-format on

/// Components of `a` above the tolerance have partners in `b` of the same area, and are no more than those of `b`. One
/// at the tolerance itself may fall on either side.
bool matched(const Overlap& a, const Overlap& b, double tolerance) {
  const auto distance = [](const OverlapComponent& c) {
    return [&c](const OverlapComponent& d) { return norm(c.centroid - d.centroid); };
  };
  for (const OverlapComponent& c : a.components)
    if (c.area > tolerance) {
      const auto nearest = std::ranges::min_element(b.components, {}, distance(c));
      if (nearest == b.components.end() || !(std::abs(c.area - nearest->area) <= tolerance)) return false;
    }
  const auto count = [](const Overlap& o, double limit) {
    return std::ranges::count_if(o.components, [&](const auto& c) { return c.area > limit; });
  };
  return count(a, 2 * tolerance) <= count(b, tolerance);
}

bool agree(const Pair& pair) {
  const Overlap fast = overlap_of(overlap_fast, pair.i, pair.j), exact = overlap_of(overlap_exact, pair.i, pair.j);
  const double perimeter = std::min(Polygon(pair.i).perimeter(), Polygon(pair.j).perimeter()),
               tolerance = 1e-12 * perimeter * perimeter;
  return matched(fast, exact, tolerance) && matched(exact, fast, tolerance);
}

void print(const Pair& pair) {
  for (const Outline* outline : {&pair.i, &pair.j}) {
    std::string text;
    for (const Vec2 v : *outline) text += fmt::format("{{{:.17g}, {:.17g}}}, ", v.x, v.y);
    BOOST_TEST_MESSAGE(text);
  }
}

BOOST_AUTO_TEST_CASE(fast_agrees_with_exact) {
  const char* wanted = std::getenv("LIBDEM_OVERLAP_PAIRS");
  const int pairs = wanted ? std::atoi(wanted) : 3000;
  Random random(20240611);
  std::vector<int> tried(families.size()), refused(families.size());
  for (int k = 0; k < pairs; ++k) {
    const std::size_t f = std::size_t(k) % families.size();
    const Pair pair = anywhere(random, families[f].make(random));
    const bool known = simple(pair.i) && simple(pair.j);
    ++(known ? tried : refused)[f];
    if (!known) continue;
    const bool good = agree(pair) && agree({pair.j, pair.i});
    if (!good) print(pair);
    BOOST_TEST(good, families[f].name << ", pair " << k);
  }
  for (std::size_t f = 0; f < families.size(); ++f)
    BOOST_TEST((tried[f] > 0 && refused[f] * 20 <= tried[f]), families[f].name << ": refused " << refused[f]);
}

// Measures beside the area that contact laws use, on pairs without a degenerate position.
BOOST_AUTO_TEST_CASE(all_measures_agree_on_random_pairs) {
  Random random(7);
  int components = 0;
  for (int k = 0; k < 400; ++k) {
    const Pair pair = families[std::size_t(k) % 2].make(random);
    const Overlap fast = overlap_of(overlap_fast, pair.i, pair.j), exact = overlap_of(overlap_exact, pair.i, pair.j);
    BOOST_TEST_REQUIRE(fast.components.size() == exact.components.size());
    for (std::size_t n = 0; n < fast.components.size(); ++n) {
      const OverlapComponent &a = fast.components[n], &b = exact.components[n];
      BOOST_TEST(std::abs(a.area - b.area) < 1e-14);
      BOOST_TEST(norm(a.centroid - b.centroid) < 1e-14 / b.area + 1e-13);
      BOOST_TEST(std::abs(a.perimeter - b.perimeter) < 1e-11);
      BOOST_TEST(norm(a.gradient - b.gradient) < 1e-11);
      BOOST_TEST(std::abs(a.gradient_moment - b.gradient_moment) < 1e-11 + 1e-14 / b.area);
      BOOST_TEST(a.crossings == b.crossings);
      BOOST_TEST((a.end_vertex - a.first_vertex == b.end_vertex - b.first_vertex));
      ++components;
    }
  }
  BOOST_TEST(components > 250);
}

}  // namespace
}  // namespace dem::geometry::testing
