#include "libdem/assembly/lost_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "libdem/state/groups.hpp"

namespace dem {
namespace {

constexpr double many = 10;  // diameters
// Tests of a body with a facet. Above this number the box of a wall stands for its facets.
constexpr double most_tests = 3e7;
constexpr std::size_t most_named = 3;
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Box {
  Vec3 low{infinite, infinite, infinite}, high{-infinite, -infinite, -infinite};
  bool empty() const { return !(low.x <= high.x); }
  void add(Vec3 a, Vec3 b) {
    low = {std::min(low.x, a.x), std::min(low.y, a.y), std::min(low.z, a.z)};
    high = {std::max(high.x, b.x), std::max(high.y, b.y), std::max(high.z, b.z)};
  }
  /// Largest dot(x, d) of a point x of the box.
  double largest_along(Vec3 d) const {
    return std::max(low.x * d.x, high.x * d.x) + std::max(low.y * d.y, high.y * d.y) +
           std::max(low.z * d.z, high.z * d.z);
  }
  /// Distance of x from the box (m); 0 inside.
  double distance(Vec3 x) const {
    return std::max({low.x - x.x, x.x - high.x, low.y - x.y, x.y - high.y, low.z - x.z, x.z - high.z, 0.0});
  }
};

/// Everything that can stop a body, in its present place.
class Stops {
 public:
  Stops(const State& state, std::size_t bodies) : state_(state) {
    for (std::size_t a = 0; a < 3; ++a) {  // the periodic directions, made perpendicular to each other
      if (!state.cell.periodic[a]) continue;
      const Vec3 v = without_periodic(state.cell.vectors[a]);
      if (norm(v) > 0) periodic_.push_back((1 / norm(v)) * v);
    }
    std::size_t facets = 0;
    for (std::size_t b = 0; b < state.bodies.size(); ++b) {
      const Shape& shape = state.shape_of(b);
      const Vec3 x = state.bodies.position[0][b];
      if (shape.is_half_plane())
        half_planes_.push_back(b);
      else if (const geometry::FacetSurface* surface = shape.facets()) {
        walls_.push_back(b);
        facets += surface->facets().size();
        if (surface->low().x <= surface->high().x) walls_box_.add(surface->low() + x, surface->high() + x);
      } else if (!(state.bodies.freedom[b] & (free_x | free_y | free_z))) {
        held_.push_back(b);
        const double r = shape.bounding_radius();
        box_.add(x - Vec3{r, r, r}, x + Vec3{r, r, r});
      }
    }
    if (!walls_box_.empty()) box_.add(walls_box_.low, walls_box_.high);
    each_facet_ = double(facets + held_.size()) * double(bodies) <= most_tests;
  }

  bool any() const { return !half_planes_.empty() || !walls_.empty() || !held_.empty(); }
  const Box& box() const { return box_; }              ///< of bounded walls and held bodies
  const Box& walls_box() const { return walls_box_; }  ///< of bounded walls
  bool only_walls_with_ends() const {
    return half_planes_.empty() &&
           std::ranges::all_of(walls_, [&](std::size_t w) { return state_.shape_of(w).facets()->bounded(); });
  }
  Vec3 without_periodic(Vec3 v) const {
    for (const Vec3& axis : periodic_) v = v - dot(v, axis) * axis;
    return v;
  }

  /// True if anything lies ahead of a ball at x that moves along the unit vector d.
  bool ahead(Vec3 x, double radius, Vec3 d, bool only_without_end = false) const {
    for (const std::size_t b : half_planes_)
      if (dot(d, outward(b)) < -1e-9) return true;
    for (const std::size_t b : walls_)
      if (wall_ahead(b, x - state_.bodies.position[0][b], radius, d, only_without_end)) return true;
    if (only_without_end) return false;
    for (const std::size_t b : held_) {
      const Vec3 way = without_periodic(state_.bodies.position[0][b] - x);
      const double along = dot(way, d), reach = radius + state_.shape_of(b).bounding_radius();
      if (along >= 0 && norm(way - along * d) < reach) return true;
    }
    return false;
  }

  /// Distance along d since the last unbounded plane passed (m), infinite without one.
  double behind_planes(Vec3 x, Vec3 d) const {
    double least = infinite;
    for (const std::size_t b : walls_)
      for (const geometry::Facet& f : state_.shape_of(b).facets()->facets())
        if (const double slope = dot(f.normal, d); !f.bounded() && std::abs(slope) > 1e-9)
          if (const double way = dot(f.origin + state_.bodies.position[0][b] - x, f.normal) / slope; way < 0)
            least = std::min(least, -way);
    return least;
  }

 private:
  Vec3 outward(std::size_t b) const {
    const double angle = state_.bodies.rotation[0][b].z;
    return {std::cos(angle), std::sin(angle), 0};
  }

