#include "geometry/polygon.hpp"

#include "overlap_tools.hpp"
#include "refusals.hpp"

namespace dem::geometry::testing {
namespace {

std::string refusal_of(const Outline& outline) {
  return refusal([&] { Polygon p(outline); });
}

BOOST_AUTO_TEST_CASE(area_properties_of_a_rectangle_anywhere) {
  // b h, its centre, b h (b² + h²)/12; the offsets lose nothing because all corners are doubles.
  for (const Vec2 offset : {Vec2{0, 0}, Vec2{1e5, -3e5}, Vec2{-1e9, 1e9}}) {
    const AreaProperties p = area_properties(shifted(rectangle(0, 0, 4, 2), offset));
    BOOST_TEST(p.area == 8);
    BOOST_TEST(norm(p.centroid - (offset + Vec2{2, 1})) == 0);
    BOOST_TEST(std::abs(p.polar_moment - 8. * 20 / 12) < 1e-13);
  }
  BOOST_TEST(area_properties(Outline{{0, 0}, {0, 2}, {4, 2}, {4, 0}}).area == -8);  // clockwise
}

BOOST_AUTO_TEST_CASE(l_shape_by_parts) {
  // Squares of side 1 at (½, ½), (3/2, ½), (½, 3/2): A = 3, C = (5/6, 5/6), J = 3/6 + Σ d².
  const Polygon p(Outline{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}});
  const double d = 1. / 3, e = 2. / 3;
  BOOST_TEST(std::abs(p.area() - 3) < 1e-14);
  BOOST_TEST(norm(p.outline_centroid() - Vec2{5. / 6, 5. / 6}) < 1e-15);
  BOOST_TEST(std::abs(p.polar_moment() - (0.5 + 2 * d * d + 2 * (e * e + d * d))) < 1e-14);
  BOOST_TEST(std::abs(p.perimeter() - 8) < 1e-14);
  BOOST_TEST(std::abs(p.bounding_radius() - std::sqrt(25. + 49) / 6) < 1e-14);
  BOOST_TEST(!p.convex());
}

BOOST_AUTO_TEST_CASE(normalised_to_counter_clockwise_about_the_centroid) {
  const Polygon p(Outline{{10, 10}, {10, 12}, {14, 12}, {14, 10}});
  BOOST_TEST(p.area() == 8);
  BOOST_TEST(area_properties(p.vertices()).area == 8);
  BOOST_TEST(norm(area_properties(p.vertices()).centroid) < 1e-15);
  BOOST_TEST((p.outline_centroid() == Vec2{12, 11}));
  BOOST_TEST(p.convex());
}

BOOST_AUTO_TEST_CASE(convex_with_a_vertex_in_an_edge) {
  BOOST_TEST(Polygon(split_edges(rectangle(0, 0, 1, 1))).convex());
  // A dent of one unit in the last place is a dent.
  BOOST_TEST(!Polygon(Outline{{0, 0}, {1, std::numeric_limits<double>::epsilon()}, {2, 0}, {2, 2}, {0, 2}}).convex());
}

BOOST_AUTO_TEST_CASE(bad_outlines_are_refused_with_the_vertex_named) {
  const std::pair<Outline, const char*> rows[] = {
      {{{0, 0}, {1, 0}}, "the outline has 2 vertices; at least 3 are needed"},
      {{{0, 0}, {1, 0}, {NAN, 1}}, "vertex 3 is (nan, 1); coordinates must be finite"},
      {{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}, "vertex 5 repeats vertex 1 at (0, 0)"},
      {{{0, 0}, {1, 0}, {1, 0}, {0, 1}}, "vertex 3 repeats vertex 2 at (1, 0)"},
      {{{0, 0}, {1, 1}, {2, 2}, {5, 5}}, "the outline has no area: all 4 vertices lie on one line"},
      {{{0, 0}, {2, 2}, {2, 0}, {0, 2}}, "the edge from vertex 1 to 2 crosses the edge from vertex 3 to 4"},
      {{{0, 0}, {4, 0}, {4, 2}, {2, 0}, {0, 2}}, "vertex 4 (2, 0) lies on the edge from vertex 1 to 2"},
      {{{0, 0}, {4, 0}, {2, 0}, {2, 2}}, "the outline folds back on itself at vertex 2 (4, 0)"},
      {{{4, 0}, {2, 0}, {2, 2}, {0, 0}}, "the outline folds back on itself at vertex 1 (4, 0)"},  // over the list's end
      {{{0, 0}, {1, 0}, {0, 1}}, "accepted"}};
  for (const auto& [outline, expected] : rows) BOOST_TEST(refusal_of(outline) == expected);
}

BOOST_AUTO_TEST_CASE(checks_of_outlines_are_exact) {
  // The tip of a spike against the opposite edge: one unit in the last place decides.
  for (const auto& [tip, good] : {std::pair{4.9e-324, true}, {0., false}, {-4.9e-324, false}})
    BOOST_TEST((refusal_of({{0, 0}, {4, 0}, {4, 2}, {2, tip}, {0, 2}}) == "accepted") == good);
}

BOOST_AUTO_TEST_CASE(a_large_outline_is_checked_in_reasonable_time) {
  Outline comb;  // 20 000 vertices; the last edge closes along the base
  for (int k = 0; k < 10000; ++k) comb.insert(comb.end(), {{double(k), 0}, {k + 0.5, 1}});
  comb.insert(comb.end(), {{9999.5, -1}, {0, -1}});
  BOOST_TEST(refusal_of(comb) == "accepted");
  std::swap(comb[10000], comb[10003]);
  BOOST_TEST(refusal_of(comb) != "accepted");
}

}  // namespace
}  // namespace dem::geometry::testing
