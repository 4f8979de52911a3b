#include "libdem/simulation_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "libdem/contacts/pair_coefficients.hpp"
#include "libdem/drivers/mass_damping.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/simulation.hpp"
#include "libdem/state/assembly.hpp"
#include "libdem/state/start_check.hpp"

namespace dem {

namespace {

/// γ_n of two bodies with this reduced mass (kg) and normal stiffness (N/m).
double damping_of(const Case& given, double stiffness, double reduced_mass) {
  const Material& m = given.material;
  if (m.normal_damping_rate) {  // of Hertz contacts times their radius, K_n/(2 E*)
    const double factor = m.hertzian() ? stiffness / (0.75 * elastic_pair(given, 0, 0).modulus) : 1;
    return *m.normal_damping_rate * reduced_mass * factor;
  }
  if (!m.restitution) return m.normal_damping.value_or(0);
  if (m.hertzian()) return hertz_damping_of_restitution(*m.restitution) * std::sqrt(stiffness * reduced_mass);
  return damping_of_restitution(*m.restitution, stiffness, reduced_mass);
}

double tangential_damping_of(const Case& given, const PairCoefficients& pair, double normal, ReferenceSprings springs) {
  const Material& m = given.material;
  if (m.stiffness_of_pair() && !m.tangential_damping && !(m.tangential_damping_ratio >= 0)) {
    const laws::LawEntry* law = laws::find(given.contact.law);
    const double ratio = springs.tangential / springs.normal;
    return normal * (law ? law->damping_ratio(ratio) : ratio);
  }
  return pair.tangential_damping(normal);
}

bool moves(const State& state, std::size_t b) { return state.bodies.freedom[b] != 0; }
bool is_moving_grain(const State& state, std::size_t b) { return moves(state, b) && !state.shape_of(b).is_wall(); }

/// Mean over the outline of the squared tangential distance from the foot of the centroid: how far the line of action of a face
/// contact lies from the centroid (m²). Square of side a: a²/12.
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
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (!is_moving_grain(state, b)) continue;
    scale.mean_mass += state.bodies.mass[b];
    scale.mean_diameter += 2 * state.shape_of(b).equivalent_radius();
    ++count;
  }
  if (count == 0) return scale;
  scale.mean_mass /= count;
  scale.mean_diameter /= count;
  const ReferenceSprings springs = mean_springs(given, state);
  const double reduced = scale.mean_mass / 2, k = springs.normal, damping = damping_of(given, k, reduced);
  scale.contact_duration = contact_duration(damping, k, reduced);
  scale.normal_damping = damping;
  scale.tangential_damping = tangential_damping_of(given, PairCoefficients(given, state), damping, springs);
  return scale;
}

Scheme scheme_of(const Case& given) { return {given.time.integrator, given.time.gear_coefficients}; }

AprioriLimit apriori_limit_of(const Case& given, const State& state) {
  const PairCoefficients pair(given, state);
  const Bodies& bodies = state.bodies;
  double smallest_length = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bodies.size(); ++b)
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
  for (std::size_t b = 0; b < bodies.size(); ++b) largest_radius = std::max(largest_radius, state.shape_of(b).bounding_radius());  // of walls: no end
  SmallestLimit smallest(scheme_of(given));
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
      for (const ClusterSphere s : shape.spheres()) c.offset = std::max(c.offset, norm(s.position));  // normals pass through the centres of spheres
    } else if (!shape.polygon().empty()) {
      // A polygon's contacts share its outline: their chords together are no longer than its perimeter P, so that six contacts
      // have the total stiffness k_n P/l_c, and lie where the outline lies.
      const double length = pair.length_radius(b) + smallest_length;
      c.normal_stiffness = c.normal_stiffness * shape.polygon().front().perimeter() / (c.coordination * length);
      // area-potential: a chord w adds k_n (m − 1)(A/l_c²)^(m−2) w²/l_c², at most (m − 1) w/l_c times as much where m ≥ 2. For m < 2 a face
      // is infinitely stiff at first touch: only the measured limit can tell.
      if (given.contact.normal_force == NormalForce::area_potential)
        c.normal_stiffness *= std::max(1.0, (given.contact.potential_exponent - 1) * 2 * shape.bounding_radius() / length);
      c.offset = std::sqrt(mean_square_offset(shape.polygon().front()));
    }
    // Against an immovable partner the damping coefficient is largest: reduced mass = own mass.
    c.normal_damping = damping_of(given, springs.normal, c.mass);
    c.tangential_damping = tangential_damping_of(given, pair, c.normal_damping, springs);
    if (!(bodies.freedom[b] & free_rz)) c.moment = std::numeric_limits<double>::infinity();
    smallest.add(c);
  }
  return smallest.found();
}