  bool wall_ahead(std::size_t wall, Vec3 x, double radius, Vec3 d, bool only_without_end) const {
    const geometry::FacetSurface& surface = *state_.shape_of(wall).facets();
    if (!each_facet_ && surface.bounded() && !only_without_end) return box_ahead(surface, x, radius, d);
    return std::ranges::any_of(surface.facets(), [&](const geometry::Facet& f) {
      return f.bounded() ? !only_without_end && facet_ahead(f, x, radius, d) : plane_ahead(f, x, d);
    });
  }

  static bool plane_ahead(const geometry::Facet& f, Vec3 x, Vec3 d) {
    const double slope = dot(f.normal, d);
    return std::abs(slope) > 1e-9 && dot(f.origin - x, f.normal) / slope >= 0;
  }

  static bool box_ahead(const geometry::FacetSurface& surface, Vec3 x, double radius, Vec3 d) {
    double enter = 0, leave = infinite;  // section of the line in the box enlarged by the radius
    const std::array low{surface.low().x, surface.low().y, surface.low().z},
        high{surface.high().x, surface.high().y, surface.high().z};
    const std::array at{x.x, x.y, x.z}, along{d.x, d.y, d.z};
    for (std::size_t a = 0; a < 3; ++a) {
      const double from = low[a] - radius - at[a], to = high[a] + radius - at[a];
      if (std::abs(along[a]) < 1e-12) {
        if (from > 0 || to < 0) return false;
        continue;
      }
      enter = std::max(enter, std::min(from / along[a], to / along[a]));
      leave = std::min(leave, std::max(from / along[a], to / along[a]));
    }
    return enter <= leave;
  }

  static bool facet_ahead(const geometry::Facet& f, Vec3 x, double radius, Vec3 d) {
    const std::array<Vec3, 4> corner = f.corners();
    const std::size_t n = f.sides();
    double nearest_way = infinite, farthest_way = -infinite;
    for (std::size_t k = 0; k < n; ++k) {
      const double way = dot(corner[k] - x, d);
      nearest_way = std::min(nearest_way, way);
      farthest_way = std::max(farthest_way, way);
    }
    if (farthest_way < 0) return false;
    const double slope = dot(f.normal, d);
    // A wall along the way can be met only where it begins farther on.
    const bool edge_on = std::abs(slope) < 1e-9;
    if (edge_on && nearest_way < 0) return false;
    if (!edge_on) {
      const double way = dot(f.origin - x, f.normal) / slope;
      const Vec3 hit = x + way * d;
      if (way >= 0 && norm(geometry::nearest_point(f, hit).point - hit) <= 1e-9 * radius) return true;
    }
    for (std::size_t k = 0; k < n; ++k) {  // distance of an edge from the line, both seen along the line
      const Vec3 a = corner[k] - x, edge = corner[(k + 1) % n] - corner[k];
      const Vec3 a_across = a - dot(a, d) * d, across = edge - dot(edge, d) * d;
      const double square = dot(across, across);
      const double t = square > 0 ? std::clamp(-dot(a_across, across) / square, 0.0, 1.0) : 0;
      if (norm(a_across + t * across) < radius && dot(a + t * edge, d) >= 0) return true;
    }
    return false;
  }

  const State& state_;
  std::vector<Vec3> periodic_;
  std::vector<std::size_t> half_planes_, walls_, held_;
  Box box_, walls_box_;
  bool each_facet_ = true;
};

bool may_fly(const State& state, std::size_t b) {
  return (state.bodies.freedom[b] & (free_x | free_y | free_z)) != 0 && !state.shape_of(b).is_wall();
}

/// Acceleration of the body by its load (m/s²), along directions in which it can get away.
Vec3 load_on(const State& state, const Stops& stops, bool has_holder, std::size_t b) {
  Vec3 load = state.gravity;
  if (has_holder) load += (1 / state.bodies.mass[b]) * state.bodies.applied_force_on(b);
  const unsigned freedom = state.bodies.freedom[b];
  return stops.without_periodic(
      {freedom & free_x ? load.x : 0, freedom & free_y ? load.y : 0, freedom & free_z ? load.z : 0});
}

}  // namespace

LostBodies::LostBodies(const State& start) {
  const Bodies& bodies = start.bodies;
  std::vector<std::size_t> movable;
  Box box;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!may_fly(start, b)) continue;
    movable.push_back(b);
    diameter_ = std::max(diameter_, 2 * start.shape_of(b).bounding_radius());
    box.add(bodies.position[0][b], bodies.position[0][b]);
  }
  if (movable.empty()) return;
  low_ = box.low;
  high_ = box.high;
  const Stops stops(start, movable.size());
  has_holder_ = stops.any();
  const Box& walls = stops.walls_box();
  const auto inside = [&](std::size_t b) { return walls.distance(stops.without_periodic(bodies.position[0][b])) == 0; };
  const auto is_room = [&] {
    const Vec3 size = walls.high - walls.low;
    return size.x > 0 && size.y > 0 && (start.dimension == 2 || size.z > 0);
  };
  // Bounded walls enclose nothing in a periodic cell.
  const bool periodic = start.cell.periodic[0] || start.cell.periodic[1] || start.cell.periodic[2];
  encloses_ = !periodic && !walls.empty() && stops.only_walls_with_ends() && is_room() &&
              2 * std::ranges::count_if(movable, inside) >= std::ptrdiff_t(movable.size());
  std::vector<std::uint64_t> on_plane;
  std::size_t over_box = 0;
  for (const std::size_t b : movable) {
    const Vec3 load = load_on(start, stops, has_holder_, b), x = bodies.position[0][b];
    const double radius = start.shape_of(b).bounding_radius(), size = norm(load);
    if (!(size > 0)) {
      if (encloses_ && walls.distance(x) > radius) astray_.push_back(b);
      continue;
    }
    const Vec3 d = (1 / size) * load;
    if (!stops.ahead(x, radius, d)) {
      astray_.push_back(b);
      continue;
    }
    if (walls.empty()) continue;
    // A body is beside the box if the line through the body misses it and only an unbounded plane is ahead.
    const Vec3 middle = 0.5 * (walls.low + walls.high), from_middle = x - middle, half = 0.5 * (walls.high - walls.low);
    const Vec3 across = from_middle - dot(from_middle, d) * d;
    const bool over = std::abs(across.x) <= half.x + radius && std::abs(across.y) <= half.y + radius &&
                      std::abs(across.z) <= half.z + radius;
    if (over)
      ++over_box;
    else if (stops.ahead(x, radius, d, true))
      on_plane.push_back(b);
  }
  if (2 * over_box >= movable.size()) beside_ = std::move(on_plane);
}

