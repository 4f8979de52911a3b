// Where contact forces act, and what else is applied at a contact: levers, dashpots, tension, couples (DESIGN §4).
#include "contacts/planar/driven_pair.hpp"
#include "support/polygon_cases.hpp"

using namespace dem::test::pena2008;

namespace {

struct Coordinates {
  Pose i, j;
};

/// Coordinate q of 6: x, y, θ of i, then of j.
Coordinates shifted(Coordinates at, int q, double by) {
  Pose& pose = q < 3 ? at.i : at.j;
  if (q % 3 == 0) pose.position.x += by;
  if (q % 3 == 1) pose.position.y += by;
  if (q % 3 == 2) pose.angle += by;
  return at;
}

double elongation(const Case& c, Coordinates from, Coordinates to) {
  DrivenPair pair(c);
  pair.move(from.i, from.j);
  pair.move(to.i, to.j);
  return record_of(pair).elongation;
}

/// The tangential force at a configuration is −k_t ξ ∂ξ/∂q in each coordinate: compared with central differences of ξ.
void check_conjugate(const Case& c, Coordinates before, Coordinates at) {
  DrivenPair pair(c);
  pair.move(before.i, before.j);
  pair.move(at.i, at.j);
  const ContactRecord r = record_of(pair);
  BOOST_REQUIRE(std::abs(r.elongation) > 0.01);
  // Force and torque without the normal force, which acts at the contact point.
  const Vec2 normal = r.normal_force * planar(r.normal), point = planar(r.point);
  const Vec2 force_i = pair.force_on_i() + normal, force_j = pair.force_on_j() - normal;
  const double found[6] = {force_i.x, force_i.y, pair.torque_on_i() + cross(point - at.i.position, normal),
                           force_j.x, force_j.y, pair.torque_on_j() - cross(point - at.j.position, normal)};
  for (int q = 0; q < 6; ++q) {
    const double h = 1e-6;
    const double derivative = (elongation(c, at, shifted(at, q, h)) - elongation(c, at, shifted(at, q, -h))) / (2 * h);
    BOOST_TEST(std::abs(found[q] + k_t * r.elongation * derivative) < 1e-9, "coordinate " << q);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(arms_and_balance_of_every_variant) {
  const double overlap = 0.05, distance = r_i + r_j - overlap, closer = distance / (r_i + r_j);
  for (const auto& [lever, arm_i, arm_j, scale] :
       {std::tuple{Lever::contact_point, r_i - overlap / 2, r_j - overlap / 2, 1.0},
        {Lever::conjugate, r_i, r_j, 1 / closer},
        {Lever::proportional, r_i * closer, r_j * closer, 1.0},
        {Lever::radius, r_i, r_j, 1.0}}) {
    Case c = disc_pair_case();
    c.contact.lever = lever;
    DrivenPair pair(c);
    const Pose j{Turn::by(0.6)(Vec2{distance, 0}), 0};
    pair.move({{0, 0}, 0}, j);
    pair.move({{0, 0}, 0.2}, {j.position, 0.1});  // (G): ξ = −a_i 0.2 − a_j 0.1
    const ContactRecord r = record_of(pair);
    BOOST_TEST(r.elongation == -(0.2 * r_i + 0.1 * r_j), closely);
    const double force = -k_t * r.elongation;
    BOOST_TEST(r.tangential_force == scale * force, closely);  // the component of the force on the centres
    BOOST_TEST(pair.torque_on_i() == -arm_i * force, closely);
    BOOST_TEST(pair.torque_on_j() == -arm_j * force, closely);
    const Vec2 tangent = turned_left((1 / distance) * j.position);
    BOOST_TEST(dot(pair.force_on_j(), tangent) == scale * force, closely);
    BOOST_TEST(dot(pair.force_on_j(), j.position) == overlap * distance, closely);  // k_n = 1 N/m
    BOOST_TEST(norm(pair.force_on_i() + pair.force_on_j()) < 1e-15);
    // Angular momentum: kept by all but `radius`, which makes the couple −δ T out of nothing.
    const double couple = pair.torque_on_i() + pair.torque_on_j() + cross(j.position, pair.force_on_j());
    BOOST_TEST(std::abs(couple - (lever == Lever::radius ? -overlap * force : 0)) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(conjugate_lever_is_the_derivative_of_G) {
  const Vec2 at = Vec2{0.1, 0} + Turn::by(2.1)(Vec2{0.76, 0});
  check_conjugate(disc_pair_case(), {{{0.1, 0}, 0.3}, {at, -0.2}}, {{{0.1, 0}, 0.4}, {at, 0.1}});
  check_conjugate(with_wall(disc_pair_case()), {{{0.2, 0.45}, 0.3}, wall_pose}, {{{0.3, 0.44}, 0.25}, wall_pose});
}

BOOST_AUTO_TEST_CASE(contact_point_is_the_derivative_of_P) {
  for (const auto plane : {geometry::ContactPlane::area_gradient, geometry::ContactPlane::edge_mean}) {
    Case c = driven_pair_case(sliding_pair.i, sliding_pair.j, sliding_pair.start);
    c.contact.plane = plane;
    check_conjugate(c, {{{0, 0}, 0}, {sliding_pair.start, 0.3}},
                    {{{0.02, -0.01}, 0.05}, {sliding_pair.start + Vec2{0.03, -0.1}, 0.5}});
  }
}

BOOST_AUTO_TEST_CASE(tension_is_kept_or_clipped) {
  Case c = disc_pair_case();
  c.material.restitution.reset();
  c.material.normal_damping = 2;
  const double overlap = r_i + r_j - 0.7;
  for (const bool clip : {false, true}) {
    c.contact.clip_tension = clip;
    DrivenPair pair(c);
    const auto force_at = [&](double separating) {
      pair.set_velocities({}, 0, {separating, 0}, 0);
      pair.move({}, {{0.7, 0}, 0});
      BOOST_TEST(pair.force_on_j().x == record_of(pair).normal_force, closely);
      return record_of(pair).normal_force;
    };
    BOOST_TEST(force_at(-1) == overlap + 2, closely);
    BOOST_TEST(force_at(0.02) == overlap - 0.04, closely);
    BOOST_TEST(force_at(1) == (clip ? 0.0 : overlap - 2), closely);
  }
}

BOOST_AUTO_TEST_CASE(tangential_dashpot_sees_the_velocity_of_the_contact_point) {
  Case c = disc_pair_case();
  c.material.restitution.reset();
  c.material.normal_damping = 3;
  c.material.tangential_damping = 0.7;
  c.contact.lever = Lever::contact_point;
  const auto record = [&](bool slides) {
    DrivenPair pair(c);
    pair.set_velocities({0.1, 0.2}, 0.3, {0.1, -0.5}, -0.4);
    pair.move({}, {{0.7, 0}, 0});
    if (slides) pair.move({}, {{0.7, 0.01}, 0});
    return record_of(pair);
  };
  // Contact point at (r_i − δ/2, 0) and −(r_j − δ/2) from j; n = x, t = y.
  const double v_t = (-0.5 - 0.25 * -0.4) - (0.2 + 0.45 * 0.3);
  BOOST_TEST(record(false).tangential_force == -0.7 * v_t, closely);
  c.material.friction = 0;  // at the limit the dashpot rests …
  BOOST_TEST((record(true).regime == Regime::slip && record(true).tangential_force == 0));
  c.contact.damp_while_sliding = true;  // … by default
  BOOST_TEST(record(true).tangential_force > 0.3);
}

BOOST_AUTO_TEST_CASE(rotational_damping_is_a_couple) {
  Case c = disc_pair_case();
  c.material.friction = 0;
  c.material.rotational_damping = 0.25;
  DrivenPair pair(c);
  pair.set_velocities({}, 0.3, {}, -0.9);
  pair.move({}, {{0.7, 0}, 0});
  pair.move({}, {{0.7, 0.001}, 0});
  BOOST_TEST(pair.torque_on_j() == 0.25 * 1.2, closely);
  BOOST_TEST(pair.torque_on_i() == -0.25 * 1.2, closely);
  // It takes the energy c (ω_j − ω_i)² Δt: turn both by their spins for a step of 1 s.
  const ContactWork work = pair.move({{0, 0}, 0.3}, {{0.7, 0.001}, -0.9});
  BOOST_TEST(work.viscous == 0.25 * 1.2 * 1.2, closely);
}
