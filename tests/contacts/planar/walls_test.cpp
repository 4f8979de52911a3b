// Contacts with walls in closed form: discs and polygons on a half-plane.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "contacts/planar/disc_pair.hpp"

using namespace dem;
using namespace dem::test;

namespace {

const auto closely = boost::test_tools::tolerance(1e-12);
constexpr double k_t = 1.0 / 3, pi = std::numbers::pi;

Case square_on_wall() {
  return with_wall(driven_pair_case({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}, {}, {0, 2}));
}
const double square_length = 2 / std::sqrt(2 * pi);  // l_c = 2 r_i, r_i = √(A/2π), A = 1 m²

}  // namespace

BOOST_AUTO_TEST_SUITE(walls)

BOOST_AUTO_TEST_CASE(disc_on_a_wall) {
  DrivenPair pair(with_wall(disc_pair_case()));
  pair.move({{3, 0.501}, 0}, wall_pose);
  BOOST_TEST(pair.records().empty());
  pair.move({{3, 0.48}, 0}, wall_pose);  // beyond the end of the segment that was given: a wall is a half-plane
  const ContactRecord r = pair.records().at(0);
  BOOST_TEST(r.overlap == 0.02, closely);
  BOOST_TEST(r.normal.y == -1, closely);  // from the disc to the wall
  BOOST_TEST(r.point.x == 3, closely);
  BOOST_TEST(r.point.y == -0.01, closely);
  BOOST_TEST(pair.force_on_i().y == 0.02, closely);
  BOOST_TEST(std::abs(pair.force_on_i().x) < 1e-15);
  BOOST_TEST(std::abs(pair.torque_on_i()) < 1e-15);
}

BOOST_AUTO_TEST_CASE(rolling_disc_has_no_elongation_and_sliding_one_its_path) {
  for (const bool literal : {false, true}) {
    Case c = with_wall(disc_pair_case());
    if (literal) c.contact.geometric_form = GeometricForm::eq10_11_literal;
    DrivenPair pair(c);
    const double angle = 0.4;  // turned by −θ it rolls towards +x
    pair.move({{0, 0.48}, 0}, wall_pose);
    for (int step = 1; step <= 50; ++step) pair.move({{step * 0.1 * r_i, 0.48}, -step * 0.1}, wall_pose);
    BOOST_TEST(std::abs(pair.records().at(0).elongation) < 1e-14);
    pair.move({{5 * r_i + 0.07, 0.48}, -5}, wall_pose);  // t = ẑ×n = +x, the disc moves by +x: ξ = −0.07
    BOOST_TEST(pair.records().at(0).elongation == -0.07, closely);
    BOOST_TEST(pair.force_on_i().x == -k_t * 0.07, closely);  // held back
    const double arm = literal ? r_i - 0.01 : r_i;            // (G): the conjugate lever; else the contact point
    BOOST_TEST(pair.torque_on_i() == -arm * k_t * 0.07, closely);
    pair.move({{5 * r_i + 0.07, 0.48}, -5 + angle}, wall_pose);  // spinning on the spot drags it the other way
    BOOST_TEST(pair.records().at(0).elongation == -0.07 - r_i * angle, closely);
  }
}

BOOST_AUTO_TEST_CASE(a_moving_wall_drags_the_disc) {
  DrivenPair pair(with_wall(disc_pair_case()));
  pair.move({{0, 0.48}, 0}, wall_pose);
  pair.move({{0, 0.48}, 0}, {{0.1, 0}, pi / 2});
  BOOST_TEST(pair.records().at(0).elongation == 0.1, closely);
  BOOST_TEST(pair.force_on_i().x == k_t * 0.1, closely);
  BOOST_TEST(pair.force_on_j().x == -k_t * 0.1, closely);
}

