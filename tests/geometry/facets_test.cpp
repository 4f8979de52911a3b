// Facets of walls: nearest points, and where spheres touch surfaces made of them.
#include "geometry/facets.hpp"

#include "geometry/random.hpp"
#include "prelude.hpp"

using namespace dem::geometry;

namespace {

void add_triangles(std::vector<Facet>& all, Vec3 corner, Vec3 a, Vec3 b) {
  all.push_back(Facet::of_triangle(corner, corner + a, corner + a + b));
  all.push_back(Facet::of_triangle(corner, corner + a + b, corner + b));
}

std::vector<Facet> block(Vec3 low, Vec3 high, bool triangles) {
  std::vector<Facet> all;
  const Vec3 d = high - low;
  const auto face = [&](Vec3 corner, Vec3 a, Vec3 b) {
    if (triangles)
      add_triangles(all, corner, a, b);
    else
      all.push_back(Facet::rectangle(corner, a, b));
  };
  const Vec3 x{d.x, 0, 0}, y{0, d.y, 0}, z{0, 0, d.z};
  face(low, x, y), face(low, y, z), face(low, z, x);
  face(low + z, x, y), face(low + x, y, z), face(low + y, z, x);
  return all;
}

std::vector<FacetSurface::Touch> touches(const FacetSurface& surface, Vec3 x, double radius) {
  std::vector<std::uint32_t> near;
  surface.near(x, radius, near);
  std::vector<FacetSurface::Touch> out;
  surface.touches(x, near, 1e-9 * radius, out);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nearest_points_of_facets) {
  Random random(4);
  const auto within = [&](double a) { return a * (2 * random.uniform() - 1); };
  const auto any = [&](double a) { return Vec3{within(a), within(a), within(a)}; };
  for (int k = 0; k < 300; ++k) {
    const Vec3 corner = any(1), a = any(1), c = any(1), x = any(3);
    const Vec3 b = c - (dot(c, a) / dot(a, a)) * a;
    const Facet rectangle = Facet::rectangle(corner, a, b),
                triangle = Facet::of_triangle(corner, corner + a, corner + c);
    double least_r = 1e300, least_t = 1e300;
    constexpr int n = 200;
    for (int p = 0; p <= n; ++p)
      for (int q = 0; q <= n; ++q) {
        const double s = double(p) / n, t = double(q) / n;
        least_r = std::min(least_r, norm(corner + s * a + t * b - x));
        if (s + t <= 1) least_t = std::min(least_t, norm(corner + s * a + t * c - x));
      }
    const double grid = (norm(a) + norm(b) + norm(c)) / n;
    for (const auto& [facet, least] : {std::pair(rectangle, least_r), std::pair(triangle, least_t)}) {
      const Vec3 on = nearest_point(facet, x).point;
      BOOST_TEST(norm(on - x) <= least * (1 + 1e-12));
      BOOST_TEST(norm(on - x) >= least - grid);
      BOOST_TEST(norm(nearest_point(facet, on).point - on) <= 1e-14);
    }
  }
}

BOOST_AUTO_TEST_CASE(planes_as_facets) {
  const Facet f = Facet::plane({0, 0, 2}, {0, 0, -3});
  const FacetSurface surface({f});
  BOOST_TEST((nearest_point(f, {1e6, -5, 2.5}).point == Vec3{1e6, -5, 2}));
  BOOST_TEST(nearest_point(f, {1, 2, 3}).inside);
  BOOST_TEST((!f.bounded() && !surface.bounded()));
  BOOST_TEST(touches(surface, {4, 4, 2.25}, 0.5).size() == 1u);
  BOOST_TEST(touches(surface, {4, 4, 2.75}, 0.5).empty());
}

/// From outside one contact with a block, whatever it is cut into. Inside a box up to three.
BOOST_AUTO_TEST_CASE(contacts_of_a_block) {
  for (const bool triangles : {false, true}) {
    const FacetSurface surface(block({0, 0, 0}, {1, 1, 1}, triangles));
    const std::pair<Vec3, std::size_t> rows[] = {{{0.5, 0.5, 1.1}, 1},   // on the diagonal of a face
                                                 {{0.5, 0.25, 1.1}, 1},  // on a face
                                                 {{1.1, 0.5, 1.1}, 1},   // edge
                                                 {{1.1, 1.1, 1.1}, 1},   // corner
                                                 {{1.0, 0.5, 1.1}, 1},   // above an edge
                                                 {{0.9, 0.5, 1.1}, 1},   // on the face, its neighbour within reach
                                                 {{0.1, 0.5, 0.5}, 1},   // inside: one wall, two walls, three walls
                                                 {{0.1, 0.5, 0.15}, 2}, {{0.1, 0.12, 0.15}, 3}, {{0.5, 0.5, 0.5}, 0}};
    for (const auto& [x, count] : rows)
      BOOST_TEST(touches(surface, x, 0.2).size() == count, "at " << x.x << ", " << x.y << ", " << x.z);
    const auto corner = touches(surface, {1.1, 1.1, 1.1}, 0.2);
    BOOST_TEST(norm(corner[0].point - Vec3{1, 1, 1}) < 1e-15);
  }
}

/// Rectangles and triangles of the same surface: the same contacts, with a tree over many small ones as well.
BOOST_AUTO_TEST_CASE(same_surface_cut_otherwise) {
  std::vector<Facet> small;
  constexpr int n = 8;
  for (const Facet& f : block({-1, -1, -1}, {1, 1, 1}, false))
    for (int p = 0; p < n; ++p)
      for (int q = 0; q < n; ++q) {
        const Vec3 a = (f.high_1 / n) * f.edge_1, b = (f.high_2 / n) * f.edge_2;
        add_triangles(small, f.origin + (p * f.high_1 / n) * f.edge_1 + (q * f.high_2 / n) * f.edge_2, a, b);
      }
  const FacetSurface cut(small), whole(block({-1, -1, -1}, {1, 1, 1}, false));
  Random random(9);
  const auto within = [&](double a) { return a * (2 * random.uniform() - 1); };
  int several = 0;
  for (int k = 0; k < 5000; ++k) {
    Vec3 x{within(1.3), within(1.3), within(1.3)};
    // Above edges and corners of the small ones.
    if (k % 3 == 0) x = {std::round(n * x.x) / n, std::round(n * x.y) / n, x.z};
    const auto a = touches(cut, x, 0.28), b = touches(whole, x, 0.28);
    BOOST_TEST_REQUIRE(a.size() == b.size());
    several += a.size() > 1;
    for (const auto& t : b)
      BOOST_TEST(std::any_of(a.begin(), a.end(), [&](const auto& o) { return norm(o.point - t.point) < 1e-12; }));
  }
  BOOST_TEST(several > 100);
}
