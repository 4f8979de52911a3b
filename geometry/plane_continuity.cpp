#include "geometry/plane_continuity.hpp"

#include <algorithm>
#include <cmath>

namespace dem::geometry {
namespace {

/// At the end the orientation is used as given, so that the overlap equals that of the caller.
Turn turn_at(const MovingPolygon& body, double share) {
  const double back = (share - 1) * body.turned;
  return back == 0 ? body.turn : Turn::by(std::atan2(body.turn.s, body.turn.c) + back);
}

void place(const MovingPolygon& body, double share, Vec2 origin, std::vector<Vec2>& out) {
  const Vec2 at = (body.end - origin) - (1 - share) * body.moved;
  const Turn turn = turn_at(body, share);
  out.clear();
  for (const Vec2 v : body.vertices) out.push_back(at + turn(v));
}

}  // namespace

PlaneAngle plane_angle_of(ContactPlane plane) {
  return [plane](const Overlap& overlap, const OverlapComponent& c, Vec2 branch) {
    return contact_plane_angle(plane, overlap, c, branch);
  };
}

void PlaneFollower::reserve(std::size_t vertices) {
  placed_i_.reserve(vertices);
  placed_j_.reserve(vertices);
  overlap_.components.reserve(8);
  overlap_.vertices.reserve(2 * vertices);
  overlap_.owners.reserve(2 * vertices);
}

const Overlap& PlaneFollower::overlap_at(const PairMovement& pair, double share) {
  place(pair.i, share, pair.i.end, placed_i_);
  place(pair.j, share, pair.i.end, placed_j_);
  overlap_fast({placed_i_, bounding_box(placed_i_), pair.i.convex}, {placed_j_, bounding_box(placed_j_), pair.j.convex},
               overlap_);
  return overlap_;
}

PlaneSample PlaneFollower::sample(const PairMovement& pair, double share, Vec2 near, const PlaneAngle& angle) {
  overlap_at(pair, share);
  const Vec2 centre_i = (share - 1) * pair.i.moved;
  const Turn turn = turn_at(pair.i, share);
  PlaneSample s;
  s.at = share;
  const OverlapComponent* nearest = nullptr;
  double least = INFINITY;
  for (const OverlapComponent& c : overlap_.components) {
    const Vec2 centroid = turn.back(c.centroid - centre_i), off = centroid - near;
    if (dot(off, off) >= least) continue;
    least = dot(off, off);
    nearest = &c;
    s.centroid = centroid;
  }
  if (!nearest) return s;
  Vec2 branch = (pair.j.end - pair.i.end) - (1 - share) * pair.j.moved - centre_i;
  if (pair.face != Vec2{}) branch = dot(branch, pair.face) * pair.face;
  s.angle = angle(overlap_, *nearest, branch);
  s.area = nearest->area;
  s.chord = norm(nearest->gradient);
  s.perimeter = nearest->perimeter;
  s.crossings = nearest->crossings;
  return s;
}

PlaneTurn PlaneFollower::follow(const PairMovement& pair, Vec2 start, Vec2 end, double least_area,
                                const PlaneAngle& angle) {
  PlaneTurn result;
  PlaneSample& a = result.before;
  PlaneSample& b = result.after;
  a = sample(pair, 0, start, angle);
  b = sample(pair, 1, end, angle);
  const double spin = 0.5 * (pair.i.turned + pair.j.turned);
  const auto turn = [&](const PlaneSample& from, const PlaneSample& to) {
    return std::abs(wrap_line_angle(to.angle - from.angle - spin * (to.at - from.at)));
  };
  /// True if the sample exists, is large enough and has a plane. Otherwise sets the kind of the result.
  const auto usable = [&](const PlaneSample& s) {
    if (!(s.area > least_area))
      result.kind = PlaneTurn::Kind::no_contact;
    else if (std::isnan(s.angle))
      result.kind = PlaneTurn::Kind::undefined;
    else
      return true;
    return false;
  };
  if (!usable(a) || !usable(b)) return result;
  for (int k = 0; k < continuity_bisections; ++k) {
    const PlaneSample m = sample(pair, 0.5 * (a.at + b.at), 0.5 * (a.centroid + b.centroid), angle);
    if (!usable(m)) return result;
    (turn(a, m) >= turn(m, b) ? b : a) = m;
  }
  result.size = turn(a, b);
  if (!(result.size > persistent_turn)) return result;
  result.kind = PlaneTurn::Kind::jump;
  // Bound on the change of the area of one part in the rest of the movement. Its boundary moves no faster than its
  // farthest point.
  const double reach = norm(a.centroid) + a.perimeter;
  const double movement = norm(pair.i.moved - pair.j.moved) +
                          (std::abs(pair.i.turned) + std::abs(pair.j.turned)) * (reach + norm(pair.j.end - pair.i.end));
  const double perimeter = std::max(a.perimeter, b.perimeter),
               round_off = 1e-14 * (reach + norm(pair.j.end - pair.i.end));
  const double explained = perimeter * (movement * (b.at - a.at) + round_off) + 1e-9 * std::max(a.area, b.area);
  result.merged_or_split = std::abs(b.area - a.area) > 2 * explained;
  return result;
}

}  // namespace dem::geometry
