// Contacts with walls in closed form: discs and polygons on a half-plane.
#include "contacts/planar/driven_pair.hpp"

namespace {

Case square_on_wall() { return with_wall(driven_pair_case(square, {}, {0, 2})); }
const double square_length = 2 / std::sqrt(2 * pi);  // l_c = 2 r_i, r_i = √(A/2π), A = 1 m²

void check(const DrivenPair& pair, Vec2 point, Vec2 force, double torque, double elongation = 0) {
  const ContactRecord r = record_of(pair);
  BOOST_TEST(norm(r.normal - Vec3{0, -1, 0}) < 1e-15);  // from the body to the wall
  BOOST_TEST(norm(planar(r.point) - point) < 1e-14);
  BOOST_TEST(norm(pair.force_on_i() - force) < 1e-14);
  BOOST_TEST(std::abs(pair.torque_on_i() - torque) < 1e-14);
  BOOST_TEST(std::abs(r.elongation - elongation) < 1e-14);
}

}  // namespace

BOOST_AUTO_TEST_CASE(disc_on_a_wall) {
  DrivenPair pair(with_wall(disc_pair_case()));
  pair.move({{3, 0.501}, 0}, wall_pose);
  BOOST_TEST(pair.records().empty());
  pair.move({{3, 0.48}, 0}, wall_pose);  // beyond the end of the segment that was given: a wall is a half-plane
  check(pair, {3, -0.01}, {0, 0.02}, 0);
  BOOST_TEST(record_of(pair).overlap == 0.02, closely);
}

/// A rolling disc has no elongation, a sliding one its path. The arm: conjugate lever for (G), else contact point.
BOOST_AUTO_TEST_CASE(rolling_and_sliding_disc) {
  for (const bool literal : {false, true}) {
    Case c = with_wall(disc_pair_case());
    if (literal) c.contact.geometric_form = GeometricForm::eq10_11_literal;
    DrivenPair pair(c);
    pair.move({{0, 0.48}, 0}, wall_pose);  // turned by −θ it rolls towards +x
    for (int step = 1; step <= 50; ++step) pair.move({{step * 0.1 * r_i, 0.48}, -step * 0.1}, wall_pose);
    BOOST_TEST(std::abs(record_of(pair).elongation) < 1e-14);
    pair.move({{5 * r_i + 0.07, 0.48}, -5}, wall_pose);  // t = ẑ×n = +x, the disc moves by +x: ξ = −0.07, held back
    check(pair, {5 * r_i + 0.07, -0.01}, {-k_t * 0.07, 0.02}, -(literal ? r_i - 0.01 : r_i) * k_t * 0.07, -0.07);
    pair.move({{5 * r_i + 0.07, 0.48}, -4.6}, wall_pose);  // spinning on the spot drags it the other way
    BOOST_TEST(record_of(pair).elongation == -0.07 - r_i * 0.4, closely);
  }
}

BOOST_AUTO_TEST_CASE(square_lies_flat_on_a_wall) {
  DrivenPair pair(square_on_wall());
  pair.move({{7, 0.47}, 0}, wall_pose);
  check(pair, {7, -0.015}, {0, 0.03 / square_length}, 0);
  BOOST_TEST(record_of(pair).area == 0.03, closely);
  BOOST_TEST(record_of(pair).overlap == 0.03 / square_length, closely);
  pair.move({{7.2, 0.47}, 0}, wall_pose);  // slid; the force acts at the centroid of the overlap
  check(pair, {7.2, -0.015}, {-k_t * 0.2, 0.03 / square_length}, -k_t * 0.2 * (0.47 + 0.015), -0.2);
}

BOOST_AUTO_TEST_CASE(tilted_square_touches_with_a_triangle) {
  DrivenPair pair(square_on_wall());
  // Its lowest corner, body frame (0.5, −0.5) turned clockwise, lies `depth` below the face.
  const double tilt = 0.3, depth = 0.05;
  const Vec2 corner = Turn::by(-tilt)(Vec2{0.5, -0.5}), centre{2, -depth - corner.y};
  pair.move({centre, -tilt}, wall_pose);
  // Triangle of height d with flanks at the angles of the two sides: base d (cot tilt + tan tilt).
  const double left = -depth / std::tan(tilt), right = depth * std::tan(tilt), area = 0.5 * depth * (right - left);
  const Vec2 centroid = centre + corner + Vec2{(left + right) / 3, 2 * depth / 3}, force{0, area / square_length};
  BOOST_TEST(record_of(pair).area == area, tolerance(1e-11));
  check(pair, centroid, force, cross(centroid - centre, force));
}

BOOST_AUTO_TEST_CASE(square_behind_the_wall_is_pushed_out_whole) {
  DrivenPair pair(square_on_wall());
  pair.move({{0, 0.2}, 0}, wall_pose);
  pair.move({{0, -0.55}, 0}, wall_pose);  // all of it behind
  BOOST_TEST(record_of(pair).area == 1, closely);
  BOOST_TEST(pair.force_on_i().y == 1 / square_length, closely);
  BOOST_TEST(pair.contacts().undefined_planes() == 1u);
}
