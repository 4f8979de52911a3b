// Frame of a contact in space: carrying table (linear-frictional-contact reference, §16), turned pairs (§2, §12).
#include "libdem/contacts/contact_frame.hpp"

#include "geometry/random.hpp"
#include "libdem/laws/catalogue.hpp"
#include "support/turned.hpp"

namespace {

Vec3 unit(Vec3 v) { return (1 / norm(v)) * v; }
/// A tangential vector carried as an engine does it: components in the frame, and what leaves the plane.
struct Carried {
  Vec3 n, direction_1;
  double history[2], out_of_plane = 0;
  Carried(Vec3 normal, Vec3 f)
      : n(normal), direction_1(any_direction(normal)), history{dot(f, direction_1), dot(f, cross(n, direction_1))} {}
  Vec3 vector() const { return history[0] * direction_1 + history[1] * cross(n, direction_1) + out_of_plane * n; }
  void step(Vec3 n1, Vec3 w, Transport transport) {
    const Vec3 to = carried_direction(direction_1, n, n1, twist_half_tangent(w, n1, transport == Transport::exact));
    if (!follows_frame(transport))
      transport_history(transport_matrix(transport, n, direction_1, n1, to, w), laws::find("linear")->transform,
                        history, out_of_plane);
    n = n1;
    direction_1 = to;
  }
};

}  // namespace

// Reference §12, first table, and the demand on any axis.
BOOST_AUTO_TEST_CASE(rotation_of_a_pair_by_90_degrees) {
  const Vec3 n0{1, 0, 0}, f0{0, 0.6, 0.8};
  const auto error = [&](Vec3 axis, int steps, Transport transport) {
    const Vec3 a = unit(axis);
    Carried c(n0, f0);
    for (int k = 1; k <= steps; ++k) c.step(turned(n0, a, 0.5 * pi * k / steps), (0.5 * pi / steps) * a, transport);
    return norm(c.vector() - turned(f0, a, 0.5 * pi));
  };
  struct Row {
    Vec3 axis;
    double none, projection, twirl[3], standard[3];
  };
  const Row rows[] = {{{1, 0, 0}, 1.41, 1.41, {1.24e-2, 1.23e-3, 1.23e-4}, {0, 0, 0}},
                      {{0, 0.6, 0.8}, 0, 0, {0, 0, 0}, {0, 0, 0}},
                      {{0, -0.8, 0.6}, 1.41, 1.23e-3, {1.23e-2, 1.23e-3, 1.23e-4}, {0, 0, 0}},
                      {{1, 0, 1}, 1.17, 1.05, {4.9e-3, 4.9e-4, 4.9e-5}, {1.1e-5, 1.1e-7, 1.1e-9}},
                      {{1, 1, 1}, 0.83, 0.88, {4.1e-3, 4.1e-4, 4.1e-5}, {1.2e-5, 1.2e-7, 1.2e-9}},
                      {{1, 2, 3}, 0.39, 0.42, {1.1e-3, 1.1e-4, 1.1e-5}, {8.0e-6, 8.0e-8, 8.0e-10}}};
  const int steps[] = {100, 1000, 10000};
  for (const Row& r : rows) {
    const auto printed = [&](Transport transport, int count, double value) {
      const double found = error(r.axis, count, transport);  // to the digits printed
      BOOST_TEST((value == 0 ? found < 1e-12 : std::abs(found / value - 1) < 0.06), found << ", printed " << value);
    };
    BOOST_TEST_CONTEXT("axis " << r.axis.x << ' ' << r.axis.y << ' ' << r.axis.z) {
      printed(Transport::none, 1000, r.none);
      printed(Transport::projection, 1000, r.projection);
      for (int k = 0; k < 3; ++k) {
        printed(Transport::projection_twirl, steps[k], r.twirl[k]);
        printed(Transport::swing_twist, steps[k], r.standard[k]);
        printed(Transport::exact, steps[k], 0);
      }
    }
  }
  geometry::Random random(3);
  for (int n = 0; n < 200; ++n) {
    const Vec3 axis{random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5};
    BOOST_TEST(error(axis, 1000, Transport::swing_twist) <= 3e-7);
    BOOST_TEST(error(axis, 1000, Transport::exact) <= 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(half_angle_tangents) {
  for (const double x : {1e-9, 1e-3, 0.0316, 0.03163, 0.1, 0.7, 1.5}) {
    BOOST_TEST(std::abs(tan_over_argument(x * x) * x / std::tan(x) - 1) < 4e-16, x);
    // The twist is w·n itself in the standard form. In the exact form it is that of the axis scaled.
    const Vec3 n = unit({1, 2, -2}), w = x * unit({0.3, -1, 0.4});
    BOOST_TEST(std::abs(2 * std::atan(twist_half_tangent(w, n, false)) - dot(w, n)) < 1e-15);
    BOOST_TEST(std::abs(twist_half_tangent(w, n, true) - std::tan(0.5 * x) * dot(w, n) / x) < 1e-15);
  }
  BOOST_TEST(tan_over_argument(0) == 1);
}

// Carrying the frame and carrying the vector are the same.
BOOST_AUTO_TEST_CASE(components_in_a_carried_frame_are_those_of_the_vectors) {
  geometry::Random random(11);
  const auto vector = [&] { return Vec3{random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5}; };
  for (int n = 0; n < 2000; ++n) {
    const Vec3 n0 = unit(vector()), n1 = unit(n0 + 0.3 * vector()), w = 0.4 * vector();
    const Vec3 from = any_direction(n0);
    for (const bool exact : {false, true}) {
      const double t = twist_half_tangent(w, n1, exact), phi = 2 * std::atan(t);
      const Vec3 to = carried_direction(from, n0, n1, t), to_2 = cross(n1, to);
      BOOST_REQUIRE(std::abs(norm(to) - 1) < 1e-15);
      BOOST_REQUIRE(std::abs(dot(to, n1)) < 1e-15);
      const Vec3 f = 0.3 * from - 0.7 * cross(n0, from), carried = turned(swing(f, n0, n1), n1, phi);
      BOOST_REQUIRE(norm(carried - (0.3 * to - 0.7 * to_2)) <= 1e-14);
    }
  }
  // A normal that turned over has no smallest rotation: a new direction, and no NaN.
  const Vec3 n0{0, 0.6, 0.8}, to = carried_direction(any_direction(n0), n0, -n0, 0.1);
  BOOST_TEST(turned_over(n0, -n0));
  BOOST_TEST(!turned_over(n0, unit({0, 0.6, -0.8})));
  BOOST_TEST((to == any_direction(-n0)));
  for (const Vec3 n : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}, unit({1, 1, 1})})
    BOOST_TEST(std::abs(dot(any_direction(n), n)) < 3e-16);
}
