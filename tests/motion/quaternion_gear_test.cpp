// Rotation of clusters by Gear and by velocity Verlet, against free and driven rigid bodies.
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "libdem/motion/rigid_rotation.hpp"
#include "motion/steps.hpp"
#include "prelude.hpp"

namespace {

constexpr Vec3 moments{1, 2, 3.5};

// One body in space with the principal moments above, mass 2.
Bodies make_rotor(Scheme scheme, Quaternion q, Vec3 omega, double dt) {
  Bodies b = make_bodies(1, 2.0, 1.0);
  b.freedom[0] = free_in_space;
  b.principal_moments = {moments};
  b.orientation[0] = {q};
  if (scheme == gear)
    for (std::size_t k = 1; k < gear_terms; ++k) b.orientation[k].assign(1, Quaternion{0, 0, 0, 0});
  b.rotation[1][0] = dt * omega;
  return b;
}

void start(Bodies& b, Scheme scheme, double dt, const ForceEvaluation& forces, bool plain = false) {
  forces(b);
  if (scheme == gear && !plain)
    gear_start(b, dt, forces);
  else
    gear_start_plain(b, dt);
}

const ForceEvaluation no_forces = [](Bodies&) {};

double energy(const Bodies& b, double dt) {
  const Vec3 w = rotated_back(b.orientation[0][0], (1 / dt) * b.rotation[1][0]);
  return 0.5 * (moments.x * w.x * w.x + moments.y * w.y * w.y + moments.z * w.z * w.z);
}
Vec3 momentum(const Bodies& b, double dt) {
  return angular_momentum_of(b.orientation[0][0], moments, (1 / dt) * b.rotation[1][0]);
}

struct Drift {  // largest, relative
  double energy = 0, momentum = 0, length = 0;
};

Drift free_flight(Scheme scheme, Vec3 omega, int turns, int steps_per_turn) {
  const double dt = 2 * pi / norm(omega) / steps_per_turn;
  const Quaternion q = quaternion_of({0.4, -0.9, 1.3});
  Bodies b = make_rotor(scheme, q, rotated(q, omega), dt);
  start(b, scheme, dt, no_forces);
  const double e = energy(b, dt);
  const Vec3 l = momentum(b, dt);
  Drift worst;
  for (int s = 0; s < turns * steps_per_turn; ++s) {
    advance(b, scheme, dt, no_forces);
    worst.energy = std::max(worst.energy, std::abs(energy(b, dt) / e - 1));
    worst.momentum = std::max(worst.momentum, norm(momentum(b, dt) - l) / norm(l));
    worst.length = std::max(worst.length, std::abs(dot(b.orientation[0][0], b.orientation[0][0]) - 1));
  }
  return worst;
}

// ω in principal axes of the free body at time t (Landau, Lifshitz, Mechanics, §37), for 2 E I_2 < L² and ω₂(0) = 0.
Vec3 free_omega(double w1, double w3, double t) {
  const double i1 = moments.x, i2 = moments.y, i3 = moments.z;
  const double e2 = i1 * w1 * w1 + i3 * w3 * w3, l2 = i1 * i1 * w1 * w1 + i3 * i3 * w3 * w3;
  const double rate = std::sqrt((i3 - i2) * (l2 - e2 * i1) / (i1 * i2 * i3));
  const double k = std::sqrt((i2 - i1) * (e2 * i3 - l2) / ((i3 - i2) * (l2 - e2 * i1)));
  const double scale2 = std::sqrt((e2 * i3 - l2) / (i2 * (i3 - i2)));
  double cn, dn;
  const double sn = boost::math::jacobi_elliptic(k, rate * t, &cn, &dn);
  return {w1 * cn, scale2 * sn, w3 * dn};
}

}  // namespace

// Near the unstable axis, where the motion tumbles, and off it.
BOOST_AUTO_TEST_CASE(free_body_keeps_energy_and_angular_momentum) {
  for (const Vec3 omega : {Vec3{0.3, 1, 0.2}, Vec3{1, 0.4, 0.5}, Vec3{0.02, 1, 0}}) {
    const Drift coarse = free_flight(gear, omega, 100, 250), middle = free_flight(gear, omega, 100, 500),
                fine = free_flight(gear, omega, 100, 1000);
    BOOST_TEST((fine.energy < 1e-8 && fine.momentum < 1e-8 && fine.length < 1e-14),
               fine.energy << ", " << fine.momentum << ", " << fine.length);
    // The drift of what is conserved falls at least with the scheme's order.
    BOOST_TEST(std::log2(coarse.energy / middle.energy) > 4.8);
    BOOST_TEST(std::log2(coarse.momentum / middle.momentum) > 4.8);
    // The splitting keeps the angular momentum to round-off of 1e5 steps. Its energy error is of order two.
    const Drift split = free_flight(verlet, omega, 100, 1000), half = free_flight(verlet, omega, 100, 500);
    BOOST_TEST((split.momentum < 2e-10 && half.momentum < 2e-10 && split.length < 1e-14),
               split.momentum << ", " << half.momentum << ", " << split.length);
    BOOST_TEST(std::abs(std::log2(half.energy / split.energy) - 2) < 0.1);
  }
}

