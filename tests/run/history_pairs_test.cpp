// Laws of displacement history: where the tangential force acts. A pair of spheres turns as one body, with either lever
// (direct-shear reference, §1.1 and T9).
#include "libdem/assembly/assembly.hpp"
#include "libdem/contacts/contact_engine.hpp"
#include "sphere_cases.hpp"

namespace {

constexpr double radius = 3e-3, quarter_turn = 0.5 * pi, turn_overlap = 2e-5;

/// T9: a pair of spheres that touch turns by 90° as one rigid body about an axis (unit) through the first. Nothing
/// slips. Elongation of the spring at the end (m).
double turn_pair(Lever lever, Vec3 axis) {
  Case c = space_case({sphere_at({}, radius), sphere_at({0, 0, 2 * radius - turn_overlap}, radius)});
  c.contact.law = "hooke-history";
  c.contact.lever = lever;
  c.material = {.normal_stiffness = 2000, .tangential_stiffness = 1600, .friction = 1e6, .normal_damping = 0};
  c.time.step = 1;
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
  // Both feel the same couple.
  const double couple = (lever == Lever::radius ? radius : radius - 0.5 * turn_overlap) * records[0].tangential_force;
  for (std::size_t b = 0; b < 2; ++b)
    BOOST_TEST(std::abs(norm(state.bodies.torque[b]) - couple) <= 1e-9 * couple + 1e-20);
  return records[0].elongation;
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
