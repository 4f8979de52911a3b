#include "libdem/assembly/start_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/broad_phase.hpp"
#include "geometry/overlap.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/bounds.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/state/view.hpp"

namespace dem {
namespace {

std::vector<Vec2> placed(const State& state, std::size_t b, Vec2 shift) {
  std::vector<Vec2> out;
  const Turn turn = Turn::by(state.bodies.rotation[0][b].z);
  const Vec2 at = planar(state.bodies.position[0][b]) + shift;
  for (Vec2 v : state.shape_of(b).polygon().front().vertices()) out.push_back(at + turn(v));
  return out;
}

double depth_of_polygons(const State& state, const geometry::CandidatePair& pair, geometry::Overlap& overlap) {
  const auto vi = placed(state, pair.i, {}), vj = placed(state, pair.j, planar(state.cell.shift(pair.image)));
  const geometry::PlacedPolygon i{vi, geometry::bounding_box(vi), state.shape_of(pair.i).polygon().front().convex()};
  const geometry::PlacedPolygon j{vj, geometry::bounding_box(vj), state.shape_of(pair.j).polygon().front().convex()};
  overlap.clear();
  if (!i.box.overlaps(j.box)) return 0;
  geometry::overlap_fast(i, j, overlap);
  double deepest = 0;
  for (const auto& c : overlap.components)
    deepest = std::max(deepest, c.crossings > 0 ? c.area / std::max(c.gradient_length, 1e-300) : INFINITY);
  return deepest;
}

/// Component spheres of the bodies in space. Body b has first[b] to first[b + 1] − 1.
struct SpheresOfBodies {
  std::vector<PlacedSphere> spheres;
  std::vector<std::size_t> first{0};

  explicit SpheresOfBodies(const State& state) : spheres(placed_spheres(state)) {
    for (std::size_t b = 0; b < state.bodies.size(); ++b)
      first.push_back(first.back() + state.shape_of(b).spheres().size());
  }
  double depth(std::size_t i, std::size_t j, Vec3 shift, bool& coincident) const {
    double deepest = 0;
    for (std::size_t a = first[i]; a < first[i + 1]; ++a)
      for (std::size_t b = first[j]; b < first[j + 1]; ++b) {
        const double reach = spheres[a].radius + spheres[b].radius,
                     distance = norm(spheres[b].centre + shift - spheres[a].centre);
        deepest = std::max(deepest, reach - distance);
        coincident = coincident || centres_coincide(distance, reach);
      }
    return deepest;
  }
  double depth_in_wall(const State& state, std::size_t b, std::size_t wall) const {
    double deepest = 0;
    for (std::size_t a = first[b]; a < first[b + 1]; ++a)
      for (const geometry::Facet& f : state.shape_of(wall).facets()->facets()) {
        const Vec3 x = spheres[a].centre - state.bodies.position[0][wall];
        deepest = std::max(deepest, spheres[a].radius - norm(geometry::nearest_point(f, x).point - x));
      }
    return deepest;
  }
};

Vec2 outward_of(const State& state, std::size_t wall) { return Turn::by(state.bodies.rotation[0][wall].z)(Vec2{1, 0}); }

/// Distance of the body's centre before the wall's line (m).
double centre_before(const State& state, std::size_t b, std::size_t wall) {
  return dot(planar(state.bodies.position[0][b] - state.bodies.position[0][wall]), outward_of(state, wall));
}

/// Depth of the body's deepest point behind the wall's face (m).
double depth_behind(const State& state, std::size_t b, std::size_t wall) {
  const Vec2 outward = outward_of(state, wall);
  const Vec2 at = planar(state.bodies.position[0][b] - state.bodies.position[0][wall]);
  const Shape& shape = state.shape_of(b);
  if (shape.kind() == ShapeKind::disc) return shape.radius() - dot(at, outward);
  const Turn turn = Turn::by(state.bodies.rotation[0][b].z);
  double depth = -INFINITY;
  for (Vec2 v : shape.polygon().front().vertices()) depth = std::max(depth, -dot(at + turn(v), outward));
  return depth;
}

/// Calls visit(StartOverlap) for each pair of bodies that overlap and may exert forces on each other.
template <class Visit>
void for_each_start_overlap(const State& state, const Visit& visit) {
  std::vector<Vec3> positions;
  std::vector<double> radii;
  std::vector<std::uint32_t> ids, walls;
  std::vector<std::uint8_t> freedom;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (state.shape_of(b).is_wall()) {
      walls.push_back(std::uint32_t(b));
      continue;
    }
    ids.push_back(std::uint32_t(b));
    positions.push_back(state.bodies.position[0][b]);
    freedom.push_back(state.bodies.freedom[b]);
    radii.push_back(state.shape_of(b).bounding_radius());
  }
  geometry::NeighbourList list;
  list.build({positions, radii, &state.cell, 0, state.dimension == 2, freedom});
  const SpheresOfBodies solids(state);
  const auto note = [&](double depth, std::size_t i, std::size_t j, bool coincident = false) {
    const double ri = state.shape_of(i).equivalent_radius(), rj = state.shape_of(j).equivalent_radius();
    const double relative = std::min(1.0, depth / (2 * (rj > 0 ? std::min(ri, rj) : ri)));
    if (relative > 0) visit(StartOverlap{relative, i, j, coincident});
  };
  geometry::Overlap overlap;
  for (geometry::CandidatePair pair : list.pairs()) {
    pair.i = ids[pair.i];
    pair.j = ids[pair.j];
    // Particles of one plate are parts of one rigid body and may overlap.
    if (is_boundary(state, pair.i) && state.bodies.group[pair.i] == state.bodies.group[pair.j]) continue;
    const Vec3 branch =
        state.bodies.position[0][pair.j] + state.cell.shift(pair.image) - state.bodies.position[0][pair.i];
    const double reach = state.shape_of(pair.i).bounding_radius() + state.shape_of(pair.j).bounding_radius();
    bool coincident = state.dimension == 2 && centres_coincide(norm(branch), reach);
    double depth = 0;
    if (is_solid(state.shape_of(pair.i).kind())) {
      depth = solids.depth(pair.i, pair.j, state.cell.shift(pair.image), coincident);
    } else if (state.shape_of(pair.i).kind() == ShapeKind::disc) {
      depth = reach - norm(branch);
    } else {
      depth = depth_of_polygons(state, pair, overlap);
      coincident = coincident && std::isinf(depth);
    }
    note(depth, pair.i, pair.j, coincident);
  }
  for (std::uint32_t b : ids)
    for (std::uint32_t wall : walls)
      if (!is_boundary(state, b))
        note(state.shape_of(wall).facets() ? solids.depth_in_wall(state, b, wall) : depth_behind(state, b, wall), b,
             wall);
}

}  // namespace