BOOST_AUTO_TEST_CASE(free_body_follows_the_elliptic_functions) {
  const double w1 = 0.6, w3 = 0.8, time = 20;
  const auto error = [&](Scheme scheme, int steps) {
    const double dt = time / steps;
    Bodies b = make_rotor(scheme, {}, {w1, 0, w3}, dt);
    start(b, scheme, dt, no_forces);
    advance(b, scheme, dt, no_forces, steps);
    return norm(rotated_back(b.orientation[0][0], (1 / dt) * b.rotation[1][0]) - free_omega(w1, w3, time));
  };
  const double a = error(gear, 400), b = error(gear, 800), c = error(gear, 1600);
  BOOST_TEST(std::log2(a / b) > 4.8);
  BOOST_TEST(std::log2(b / c) > 4.8);
  BOOST_TEST(c < 1e-8);
  const double coarse = error(verlet, 1600), fine = error(verlet, 3200);
  BOOST_TEST(std::abs(std::log2(coarse / fine) - 2) < 0.05);
}

// The order of the moments decides on the splitting, not the names of the axes.
BOOST_AUTO_TEST_CASE(verlet_does_not_depend_on_the_names_of_the_axes) {
  const double dt = 0.1;
  const ForceEvaluation forces = [](Bodies& all) { all.torque[0] = 0.3 * all.rotation[0][0] + Vec3{0.1, -0.7, 0.4}; };
  Bodies first = make_rotor(verlet, quaternion_of({0.4, -0.9, 1.3}), {0.6, -1.1, 0.8}, dt);
  Bodies second = first;  // its axes x, y, z are called y, z, x
  second.principal_moments[0] = {moments.z, moments.x, moments.y};
  second.orientation[0][0] = first.orientation[0][0] * Quaternion{0.5, -0.5, -0.5, -0.5};
  BOOST_TEST(norm(momentum(first, dt) - angular_momentum_of(second.orientation[0][0], second.principal_moments[0],
                                                            (1 / dt) * second.rotation[1][0])) < 1e-15);
  for (Bodies* b : {&first, &second}) {
    start(*b, verlet, dt, forces);
    advance(*b, verlet, dt, forces, 50);
  }
  BOOST_TEST(norm(first.rotation[0][0]) > 3);
  BOOST_TEST(norm(first.rotation[0][0] - second.rotation[0][0]) < 1e-12);
  BOOST_TEST(norm(first.rotation[1][0] - second.rotation[1][0]) < 1e-13);
}

// A body with two equal moments I turns by L t/I about L, and besides about its own axis. Round-off of L in every step
// makes the orientation drift.
BOOST_AUTO_TEST_CASE(verlet_turns_symmetric_tops_exactly) {
  const Vec3 omega{0.7, -1.2, 0.5};
  const double dt = 0.8;
  const Quaternion q = quaternion_of({0.4, -0.9, 1.3});
  for (const double own : {0.6, 2.0, 3.7}) {
    Bodies b = make_rotor(verlet, q, omega, dt);
    const Vec3 i = b.principal_moments[0] = {2, 2, own};
    start(b, verlet, dt, no_forces);
    advance(b, verlet, dt, no_forces, 40);
    const Vec3 l = angular_momentum_of(q, i, omega);
    const double ahead = rotated_back(q, l).z * (1 / own - 1 / 2.0);
    const Quaternion exact = quaternion_of((40 * dt / 2) * l) * q * quaternion_of({0, 0, 40 * dt * ahead});
    BOOST_TEST(norm(vector_part(b.orientation[0][0] * conjugate(exact))) < 2e-12);
  }
}

// A heavy top with damping, coupled to the motion of its centroid. Order by three step sizes.
BOOST_AUTO_TEST_CASE(driven_body_has_the_order_of_the_scheme) {
  const auto end_state = [](Scheme scheme, int steps, bool plain) {
    const double dt = 3.0 / steps;
    Bodies b = make_rotor(scheme, quaternion_of({0.3, 0.5, -0.2}), {1.0, -0.4, 2.0}, dt);
    b.position[0][0] = {1, 0, 0.5};
    const ForceEvaluation forces = [dt](Bodies& all) {
      const Vec3 arm = rotated(all.orientation[0][0], {0.5, 0.2, 1}), x = all.position[0][0];
      all.force[0] = -2.0 * (x + 0.3 * arm);
      all.torque[0] = cross(arm, Vec3{0, 0, -2} - 0.5 * x) - (0.1 / dt) * all.rotation[1][0];
    };
    start(b, scheme, dt, forces, plain);
    advance(b, scheme, dt, forces, steps);
    return b;
  };
  const auto distance = [](const Bodies& a, const Bodies& b) {
    return norm(a.position[0][0] - b.position[0][0]) +
           norm(rotation_vector_of(a.orientation[0][0] * conjugate(b.orientation[0][0])));
  };
  for (const auto& [scheme, steps, plain, expected] :
       {std::tuple{gear, 200, false, 5}, {gear, 400, true, 2}, {verlet, 400, true, 2}}) {
    const Bodies a = end_state(scheme, steps, plain), b = end_state(scheme, 2 * steps, plain),
                 c = end_state(scheme, 4 * steps, plain);
    const double order = std::log2(distance(a, b) / distance(b, c));
    BOOST_TEST((order > expected - 0.2 && order < expected + 0.7), "order " << order << ", expected " << expected);
  }
}

