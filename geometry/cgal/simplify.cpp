// Simplification of outlines by CGAL's polyline simplification (Dyken, Dæhlen, Sevaldrud, J. Geogr. Syst. 11 (2009)
// 273). The vertex whose removal costs least goes first. A vertex stays if its removal would make the outline meet
// itself.
#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_2.h>
#include <CGAL/Polyline_simplification_2/Squared_distance_cost.h>
#include <CGAL/Polyline_simplification_2/Stop_above_cost_threshold.h>
#include <CGAL/Polyline_simplification_2/simplify.h>
#include <fmt/format.h>

#include <cmath>

#include "geometry/outlines.hpp"

namespace dem::geometry {

Outline simplified(const Outline& outline, double tolerance) {
  if (!(tolerance >= 0) || !std::isfinite(tolerance))
    throw GeometryError(fmt::format("the tolerance of a simplification must be at least 0, found {}", tolerance));
  check_simple(outline);
  if (tolerance == 0 || outline.size() == 3) return outline;

  namespace simplification = CGAL::Polyline_simplification_2;
  using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
  CGAL::Polygon_2<Kernel> polygon;
  for (const Vec2 v : outline) polygon.push_back({v.x, v.y});
  // The cost of a vertex is the largest squared distance of the vertices removed there from the edge that replaces
  // them. So it bounds the distance of every vertex of the outline from the result.
  const auto simple = simplification::simplify(polygon, simplification::Squared_distance_cost(),
                                               simplification::Stop_above_cost_threshold(tolerance * tolerance));
  Outline result;
  for (const auto& p : simple) result.push_back({p.x(), p.y()});
  return result;
}

}  // namespace dem::geometry
