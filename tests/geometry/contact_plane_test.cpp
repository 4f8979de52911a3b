// Contact planes beyond the unit cases: frames, normals, names.
#include "overlap_tools.hpp"

namespace dem::geometry::testing {
namespace {

BOOST_AUTO_TEST_CASE(line_angles_are_wrapped_to_the_half_open_interval) {
  for (const auto& [angle, wrapped] : {std::pair{0., 0.}, {pi / 2, pi / 2}, {-pi / 2, pi / 2}})
    BOOST_TEST(wrap_line_angle(angle) == wrapped);
  BOOST_TEST(std::abs(wrap_line_angle(3.) - (3 - pi)) < 1e-15);
  BOOST_TEST(std::abs(wrap_line_angle(-10.) - (-10 + 3 * pi)) < 1e-14);
  for (int k = -1000; k <= 1000; ++k) {
    const double w = wrap_line_angle(0.01 * k);
    BOOST_TEST((w > -pi / 2 && w <= pi / 2));
    BOOST_TEST(std::abs(std::sin(w - 0.01 * k)) < 1e-14);
  }
}

// The diagonals of a rectangle are equally long: fast and exact must not answer by round-off.
BOOST_AUTO_TEST_CASE(chord_of_equally_distant_crossings_is_the_same_for_both_methods) {
  const Outline u{{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
  for (const Method& method : methods) {
    const Overlap o = overlap_of(method.function, u, rectangle(-1, 2, 4, 2.5));
    BOOST_REQUIRE_EQUAL(o.components.size(), 2U);
    for (const OverlapComponent& c : o.components)
      BOOST_TEST(contact_plane_angle(ContactPlane::chord, o, c, {0, 1}) == std::atan(0.5), tolerance(1e-14));
  }
}

// Claims of the reference, §6: a plane is frame-free or it is not. The catalogue has both kinds.
BOOST_AUTO_TEST_CASE(frame_free_planes_turn_with_the_bodies_and_the_others_do_not) {
  std::mt19937_64 random(21);
  std::array<int, 6> differing{};
  int states = 0;
  for (int k = 0; k < 200; ++k) {
    const Outline i = random_convex(random, 5 + k % 4, 0.8);
    const Vec2 branch{uniform(random, 1.2, 1.6), uniform(random, -0.4, 0.4)};
    const Outline j = shifted(random_convex(random, 4 + k % 5, 0.9), branch);
    const double angle = uniform(random, -1.5, 1.5);
    const Overlap plain = overlap_of(overlap_fast, i, j),
                  other = overlap_of(overlap_fast, turned(i, angle), turned(j, angle));
    if (plain.area() < 1e-4) continue;
    ++states;
    const Vec2 between = centroid_of(j) - centroid_of(i), later = Turn::by(angle)(between);
    for (std::size_t p = 0; p < contact_planes.size(); ++p) {
      const double a = contact_plane_angle(contact_planes[p].plane, plain, plain.components[0], between);
      const double b = contact_plane_angle(contact_planes[p].plane, other, other.components[0], later);
      differing[p] += line_difference(a + angle, b) > 1e-6;
    }
  }
  BOOST_TEST(states > 100);
  for (std::size_t p = 0; p < contact_planes.size(); ++p) {
    const bool good = contact_planes[p].frame_free ? differing[p] == 0 : differing[p] > states / 4;
    BOOST_TEST(good, contact_planes[p].name << ": " << differing[p] << " of " << states << " differ");
  }
}

BOOST_AUTO_TEST_CASE(normal_is_perpendicular_and_reduces_the_overlap) {
  std::mt19937_64 random(22);
  for (int k = 0; k < 200; ++k) {
    const Outline i = random_star(random, 5 + k % 6, 0.5);
    const Outline j =
        shifted(random_star(random, 5 + k % 5, 0.5), {uniform(random, 0.8, 1.4), uniform(random, -0.5, 0.5)});
    const Overlap o = overlap_of(overlap_fast, i, j);
    const Vec2 branch = centroid_of(j) - centroid_of(i);
    for (const OverlapComponent& c : o.components) {
      const Vec2 slope{c.gradient.y, -c.gradient.x};  // ∂A/∂R_j
      for (const ContactPlaneEntry& e : contact_planes) {
        const double angle = contact_plane_angle(e.plane, o, c, branch);
        const Vec2 n = contact_normal(e.plane, o, c, branch);
        if (std::isnan(angle)) {
          BOOST_TEST((n == Vec2{}));
          continue;
        }
        BOOST_TEST(std::abs(norm(n) - 1) < 1e-14);
        BOOST_TEST(std::abs(dot(n, {std::cos(angle), std::sin(angle)})) < 1e-13);
        if (norm(slope) > 1e-9) BOOST_TEST(dot(n, slope) < 1e-12);
      }
    }
  }
}

// U6 of the reference, crossed bars: no gradient, so the sign comes from the branch.
BOOST_AUTO_TEST_CASE(without_a_gradient_the_normal_points_along_the_branch) {
  const Overlap o = overlap_of(overlap_fast, rectangle(-3, -0.5, 3, 0.5), turned(rectangle(-0.5, -3, 0.5, 3), 0.3));
  BOOST_TEST_REQUIRE(o.components.size() == 1U);
  for (const Vec2 branch : {Vec2{0.25, 0.125}, Vec2{-0.25, 0.5}}) {
    BOOST_TEST((contact_normal(ContactPlane::area_gradient, o, o.components[0], branch) == Vec2{}));
    BOOST_TEST(dot(contact_normal(ContactPlane::edge_mean, o, o.components[0], branch), branch) > 0);
  }
  BOOST_TEST(std::isnan(contact_plane_angle(ContactPlane::edge_mean, o, o.components[0], {0, 0})));
}

// A corner of 60° upright on a face: the edge tensor has no direction (reference, §6, item 6).
BOOST_AUTO_TEST_CASE(equilateral_overlap_has_no_axial_direction) {
  const double half = std::tan(pi / 6);
  const Outline corner{{0, -0.125}, {half, 0.875}, {-half, 0.875}};
  const Overlap o = overlap_of(overlap_fast, rectangle(-3, -1, 3, 0), corner);
  BOOST_TEST_REQUIRE(o.components.size() == 1U);
  BOOST_TEST(std::isnan(contact_plane_angle(ContactPlane::edge_axial, o, o.components[0], {0, 1})));
  BOOST_TEST(std::abs(contact_plane_angle(ContactPlane::area_gradient, o, o.components[0], {0, 1})) < 1e-14);
}

}  // namespace
}  // namespace dem::geometry::testing
