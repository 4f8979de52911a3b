#include "libdem/run/simulation_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "libdem/bounds.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/drivers/mass_damping.hpp"
#include "libdem/state/assembly_error.hpp"

namespace dem {
namespace {

bool is_moving_grain(const State& state, std::size_t b) {
  return state.bodies.freedom[b] != 0 && !state.shape_of(b).is_wall();
}

/// Mean square distance (m²) of a face contact's line of action from the centroid; a²/12 for a square of side a.
double mean_square_offset(const geometry::Polygon& polygon) {
  double integral = 0;
  const auto v = polygon.vertices();
  for (std::size_t k = 0; k < v.size(); ++k) {
    const Vec2 a = v[k], edge = v[(k + 1) % v.size()] - a;
    const double length = norm(edge), from = dot(a, edge) / length, to = from + length;
    integral += (to * to * to - from * from * from) / 3;
  }
  return integral / polygon.perimeter();
}

}  // namespace

ReferenceScale reference_scale(const Case& given, const State& state) {
  ReferenceScale scale;
  int count = 0;
  const double density = given.material.density;
  double mass = 0;  // if all had this density: then the mean is this number, without round-off
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (!is_moving_grain(state, b)) continue;
    mass += density * (state.dimension == 2 ? state.shape_of(b).area() : state.shape_of(b).volume());
    scale.mean_mass += state.bodies.mass[b];
    scale.mean_diameter += 2 * state.shape_of(b).equivalent_radius();
    ++count;
  }
  if (count == 0) return scale;
  scale.mean_density = density * (scale.mean_mass / mass);
  scale.mean_mass /= count;
  scale.mean_diameter /= count;
  const ReferenceSprings springs = mean_springs(given, state);
  const double reduced = scale.mean_mass / 2, k = springs.normal;
  const PairTable table(given, state);
  const double damping = table.reference_damping(k, reduced);
  scale.contact_duration = contact_duration(damping, k, reduced);
  scale.normal_damping = damping;
  scale.tangential_damping = table.reference_tangential_damping(damping, springs);
  return scale;
}

Scheme scheme_of(const Case& given) {
  const bool by_velocity = given.contact.elongation == Elongation::velocity;
  return {given.time.integrator, given.time.gear_coefficients,
          by_velocity ? std::optional(given.contact.velocity_source) : std::nullopt};
}

std::optional<TangentialHistory> history_of(const Case& given, std::size_t stage) {
  const Stage* const at = given.stages.empty() ? nullptr : &given.stages[std::min(stage, given.stages.size() - 1)];
  return at && at->history ? at->history : given.contact.law.history();
}

AprioriLimit apriori_limit_of(const Case& given, const State& state, std::optional<VelocitySource> elongation) {
  const PairTable pair(given, state);
  const Bodies& bodies = state.bodies;
  double smallest_length = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bodies.size() && state.dimension == 2; ++b)
    if (pair.length_radius(b) > 0) smallest_length = std::min(smallest_length, pair.length_radius(b));
  std::vector<std::size_t> moving;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (is_moving_grain(state, b)) moving.push_back(b);
  if (moving.empty()) {
    AprioriLimit none;
    none.dt = std::numeric_limits<double>::infinity();
    return none;
  }
  std::iter_swap(moving.begin(), std::ranges::min_element(moving, {}, [&](std::size_t b) { return bodies.mass[b]; }));
  double largest_radius = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    largest_radius = std::max(largest_radius, state.shape_of(b).bounding_radius());  // walls have no end
  Scheme scheme = scheme_of(given);
  scheme.elongation = elongation;
  SmallestLimit smallest(scheme);
  for (const std::size_t b : moving) {
    const Shape& shape = state.shape_of(b);
    StiffestContact c;
    const ReferenceSprings springs = reference_springs(given, shape.bounding_radius(), largest_radius);
    c.normal_stiffness = springs.normal;
    c.tangential_stiffness = springs.tangential;
    c.dimension = state.dimension;
    c.mass_damping = largest_mass_damping(given);
    c.rotational_damping = pair.rotational_damping;
    c.mass = bodies.mass[b];
    c.moment = bodies.moment[b];
    c.lever = shape.bounding_radius();
    if (state.dimension == 3) {
      c.coordination = 12;
      for (const ClusterSphere s : shape.spheres())
        c.offset = std::max(c.offset, norm(s.position));  // normals pass through the centres of spheres
    } else if (!shape.polygon().empty()) {
      // The contacts of a polygon share its outline. Their chords together are no longer than its perimeter P. So six
      // contacts have the total stiffness k_n P/l_c, and lie on the outline.
      const double length = pair.length_radius(b) + smallest_length;
      c.normal_stiffness = c.normal_stiffness * shape.polygon().front().perimeter() / (c.coordination * length);
      // area-potential: a chord w adds k_n (m − 1)(A/l_c²)^(m−2) w²/l_c², for m ≥ 2 at most (m − 1) w/l_c times as
      // much. For m < 2 a face is infinitely stiff at first touch, which only the measured limit covers.
      if (given.contact.normal_force == NormalForce::area_potential)
        c.normal_stiffness *=
            std::max(1.0, (given.contact.potential_exponent - 1) * 2 * shape.bounding_radius() / length);
      c.offset = std::sqrt(mean_square_offset(shape.polygon().front()));
    }
    // Against an immovable partner the damping coefficient is largest: reduced mass = own mass.
    c.normal_damping = pair.reference_damping(springs.normal, c.mass);
    c.tangential_damping = pair.reference_tangential_damping(c.normal_damping, springs);
    if (!(bodies.freedom[b] & free_rz)) c.moment = std::numeric_limits<double>::infinity();
    smallest.add(c);
  }
  return smallest.found();
}

void check_times(const Case& c) {
  const double step = c.time.step;
  for (const ShortInterval& interval : too_short(c.output, c.time, step))
    throw AssemblyError(
        fmt::format("{}: found {:g}, allowed 0 or at least the automatic time.step, {:g}: a shorter one means every "
                    "step all the same",
                    interval.key, interval.length, step));
  for (std::size_t k = 0; k < c.stages.size(); ++k)
    if (const auto end = too_long(c.stages[k], step))
      throw AssemblyError(fmt::format("stage[{}].{}: found {}, allowed {}", k + 1, end->key, end->found, end->allowed));
}

}  // namespace dem
