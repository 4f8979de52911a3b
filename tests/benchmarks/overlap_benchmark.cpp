// Cost of one overlap with area, centroid, gradient and default contact plane; ratio to the exact Boolean operation.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/contact_plane.hpp"
#include "geometry/convex_overlap.hpp"
#include "geometry/overlap.hpp"
#include "geometry/polygon.hpp"
#include "tests/support/random.hpp"

namespace {

using namespace dem;
using namespace dem::geometry;
using dem::test::uniform;

/// A pair may be moved: its placed polygons look into the memory of the outlines.
struct Pair {
  Outline i, j;
  PlacedPolygon placed_i, placed_j;
  Vec2 branch;
};

Outline outline(std::mt19937_64& random, int n, double smallest_radius) {
  Outline result;
  const double start = uniform(random, 0, 2 * std::numbers::pi);
  for (int k = 0; k < n; ++k) {
    const double angle = start + 2 * std::numbers::pi * (k + uniform(random, -0.35, 0.35)) / n;
    const double r = 0.5 * uniform(random, smallest_radius, 1);
    result.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return result;
}

Pair placed(Outline i, Outline j, Vec2 offset) {
  for (Vec2& v : j) v += offset;
  const PlacedPolygon placed_i{i, bounding_box(i), false}, placed_j{j, bounding_box(j), false};
  return {std::move(i), std::move(j), placed_i, placed_j, offset};
}

/// j on a ray from i, at the distance at which the overlap has the wanted share of j's area. With share 0 they are
/// apart.
Pair touching(std::mt19937_64& random, const Outline& i, const Outline& j, double share) {
  const double angle = uniform(random, 0, 2 * std::numbers::pi);
  const Vec2 ray{std::cos(angle), std::sin(angle)};
  const double wanted = share * area_properties(j).area;
  double near = 0, far = 2;
  Overlap overlap;
  for (int k = 0; k < 40; ++k) {
    const double r = 0.5 * (near + far);
    const Pair p = placed(i, j, r * ray);
    overlap_fast(p.placed_i, p.placed_j, overlap);
    (overlap.area() > wanted ? near : far) = r;
  }
  return placed(i, j, (share > 0 ? near : far + 1e-3) * ray);
}

enum class Shape { convex, non_convex };

std::vector<Pair> pairs(Shape shape, double share) {
  std::mt19937_64 random(1);
  const auto make = [&]() -> Outline {
    if (shape == Shape::non_convex) return outline(random, 12 + int(random() % 7), 0.75);
    return outline(random, 5 + int(random() % 8), 1);  // on a circle: convex
  };
  std::vector<Pair> result;
  for (int k = 0; k < 400; ++k) result.push_back(touching(random, make(), make(), share));
  return result;
}

/// The default contact plane of an overlap.
void use(const Pair& p, const Overlap& overlap, const OverlapComponent& c) {
  Vec2 n = contact_normal(ContactPlane::area_gradient, overlap, c, p.branch);
  benchmark::DoNotOptimize(n);
}
void use(const Pair& p, const Overlap& overlap) {
  for (const OverlapComponent& c : overlap.components) use(p, overlap, c);
  benchmark::DoNotOptimize(overlap.components.data());
}

void measure(const Pair& p, OverlapFunction function, Overlap& overlap) {
  function(p.placed_i, p.placed_j, overlap);
  use(p, overlap);
}

/// Convex pairs that remember where they crossed, 64 at a time, as in a step.
void convex_pair_again(benchmark::State& state) {
  constexpr std::size_t batch = 64;
  Overlap overlap;
  std::vector<Pair> list;
  std::vector<RememberedPair> remembered;
  for (Pair& pair : pairs(Shape::convex, 0.01)) {
    const PlacedPolygon i = pair.placed_i, j = pair.placed_j;
    ConvexMemory memory;
    overlap_convex(i, j, memory, WantBoundary::no, overlap);
    if (memory.found != ConvexMemory::Found::crossings) continue;
    remembered.push_back({i.vertices, j.vertices, {}, centre(common_part(i.box, j.box)), memory});
    list.push_back(std::move(pair));
  }
  std::size_t k = 0;
  for (auto _ : state) {
    if (k % batch == 0)
      overlaps_at_crossings(std::span(remembered).subspan(k, std::min(batch, list.size() - k)), WantBoundary::no,
                            overlap);
    use(list[k], overlap, overlap.components[k % batch]);
    k = k + 1 < list.size() ? k + 1 : 0;
  }
}

void run(benchmark::State& state, const std::vector<Pair>& list, OverlapFunction function) {
  Overlap overlap;
  std::size_t k = 0;
  for (auto _ : state) {
    measure(list[k], function, overlap);
    k = k + 1 < list.size() ? k + 1 : 0;
  }
}

void convex_pair(benchmark::State& s) { run(s, pairs(Shape::convex, 0.01), overlap_fast); }
void convex_pair_apart(benchmark::State& s) { run(s, pairs(Shape::convex, 0), overlap_fast); }
void non_convex_pair(benchmark::State& s) { run(s, pairs(Shape::non_convex, 0.01), overlap_fast); }
void non_convex_pair_apart(benchmark::State& s) { run(s, pairs(Shape::non_convex, 0), overlap_fast); }
void convex_pair_exact(benchmark::State& s) { run(s, pairs(Shape::convex, 0.01), overlap_exact); }

/// Both in one loop: counter `boolean_over_fast` is the ratio of their times (at least 60).
void boolean_over_fast(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  const auto list = pairs(Shape::convex, 0.01);
  Overlap overlap;
  Clock::duration fast{}, exact{};
  for (auto _ : state) {
    const auto start = Clock::now();
    for (int repeat = 0; repeat < 50; ++repeat)
      for (const Pair& p : list) measure(p, overlap_fast, overlap);
    const auto middle = Clock::now();
    for (const Pair& p : list) benchmark::DoNotOptimize(boolean_area_exact(p.placed_i, p.placed_j));
    fast += middle - start;
    exact += Clock::now() - middle;
  }
  state.counters["boolean_over_fast"] =
      50 * std::chrono::duration<double>(exact).count() / std::chrono::duration<double>(fast).count();
}

BENCHMARK(convex_pair);
BENCHMARK(convex_pair_apart);
BENCHMARK(non_convex_pair);
BENCHMARK(non_convex_pair_apart);
BENCHMARK(convex_pair_again);
BENCHMARK(convex_pair_exact);
BENCHMARK(boolean_over_fast);

}  // namespace
