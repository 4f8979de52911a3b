// Laws of displacement history: where the tangential force acts. A pair of spheres that turns as one body, and spheres
// that collide, with either lever (direct-shear reference, §1.1 and T9).
#include <boost/test/unit_test.hpp>

#include "libdem/assembly/assembly.hpp"
#include "libdem/contacts/contact_engine.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using boost::test_tools::tolerance;
using dem::test::sphere_at;

namespace {

constexpr double sphere_radius = 3e-3, sphere_density = 2550;  ///< m, kg/m³

/// Two free spheres meet off-centre, with spins in all directions and without dashpots.
struct Collision {
  Lever lever = Lever::contact_point;
  const char* law = "hooke-history";
  double friction = 0.5;
};
constexpr double collision_steps = 400;  ///< during the contact
struct Collided {
  double momentum = 0;  ///< |change of the total angular momentum| over that before
  double by_lever = 0;  ///< |∫ δ n × F_t dt| over the same: what the couple of the wrong levers makes
  double energy = 0;    ///< kinetic energy after over before
};

/// About the origin, which does not matter where the momentum is zero.
Vec3 angular_momentum_of(const State& s) {
  Vec3 sum;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    sum +=
        s.bodies.mass[b] * cross(s.bodies.position[0][b], s.velocity(b)) + s.bodies.moment[b] * s.angular_velocity(b);
  return sum;
}

constexpr double quarter_turn = 1.5707963267948966, turn_overlap = 2e-5;

/// T9: a pair of spheres that touch turns by 90° as one rigid body about an axis (unit) through the first. Nothing
/// slips. Elongation of the spring at the end (m).
double turn_pair(Lever lever, Vec3 axis) {
  Case c;
  c.dimension = 3;
  c.contact.law = "hooke-history";
  c.contact.lever = lever;
  c.material.density = sphere_density;
  c.material.normal_stiffness = 2000, c.material.tangential_stiffness = 1600;
  c.material.friction = 1e6, c.material.normal_damping = 0;
  c.time.step = 1;
  c.assembly.bodies = {sphere_at({}, sphere_radius),
                       sphere_at({0, 0, 2 * sphere_radius - turn_overlap}, sphere_radius)};
  State state = build_assembly(c);
  const auto contacts = make_contact_engine(c, state);
  const auto evaluate = [&] {
    contacts->find_candidates(state);
    contacts->evaluate(state, {});
  };
  evaluate();
  const Vec3 start = state.bodies.position[0][1], step = (quarter_turn / 50) * axis;
  std::vector<ContactRecord> records;
  for (int k = 1; k <= 50; ++k) {
    state.bodies.position[0][1] = rotated(quaternion_of(k * step), start);
    for (std::size_t b = 0; b < 2; ++b) state.bodies.rotation[0][b] = k * step;
    evaluate();
    contacts->records(state, records);
    if (records.size() != 1) throw std::runtime_error("a pair of spheres that is turned as one body lost its contact");
  }
  return records[0].elongation;
}

Case collision_case(const Collision& given) {
  Case c;
  c.dimension = 3;
  c.contact.law = given.law;
  c.contact.lever = given.lever;
  c.material.density = sphere_density;
  c.material.friction = given.friction;
  c.material.restitution = 1;
  const double r = sphere_radius, mass = 4 * std::numbers::pi / 3 * r * r * r * sphere_density;
  double duration = 0;
  if (c.contact.law == "hertz-history") {
    c.material.shear_modulus = 4e7 / (2 * 1.22);
    c.material.poisson_ratio = 0.22;
    const double young = 4e7 / (2 * (1 - 0.22 * 0.22));
    duration = 2.87 * std::pow(0.25 * mass * mass / (0.5 * r * young * young), 0.2);
  } else {
    c.material.normal_stiffness = 2000;
    c.material.tangential_stiffness = 1600;
    duration = std::numbers::pi * std::sqrt(0.5 * mass / c.material.normal_stiffness);
  }
  // Off-centre by 0.7 of the sum of the radii; they meet at once.
  const double reach = 2 * r * (1 + 1e-9), off = 0.7 * reach, along = std::sqrt(reach * reach - off * off);
  BodySpec a = sphere_at({-0.5 * along, -0.5 * off, 0}, r), b = sphere_at({0.5 * along, 0.5 * off, 0}, r);
  a.velocity = {0.5, 0, 0}, a.angular_velocity = {40, 60, -80};
  b.velocity = {-0.5, 0, 0}, b.angular_velocity = {30, -20, 50};
  c.assembly.bodies = {a, b};
  c.time.integrator = Integrator::velocity_verlet;
  c.time.step = duration / collision_steps;
  c.time.override_limit = true;  // softer than the limit before the run counts on
  return c;
}

Collided collide(const Collision& given) {
  const Case c = collision_case(given);
  Simulation run(c);
  const auto kinetic = [&] { return run.ledger().kinetic; };
  const Vec3 before = angular_momentum_of(run.state());
  const double energy = kinetic();
  Collided out;
  bool met = false;
  Vec3 couple;
  while (!(met && run.contact_count() == 0)) {
    run.step();
    if (double(run.step_count()) > 20 * collision_steps)
      throw std::runtime_error("two spheres that collide do not part");
    if (run.contact_count() > 0) {
      met = true;
      const ContactRecord r = run.contacts()[0];
      couple += (c.time.step * r.overlap) * cross(r.normal, r.force);  // the force on i
    }
  }
  out.momentum = norm(angular_momentum_of(run.state()) - before) / norm(before);
  out.by_lever = norm(couple) / norm(before);
  out.energy = kinetic() / energy;
  return out;
}

}  // namespace

/// Slip is zero, or δ times the chords of the turn, about any axis square to the branch, and zero about the branch.
BOOST_AUTO_TEST_CASE(turning_pair) {
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0.6, -0.8, 0}}) {
    BOOST_TEST(turn_pair(Lever::contact_point, axis) < 1e-16);
    // The rounding of a hundred steps was 1.5e-14.
    BOOST_TEST(turn_pair(Lever::radius, axis) == turn_overlap * 100 * std::sin(quarter_turn / 100), tolerance(1e-13));
  }
  BOOST_TEST(turn_pair(Lever::radius, {0, 0, 1}) < 1e-16);
}

/// The angular momentum changes by the couple that the levers leave over.
BOOST_AUTO_TEST_CASE(collisions) {
  for (const char* law : {"hooke-history", "hertz-history"}) {
    Collision c{.law = law};
    BOOST_TEST(collide(c).momentum < 1e-13);
    c.lever = Lever::radius;
    const Collided r = collide(c);
    BOOST_TEST(r.momentum > 1e-4);
    BOOST_TEST(r.momentum == r.by_lever, tolerance(1e-3));
    BOOST_TEST(r.energy < 1);
    // Without friction the lever means nothing.
    c.friction = 0;
    BOOST_TEST(collide(c).momentum < 1e-13);
  }
}
