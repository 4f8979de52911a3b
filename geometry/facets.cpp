#include "geometry/facets.hpp"

#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cmath>
#include <iterator>
#include <limits>

namespace dem::geometry {
namespace {

namespace bg = boost::geometry;
using Point = bg::model::point<double, 3, bg::cs::cartesian>;
using Box = bg::model::box<Point>;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t few = 16;  // up to so many facets a loop is faster than the tree

/// Corners of the box around a bounded facet.
std::pair<Vec3, Vec3> box_of(const Facet& f) {
  const std::array<Vec3, 4> corners = f.corners();
  Vec3 low = corners[0], high = corners[0];
  for (std::size_t k = 1; k < f.sides(); ++k) {
    low = {std::min(low.x, corners[k].x), std::min(low.y, corners[k].y), std::min(low.z, corners[k].z)};
    high = {std::max(high.x, corners[k].x), std::max(high.y, corners[k].y), std::max(high.z, corners[k].z)};
  }
  return {low, high};
}

}  // namespace

struct FacetSurface::Tree {
  bg::index::rtree<std::pair<Box, std::uint32_t>, bg::index::rstar<16>> boxes;
};

Facet Facet::plane(Vec3 point, Vec3 normal) {
  const double length = norm(normal);
  if (!(length > 0) || !is_finite(normal) || !is_finite(point))
    throw GeometryError("a plane needs a point and a normal that is not zero");
  const Vec3 n = (1 / length) * normal, aside = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 along = aside - dot(aside, n) * n, edge = (1 / norm(along)) * along;
  return {false, point, edge, cross(n, edge), n, -infinite, infinite, -infinite, infinite};
}

Facet Facet::rectangle(Vec3 corner, Vec3 edge_1, Vec3 edge_2) {
  const double a = norm(edge_1), b = norm(edge_2);
  if (!(a > 0) || !(b > 0) || !is_finite(edge_1) || !is_finite(edge_2) || !is_finite(corner))
    throw GeometryError("an edge of the rectangle has no length");
  if (!(std::abs(dot(edge_1, edge_2)) <= 1e-9 * a * b))
    throw GeometryError("the edges of the rectangle are not perpendicular");
  const Vec3 u = (1 / a) * edge_1, v = (1 / b) * edge_2;
  return {false, corner, u, v, cross(u, v), 0, a, 0, b};
}

Facet Facet::of_triangle(Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 ab = b - a, ac = c - a, n = cross(ab, ac);
  const double twice_area = norm(n), longest = std::max({dot(ab, ab), dot(ac, ac), dot(c - b, c - b)});
  if (!is_finite(a) || !is_finite(n) || !(twice_area > 1e-12 * longest))
    throw GeometryError("the triangle has no area");
  return {true, a, ab, ac, (1 / twice_area) * n, 0, 0, 0, 0};
}

bool Facet::bounded() const {
  return triangle || (std::isfinite(low_1) && std::isfinite(high_1) && std::isfinite(low_2) && std::isfinite(high_2));
}

std::array<Vec3, 4> Facet::corners() const {
  if (triangle) return {origin, origin + edge_1, origin + edge_2, {}};
  return {origin + low_1 * edge_1 + low_2 * edge_2, origin + high_1 * edge_1 + low_2 * edge_2,
          origin + high_1 * edge_1 + high_2 * edge_2, origin + low_1 * edge_1 + high_2 * edge_2};
}

FacetPoint nearest_on_triangle(const Facet& f, Vec3 x) {
  const Vec3 ab = f.edge_1, ac = f.edge_2, a = f.origin;
  const Vec3 ap = x - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {a, false};
  const Vec3 bp = ap - ab;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {a + ab, false};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, false};
  const Vec3 cp = ap - ac;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {a + ac, false};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, false};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return {a + ab + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (ac - ab), false};
  return {x - dot(ap, f.normal) * f.normal, true};
}

FacetSurface::FacetSurface(std::vector<Facet> facets)
    : low_{infinite, infinite, infinite}, high_{-infinite, -infinite, -infinite} {
  if (facets.empty()) throw GeometryError("a wall without a facet");
  std::vector<std::pair<Box, std::uint32_t>> boxes;
  for (std::size_t k = 0; k < facets.size(); ++k) {
    if (!facets[k].bounded()) {
      unbounded_.push_back(std::uint32_t(k));
      bounded_ = false;
      continue;
    }
    const auto [low, high] = box_of(facets[k]);
    low_ = {std::min(low_.x, low.x), std::min(low_.y, low.y), std::min(low_.z, low.z)};
    high_ = {std::max(high_.x, high.x), std::max(high_.y, high.y), std::max(high_.z, high.z)};
    boxes.emplace_back(Box(Point(low.x, low.y, low.z), Point(high.x, high.y, high.z)), std::uint32_t(k));
  }
  if (boxes.size() > few) tree_ = std::make_shared<const Tree>(Tree{decltype(Tree::boxes)(boxes)});
  facets_ = std::make_shared<const std::vector<Facet>>(std::move(facets));
}

void FacetSurface::near(Vec3 x, double reach, std::vector<std::uint32_t>& out) const {
  out.clear();
  const auto take = [&](std::uint32_t k) {
    const Vec3 d = nearest_point((*facets_)[k], x).point - x;
    if (dot(d, d) < reach * reach) out.push_back(k);
  };
  if (!tree_) {
    for (std::size_t k = 0; k < facets_->size(); ++k) take(std::uint32_t(k));
    return;
  }
  const Box around(Point(x.x - reach, x.y - reach, x.z - reach), Point(x.x + reach, x.y + reach, x.z + reach));
  for (auto at = tree_->boxes.qbegin(bg::index::intersects(around)); at != tree_->boxes.qend(); ++at) take(at->second);
  for (const std::uint32_t k : unbounded_) take(k);
  std::sort(out.begin(), out.end());
}

void FacetSurface::touches(Vec3 x, std::span<const std::uint32_t> among, double tolerance,
                           std::vector<Touch>& out) const {
  out.clear();
  for (const std::uint32_t k : among) {
    const Vec3 point = nearest_point((*facets_)[k], x).point;
    out.push_back({point, norm(point - x), k});
  }
  if (out.size() < 2) return;
  const auto lies_on = [&](const Touch& t, std::uint32_t facet) {
    const Vec3 apart = nearest_point((*facets_)[facet], t.point).point - t.point;
    return dot(apart, apart) <= tolerance * tolerance;
  };
  const auto hidden = [&](const Touch& t) {
    return std::any_of(out.begin(), out.end(), [&](const Touch& other) {
      if (other.facet == t.facet || other.distance > t.distance || !lies_on(t, other.facet)) return false;
      // Just beside a flat seam both distances may round to the same number. Of two points that lie on both facets
      // the one of the lower number stays.
      return other.distance < t.distance || other.facet < t.facet || !lies_on(other, t.facet);
    });
  };
  thread_local std::vector<Touch> kept;
  kept.clear();
  std::copy_if(out.begin(), out.end(), std::back_inserter(kept), [&](const Touch& t) { return !hidden(t); });
  out.assign(kept.begin(), kept.end());
}

}  // namespace dem::geometry