BOOST_AUTO_TEST_CASE(square_lies_flat_on_a_wall) {
  DrivenPair pair(square_on_wall());
  pair.move({{7, 0.47}, 0}, wall_pose);
  BOOST_REQUIRE_EQUAL(pair.records().size(), 1u);
  const ContactRecord r = pair.records()[0];
  BOOST_TEST(r.area == 0.03, closely);
  BOOST_TEST(r.overlap == 0.03 / square_length, closely);
  BOOST_TEST(r.normal.y == -1, closely);
  BOOST_TEST(r.point.x == 7, closely);
  BOOST_TEST(r.point.y == -0.015, closely);
  BOOST_TEST(pair.force_on_i().y == 0.03 / square_length, closely);
  BOOST_TEST(std::abs(pair.torque_on_i()) < 1e-15);
  pair.move({{7.2, 0.47}, 0}, wall_pose);  // slid
  BOOST_TEST(pair.records()[0].elongation == -0.2, closely);
  BOOST_TEST(pair.force_on_i().x == -k_t * 0.2, closely);
  BOOST_TEST(pair.torque_on_i() == -k_t * 0.2 * (0.47 + 0.015), closely);  // acts at the centroid of the overlap
}

BOOST_AUTO_TEST_CASE(tilted_square_touches_with_a_triangle) {
  DrivenPair pair(square_on_wall());
  const double tilt = 0.3, depth = 0.05;
  // Its lowest corner, body frame (0.5, −0.5) turned clockwise, lies `depth` below the face.
  const Vec2 corner = Turn::by(-tilt)(Vec2{0.5, -0.5});
  const Vec2 centre{2, -depth - corner.y};
  pair.move({centre, -tilt}, wall_pose);
  // Triangle of height d with flanks at the angles of the two sides: base d (cot tilt + tan tilt).
  const double area = 0.5 * depth * depth * (1 / std::tan(tilt) + std::tan(tilt));
  const ContactRecord r = pair.records().at(0);
  BOOST_TEST(r.area == area, boost::test_tools::tolerance(1e-11));
  BOOST_TEST(r.normal.y == -1, closely);
  const double left = -depth / std::tan(tilt), right = depth * std::tan(tilt);  // crossings beside the corner
  const Vec2 centroid = centre + corner + Vec2{(left + right) / 3, 2 * depth / 3};
  BOOST_TEST(r.point.x == centroid.x, closely);
  BOOST_TEST(r.point.y == centroid.y, closely);
  BOOST_TEST(pair.torque_on_i() == cross(centroid - centre, {0, area / square_length}),
             boost::test_tools::tolerance(1e-11));
}

BOOST_AUTO_TEST_CASE(turned_and_moved_wall) {
  // The same contact in a frame turned by 0.7 rad gives the same force there.
  DrivenPair level(square_on_wall()), turned(square_on_wall());
  const Turn turn = Turn::by(0.7);
  const Vec2 shift{30, -20};
  const auto placed = [&](Pose p) { return Pose{shift + turn(p.position), p.angle + 0.7}; };
  for (const Pose& pose : {Pose{{0, 0.47}, 0.02}, Pose{{0.1, 0.46}, -0.01}, Pose{{0.15, 0.48}, 0.03}}) {
    level.move(pose, wall_pose);
    turned.move(placed(pose), placed(wall_pose));
  }
  BOOST_TEST(turned.records().at(0).elongation == level.records().at(0).elongation, closely);
  BOOST_TEST(norm(turn.back(turned.force_on_i()) - level.force_on_i()) < 1e-13);
  BOOST_TEST(std::abs(turned.torque_on_i() - level.torque_on_i()) < 1e-13);
}

BOOST_AUTO_TEST_CASE(square_behind_the_wall_is_pushed_out_whole) {
  DrivenPair pair(square_on_wall());
  pair.move({{0, 0.2}, 0}, wall_pose);
  pair.move({{0, -0.55}, 0}, wall_pose);  // all of it behind
  BOOST_REQUIRE_EQUAL(pair.records().size(), 1u);
  BOOST_TEST(pair.records()[0].area == 1, closely);
  BOOST_TEST(pair.force_on_i().y == 1 / square_length, closely);
  BOOST_TEST(pair.contacts().undefined_planes() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