StartOverlap deepest_start_overlap(const State& state) {
  StartOverlap worst;
  for_each_start_overlap(state, [&](const StartOverlap& pair) {
    if (pair.relative > worst.relative) worst = pair;
  });
  return worst;
}

void check_start(const State& state, double largest, std::string_view remedy) {
  std::vector<StartOverlap> beyond;
  std::size_t coincident = 0;
  StartOverlap first;
  for_each_start_overlap(state, [&](const StartOverlap& pair) {
    if (pair.relative > largest) beyond.push_back(pair);
    if (pair.coincident && coincident++ == 0) first = pair;
  });
  if (coincident > 0)
    throw AssemblyError(
        fmt::format("at the start {} and {} have centres at one point{}: their contact has no direction, so no force "
                    "can part them; move or remove one",
                    body_label(state, first.i), body_label(state, first.j),
                    coincident > 1 ? fmt::format(", and {} pairs in all do", coincident) : ""));
  if (beyond.empty()) return;
  std::stable_sort(beyond.begin(), beyond.end(),
                   [](const StartOverlap& a, const StartOverlap& b) { return a.relative > b.relative; });
  const auto behind = std::ranges::find_if(beyond, [&](const StartOverlap& p) {
    return state.shape_of(p.j).is_half_plane() && centre_before(state, p.i, p.j) < 0;
  });
  if (behind != beyond.end())
    throw AssemblyError(fmt::format(
        "at the start {} is behind {}, its centre by {:.3g} m; expected on the left of the wall's line, looking from "
        "`from` to `to`: move the body, or exchange `from` and `to`",
        body_label(state, behind->i), wall_label(state, behind->j), -centre_before(state, behind->i, behind->j)));
  // As many digits as distinguish the overlap from the limit.
  const std::string allowed = fmt::format("{:g}", largest);
  std::string worst;
  for (int digits = 3; digits <= 17 && (worst.empty() || worst == allowed); ++digits)
    worst = fmt::format("{:.{}g}", beyond[0].relative, digits);
  std::string more;
  if (beyond.size() > 1) more = fmt::format(" and {} pairs exceed it, next ", beyond.size());
  for (std::size_t k = 1; k < std::min<std::size_t>(beyond.size(), 3); ++k)
    more += fmt::format("{}{} and {} ({:.3g})", k > 1 ? ", " : "", body_label(state, beyond[k].i),
                        body_label(state, beyond[k].j), beyond[k].relative);
  throw AssemblyError(
      fmt::format("at the start {} and {} overlap by {} of the smaller diameter; assembly.largest_start_overlap allows "
                  "{}{}: {}, or raise the limit if this is meant",
                  body_label(state, beyond[0].i), body_label(state, beyond[0].j), worst, allowed, more, remedy));
}

