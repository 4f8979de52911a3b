// Overlap of two polygons by both implementations: properties of every pair, and special positions.
#include "overlap_tools.hpp"

namespace dem::geometry::testing {
namespace {

const Outline square = rectangle(0, 0, 1, 1);

/// Two overlaps have the same scalars, those that do not depend on the frame.
void check_same_measures(const Overlap& a, const Overlap& b, double tolerance) {
  BOOST_TEST_REQUIRE(a.components.size() == b.components.size());
  const auto sorted = [](std::vector<OverlapComponent> list) {
    std::ranges::sort(list, {}, &OverlapComponent::area);
    return list;
  };
  const auto ca = sorted(a.components), cb = sorted(b.components);
  for (std::size_t k = 0; k < ca.size(); ++k) {
    BOOST_TEST(std::abs(ca[k].area - cb[k].area) < tolerance);
    BOOST_TEST(std::abs(ca[k].perimeter - cb[k].perimeter) < tolerance);
    BOOST_TEST(std::abs(norm(ca[k].gradient) - norm(cb[k].gradient)) < tolerance);
    BOOST_TEST(ca[k].crossings == cb[k].crossings);
  }
}

Vec2 total_gradient(const Overlap& o) {
  Vec2 g;
  for (const auto& c : o.components) g += c.gradient;
  return g;
}

BOOST_AUTO_TEST_CASE(turning_mirroring_and_exchanging) {
  const auto total_first_moment = [](const Overlap& o) {
    Vec2 m;
    for (const auto& c : o.components) m += c.area * c.centroid;
    return m;
  };
  std::mt19937_64 random(3);
  int touching = 0;
  for (const Method& method : methods)
    for (int k = 0; k < 100; ++k) {
      const Outline i = random_star(random, 4 + k % 9, 0.3);
      const Outline j = shifted(random_star(random, 4 + k % 7, 0.3), {uniform(random, 0, 1.5), uniform(random, -1, 1)});
      const Overlap plain = overlap_of(method.function, i, j);
      touching += !plain.components.empty();
      const double angle = uniform(random, -3, 3);
      const Turn turn = Turn::by(angle);
      const Vec2 g = total_gradient(plain);

      const Overlap rotated = overlap_of(method.function, turned(i, angle), turned(j, angle));
      check_same_measures(plain, rotated, 1e-12);
      BOOST_TEST(norm(turn(total_first_moment(plain)) - total_first_moment(rotated)) < 1e-13);
      BOOST_TEST(norm(turn(g) - total_gradient(rotated)) < 1e-12);

      const Overlap mirror = overlap_of(method.function, mirrored(i), mirrored(j));
      check_same_measures(plain, mirror, 1e-12);
      // The mirrored boundary runs the other way round.
      BOOST_TEST(norm(Vec2{g.x, -g.y} - total_gradient(mirror)) < 1e-12);

      const Overlap exchanged = overlap_of(method.function, j, i);
      check_same_measures(plain, exchanged, 1e-13);
      BOOST_TEST(norm(g + total_gradient(exchanged)) < 1e-13);
    }
  BOOST_TEST(touching > 120);
}

BOOST_AUTO_TEST_CASE(splitting_edges_changes_nothing) {
  std::mt19937_64 random(4);
  // On a coarse grid the middle of an edge lies on it exactly.
  const auto grid = [](const Outline& o) {
    return mapped(o, [](Vec2 v) { return Vec2{std::round(v.x * 256) / 256, std::round(v.y * 256) / 256}; });
  };
  for (const Method& method : methods)
    for (int k = 0; k < 100; ++k) {
      const Outline i = grid(random_star(random, 4 + k % 5, 0.5));
      const Outline j = shifted(grid(random_star(random, 4 + k % 4, 0.5)), {0.75, 0.5});
      const Overlap plain = overlap_of(method.function, i, j);
      const Overlap split = overlap_of(method.function, split_edges(i), split_edges(j));
      check_same_measures(plain, split, 1e-13);
      BOOST_TEST(plain.vertices.size() == split.vertices.size());
      for (std::size_t c = 0; c < plain.components.size(); ++c)
        for (const ContactPlaneEntry& entry : contact_planes)
          BOOST_TEST(line_difference(contact_plane_angle(entry.plane, plain, plain.components[c], {0.75, 0.5}),
                                     contact_plane_angle(entry.plane, split, split.components[c], {0.75, 0.5})) < 1e-9);
    }
}

BOOST_AUTO_TEST_CASE(overlap_far_from_the_origin) {
  std::mt19937_64 random(5);
  for (int k = 0; k < 200; ++k) {
    const Vec2 offset{1e5, -3e5};
    const Outline i = shifted(random_star(random, 7, 0.4), offset);
    const Outline j = shifted(random_star(random, 6, 0.4), offset + Vec2{uniform(random, 0.8, 1.4), 0.3});
    // The shifted doubles moved back, without round-off: the differences are exact.
    const Overlap near = overlap_of(overlap_fast, shifted(i, -offset), shifted(j, -offset));
    const Overlap far = overlap_of(overlap_fast, i, j);
    check_same_measures(near, far, 1e-14);
    BOOST_TEST(norm(total_gradient(near) - total_gradient(far)) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(touching_without_area_is_no_overlap) {
  const Outline teeth{{-1, -3}, {3, -3}, {3, 3},  {0.5, 3}, {0.5, 1}, {1, 1},  {1, 2},
                      {2, 2},   {2, -2}, {1, -2}, {1, 0},   {0, 0},   {0, -1}, {-1, -1}};
  const std::vector<std::pair<const char*, Outline>> neighbours{
      {"edge on edge", rectangle(1, 0, 2, 1)},
      {"part of an edge", rectangle(1, 0.25, 2, 0.75)},
      {"vertex on vertex", rectangle(1, 1, 2, 2)},
      {"vertex on edge", {{1, 0.5}, {2, 0}, {2, 1}}},
      {"vertex of i on an edge of j", {{0.5, 1.5}, {1.5, 0.5}, {2, 2}}},
      {"apart, boxes overlap", {{0.9, 1.2}, {1.3, 0.8}, {1.3, 1.2}}},
      {"apart", {{5, 5}, {6, 5}, {6, 6}}},
      {"teeth on both sides", teeth}};
  for (const Method& method : methods)
    for (const auto& [name, j] : neighbours) BOOST_TEST_CONTEXT(name << ", " << method.name) {
        BOOST_TEST(overlap_of(method.function, square, j).components.empty());
        BOOST_TEST(overlap_of(method.function, j, square).components.empty());
      }
}

BOOST_AUTO_TEST_CASE(containment_with_and_without_contact) {
  const Outline large = rectangle(0, 0, 4, 4);
  const std::tuple<const char*, Outline, int> rows[] = {{"free", {{1, 1}, {2, 1}, {1, 3}}, 0},
                                                        {"vertex on an edge", {{0, 1}, {1, 1}, {1, 2}}, 0},
                                                        {"vertex on a vertex", {{0, 0}, {1, 1}, {0.5, 2}}, 0},
                                                        {"edge on an edge", {{0, 1}, {1, 1}, {0, 3}}, 2},
                                                        {"all of it", large, 0}};
  for (const auto& [name, inner, crossings] : rows)
    for (const Method& method : methods)
      for (const bool exchange : {false, true}) BOOST_TEST_CONTEXT(name << ", " << method.name) {
          const Overlap o = overlap_of(method.function, exchange ? inner : large, exchange ? large : inner);
          BOOST_TEST_REQUIRE(o.components.size() == 1U);
          BOOST_TEST(std::abs(o.area() - area_properties(inner).area) < 1e-15);
          BOOST_TEST(o.vertices.size() == inner.size());
          BOOST_TEST(o.components[0].crossings == crossings);
          const double g = crossings == 2 ? 1 : 0;  // one edge of length 2 of both; the rest sums to −2 along it
          BOOST_TEST(std::abs(norm(o.components[0].gradient) - g) < 1e-14);
        }
}

BOOST_AUTO_TEST_CASE(parts_that_meet_in_a_vertex_are_separate) {
  // Two unit squares of a checkerboard: an L, and the L turned round the vertex (1, 1).
  const Outline i{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, j{{0, 1}, {1, 1}, {1, 0}, {2, 0}, {2, 2}, {0, 2}};
  const Outline flat = rectangle(0, 0, 4, 2);
  const Outline notched{{1, 1}, {3, 1}, {3, 3}, {2, 2}, {1, 3}};  // its notch reaches the top of `flat` at (2, 2)
  const Outline teeth{{1, -1}, {3, -1}, {3, 1}, {2, 0}, {1, 1}};  // its spike reaches the bottom of `flat` at (2, 0)
  for (const Method& method : methods) BOOST_TEST_CONTEXT(method.name) {
      const Overlap checker = overlap_of(method.function, i, j), notch = overlap_of(method.function, flat, notched),
                    two = overlap_of(method.function, flat, teeth);
      BOOST_TEST_REQUIRE(checker.components.size() == 2U);
      for (const auto& c : checker.components) BOOST_TEST(c.area == 1);
      BOOST_TEST((checker.components[0].centroid == Vec2{0.5, 1.5}));
      BOOST_TEST((checker.components[1].centroid == Vec2{1.5, 0.5}));
      BOOST_TEST_REQUIRE(notch.components.size() == 1U);  // the part below the notch is not cut
      BOOST_TEST(std::abs(notch.area() - 2) < 1e-15);
      BOOST_TEST_REQUIRE(two.components.size() == 2U);
      for (const auto& c : two.components) BOOST_TEST(c.area == 0.5);
    }
}

// A deep cut at machine precision: edges are parallel but for the last digit. Their crossing stays within both of them.
BOOST_AUTO_TEST_CASE(nearly_parallel_edges) {
  const double tilt = 0x1p-50;
  const Outline j{{1, 1 - tilt}, {5, 1 + 3 * tilt}, {5, 2}, {1, 2}};  // its lower edge crosses the top of i at x = 2
  for (const Method& method : methods) {
    const Overlap o = overlap_of(method.function, rectangle(0, 0, 8, 1), j);
    BOOST_TEST_REQUIRE(o.components.size() == 1U);
    BOOST_TEST(std::abs(o.components[0].perimeter - 2) < 1e-12);
    BOOST_TEST(norm(o.components[0].gradient - Vec2{1, 0}) < 1e-12);
    BOOST_TEST(std::abs(o.area() / (0.5 * tilt) - 1) < 1e-12);
  }
}

}  // namespace
}  // namespace dem::geometry::testing