double kinetic_energy(const State& state) { return kinetic_energy(state.bodies, state.dt).total(); }

std::string blow_up_message(const Simulation& run) {
  const State& state = run.state();
  const Bodies& bodies = state.bodies;
  const auto strongest = [&] {  // the contact to look at first
    const auto strength = [&](const ContactRecord& c) { return run.contact_engine().has_forces() ? norm(c.force) : c.normal_stiffness * c.overlap; };
    const ContactRecord* worst = nullptr;
    for (const ContactRecord& c : run.contacts())
      if (!worst || !(strength(c) <= strength(*worst))) worst = &c;
    return worst ? fmt::format("; strongest contact: {} with {}, overlap {:.3g} m", body_label(state, worst->key.i), body_label(state, worst->key.j), worst->overlap)
                 : std::string("; no contact at this step");
  };
  const auto advice = [&] {
    const bool servo = run.given().shear_box && run.given().shear_box->plate == PlateLoad::servo;
    const std::string_view gain = servo ? "a shear_box.servo_gain above its limit, " : "";
    if (state.dt > run.apriori_limit().dt)
      return fmt::format(" Likely cause: a time step too large for the stiffest contact, {}or bodies that start too deep in each other.", gain);
    if (run.contacts().empty()) return fmt::format(" Likely cause: {}a velocity, force or gravity of the case that is far too large; the time step is below its limit.", gain);
    return fmt::format(" Likely cause: {}a velocity, force or load of the case far beyond what its contacts can bear, or bodies that start too deep in each other; the time step is below its limit.", gain);
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!moves(state, b)) continue;
    const Vec3 step = bodies.position[1][b];
    const double turn = state.dimension == 2 ? bodies.rotation[1][b].z : norm(bodies.rotation[1][b]), length = norm(step), radius = state.shape_of(b).bounding_radius();
    if (!std::isfinite(length) || !std::isfinite(turn) || !std::isfinite(norm(bodies.position[0][b])))
      return fmt::format("step {} (t = {:.6g} s): the motion of {} is no longer a number{}.{}", state.step, state.time, body_label(state, b), strongest(), advice());
    if (length > radius || std::abs(turn) > std::numbers::pi)
      return fmt::format("step {} (t = {:.6g} s): {} moves by {:.3g} m and turns by {:.3g} rad in one step, more than its own radius ({:.3g} m) or half a turn{}.{}",
                         state.step, state.time, body_label(state, b), length, turn, radius, strongest(), advice());
  }
  if (!run.keeps_ledger()) return {};  // nobody knows where its energy comes from
  const EnergyLedger ledger = run.ledger();
  const double present = ledger.kinetic + ledger.stored(), supplied = ledger.supplied() - ledger.accounted() + present;
  // Energy that no work explains: more present than initial energy and work left, by as much as everything exchanged so far.
  if (present - supplied > 0.5 * (ledger.absolute_work + ledger.initial) && present > 0)
    return fmt::format("step {} (t = {:.6g} s): {:.3g} J of kinetic and stored energy where the ledger leaves {:.3g} J{}.{}", state.step, state.time, present, supplied,
                       strongest(), advice());
  return {};
}

}  // namespace dem
