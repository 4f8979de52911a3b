#include "geometry/contact_plane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace dem::geometry {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// A vector sum this small against the perimeter is round-off and has no direction.
constexpr double no_direction = 1e-13;

/// Calls f(edge vector, length) for every edge of the component that has a length.
template <class F>
void for_each_edge(const Overlap& overlap, const OverlapComponent& c, F f) {
  for (std::uint32_t k = c.first_vertex; k < c.end_vertex; ++k) {
    const Vec2 e = overlap.vertices[k + 1 < c.end_vertex ? k + 1 : c.first_vertex] - overlap.vertices[k];
    const double length = norm(e);
    if (length > 0) f(e, length);
  }
}

double line_angle(Vec2 e) { return wrap_line_angle(std::atan2(e.y, e.x)); }

/// sel(α) of the reference, §6: the line or its perpendicular, whichever is nearer to the perpendicular of the branch.
double line_or_perpendicular(double angle, Vec2 branch) {
  if (branch == Vec2{}) return undefined;
  const double off = wrap_line_angle(angle - std::atan2(branch.y, branch.x) - pi / 2);
  return wrap_line_angle(std::abs(off) <= pi / 4 ? angle : angle + pi / 2);
}

/// Length-weighted mean over the edges of angle(edge).
template <class Angle>
double edge_mean(const Overlap& overlap, const OverlapComponent& c, Angle angle) {
  double sum = 0, total = 0;
  for_each_edge(overlap, c, [&](Vec2 e, double length) {
    sum += length * angle(e);
    total += length;
  });
  return sum / total;
}

double edge_axial(const Overlap& overlap, const OverlapComponent& c) {
  double cosine = 0, sine = 0, total = 0;
  for_each_edge(overlap, c, [&](Vec2 e, double length) {
    cosine += (e.x * e.x - e.y * e.y) / length;
    sine += 2 * e.x * e.y / length;
    total += length;
  });
  return std::hypot(cosine, sine) <= no_direction * total ? undefined : 0.5 * std::atan2(sine, cosine);
}

/// The line through the two most distant vertices at which the owner changes. Distances that are equal to round-off
/// occur, for example for the diagonals of the rectangle where two strips cross. Then the line with the larger angle is
/// taken, so that the result does not depend on the last digit.
double chord(const Overlap& overlap, const OverlapComponent& c) {
  const auto changes = [&](std::uint32_t k) {
    return overlap.owners[k] != overlap.owners[k > c.first_vertex ? k - 1 : c.end_vertex - 1];
  };
  constexpr double tie = 1e-12;
  double longest = 0;
  Vec2 best;
  for (std::uint32_t k = c.first_vertex; k < c.end_vertex; ++k) {
    if (!changes(k)) continue;
    for (std::uint32_t m = k + 1; m < c.end_vertex; ++m) {
      if (!changes(m)) continue;
      const Vec2 line = overlap.vertices[m] - overlap.vertices[k];
      const double length2 = dot(line, line);
      if (length2 > longest * (1 + tie) || (length2 >= longest * (1 - tie) && line_angle(line) > line_angle(best))) {
        longest = std::max(longest, length2);
        best = line;
      }
    }
  }
  return longest > 0 ? line_angle(best) : undefined;
}

}  // namespace

const std::array<ContactPlaneEntry, 6> contact_planes{{
    {ContactPlane::area_gradient, "area-gradient",
     "direction of the length-weighted vector mean of the overlap's edges, signed by owner: perpendicular to the "
     "gradient of the overlap area; the default",
     true},
    {ContactPlane::chord, "chord",
     "line through the two most distant crossings of the boundaries; equal distances: the larger angle", true},
    {ContactPlane::edge_mean, "edge-mean",
     "length-weighted mean of the edges' angles in (-90°, 90°], as published (Peña, Lind, Herrmann, Eq. 13, signed "
     "reading)",
     false},
    {ContactPlane::edge_mean_unsigned, "edge-mean-unsigned",
     "length-weighted mean of the edges' acute angles in [0°, 90°] (Eq. 13, literal reading)", false},
    {ContactPlane::edge_mean_branch, "edge-mean-branch",
     "as edge-mean, with the angles measured from the perpendicular of the branch", true},
    {ContactPlane::edge_axial, "edge-axial", "principal direction of the edge tensor, the sum of length times t t",
     true},
}};

double wrap_line_angle(double angle) {
  if (angle > -pi / 2 && angle <= pi / 2) return angle;
  angle -= pi * std::round(angle / pi);
  if (angle <= -pi / 2) angle += pi;
  return angle > pi / 2 ? angle - pi : angle;
}

double contact_plane_angle(ContactPlane plane, const Overlap& overlap, const OverlapComponent& c, Vec2 branch) {
  switch (plane) {
    case ContactPlane::area_gradient:
      return c.gradient_length <= no_direction * c.perimeter ? undefined : line_angle(c.gradient);
    case ContactPlane::chord:
      return chord(overlap, c);
    case ContactPlane::edge_mean:
      return line_or_perpendicular(edge_mean(overlap, c, line_angle), branch);
    case ContactPlane::edge_mean_unsigned:
      return line_or_perpendicular(edge_mean(overlap, c, [](Vec2 e) { return std::abs(line_angle(e)); }), branch);
    case ContactPlane::edge_mean_branch: {
      const double perpendicular = std::atan2(branch.y, branch.x) + pi / 2;
      const double mean =
          edge_mean(overlap, c, [&](Vec2 e) { return wrap_line_angle(std::atan2(e.y, e.x) - perpendicular); });
      return line_or_perpendicular(wrap_line_angle(mean + perpendicular), branch);
    }
    case ContactPlane::edge_axial:
      return line_or_perpendicular(edge_axial(overlap, c), branch);
  }
  return undefined;
}

Vec2 contact_normal(ContactPlane plane, const Overlap& overlap, const OverlapComponent& c, Vec2 branch) {
  if (plane == ContactPlane::area_gradient) {  // without angles: this is the default, in every step
    const double length = c.gradient_length;
    return length <= no_direction * c.perimeter ? Vec2{} : (1 / length) * turned_left(c.gradient);
  }
  const double angle = contact_plane_angle(plane, overlap, c, branch);
  if (std::isnan(angle)) return {};
  const Vec2 n{-std::sin(angle), std::cos(angle)};
  const double decrease = dot(n, turned_left(c.gradient));  // −∇A · n
  const double along = std::abs(decrease) > no_direction * c.perimeter ? decrease : dot(n, branch);
  return along < 0 ? -n : n;
}

}  // namespace dem::geometry
