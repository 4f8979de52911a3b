// The Voronoi assembly against the definition of a Voronoi diagram, and regular polygons against closed forms.
#include "geometry/tessellation.hpp"

#include "geometry/random.hpp"
#include "overlap_tools.hpp"

using namespace dem::geometry;

namespace {

double total_area(const std::vector<VoronoiCell>& cells) {
  double sum = 0;
  for (const auto& cell : cells) sum += area_properties(cell.outline).area;
  return sum;
}

const VoronoiInput families[] = {
    {16, 18, 1, 0.6, 1, 1},   {16, 18, 1, 0.6, 1, 2}, {3, 1, 1, 0.99, 1, 3},   {5, 2, 1, 0.9, 1, 4},
    {40, 30, 1, 0.999, 1, 5}, {16, 18, 1, 0, 1, 6},   {16, 18, 1, 1e-9, 1, 7}, {7, 9, 1, 0.3, 1, 8},
};

}  // namespace

BOOST_AUTO_TEST_CASE(generator_is_the_same_everywhere) {
  // The standard gives the 10000th output of mt19937_64 with its default seed ([rand.predef]).
  Random random(5489);
  double last = 0;
  for (int k = 0; k < 10000; ++k) last = random.uniform();
  BOOST_TEST(last == double(9981545732273789042u >> 11) * 0x1p-53);
}

BOOST_AUTO_TEST_CASE(cells_tile_the_band) {
  for (const VoronoiInput& in : families) {
    const auto cells = periodic_voronoi(in);
    BOOST_TEST_CONTEXT("seed " << in.seed) {
      BOOST_TEST(cells.size() == std::size_t(in.columns * in.rows));
      BOOST_TEST(std::abs(total_area(cells) / (in.columns * in.rows) - 1) < 1e-13);
      // A tiling: each edge is met once more by the neighbour, backwards, bit by bit, or lies on the edge of the band.
      std::map<std::tuple<double, double, double, double>, int> edges;
      double lower = 0, upper = 0;
      const double width = in.columns, top = in.rows - 1;
      for (std::size_t n = 0; n < cells.size(); ++n) {
        const Outline& o = cells[n].outline;
        BOOST_TEST(cells[n].row == int(n) / in.columns);
        BOOST_TEST(cells[n].column == int(n) % in.columns);
        BOOST_TEST(area_properties(o).area > 0);  // counter-clockwise
        BOOST_TEST(Polygon(o).convex());
        for (std::size_t k = 0; k < o.size(); ++k) {
          const Vec2 a = o[k], b = o[(k + 1) % o.size()];
          const double shift = std::floor((a.x + b.x) / 2 / width) * width;
          if (a.y == -1 && b.y == -1)
            lower += b.x - a.x;
          else if (a.y == top && b.y == top)
            upper += a.x - b.x;
          else
            ++edges[{a.x - shift, a.y, b.x - shift, b.y}];
        }
      }
      BOOST_TEST(lower == width);
      BOOST_TEST(upper == width);
      for (const auto& [edge, count] : edges) {
        const auto [ax, ay, bx, by] = edge;
        BOOST_TEST(count == 1);
        BOOST_TEST(edges.count({bx, by, ax, ay}) == 1u);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(vertices_belong_to_the_nearest_sites) {
  // Sites drawn again as documented: row by row, x before y, uniform within ± disorder/2 about the lattice points.
  for (const VoronoiInput& in : families) {
    Random random(in.seed);
    std::vector<Vec2> sites;
    for (int row = 0; row < in.rows; ++row)
      for (int column = 0; column < in.columns; ++column) {
        const double x = column + 0.5 + in.disorder * (random.uniform() - 0.5);
        sites.push_back({x, row - 0.5 + in.disorder * (random.uniform() - 0.5)});
      }
    const auto cells = periodic_voronoi(in);
    for (std::size_t n = 0; n < cells.size(); ++n)
      for (const Vec2 v : cells[n].outline) {
        double nearest = 1e9;
        for (const Vec2 s : sites)
          nearest = std::min(nearest, std::hypot(std::remainder(v.x - s.x, in.columns), v.y - s.y));
        // Cells are not wrapped: they lie about their site.
        BOOST_TEST(std::abs(norm(v - sites[n]) - nearest) < 1e-9);
      }
  }
}

BOOST_AUTO_TEST_CASE(elongated_voronoi_cells) {
  const auto round = periodic_voronoi({16, 18, 0.5, 0.6, 0.95, 3}),
             long_ones = periodic_voronoi({16, 18, 0.5, 0.6, 0.95, 3, 4});
  BOOST_TEST((voronoi_size({16, 18, 0.5, 0.6, 0.95, 3, 4}) == Vec2{16, 4.5}));
  BOOST_TEST((voronoi_size({16, 18, 0.5}) == Vec2{8, 9}));
  for (std::size_t n = 0; n < round.size(); ++n)
    BOOST_TEST((long_ones[n].outline == testing::mapped(round[n].outline, [](Vec2 v) {
                  return Vec2{2 * v.x, v.y / 2};
                })));
}

BOOST_AUTO_TEST_CASE(square_lattice_without_disorder) {
  for (const auto& cell : periodic_voronoi({4, 3, 0.5, 0, 1, 9})) {
    const double x = 0.5 * cell.column, y = 0.5 * (cell.row - 1);
    BOOST_TEST((cell.outline == Outline{{x, y}, {x + 0.5, y}, {x + 0.5, y + 0.5}, {x, y + 0.5}}));
  }
}

BOOST_AUTO_TEST_CASE(solid_fraction_and_spacing) {
  VoronoiInput in{16, 18, 0.02, 0.6, 0.95, 3};
  const auto cells = periodic_voronoi(in);
  BOOST_TEST(std::abs(total_area(cells) / (16 * 18 * 0.02 * 0.02 * 0.95) - 1) < 1e-13);
  in.solid_fraction = 1;
  const auto full = periodic_voronoi(in);
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const auto centroid = [&](const auto& list) { return area_properties(list[n].outline).centroid; };
    BOOST_TEST(norm(centroid(cells) - centroid(full)) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(regular_polygons) {
  for (int sides : {3, 4, 5, 6, 7, 12, 100})
    for (double elongation : {1.0, 2.0, 0.4}) {
      const Outline o = regular_polygon(sides, 0.7, elongation);
      const AreaProperties p = area_properties(o);
      BOOST_TEST(o.size() == std::size_t(sides));
      BOOST_TEST(std::abs(p.area - 0.7) < 1e-14);
      BOOST_TEST(norm(p.centroid) < 1e-15);
      // Polar moment A R² (2 + cos(2π/n))/6, half of it about each axis. The axes scale by e² and 1/e².
      const double step = 2 * pi / sides, square = 2 * 0.7 / (sides * std::sin(step));
      const double regular = 0.7 * square * (2 + std::cos(step)) / 6, e2 = elongation * elongation;
      BOOST_TEST(std::abs(p.polar_moment / (regular * (e2 + 1 / e2) / 2) - 1) < 1e-13);
      BOOST_TEST(std::abs(o[0].y - o[1].y) < 1e-15);  // stands on its first edge
      BOOST_TEST(o[0].x < o[1].x);
      BOOST_TEST(Polygon(o).convex());
    }
}
