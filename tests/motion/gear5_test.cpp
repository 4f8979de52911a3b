// Gear5 and its starting procedure. tests/python/integrators_test.py has the digits of the polygon-dem reference, §2
// ("Order").
#include "libdem/motion/gear5.hpp"

#include "libdem/motion/coordinates.hpp"
#include "motion/steps.hpp"

namespace {

// Error of x at t = 10, where x″ = −x − 0.2 x′. The start is x = 1, x′ = 0. A body of mass 2 moves so in x and y. Its
// angle does, too, with the moment 3.
double error_after(int steps) {
  Bodies b = make_bodies(1, 2.0, 3.0);
  const double dt = 10.0 / steps;
  b.position[0][0] = {1, 1, 0};
  b.rotation[0][0] = {0, 0, 1};
  const ForceEvaluation forces = [dt](Bodies& all) { oscillator_forces(all, dt, 0.2); };
  gear_start(b, dt, forces);
  advance(b, gear, dt, forces, steps);
  BOOST_TEST(b.position[0][0].x == b.position[0][0].y);
  BOOST_TEST(b.position[0][0].z == 0.0);
  BOOST_TEST(b.rotation[0][0].z == b.position[0][0].x, tolerance(1e-13));
  return std::abs(b.position[0][0].x - -0.3368516805904133628);
}

}  // namespace

BOOST_AUTO_TEST_CASE(start_procedure_keeps_order_five) {
  std::vector<double> errors;
  for (int steps : {100, 200, 400, 800}) errors.push_back(error_after(steps));
  for (std::size_t k = 1; k < errors.size(); ++k)
    BOOST_TEST(std::abs(std::log2(errors[k - 1] / errors[k]) - 5.0) < 0.1);
  // Not worse than the start from exact derivatives by more than a few percent.
  BOOST_TEST(errors[0] < 1.1 * 1.25756e-6);
  BOOST_TEST(errors[3] < 1.1 * 3.81223e-11);
}

// Nonlinear and coupled: a bead on the attraction −x/|x|³ whose angle swings as a pendulum. Order by three step sizes.
BOOST_AUTO_TEST_CASE(order_five_on_nonlinear_motion_with_started_derivatives) {
  const auto end_state = [](int steps) {
    Bodies b = make_bodies(2);
    const double dt = 4.0 / steps;
    b.position[0][1] = {1, 0, 0};
    b.position[1][1] = {0.1 * dt, 1.1 * dt, 0};
    b.rotation[0][1] = {0, 0, 0.7};
    const ForceEvaluation forces = [](Bodies& all) {
      const Vec3 x = all.position[0][1];
      const double r = norm(x);
      all.force[1] = (-1 / (r * r * r)) * x;
      all.torque[1] = {0, 0, -std::sin(all.rotation[0][1].z)};
    };
    gear_start(b, dt, forces);
    advance(b, gear, dt, forces, steps);
    return Vec3{b.position[0][1].x, b.position[0][1].y, b.rotation[0][1].z};
  };
  const Vec3 a = end_state(160), b = end_state(320), c = end_state(640);
  const double position_order = std::log2(norm(planar(a - b)) / norm(planar(b - c)));
  const double angle_order = std::log2(std::abs(a.z - b.z) / std::abs(b.z - c.z));
  BOOST_TEST(position_order > 4.8);
  BOOST_TEST(angle_order > 4.8);
}

BOOST_AUTO_TEST_CASE(start_leaves_pose_and_velocity_and_ends_with_an_evaluation_there) {
  Bodies b = make_bodies(2);
  const double dt = 0.02;
  b.position[0][0] = {0.3, -0.7, 0};
  b.position[1][0] = {0.011, 0.007, 0};
  b.rotation[1][1] = {0, 0, 0.003};
  const auto x = b.position[0], v = b.position[1], spin = b.rotation[1];
  int calls = 0;
  gear_start(b, dt, [&](Bodies& all) { ++calls, oscillator_forces(all, dt, 0.2); });
  BOOST_TEST(calls == 18);
  BOOST_TEST((b.position[0] == x && b.position[1] == v && b.rotation[1] == spin));
  const Vec3 force = b.force[0];
  oscillator_forces(b, dt, 0.2);
  BOOST_TEST((b.force[0] == force));
}

BOOST_AUTO_TEST_CASE(start_reports_motion_that_is_not_smooth) {
  const double dt = 0.1;
  const auto roughness = [dt](double wall) {
    Bodies b = make_bodies(1);
    b.position[1][0] = {0.1 * dt, 0, 0};
    return gear_start(b, dt, [wall](Bodies& all) {
      const double depth = all.position[0][0].x - wall;
      all.force[0] = {-0.02 - (depth > 0 ? 10 * depth : 0.0), 0, 0};
    });
  };
  BOOST_TEST(roughness(-1) < 1e-3);     // in contact all the time
  BOOST_TEST(roughness(0.005) > 1e-2);  // contact closes in the middle of the step
}

