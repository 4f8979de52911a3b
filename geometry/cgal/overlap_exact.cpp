// Overlap by CGAL's Boolean set operations in exact numbers. Method and code are independent of the fast overlap.
#include <CGAL/Boolean_set_operations_2.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_2.h>
#include <CGAL/Polygon_with_holes_2.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "geometry/overlap.hpp"

namespace dem::geometry {
namespace {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Number = Kernel::FT;
using Point = Kernel::Point_2;
using ExactPolygon = CGAL::Polygon_2<Kernel>;
using PolygonWithHoles = CGAL::Polygon_with_holes_2<Kernel>;

using Rational = Number::Exact_type;

/// Rounds once; sums are taken in rational numbers. The conversion of a lazy number is only accurate to 1e-5.
double rounded(const Rational& number) { return CGAL::to_double(number); }

ExactPolygon exact_polygon(const PlacedPolygon& p) {
  ExactPolygon result;
  for (const Vec2 v : p.vertices) result.push_back(Point(v.x, v.y));
  return result;
}

/// True if the edge from s to t lies along an edge of the polygon. Boxes are compared first, because most edges are
/// elsewhere.
bool lies_on(const PlacedPolygon& polygon, const Point& s, const Point& t) {
  const auto vertices = polygon.vertices;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Point a(vertices[k].x, vertices[k].y),
        b(vertices[(k + 1) % vertices.size()].x, vertices[(k + 1) % vertices.size()].y);
    const CGAL::Bbox_2 box = a.bbox() + b.bbox();
    if (!CGAL::do_overlap(box, s.bbox()) || !CGAL::do_overlap(box, t.bbox())) continue;
    const Kernel::Segment_2 edge(a, b);
    if (edge.has_on(s) && edge.has_on(t)) return true;
  }
  return false;
}

/// CGAL joins parts that meet in a vertex into one boundary that passes the vertex twice. Their interiors are not
/// connected, so each loop between the passes is a component. (The overlap of two simple polygons has no holes, so no
/// part closes a ring through one point.)
std::vector<std::vector<Point>> split_at_repeated_vertices(const ExactPolygon& boundary) {
  std::vector<std::vector<Point>> loops;
  std::vector<Point> path;
  std::map<Point, std::size_t> position;  // in the path
  for (const Point& p : boundary) {
    if (const auto seen = position.find(p); seen != position.end()) {
      const auto start = path.begin() + static_cast<std::ptrdiff_t>(seen->second);
      loops.emplace_back(start, path.end());
      for (auto q = start + 1; q != path.end(); ++q) position.erase(*q);
      path.erase(start + 1, path.end());
    } else {
      position[p] = path.size();
      path.push_back(p);
    }
  }
  loops.push_back(std::move(path));
  return loops;
}

/// Joins edges of one owner that continue each other straight, so that splitting an edge changes nothing.
void merge_straight(std::vector<Point>& points, std::vector<Owner>& owners) {
  for (std::size_t k = 0; k < points.size() && points.size() > 3;) {
    const std::size_t before = k > 0 ? k - 1 : points.size() - 1, next = k + 1 < points.size() ? k + 1 : 0;
    if (owners[before] == owners[k] && CGAL::collinear(points[before], points[k], points[next])) {
      points.erase(points.begin() + static_cast<std::ptrdiff_t>(k));
      owners.erase(owners.begin() + static_cast<std::ptrdiff_t>(k));
    } else {
      ++k;
    }
  }
}

int side(Owner owner) { return owner == Owner::j ? 1 : owner == Owner::i ? -1 : 0; }

void append(const std::vector<Point>& points, const std::vector<Owner>& owners, Overlap& out) {
  const std::size_t n = points.size();
  const Rational x0 = CGAL::exact(points[0].x()), y0 = CGAL::exact(points[0].y());
  Rational twice_area(0), mx(0), my(0), gx(0), gy(0), moment(0);  // about the first vertex
  Rational ax(0), ay(0);
  OverlapComponent c;
  for (std::size_t k = 0; k < n; ++k) {
    const Point& next = points[(k + 1) % n];
    const Rational bx = CGAL::exact(next.x()) - x0, by = CGAL::exact(next.y()) - y0;
    const Rational w = ax * by - ay * bx, dx = bx - ax, dy = by - ay;
    twice_area += w;
    mx += w * (ax + bx);
    my += w * (ay + by);
    if (const int s = side(owners[k]); s != 0) {
      const Rational squares = dx * (ax + bx) + dy * (ay + by);  // |b|² − |a|²
      gx += s * dx;
      gy += s * dy;
      moment += s * squares;
    }
    c.perimeter += std::hypot(rounded(dx), rounded(dy));
    c.crossings += owners[k] != owners[(k + n - 1) % n];
    ax = bx;
    ay = by;
  }
  const Rational cx = mx / (3 * twice_area), cy = my / (3 * twice_area);
  c.area = rounded(twice_area) / 2;
  c.centroid = {rounded(x0 + cx), rounded(y0 + cy)};
  c.gradient = {rounded(gx) / 2, rounded(gy) / 2};
  c.gradient_length = norm(c.gradient);
  c.gradient_moment = rounded(moment - 2 * (cx * gx + cy * gy)) / 4;
  c.first_vertex = static_cast<std::uint32_t>(out.vertices.size());
  for (const Point& p : points) out.vertices.push_back({rounded(CGAL::exact(p.x())), rounded(CGAL::exact(p.y()))});
  out.owners.insert(out.owners.end(), owners.begin(), owners.end());
  c.end_vertex = static_cast<std::uint32_t>(out.vertices.size());
  out.components.push_back(c);
}

std::vector<PolygonWithHoles> intersection(const PlacedPolygon& i, const PlacedPolygon& j) {
  std::vector<PolygonWithHoles> parts;
  CGAL::intersection(exact_polygon(i), exact_polygon(j), std::back_inserter(parts), CGAL::Tag_false());
  return parts;
}

}  // namespace

void overlap_exact(const PlacedPolygon& i, const PlacedPolygon& j, Overlap& out) {
  out.clear();
  if (!i.box.overlaps(j.box)) return;
  for (const PolygonWithHoles& part : intersection(i, j))
    for (std::vector<Point>& points : split_at_repeated_vertices(part.outer_boundary())) {
      std::vector<Owner> owners(points.size());
      for (std::size_t k = 0; k < points.size(); ++k) {
        const Point &s = points[k], &t = points[(k + 1) % points.size()];
        const bool of_i = lies_on(i, s, t), of_j = lies_on(j, s, t);
        owners[k] = of_i && of_j ? Owner::both : of_i ? Owner::i : Owner::j;
      }
      merge_straight(points, owners);
      append(points, owners, out);
    }
  std::sort(out.components.begin(), out.components.end(), [](const OverlapComponent& a, const OverlapComponent& b) {
    return a.centroid.x != b.centroid.x ? a.centroid.x < b.centroid.x : a.centroid.y < b.centroid.y;
  });
}

double boolean_area_exact(const PlacedPolygon& i, const PlacedPolygon& j) {
  Number area(0);
  for (const PolygonWithHoles& part : intersection(i, j)) area += part.outer_boundary().area();
  return rounded(CGAL::exact(area));
}

}  // namespace dem::geometry