// About a fixed principal axis the scheme on the quaternion and that on the angle solve the same equation.
BOOST_AUTO_TEST_CASE(pendulum_agrees_with_the_scheme_on_the_angle) {
  const double dt = 0.01;
  Bodies b = make_rotor(gear, {}, {0, 0, 1.5}, dt), flat = make_bodies(1, 2.0, moments.z);
  flat.rotation[1][0] = {0, 0, 1.5 * dt};
  const ForceEvaluation turned = [](Bodies& all) {
    all.torque[0] = {0, 0, -3 * std::sin(2 * std::atan2(all.orientation[0][0].z, all.orientation[0][0].w))};
  };
  const ForceEvaluation angle = [](Bodies& all) { all.torque[0] = {0, 0, -3 * std::sin(all.rotation[0][0].z)}; };
  start(b, gear, dt, turned);
  start(flat, gear, dt, angle);
  advance(b, gear, dt, turned, 1000);
  advance(flat, gear, dt, angle, 1000);
  BOOST_TEST(std::abs(b.rotation[0][0].z - flat.rotation[0][0].z) < 1e-8);
  BOOST_TEST(std::abs(b.rotation[1][0].z - flat.rotation[1][0].z) < 1e-8 * dt);
  BOOST_TEST((b.rotation[0][0].x == 0 && b.orientation[0][0].x == 0 && b.orientation[0][0].y == 0));
}

// rotation[0] adds up the rotation vectors of the steps, rotation[1] is ω Δt, both predicted and corrected.
BOOST_AUTO_TEST_CASE(rotation_vectors_add_up_to_the_orientation) {
  const double dt = 0.01;
  for (const Scheme scheme : {gear, verlet}) {
    Bodies b = make_rotor(scheme, quaternion_of({0.1, 0.2, 0.3}), {1, 2, -1}, dt);
    start(b, scheme, dt, no_forces);
    for (int s = 0; s < 50; ++s) {
      const Quaternion q = b.orientation[0][0];
      const Vec3 sum = b.rotation[0][0], step = b.rotation[1][0];
      predict(b, scheme);
      const Vec3 moved = b.rotation[0][0] - sum;
      BOOST_TEST(norm(vector_part(quaternion_of(moved) * q * conjugate(b.orientation[0][0]))) < 1e-15);
      BOOST_TEST(norm(moved - 0.5 * (step + b.rotation[1][0])) < 1e-4 * norm(moved));
      correct(b, scheme, dt);
    }
  }
}

BOOST_AUTO_TEST_CASE(prescribed_rotation_goes_on_exactly) {
  const double dt = 0.05;
  const Vec3 omega{0.3, -0.2, 0.5};
  for (const Scheme scheme : {gear, verlet}) {
    Bodies b = make_rotor(scheme, {}, omega, dt);
    b.freedom[0] = free_x | free_y | free_z;
    b.torque[0] = {5, 6, 7};
    start(b, scheme, dt, no_forces);
    advance(b, scheme, dt, no_forces, 100);
    BOOST_TEST(norm(vector_part(b.orientation[0][0] * conjugate(quaternion_of(5.0 * omega)))) < 1e-14);
    BOOST_TEST(norm(b.rotation[0][0] - 5.0 * omega) < 1e-13);
    BOOST_TEST((b.rotation[1][0] == dt * omega));
  }
}

BOOST_AUTO_TEST_CASE(start_leaves_the_pose_and_sees_roughness) {
  const double dt = 0.02;
  Bodies b = make_rotor(gear, quaternion_of({0.1, 0.2, 0.3}), {1, 2, -1}, dt);
  const Bodies before = b;
  int calls = 0;
  const auto steady = [&](Bodies& all) { ++calls, all.torque[0] = {1, 0.5, 0}; };
  BOOST_TEST(gear_start(b, dt, steady) < 1e-3);
  BOOST_TEST(calls == 18);
  BOOST_TEST((b.orientation[0] == before.orientation[0] && b.rotation[0] == before.rotation[0] &&
              b.rotation[1] == before.rotation[1]));
  // A stop at an angle that is reached within the step.
  const double rough = gear_start(b, dt, [&](Bodies& all) {
    all.torque[0] = {all.rotation[0][0].x > 0.3 * dt ? -1e4 : 0.0, 0, 0};
  });
  BOOST_TEST(rough > 0.1);
}
