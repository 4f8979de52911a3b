// Energy, unbalanced force, profiles.
#include "libdem/measure/motion_sums.hpp"

#include "libdem/measure/profiles.hpp"
#include "motion/make_bodies.hpp"
#include "prelude.hpp"

namespace {
/// Height 1, area `width`.
Shape rectangle(double width) {
  return Shape::polygon(geometry::Polygon(geometry::Outline{{0, 0}, {width, 0}, {width, 1}, {0, 1}}));
}
}  // namespace

BOOST_AUTO_TEST_CASE(kinetic_energy_of_free_coordinates_only) {
  const double dt = 0.25;
  State state;
  state.dt = dt;
  Bodies& b = state.bodies = make_bodies(2, 2.0, 0.5);
  b.position[1] = {dt * Vec3{3, 4, 0}, dt * Vec3{1, 7, 0}};
  b.rotation[1] = {dt * Vec3{0, 0, 6}, dt * Vec3{0, 0, 5}};
  b.freedom[1] = free_x;
  BOOST_TEST(kinetic_energy(state) == 0.5 * 2 * 25 + 0.5 * 2 * 1 + 0.5 * 0.5 * 36);
}

BOOST_AUTO_TEST_CASE(unbalanced_force) {
  Bodies b = make_bodies(3);
  b.freedom[2] = 0;
  b.force = {Vec3{3, 4, 0}, Vec3{0, 0, 0}, Vec3{1000, 0, 0}};  // the plate's force is no imbalance
  std::vector<ContactRecord> contacts(2);
  contacts[0].force = {0, 10, 0}, contacts[1].force = {-10, 0, 0};
  BOOST_TEST(unbalanced_force_index(contacts, b) == std::sqrt(25 / 2.0) / 10, tolerance(1e-14));
  b.freedom[0] = free_x;
  BOOST_TEST(unbalanced_force_index(contacts, b) == std::sqrt(9 / 2.0) / 10, tolerance(1e-14));
  BOOST_TEST(unbalanced_force_index({}, b) == 0.0);
}

// u = γ̇ y and the spin of the mean motion: every bin gives γ̇, and the spin −γ̇/2.
BOOST_AUTO_TEST_CASE(profile_of_simple_shear) {
  const double dt = 0.01, rate = 0.3;
  Bodies b = make_bodies(40);
  const std::vector<Shape> shapes{rectangle(1), rectangle(3)};
  for (std::size_t i = 0; i < 40; ++i) {
    // Two bodies of different weight at the middle of each bin, and two symmetric about it.
    const double middle = 0.5 + double(i / 4);
    const double y = middle + (i % 4 == 2 ? 0.3 : i % 4 == 3 ? -0.3 : 0);
    b.shape[i] = i % 4 < 2 ? std::uint32_t(i % 2) : 0;
    b.position[0][i] = {double(i % 3), y, 0};
    b.position[1][i] = {dt * rate * y, dt * 0.1, 0};
    b.rotation[1][i] = {0, 0, -0.5 * dt * rate};
  }
  const Profile p = velocity_profile(b, shapes, dt, {0, 10, 10});
  for (std::size_t k = 0; k < 10; ++k) {
    BOOST_TEST(p.u_x[k] == rate * (0.5 + double(k)), tolerance(1e-13));
    BOOST_TEST(p.shear[k] == rate, tolerance(1e-12));
    BOOST_TEST(std::abs(p.rotation[k] + 0.5 * p.shear[k]) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(profile_bins_weights_and_gaps) {
  Bodies b = make_bodies(5);
  const std::vector<Shape> shapes{rectangle(1), rectangle(3)};
  b.shape = {0, 1, 0, 0, 0};
  const auto reference = b.position[0].by_number();
  const auto reference_rotation = b.rotation[0].by_number();
  b.position[0] = {Vec3{1, 0.2, 0}, Vec3{2, 0.8, 0}, Vec3{5, 2.5, 0}, Vec3{9, 4.0, 0}, Vec3{9, -0.1, 0}};
  b.rotation[0][0].z = 1;
  const Profile p = displacement_profile(b, shapes, reference, reference_rotation, {0, 4, 4});
  BOOST_TEST(p.u_x[0] == (1 * 1 + 3 * 2) / 4.0);  // bodies at y = 4 (upper end) and −0.1 belong to no bin
  BOOST_TEST(p.rotation[0] == 0.25);
  BOOST_TEST((std::isnan(p.u_x[1]) && std::isnan(p.u_x[3])));
  BOOST_TEST(p.u_x[2] == 5.0);
  BOOST_TEST((std::isnan(p.shear[0]) && std::isnan(p.shear[2])));  // no neighbour to take a difference with
}
