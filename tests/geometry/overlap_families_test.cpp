// The fast overlap against the exact one on random and on degenerate pairs (performance-design reference, §1).
// LIBDEM_OVERLAP_PAIRS sets the number of pairs (default 3000; 100000 takes about a minute).
#include <algorithm>
#include <cstdlib>

#include "overlap_tools.hpp"
#include "refusals.hpp"

namespace dem::geometry::testing {
namespace {

using Random = std::mt19937_64;
struct Pair {
  Outline i, j;
};

int whole(Random& random, int low, int high) { return low + int(random() % std::uint64_t(high - low + 1)); }
double power(Random& random, double low, double high) { return std::pow(10, uniform(random, low, high)); }

bool simple(const Outline& outline) {
  return refusal([&] { check_simple(outline); }) == "accepted";
}

/// On a grid of 1/64, so that sums, reflections and halves of coordinates are exact.
Outline dyadic(const Outline& outline) {
  return mapped(outline, [](Vec2 v) { return Vec2{std::round(v.x * 64) / 64, std::round(v.y * 64) / 64}; });
}
Outline shape(Random& random) {
  Outline result;
  do {
    const int n = whole(random, 3, 14);
    result = dyadic(random() % 2 ? random_star(random, n, 0.3) : random_convex(random, n, uniform(random, 0.3, 1)));
  } while (!simple(result));
  return result;
}
Outline reflected(const Outline& outline, Vec2 twice_centre) {
  return mapped(outline, [&](Vec2 v) { return twice_centre - v; });
}
Vec2 distance(Random& random) {
  const double angle = uniform(random, 0, 2 * pi), r = uniform(random, 0, 2);
  return {r * std::cos(angle), r * std::sin(angle)};
}
/// The edge that starts at vertex k.
Vec2 edge(const Outline& s, std::size_t k) { return s[(k + 1) % s.size()] - s[k]; }
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
struct Family {
  const char* name;
  Pair (*make)(Random&);
};
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
    {"identical", [](Random& r) -> Pair { const Outline s = shape(r); return {s, s}; }},
    {"shared edge outside", [](Random& r) -> Pair {
       const Outline s = shape(r);
       const std::size_t k = r() % s.size();
       return {s, reflected(s, s[k] + s[(k + 1) % s.size()])};
     }},
    {"vertex on vertex", [](Random& r) -> Pair {
       const Outline s = shape(r), t = shape(r);
       return {s, shifted(t, s[r() % s.size()] - t[r() % t.size()])};
     }},
    {"vertex on edge", [](Random& r) -> Pair {
       const Outline s = shape(r), t = shape(r);
       const std::size_t k = r() % s.size();
       return {s, shifted(t, 0.5 * (s[k] + s[(k + 1) % s.size()]) - t[r() % t.size()])};
     }},
    {"sliding along an own edge", [](Random& r) -> Pair {
       const Outline s = shape(r);
       const std::size_t k = r() % s.size();
       return {s, shifted(s, (whole(r, -64, 64) / 64.) * edge(s, k))};
     }},
    {"parallel slivers", [](Random& r) -> Pair {
       const double width = std::ldexp(1, -whole(r, 1, 40)), tilt = whole(r, -8, 8) / 8.;
       const auto sliver = [&](double x, double y, double length) {
         return mapped(rectangle(x, y, x + length, y + width), [&](Vec2 v) { return Vec2{v.x, v.y + tilt * v.x}; });
       };
       return {sliver(0, 0, 1), sliver(whole(r, -8, 8) / 8., width * whole(r, -4, 4) / 4., whole(r, 1, 8) / 4.)};
     }},
    {"split edges", [](Random& r) -> Pair { const Outline s = shape(r); return {s, split_edges(s)}; }},
    {"pixel steps", [](Random& r) -> Pair { return {skyline(r, false), skyline(r, true)}; }},
};
// clang-format on

/// Every component of `a` above the tolerance has a partner in `b` of the same area. Counted above the tolerance, there
/// are no more than in `b`: a component at the tolerance itself may fall on either side.
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
    for (const Vec2 v : *outline) {
      char number[64];
      std::snprintf(number, sizeof number, "{%.17g, %.17g}, ", v.x, v.y);
      text += number;
    }
    BOOST_TEST_MESSAGE(text);
  }
}

BOOST_AUTO_TEST_SUITE(overlap_families)

BOOST_AUTO_TEST_CASE(fast_agrees_with_exact) {
  const char* wanted = std::getenv("LIBDEM_OVERLAP_PAIRS");
  const int pairs = wanted ? std::atoi(wanted) : 3000;
  Random random(20240611);
  std::vector<int> tried(families.size()), refused(families.size());
  for (int k = 0; k < pairs; ++k) {
    const std::size_t f = std::size_t(k) % families.size();
    Pair pair = families[f].make(random);
    if (random() % 2) {  // rotated form: common vertices stay common, points on edges move by round-off
      const double angle = uniform(random, 0, 2 * pi);
      pair = {turned(pair.i, angle), turned(pair.j, angle)};
    }
    if (random() % 2) pair = {shifted(pair.i, {1000, -700}), shifted(pair.j, {1000, -700})};
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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace dem::geometry::testing
