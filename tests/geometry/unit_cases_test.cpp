// Unit cases U1-U12 of the polygon-dem reference, §10: the same checks for both implementations.
#include "overlap_tools.hpp"

namespace dem::geometry::testing {
namespace {

constexpr double undefined = NAN;

struct Part {
  Outline boundary;
  std::string owners;  ///< of the edges that begin at its vertices
  double area;
  Vec2 centroid;
  double perimeter;
  std::array<double, 5> degrees;  ///< in the order of `planes`
  Vec2 chord_sum;
};
struct UnitCase {
  std::string name;
  Outline i, j;
  Vec2 centroid_i, centroid_j;
  std::vector<Part> parts;
};

constexpr ContactPlane planes[] = {ContactPlane::area_gradient, ContactPlane::edge_mean,
                                   ContactPlane::edge_mean_unsigned, ContactPlane::edge_mean_branch,
                                   ContactPlane::edge_axial};
const Outline unit_square = rectangle(0, 0, 1, 1), flat = rectangle(-3, -1, 3, 0), bar = rectangle(-3, -0.5, 3, 0.5);

// clang-format off
const std::vector<UnitCase> cases{
    {"U1 side sliver", unit_square, rectangle(0.9, 0.6, 1.9, 1.6), {0.5, 0.5}, {1.4, 1.1},
     {{{{0.9, 1}, {0.9, 0.6}, {1, 0.6}, {1, 1}}, "jjii", 0.04, {0.95, 0.8}, 1.0,
       {-75.963756532073521, -18.0, -18.0, -72.0, 90.0}, {0.1, -0.4}}}},
    {"U2 U1 turned by atan(3/4)", {{0, 0}, {0.8, 0.6}, {0.2, 1.4}, {-0.6, 0.8}},
     {{0.36, 1.02}, {1.16, 1.62}, {0.56, 2.42}, {-0.24, 1.82}}, {0.1, 0.7}, {0.46, 1.72},
     {{{{0.12, 1.34}, {0.36, 1.02}, {0.44, 1.08}, {0.2, 1.4}}, "jjii", 0.04, {0.28, 1.21}, 1.0,
       {-39.0938588862295, -35.130102354155979, -40.121938587506413, -35.130102354155979, -53.130102354155979},
       {0.32, -0.26}}}},
    {"U3 blunt corner on flat", flat, {{0.2, -0.1}, {2.2, 0.9}, {-1.8, 0.9}}, {0, -0.5}, {0.2, 17. / 30},
     {{{{0, 0}, {0.2, -0.1}, {0.4, 0}}, "jji", 0.02, {0.2, -1. / 30}, 0.84721359549995794,
       {0, 0, 14.022735369975572, 0, 0}, {0.4, 0}}}},
    {"U4 sharp corner on flat", flat, {{0.2, -0.2}, {0.7, 1.8}, {-0.3, 1.8}}, {0, -0.5}, {0.2, 17. / 15},
     {{{{0.15, 0}, {0.2, -0.2}, {0.25, 0}}, "jji", 0.01, {0.2, -1. / 15}, 0.51231056256176605,
       {0, 0, -28.863920678449549, 0, 0}, {0.1, 0}}}},
    {"U5a face tilt +", unit_square, {{0.987, -0.5}, {2, -0.5}, {2, 1.5}, {0.999, 1.5}}, {0.5, 0.5},
     {3013939. / 2014000, 1003. / 2014},
     {{{{0.996, 1}, {0.99, 0}, {1, 0}, {1, 1}}, "jiii", 0.007, {3487. / 3500, 3. / 7}, 2.0140179998380029,
       {89.656229448128527, 89.203692946232498, 89.203692946232498, 89.203692946232498, 89.826901483961428},
       {-0.006, -1}}}},
    {"U5b face tilt -", unit_square, {{0.999, -0.5}, {2, -0.5}, {2, 1.5}, {0.987, 1.5}}, {0.5, 0.5},
     {3013939. / 2014000, 1011. / 2014},
     {{{{0.99, 1}, {0.996, 0}, {1, 0}, {1, 1}}, "jiii", 0.007, {3487. / 3500, 4. / 7}, 2.0140179998380029,
       {-89.656229448128527, -89.830112365285228, 89.203692946232498, -89.203692946232498, -89.826901483961428},
       {0.006, -1}}}},
    {"U6 crossed bars", bar,
     {{49. / 52, -295. / 104}, {97. / 52, -255. / 104}, {-23. / 52, 321. / 104}, {-71. / 52, 281. / 104}},
     {0, 0}, {0.25, 0.125},
     {{{{-43. / 96, 0.5}, {-1. / 32, -0.5}, {101. / 96, -0.5}, {61. / 96, 0.5}}, "jiji", 13. / 12, {29. / 96, 0},
       4.3333333333333333,
       {undefined, -33.690067525979787, -56.309932474020213, -33.690067525979787, -33.690067525979787}, {0, 0}}}},
    {"U7 spike through a bar", bar, {{0.1, -1}, {1, 2}, {-1, 2}}, {0, 0}, {1. / 30, 1},
     {{{{-0.45, 0.5}, {-1. / 12, -0.5}, {0.25, -0.5}, {0.55, 0.5}}, "jiji", 2. / 3, {23. / 360, 1. / 12},
       3.4424670048024188,
       {0, 0.6147339982976678, -46.153459193671183, 0.6147339982976678, 8.9842547274974012}, {2. / 3, 0}}}},
    {"U8 two components", {{0, 0}, {6, 0}, {6, 3}, {5, 3}, {5, 1}, {1, 1}, {1, 3}, {0, 3}},
     rectangle(0.9, 1.5, 5.1, 2.5), {3, 1.1}, {3, 2},
     {{{{0.9, 2.5}, {0.9, 1.5}, {1, 1.5}, {1, 2.5}}, "jjij", 0.1, {0.95, 2}, 2.2,
       {90, -8.1818181818181818, -8.1818181818181818, -8.1818181818181818, 0}, {0, -1}},
      {{{5, 2.5}, {5, 1.5}, {5.1, 1.5}, {5.1, 2.5}}, "ijjj", 0.1, {5.05, 2}, 2.2,
       {90, -8.1818181818181818, -8.1818181818181818, -8.1818181818181818, 0}, {0, 1}}}},
    {"U9 strict containment", rectangle(0, 0, 4, 4), {{1, 1}, {2, 1}, {1, 3}}, {2, 2}, {4. / 3, 5. / 3},
     {{{{1, 3}, {1, 1}, {2, 1}}, "jjj", 1, {4. / 3, 5. / 3}, 5.2360679774997897,
       {undefined, -82.713016246793437, -28.533101728187636, -61.466898271812364, -71.311315929675152}, {0, 0}}}},
    {"U10 edge to edge touch", unit_square, rectangle(1, 0.25, 2, 1.25), {0.5, 0.5}, {1.5, 0.75}, {}},
    {"U11 general convex", {{0, 0}, {1.25, -0.25}, {2, 0.5}, {1.75, 1.5}, {0.5, 1.75}, {-0.25, 1}},
     {{1.5, 1.25}, {2.5, 0.75}, {3.25, 1.5}, {3, 2.5}, {1.75, 2.25}}, {0.875, 0.75}, {79. / 33, 439. / 264},
     {{{{11. / 7, 43. / 28}, {1.5, 1.25}, {13. / 7, 15. / 14}, {1.75, 1.5}}, "jjii", 3. / 32,
       {985. / 588, 775. / 588}, 1.3176745546135727,
       {-58.392497753751098, -18.102303714659612, -37.94105753394388, -58.333298430347956, -58.90419091959377},
       {2. / 7, -13. / 28}}}},
    {"U12 bar end inside a wider bar", rectangle(0, 0, 2, 1), rectangle(1, 0.25, 3, 0.75), {1, 0.5}, {2, 0.5},
     {{{{1, 0.75}, {1, 0.25}, {2, 0.25}, {2, 0.75}}, "jjij", 0.5, {1.5, 0.5}, 3.0, {90, -60, -60, 60, 90},
       {0, -0.5}}}},
};
// clang-format on

constexpr double tolerance = 1e-12;

void check_near(Vec2 found, Vec2 expected) { BOOST_TEST(norm(found - expected) < tolerance); }

/// The boundary as a set of edges: start vertex and owner, whichever vertex comes first.
void check_boundary(const Overlap& overlap, const OverlapComponent& c, const Part& part) {
  const std::size_t n = part.boundary.size();
  BOOST_TEST_REQUIRE(c.end_vertex - c.first_vertex == n);
  std::size_t offset = 0;
  while (offset < n && norm(overlap.vertices[c.first_vertex + offset] - part.boundary[0]) > tolerance) ++offset;
  BOOST_TEST_REQUIRE(offset < n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t at = c.first_vertex + (offset + k) % n;
    check_near(overlap.vertices[at], part.boundary[k]);
    BOOST_TEST((overlap.owners[at] == (part.owners[k] == 'i' ? Owner::i : Owner::j)));
  }
}

BOOST_AUTO_TEST_CASE(area_centroid_perimeter_owners_and_every_angle) {
  for (const Method& method : methods)
    for (const UnitCase& unit : cases) BOOST_TEST_CONTEXT(unit.name << ", " << method.name) {
        const Overlap overlap = overlap_of(method.function, unit.i, unit.j);
        check_near(centroid_of(unit.i), unit.centroid_i);
        check_near(centroid_of(unit.j), unit.centroid_j);
        BOOST_TEST_REQUIRE(overlap.components.size() == unit.parts.size());
        for (std::size_t k = 0; k < unit.parts.size(); ++k) {
          const OverlapComponent& c = overlap.components[k];
          const Part& part = unit.parts[k];
          BOOST_TEST(std::abs(c.area - part.area) < tolerance);
          check_near(c.centroid, part.centroid);
          BOOST_TEST(std::abs(c.perimeter - part.perimeter) < tolerance);
          check_near(c.gradient, part.chord_sum);
          check_boundary(overlap, c, part);
          const auto check_angle = [&](ContactPlane plane, double degrees) {
            const double found = contact_plane_angle(plane, overlap, c, unit.centroid_j - unit.centroid_i);
            BOOST_TEST_INFO("plane " << int(plane) << ": " << found * 180 / pi << ", expected " << degrees);
            BOOST_TEST(line_difference(found, degrees * pi / 180) < tolerance);
            if (std::isnan(degrees)) BOOST_TEST((contact_normal(plane, overlap, c, {1, 0}) == Vec2{}));
          };
          for (std::size_t p = 0; p < 5; ++p) check_angle(planes[p], part.degrees[p]);
          if (c.crossings <= 2) check_angle(ContactPlane::chord, part.degrees[0]);  // the gradient is the chord
        }
      }
}

// Four crossings: the most distant are (-43/96, 1/2) and (101/96, -1/2) of U6, (-9/20, 1/2) and (1/4, -1/2) of U7.
BOOST_AUTO_TEST_CASE(chord_through_the_most_distant_of_four_crossings) {
  for (const Method& method : methods)
    for (const auto& [number, run] : {std::pair{6u, 144. / 96}, {7u, 0.7}}) {
      const UnitCase& unit = cases[number];
      const Overlap o = overlap_of(method.function, unit.i, unit.j);
      BOOST_TEST_REQUIRE(o.components.size() == 1U);
      BOOST_TEST(o.components[0].crossings == 4);
      const Vec2 branch = unit.centroid_j - unit.centroid_i;
      const double chord = contact_plane_angle(ContactPlane::chord, o, o.components[0], branch);
      BOOST_TEST(line_difference(chord, std::atan2(-1, run)) < tolerance);
    }
}

}  // namespace
}  // namespace dem::geometry::testing