// Coordinates that are not free follow their velocity exactly, whatever forces act. The free ones do not notice.
BOOST_AUTO_TEST_CASE(prescribed_coordinates_follow_their_velocity) {
  const double dt = 0.03125;
  Bodies b = make_bodies(2);
  b.freedom[1] = free_y;
  for (std::size_t i : {0u, 1u}) {
    b.position[0][i] = {1, 1, 0};
    b.rotation[0][i] = {0, 0, 1};
  }
  prescribe_velocity(b, 1, free_x, 0.25, dt);
  prescribe_velocity(b, 1, free_rz, -0.5, dt);
  const ForceEvaluation forces = [dt](Bodies& all) { oscillator_forces(all, dt, 0.2); };
  gear_start(b, dt, forces);
  advance(b, gear, dt, forces, 64);
  BOOST_TEST(b.position[0][1].x == 1 + 0.25 * 64 * dt);
  BOOST_TEST(b.rotation[0][1].z == 1 - 0.5 * 64 * dt);
  BOOST_TEST(b.position[0][1].y == b.position[0][0].y);
  for (std::size_t k = 2; k < gear_terms; ++k) BOOST_TEST(b.position[k][1].x == 0.0);
}

// More bodies than one pass; those that are free in space go in vectors. Odd ranges give the same bits, and so does a
// pass in which a body has a held coordinate.
BOOST_AUTO_TEST_CASE(ranges_and_held_bodies_change_no_bit_of_free_ones) {
  const std::size_t n = 3 * bodies_per_pass + 7;
  const double dt = 0.05;
  for (const auto freedom : {free_in_plane, free_in_space}) {
    Bodies whole = make_bodies(n);
    whole.freedom.assign(n, freedom);
    for (std::size_t i = 0; i < n; ++i) {
      const auto x = double(i);
      whole.mass[i] = 1 + 0.01 * x;
      whole.moment[i] = 2 - 0.003 * x;
      whole.position[0][i] = {std::sin(x), std::cos(x), std::sin(3 * x)};
      whole.rotation[1][i] = {0.001 * x, -0.002, 0.003 * std::cos(x)};
    }
    Bodies parts = whole, mixed = whole;
    for (std::size_t i = 1; i < n; i += bodies_per_pass) mixed.freedom[i] = i < n / 2 ? 0 : free_in_plane;
    const ForceEvaluation forces = [dt](Bodies& all) { oscillator_forces(all, dt, 0.2); };
    for (Bodies* b : {&whole, &mixed}) advance(*b, gear, dt, forces, 20);
    const std::size_t cut[] = {0, 1, 66, 66, 131, n};
    for (int s = 0; s < 20; ++s) {
      for (int k = 0; k < 5; ++k) gear_predict(parts, cut[k], cut[k + 1]);
      forces(parts);
      for (int k = 0; k < 5; ++k) gear_correct(parts, dt, gear_coefficients(gear.coefficients), cut[k], cut[k + 1]);
    }
    for (std::size_t k = 0; k < gear_terms; ++k) BOOST_TEST_CONTEXT("freedom " << int(freedom) << ", term " << k) {
        BOOST_TEST((whole.position[k] == parts.position[k] && whole.rotation[k] == parts.rotation[k]));
        for (std::size_t i = 0; i < n; ++i)
          if (i % bodies_per_pass != 1)
            BOOST_TEST((whole.position[k][i] == mixed.position[k][i] && whole.rotation[k][i] == mixed.rotation[k][i]),
                       "body " << i);
      }
  }
}

// Coordinates that are held stay at their speed, and the others of the same body go on as if all were free.
BOOST_AUTO_TEST_CASE(each_coordinate_in_space_is_held_by_itself) {
  const double dt = 0.05;
  const ForceEvaluation forces = [dt](Bodies& all) { oscillator_forces(all, dt, 0.2); };
  Bodies start = make_bodies(64);
  for (std::size_t b = 0; b < 64; ++b) {
    start.position[0][b] = {0.3, -0.4, 0.5}, start.position[1][b] = {0.01, 0.02, -0.03};
    start.rotation[0][b] = {0.1, 0.7, -0.2}, start.rotation[1][b] = {-0.02, 0.01, 0.04};
  }
  Bodies held = start, free = start;
  for (std::size_t b = 0; b < 64; ++b) held.freedom[b] = std::uint8_t(b);
  free.freedom.assign(64, free_in_space);
  for (Bodies* each : {&held, &free}) advance(*each, gear, dt, forces, 20);
  const auto term = [](const Bodies& of, std::size_t k, std::size_t b, unsigned c) {
    return coordinates((c < 3 ? of.position : of.rotation)[k])[3 * b + c % 3];
  };
  for (std::size_t b = 0; b < 64; ++b)
    for (unsigned c = 0; c < 6; ++c) BOOST_TEST_CONTEXT("freedom " << b << ", coordinate " << c) {
        for (std::size_t k = 0; k < gear_terms; ++k)
          if (b >> c & 1)
            BOOST_TEST(term(held, k, b, c) == term(free, k, b, c));
          else if (k > 0)
            BOOST_TEST(term(held, k, b, c) == (k == 1 ? term(start, 1, b, c) : 0));
      }
}
