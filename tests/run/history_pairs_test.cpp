// Laws of displacement history: where the tangential force acts. A pair of spheres that turns as one body, and spheres
// that collide, with either lever (direct-shear reference, §1.1 and T9).
#include "libdem/assembly/assembly.hpp"
#include "libdem/contacts/contact_engine.hpp"
#include "sphere_cases.hpp"
#include "support/momenta.hpp"

using namespace dem;
using namespace dem::test;
using tt::tolerance;

namespace {

constexpr double radius = 3e-3, density = 2550, quarter_turn = 0.5 * pi, turn_overlap = 2e-5;

Case pair_case(const char* law, Lever lever) {
  Case c;
  c.dimension = 3;
  c.contact.law = law;
  c.contact.lever = lever;
  c.material.density = density;
  c.material.normal_stiffness = 2000, c.material.tangential_stiffness = 1600;
  return c;
}

/// T9: a pair of spheres that touch turns by 90° as one rigid body about an axis (unit) through the first. Nothing
/// slips. Elongation of the spring at the end (m).
double turn_pair(Lever lever, Vec3 axis) {
  Case c = pair_case("hooke-history", lever);
  c.material.friction = 1e6, c.material.normal_damping = 0;
  c.time.step = 1;
  c.assembly.bodies = {sphere_at({}, radius), sphere_at({0, 0, 2 * radius - turn_overlap}, radius)};
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
    BOOST_TEST_REQUIRE(records.size() == 1u);
  }
  return records[0].elongation;
}

struct Collided {
  double momentum = 0;  ///< |change of the total angular momentum| over that before
  double by_lever = 0;  ///< |∫ δ n × F_t dt| over the same: what the couple of the wrong levers makes
  double energy = 0;    ///< kinetic energy after over before
};
/// Two free spheres meet off-centre, with spins in all directions and without dashpots.
Collided collide(const char* law, Lever lever, double friction) {
  Case c = pair_case(law, lever);
  c.material.friction = friction;
  c.material.restitution = 1;
  const double r = radius, mass = 4 * pi / 3 * r * r * r * density, young = 4e7 / (2 * (1 - 0.22 * 0.22));
  double duration = pi * std::sqrt(0.5 * mass / c.material.normal_stiffness);
  if (c.contact.law == "hertz-history") {
    make_hertzian(c, law);
    c.material.shear_modulus = 4e7 / (2 * 1.22);
    c.material.poisson_ratio = 0.22;
    duration = 2.87 * std::pow(0.25 * mass * mass / (0.5 * r * young * young), 0.2);
  }
  // Off-centre by 0.7 of the sum of the radii; they meet at once.
  const double reach = 2 * r * (1 + 1e-9), off = 0.7 * reach, along = std::sqrt(reach * reach - off * off);
  BodySpec a = sphere_at({-0.5 * along, -0.5 * off, 0}, r), b = sphere_at({0.5 * along, 0.5 * off, 0}, r);
  a.velocity = {0.5, 0, 0}, a.angular_velocity = {40, 60, -80};
  b.velocity = {-0.5, 0, 0}, b.angular_velocity = {30, -20, 50};
  c.assembly.bodies = {a, b};
  // Softer than the limit before the run counts on.
  c.time = {.integrator = Integrator::velocity_verlet, .step = duration / 400, .override_limit = true};
  Simulation run(c);
  // About the origin, which does not matter where the momentum is zero.
  const auto turning = [&] { return angular_momentum(run.state().bodies, run.state().dt); };
  const Vec3 before = turning();
  const double energy = run.ledger().kinetic;
  bool met = false;
  Vec3 couple;
  while (!(met && run.contact_count() == 0)) {
    run.step();
    BOOST_TEST_REQUIRE(run.step_count() < 20 * 400u);  // they part
    if (run.contact_count() == 0) continue;
    met = true;
    const ContactRecord record = run.contacts()[0];
    couple += (c.time.step * record.overlap) * cross(record.normal, record.force);  // the force on i
  }
  const double size = norm(before);
  return {norm(turning() - before) / size, norm(couple) / size, run.ledger().kinetic / energy};
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
    BOOST_TEST(collide(law, Lever::contact_point, 0.5).momentum < 1e-13);
    const Collided r = collide(law, Lever::radius, 0.5);
    BOOST_TEST(r.momentum > 1e-4);
    BOOST_TEST(r.momentum == r.by_lever, tolerance(1e-3));
    BOOST_TEST(r.energy < 1);
    // Without friction the lever means nothing.
    BOOST_TEST(collide(law, Lever::radius, 0).momentum < 1e-13);
  }
}
