// Contact planes in the contact pass: the choice of the case reaches the contact. Also planes that are undefined.
#include "contacts/planar/driven_pair.hpp"
#include "support/polygon_cases.hpp"

using namespace dem::test::pena2008;

namespace {

const geometry::Outline big{{-2, -2}, {2, -2}, {2, 2}, {-2, 2}},
    small{{-0.25, -0.25}, {0.25, -0.25}, {0.25, 0.25}, {-0.25, 0.25}};

}  // namespace

BOOST_AUTO_TEST_CASE(every_definition_reaches_the_contact) {
  // Third pair of the reference's pair test, pushed 0.04 m into each other.
  const Vec2 at = third_pair.start - (0.04 / norm(third_pair.start)) * third_pair.start;
  std::vector<double> angles;
  for (const geometry::ContactPlaneEntry& entry : geometry::contact_planes) {
    Case c = driven_pair_case(third_pair.i, third_pair.j, at);
    c.contact.plane = entry.plane;
    DrivenPair pair(c);
    pair.move({}, {at, 0});
    const ContactRecord r = record_of(pair);
    geometry::Outline j = geometry::counter_clockwise(third_pair.j), i = geometry::counter_clockwise(third_pair.i);
    const Vec2 shift = at - geometry::area_properties(j).centroid, zero = -geometry::area_properties(i).centroid;
    for (Vec2& v : i) v += zero;
    for (Vec2& v : j) v += shift;
    geometry::Overlap overlap;
    geometry::overlap_exact({i, geometry::bounding_box(i), true}, {j, geometry::bounding_box(j), true}, overlap);
    const double expected = geometry::contact_plane_angle(entry.plane, overlap, overlap.components.at(0), at);
    BOOST_TEST_CONTEXT(entry.name) {
      BOOST_TEST(std::abs(r.plane_angle - expected) < 1e-9);
      BOOST_TEST(norm(r.normal) == 1, closely);
      BOOST_TEST(dot(planar(r.normal), at) > 0);  // from i to j
      BOOST_TEST(pair.force_on_j().x == r.normal_force * r.normal.x, closely);
      BOOST_TEST(r.normal_force == r.area / PairTable(c, pair.state()).length(0, 1), closely);  // k_n = 1
    }
    angles.push_back(r.plane_angle);
  }
  // For this pair the definitions differ, so a mix-up would show: edge-mean lies far from area-gradient.
  BOOST_TEST(std::abs(angles[0] - angles[2]) > 0.1);
}

BOOST_AUTO_TEST_CASE(contained_body_keeps_its_last_plane_turned_by_the_mean_spin) {
  DrivenPair pair(driven_pair_case(big, small, {2.1, 0}));
  const auto move = [&](Pose i, Pose j, double angle, std::uint64_t undefined) {
    pair.move(i, j);
    BOOST_TEST(norm(record_of(pair).normal - Vec3{std::cos(angle), std::sin(angle), 0}) < 1e-12);
    BOOST_TEST(pair.contacts().undefined_planes() == undefined);
  };
  move({}, {{2.1, 0}, 0}, 0, 0);
  move({{0, 0}, 0.02}, {{1.5, 0}, 0.06}, 0.04, 1);  // inside
  BOOST_TEST(record_of(pair).area == 0.25, closely);
  move({{0, 0}, 0.02}, {{1.5, 0}, 0.16}, 0.09, 2);
  BOOST_TEST(pair.force_on_j().x > 0);  // the force of area/length goes on pushing it out along that plane
  move({}, {{2.1, 0}, 0}, 0, 2);        // out again: the plane is defined, nothing more is counted
}

BOOST_AUTO_TEST_CASE(a_body_contained_from_the_start_is_pushed_along_the_branch) {
  Case c = driven_pair_case(big, small, {0.3, 0.4});
  DrivenPair pair(c);
  pair.move({}, {{0.3, 0.4}, 0});
  BOOST_TEST(pair.contacts().undefined_planes() == 1u);
  BOOST_TEST(norm(record_of(pair).normal - Vec3{0.6, 0.8, 0}) < 1e-12);
  // With a potential the area does not change, so there is no force.
  c.contact.normal_force = NormalForce::area_potential;
  DrivenPair smooth(c);
  smooth.move({}, {{0.3, 0.4}, 0});
  BOOST_TEST(norm(smooth.force_on_j()) == 0);
  BOOST_TEST(record_of(smooth).stored_normal > 0);
}

BOOST_AUTO_TEST_CASE(a_body_through_another_has_an_undefined_plane) {
  // A bar right through the middle of a square: four crossings, the gradient of the area is zero by symmetry.
  DrivenPair pair(driven_pair_case(big, {{-3, -0.1}, {3, -0.1}, {3, 0.1}, {-3, 0.1}}, {0, 0.5}));
  pair.move({}, {{0, 0.5}, 0});
  BOOST_TEST(pair.contacts().undefined_planes() == 1u);
  BOOST_TEST(record_of(pair).normal.y == 1, closely);  // the branch
  BOOST_TEST(std::isfinite(pair.torque_on_j()));
}
