#include "validation/pena2008/plane_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/random.hpp"
#include "libdem/contacts/planar/component_matching.hpp"

namespace dem::validation::pena2008 {
namespace {

using namespace geometry;
constexpr double pi = std::numbers::pi;

/// The line through the first two crossings met along the boundary.
double first_chord(const Overlap& overlap, const OverlapComponent& c, Vec2) {
  const Vec2* first = nullptr;
  for (std::uint32_t k = c.first_vertex; k < c.end_vertex; ++k) {
    if (overlap.owners[k] == overlap.owners[k > c.first_vertex ? k - 1 : c.end_vertex - 1]) continue;
    if (!first) {
      first = &overlap.vertices[k];
      continue;
    }
    const Vec2 line = overlap.vertices[k] - *first;
    return wrap_line_angle(std::atan2(line.y, line.x));
  }
  return NAN;
}

/// Principal direction of the edge tensor, without the choice between it and its perpendicular.
double axial(const Overlap& overlap, const OverlapComponent& c, Vec2) {
  double cosine = 0, sine = 0;
  for (std::uint32_t k = c.first_vertex; k < c.end_vertex; ++k) {
    const Vec2 e = overlap.vertices[k + 1 < c.end_vertex ? k + 1 : c.first_vertex] - overlap.vertices[k];
    const double length = norm(e);
    if (length == 0) continue;
    cosine += (e.x * e.x - e.y * e.y) / length;
    sine += 2 * e.x * e.y / length;
  }
  return std::hypot(cosine, sine) <= 1e-13 * c.perimeter ? NAN : 0.5 * std::atan2(sine, cosine);
}

double between(Random& random, double low, double high) { return low + (high - low) * random.uniform(); }

/// Vertices at increasing angles, each off its regular place by up to 0.35 of the angle between two, radii of mean 0.5
/// m.
Outline random_outline(Random& random, bool convex) {
  for (;;) {
    const int n = convex ? 4 + int(5 * random.uniform()) : 6 + int(7 * random.uniform());
    const double spread = convex ? 0.1 : 0.25;
    Outline outline;
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * pi * (k + between(random, -0.35, 0.35)) / n,
                   r = between(random, 0.5 - spread, 0.5 + spread);
      outline.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    const Polygon polygon(outline);
    if (polygon.convex() == convex) return {polygon.vertices().begin(), polygon.vertices().end()};
  }
}

double reach(const Outline& outline) {
  double r = 0;
  for (const Vec2 v : outline) r = std::max(r, norm(v));
  return r;
}

Outline placed(const Outline& outline, Vec2 at, double angle) {
  const Turn turn = Turn::by(angle);
  Outline out;
  for (const Vec2 v : outline) out.push_back(at + turn(v));
  return out;
}

Overlap overlap_of(const Outline& i, const Outline& j, bool convex) {
  Overlap overlap;
  overlap_fast({i, bounding_box(i), convex}, {j, bounding_box(j), convex}, overlap);
  return overlap;
}

/// The distance to the left of the slide at which the bodies just touch at the middle of the path.
double touching_offset(MovingPair pair) {
  const auto meet = [&](double offset) {
    pair.offset = offset;
    return overlap_at(pair, 0.5).area() > 0;
  };
  double apart = reach(pair.i) + reach(pair.j) + 0.2, together = apart;
  while (!meet(together)) apart = together, together -= 0.01;
  for (int k = 0; k < 40; ++k) (meet(0.5 * (apart + together)) ? together : apart) = 0.5 * (apart + together);
  return together;
}

}  // namespace

const std::array<PlaneDefinition, plane_count>& plane_definitions() {
  static const std::array<PlaneDefinition, plane_count> all{{
      {"chord-first", "chord_first", first_chord},
      {"chord", "chord_far", plane_angle_of(ContactPlane::chord)},
      {"edge-mean", "eq13_signed", plane_angle_of(ContactPlane::edge_mean)},
      {"edge-mean-unsigned", "eq13_unsigned", plane_angle_of(ContactPlane::edge_mean_unsigned)},
      {"edge-mean-branch", "edge_mean_branch", plane_angle_of(ContactPlane::edge_mean_branch)},
      {"edge-axial", "edge_axial", plane_angle_of(ContactPlane::edge_axial)},
      {"edge-axial-unselected", "edge_axial, no sel", axial},
      {"area-gradient", "area_gradient", plane_angle_of(ContactPlane::area_gradient)},
  }};
  return all;
}

std::string PathSet::name() const {
  return fmt::format("{}, {}, {:g}-{:g} m", convex ? "convex" : "non-convex", straight ? "straight" : "curved", low,
                     high);
}

Vec2 MovingPair::position(double s) const {
  const double a = (s - 0.5) * length + amplitude[0] * std::sin(2 * pi * s + phase[0]);
  const double b = offset + amplitude[1] * std::sin(2 * pi * s + phase[1]);
  return a * along + b * turned_left(along);
}

double MovingPair::angle(double s) const { return angle_j + s * turn + amplitude[2] * std::sin(2 * pi * s + phase[2]); }

PairMovement MovingPair::movement(double s, double ds) const {
  PairMovement m;
  m.i = {i, convex, {}, Turn::by(angle_i), {}, 0};
  const Vec2 end = position(s + ds);
  m.j = {j, convex, end, Turn::by(angle(s + ds)), end - position(s), angle(s + ds) - angle(s)};
  return m;
}

MovingPair random_pair(const PathSet& set, std::uint64_t number) {
  Random random(set.seed * 1'000'003 + number);
  MovingPair pair;
  pair.convex = set.convex;
  pair.i = random_outline(random, set.convex);
  pair.j = random_outline(random, set.convex);
  pair.angle_i = between(random, 0, 2 * pi);
  pair.angle_j = between(random, 0, 2 * pi);
  const double direction = between(random, 0, 2 * pi);
  pair.along = {std::cos(direction), std::sin(direction)};
  pair.turn = between(random, -0.5, 0.5);
  if (!set.straight) {
    pair.amplitude = {between(random, 0, 0.1), between(random, 0, 0.05), between(random, 0, 0.2)};
    for (double& phase : pair.phase) phase = between(random, 0, 2 * pi);
  }
  pair.offset = touching_offset(pair) - between(random, set.low, set.high);
  return pair;
}

PathWalk walk(const MovingPair& pair, int steps, bool follow) {
  struct Part {
    Vec2 centroid;
    double area;
    std::array<double, plane_count> angle;
  };
  PathWalk result;
  std::vector<Part> before, now;
  std::vector<Vec2> points_before, points_now;
  std::vector<int> match;
  PlaneFollower follower;
  const Outline fixed = placed_i(pair);
  const Turn turn_i = Turn::by(pair.angle_i);
  for (int k = 0; k <= steps; ++k) {
    const double s = double(k) / steps;
    const Overlap overlap = overlap_of(fixed, placed_j(pair, s), pair.convex);
    const Vec2 branch = pair.position(s);
    now.clear();
    for (const OverlapComponent& c : overlap.components) {
      if (!(c.area > least_area)) continue;
      Part& part = now.emplace_back();
      part.centroid = turn_i.back(c.centroid);
      part.area = c.area;
      ++result.states;
      if (c.crossings > 2) ++result.many_crossings;
      for (std::size_t p = 0; p < plane_count; ++p) {
        part.angle[p] = plane_definitions()[p].angle(overlap, c, branch);
        if (std::isnan(part.angle[p])) ++result.planes[p].undefined;
      }
      const double split = std::abs(wrap_line_angle(part.angle[area_gradient] - part.angle[chord_far]));
      if (split > 1e-6) ++result.split;
      if (split > result.largest_split) result.largest_split = split, result.split_at = s;
      if (c.crossings == 2) result.two_crossings_split = std::max(result.two_crossings_split, split);
    }
    if (now.size() > 1) ++result.several;
    if (k > 0 && !before.empty() && !now.empty()) {
      points_before.clear(), points_now.clear();
      for (const Part& part : before) points_before.push_back(part.centroid);
      for (const Part& part : now) points_now.push_back(part.centroid);
      match.assign(now.size(), -1);
      match_components(points_before, points_now, match);
      for (std::size_t m = 0; m < now.size(); ++m) {
        if (match[m] < 0) continue;
        const Part& old = before[std::size_t(match[m])];
        for (std::size_t p = 0; p < plane_count; ++p) {
          const double turn = std::abs(wrap_line_angle(now[m].angle[p] - old.angle[p]));
          if (std::isnan(turn)) continue;
          result.planes[p].largest_turn = std::max(result.planes[p].largest_turn, turn);
          if (!follow || turn <= suspicious_turn) continue;
          const PlaneTurn found = follower.follow(pair.movement(double(k - 1) / steps, 1.0 / steps), old.centroid,
                                                  now[m].centroid, least_area, plane_definitions()[p].angle);
          if (found.kind == PlaneTurn::Kind::jump) result.jumps.push_back({p, k - 1, found});
        }
      }
    }
    before.swap(now);
  }
  return result;
}

std::vector<std::array<double, plane_count>> frame_errors(const MovingPair& pair, int samples, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::array<double, plane_count>> errors;
  for (int k = 0; k < samples; ++k) {
    const double s = (k + 0.5) / samples, beta = between(random, -pi, pi);
    const Turn turn = Turn::by(beta);
    Outline i = placed_i(pair), j = placed_j(pair, s);
    const Overlap plain = overlap_of(i, j, pair.convex);
    for (Vec2& v : i) v = turn(v);
    for (Vec2& v : j) v = turn(v);
    const Overlap turned = overlap_of(i, j, pair.convex);
    if (turned.components.size() != plain.components.size()) continue;  // a part as small as round-off
    const Vec2 branch = pair.position(s);
    for (const OverlapComponent& c : plain.components) {
      if (!(c.area > least_area)) continue;
      const auto same = std::ranges::min_element(
          turned.components, {}, [&](const OverlapComponent& t) { return norm(t.centroid - turn(c.centroid)); });
      std::array<double, plane_count>& error = errors.emplace_back();
      for (std::size_t p = 0; p < plane_count; ++p) {
        const PlaneAngle& angle = plane_definitions()[p].angle;
        error[p] = std::abs(wrap_line_angle(angle(turned, *same, turn(branch)) - angle(plain, c, branch) - beta));
      }
    }
  }
  return errors;
}

Outline placed_i(const MovingPair& pair) { return placed(pair.i, {}, pair.angle_i); }
Outline placed_j(const MovingPair& pair, double s) { return placed(pair.j, pair.position(s), pair.angle(s)); }
Overlap overlap_at(const MovingPair& pair, double s) {
  return overlap_of(placed_i(pair), placed_j(pair, s), pair.convex);
}

}  // namespace dem::validation::pena2008