std::vector<std::size_t> LostBodies::find(const State& state) const {
  std::vector<std::size_t> lost;
  if (diameter_ == 0) return lost;
  const Bodies& bodies = state.bodies;
  const bool loads = state.gravity != Vec3{} || !bodies.applied_force.empty();
  if (!loads && !encloses_) return lost;
  const Stops stops(state, bodies.size());
  Box box = stops.box();
  if (box.empty()) box.add(low_, high_);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!may_fly(state, b)) continue;
    const Vec3 load = load_on(state, stops, has_holder_, b), x = bodies.position[0][b], v = state.velocity(b);
    const double radius = state.shape_of(b).bounding_radius(), size = norm(load), speed = norm(v);
    const auto none_ahead = [&](Vec3 d) { return !stops.ahead(x, radius, d); };
    if (!(size > 0)) {
      if (encloses_ && speed > 0 && stops.walls_box().distance(x) > many * diameter_ && none_ahead((1 / speed) * v))
        lost.push_back(b);
      continue;
    }
    const Vec3 d = (1 / size) * load;
    const double far = many * diameter_;
    // behind_planes comes second, because it looks at every facet.
    const bool beyond = dot(x, d) - box.largest_along(d) > far && stops.behind_planes(x, d) > far;
    const bool fell = std::ranges::binary_search(astray_, b) && dot(v, d) > std::sqrt(2 * size * diameter_);
    if ((beyond || fell) && none_ahead(d)) lost.push_back(b);
  }
  return lost;
}

void LostBodies::fields(FieldVisitor& f) {
  f("has_holder", has_holder_, Hashed::no);
  f("encloses", encloses_, Hashed::no);
  f.list("astray", astray_, Hashed::no);
  f("diameter", diameter_, Hashed::no);
  f("low", low_, Hashed::no);
  f("high", high_, Hashed::no);
}

std::string first_few(const State& state, const std::vector<std::size_t>& bodies) {
  std::string text;
  for (std::size_t k = 0; k < std::min(bodies.size(), most_named); ++k) {
    const Vec3 x = state.bodies.position[0][bodies[k]];
    const std::string at = state.dimension == 2 ? fmt::format("({:.4g}, {:.4g})", x.x, x.y)
                                                : fmt::format("({:.4g}, {:.4g}, {:.4g})", x.x, x.y, x.z);
    text += fmt::format("{}{} at {} m", k > 0 ? ", " : "", body_label(state, bodies[k]), at);
  }
  if (bodies.size() > most_named) text += fmt::format(" and {} more", bodies.size() - most_named);
  return text;
}

std::vector<std::string> start_warnings(const LostBodies& lost, const State& state) {
  std::vector<std::string> warnings;
  const auto warn = [&](const std::vector<std::uint64_t>& bodies, std::string_view where, std::string_view expected) {
    if (!bodies.empty())
      warnings.push_back(fmt::format(
          "{} {}: {}; {}", bodies.size() == 1 ? "1 body starts" : fmt::format("{} bodies start", bodies.size()), where,
          first_few(state, {bodies.begin(), bodies.end()}), expected));
  };
  warn(lost.astray(), lost.astray().size() == 1 ? "where nothing can stop it" : "where nothing can stop them",
       lost.has_holder() ? "expected a wall, a plate or a held body in the direction of the load; put them into the "
                           "container, or close it"
                         : "they fall, and the case has no wall, plate or held body; give it a floor ([[wall]])");
  warn(lost.beside(), "beside the walls, on a plane without end",
       "expected all bodies where most are, inside or above the walls");
  return warnings;
}

}  // namespace dem