void check_sizes(const State& state) {
  const Bodies& bodies = state.bodies;
  const auto is_in = [](double x, double low, double high) { return x >= low && x <= high; };  // false for NaN
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (state.shape_of(b).is_wall()) continue;
    const double radius = state.shape_of(b).bounding_radius(), place = norm(bodies.position[0][b]);
    const auto refuse = [&](const std::string& found, double low, double high) {
      throw AssemblyError(
          fmt::format("{}: found {}, allowed from {:g} to {:g}: check the sizes and the scale that the case gives",
                      body_label(state, b), found, low, high));
    };
    if (!is_in(radius, bounds::smallest_length, 1e3 * bounds::largest_length))
      refuse(fmt::format("a radius of {:g} m", radius), bounds::smallest_length, 1e3 * bounds::largest_length);
    if (!is_in(place, 0, 1e3 * bounds::largest_length))
      refuse(fmt::format("a place {:g} m from the origin", place), 0, 1e3 * bounds::largest_length);
    if (!is_in(bodies.mass[b], 1e-60, 1e60)) refuse(fmt::format("a mass of {:g} kg", bodies.mass[b]), 1e-60, 1e60);
    if (!is_in(bodies.moment[b], 1e-90, 1e90))
      refuse(fmt::format("a moment of inertia of {:g} kg m²", bodies.moment[b]), 1e-90, 1e90);
  }
}

void check_motion(const Case& given, const State& state) {
  const double height = given.driver_options<PlatesSpec>() ? distance_of_plates(state) : 0;
  double smallest = INFINITY;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (!state.shape_of(b).is_wall()) smallest = std::min(smallest, 2 * state.shape_of(b).equivalent_radius());
  // `most`: change in one step.
  const auto check = [&](const std::string& key, double rate, double most, const char* unit, const std::string& what) {
    if (!(std::abs(rate) * state.dt <= most))
      throw AssemblyError(fmt::format(
          "{0}: found {1:g} {2}, allowed at most {3:.4g} {2}: a step of {4:g} s then {5}; use a smaller time.step", key,
          rate, unit, most / state.dt, state.dt, what));
  };
  const auto check_speed = [&](const std::string& key, double speed) {
    check(key, speed, smallest, "m/s", fmt::format("passes the diameter of the smallest body, {:g} m", smallest));
  };
  for (std::size_t k = 0; k < given.assembly.bodies.size(); ++k) {
    const BodySpec& body = given.assembly.bodies[k];
    const std::string path = fmt::format("body[{}].", k + 1);
    check_speed(path + "velocity", norm(body.velocity));
    check(path + (given.dimension == 2 ? "spin" : "angular_velocity"),
          given.dimension == 2 ? std::abs(body.spin) : norm(body.angular_velocity), std::numbers::pi, "rad/s",
          "is half a turn");
  }
  for (std::size_t k = 0; k < given.assembly.walls.size(); ++k)
    check_speed(fmt::format("wall[{}].velocity", k + 1), norm(given.assembly.walls[k].velocity));
  for (std::size_t k = 0; k < given.stages.size(); ++k) {
    const Stage& stage = given.stages[k];
    const std::string path = fmt::format("stage[{}].", k + 1);
    for (const WallVelocity& wall : stage.wall_velocities) check_speed(path + "wall_velocities", norm(wall.velocity));
    check_speed(path + "shear_velocity", std::abs(stage.shear_velocity));
    if (stage.normal != PlateNormal::hold_height) check_speed(path + "plate_speed", stage.plate_speed);
    if (height > 0 && stage.shear_rate != 0)
      check_speed(path + "shear_rate", 0.5 * std::abs(stage.shear_rate) * height);
    for (std::size_t c = 0; stage.cell && c < stage.cell->component.size(); ++c)
      check(fmt::format("{}rate_{}", path, cell_component_names[c]), stage.cell->component[c].rate,
            bounds::largest_step_strain, "1/s", fmt::format("strains the cell by {:g}", bounds::largest_step_strain));
  }
}

}  // namespace dem
