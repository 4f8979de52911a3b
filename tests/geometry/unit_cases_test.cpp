// Unit cases U1-U12 of the polygon-dem reference, §10: the same checks for both implementations.
#include "overlap_tools.hpp"
#include "support/toml_tables.hpp"

namespace dem::geometry::testing {
namespace {

struct Part {
  Outline boundary;
  std::string owners;  ///< of the edges that begin at its vertices
  double area, perimeter;
  Vec2 centroid, chord_sum;
  std::vector<double> degrees;  ///< in the order of `planes`
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

const std::vector<UnitCase> cases = [] {
  std::vector<UnitCase> all;
  for (const test::TomlTable& c : test::TomlTable::of_file("tests/support/tables/overlap-cases.toml").tables("case")) {
    std::vector<Part> parts;
    for (const test::TomlTable& p : c.tables("part"))
      parts.push_back({p.outline("boundary"), p.text("owners"), p.number("area"), p.number("perimeter"),
                       p.point("centroid"), p.point("chord_sum"), p.numbers("degrees")});
    all.push_back(
        {c.text("name"), c.outline("i"), c.outline("j"), c.point("centroid_i"), c.point("centroid_j"), parts});
  }
  return all;
}();

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
