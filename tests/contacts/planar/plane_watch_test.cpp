// The watch over contact planes inside the contact pass: it counts what no movement explains, and nothing else.
#include "contacts/planar/driven_pair.hpp"

namespace {

const geometry::Outline tall{{-1.5, -2}, {1.5, -2}, {1.5, 2}, {-1.5, 2}};
constexpr double perimeter = 2.2;  // of an overlap of 0.1 × 1: the tall body's left face is one of its long sides

Case face_case(geometry::ContactPlane plane, bool watch_all = false) {
  Case c = driven_pair_case(square, tall, {1.9, 0});
  c.contact.plane = plane;
  c.output.plane_jumps = watch_all;
  return c;
}

void tilt(DrivenPair& pair, std::initializer_list<double> angles, double distance = 1.9) {
  for (const double angle : angles) pair.move({}, {{distance, 0}, angle});
}

}  // namespace

// The face tilts through the vertical, by less than the 0.01 rad of the cheap test as far as the bodies are concerned.
BOOST_AUTO_TEST_CASE(a_face_through_the_vertical) {
  DrivenPair mean(face_case(geometry::ContactPlane::edge_mean)),
      gradient(face_case(geometry::ContactPlane::area_gradient));
  tilt(mean, {-0.002, 0.002});
  tilt(gradient, {-0.002, 0.002});
  BOOST_TEST(mean.contacts().plane_jumps() == 1u);
  BOOST_TEST(mean.contacts().merging_plane_jumps() == 0u);
  BOOST_TEST(mean.contacts().last_jumps().empty());  // not asked for
  BOOST_TEST(gradient.contacts().plane_jumps() == 0u);
  tilt(mean, {0.004});
  BOOST_TEST(mean.contacts().plane_jumps() == 1u);
  tilt(mean, {-0.004});
  BOOST_TEST(mean.contacts().plane_jumps() == 2u);
}

// The overlap of crossing bars has no gradient. So the normal of the chord points along the branch. It turns round
// where the branch passes the chord. The pair turns as a whole in the same step, or not.
BOOST_AUTO_TEST_CASE(a_normal_that_turns_round_counts_also_while_the_pair_turns) {
  const geometry::Outline lying{{-2, -0.2}, {2, -0.2}, {2, 0.2}, {-2, 0.2}},
      standing{{-0.15, -2}, {0.15, -2}, {0.15, 2}, {-0.15, 2}};
  const double chord = std::atan2(0.4, 0.3);
  for (const double turned : {0.0, 0.03, -0.03}) {
    Case c = driven_pair_case(lying, standing, Turn::by(chord - 0.05)(Vec2{0.5, 0}));
    c.contact.plane = geometry::ContactPlane::chord;
    DrivenPair pair(c);
    pair.move({}, {Turn::by(chord - 0.05)(Vec2{0.5, 0}), 0});
    BOOST_TEST(pair.contacts().plane_jumps() == 0u);
    pair.move({{0, 0}, turned}, {Turn::by(chord + 0.05 + turned)(Vec2{0.5, 0}), turned});
    BOOST_TEST(pair.contacts().plane_jumps() == 1u);
  }
}

// A large turn in one step, far above the threshold of the cheap test, that is continuous.
BOOST_AUTO_TEST_CASE(a_large_turn_is_no_jump) {
  DrivenPair pair(face_case(geometry::ContactPlane::area_gradient));
  tilt(pair, {-0.04});
  const double before = record_of(pair).plane_angle;
  tilt(pair, {0.04});
  BOOST_TEST(std::abs(geometry::wrap_line_angle(record_of(pair).plane_angle - before)) > 3 * geometry::suspicious_turn);
  BOOST_TEST(pair.contacts().plane_jumps() == 0u);
}

// The published mean turns with the frame's axes; a pair that turns as a whole through the vertical jumps, too.
BOOST_AUTO_TEST_CASE(a_rigid_turn_of_the_pair) {
  for (const auto& entry : geometry::contact_planes) {
    DrivenPair pair(face_case(entry.plane));
    for (const double angle : {-0.05, 0.05})
      pair.move({{0, 0}, angle}, {Turn::by(angle)(Vec2{1.9, 0.3}), angle + 1e-3});
    BOOST_TEST_CONTEXT(entry.name) {
      if (entry.frame_free) BOOST_TEST(pair.contacts().plane_jumps() == 0u);
      if (entry.plane == geometry::ContactPlane::edge_mean) BOOST_TEST(pair.contacts().plane_jumps() > 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(on_request_all_definitions_are_watched) {
  DrivenPair pair(face_case(geometry::ContactPlane::area_gradient, true));
  tilt(pair, {-0.002});
  BOOST_TEST(pair.contacts().last_jumps().empty());
  tilt(pair, {0.002});
  const PlanarContacts& watch = pair.contacts();
  BOOST_TEST(watch.plane_jumps() == 0u);
  // Only the mean of the signed angles sees the vertical. The choice of the perpendicular leaves 90° − 180° ℓ/L.
  const PerPlane expected{0, 0, 1, 0, 0, 0};
  BOOST_TEST(watch.jumps_of_each_plane() == expected, tt::per_element());
  BOOST_REQUIRE_EQUAL(watch.last_jumps().size(), 1u);
  const PlaneJump& jump = watch.last_jumps()[0];
  BOOST_TEST((jump.plane == geometry::ContactPlane::edge_mean && jump.key.i == 0 && jump.key.j == 1));
  BOOST_TEST(jump.size == std::abs(pi / 2 - pi / perimeter), tolerance(1e-9));
  // A tilt of up to 0.002 changes chord and area by half its square, 2e-6.
  BOOST_TEST(jump.area == 0.1, tolerance(1e-5));
  BOOST_TEST(jump.chord == 1.0, tolerance(1e-5));
  tilt(pair, {0.002});
  BOOST_TEST(pair.contacts().last_jumps().empty());
}

BOOST_AUTO_TEST_CASE(new_tiny_and_undefined_contacts_do_not_count) {
  DrivenPair pair(face_case(geometry::ContactPlane::edge_mean, true));
  pair.move({}, {{2.1, 0}, -0.002});  // apart
  pair.move({}, {{1.9, 0}, 0.002});   // new
  BOOST_TEST(pair.contacts().plane_jumps() == 0u);
  // An overlap of 1e-10 m wide and 1 m high, where l_c² is about 1.9 m²: below 2e-9 l_c².
  DrivenPair thin(face_case(geometry::ContactPlane::edge_mean, true));
  tilt(thin, {-1e-10, 1e-10}, 2 - 1e-9);
  BOOST_TEST(thin.contacts().size() == 1u);
  BOOST_TEST(thin.contacts().plane_jumps() == 0u);
  // Contained, then out again with another plane than the one that was kept.
  Case c = driven_pair_case(tall, {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}}, {0.01, 0});
  DrivenPair inside(c);
  inside.move({}, {{1.5, 0}, 0});
  inside.move({}, {{0, 0}, 0});
  inside.move({}, {{0, 2}, 0});
  BOOST_TEST(inside.contacts().undefined_planes() == 1u);
  BOOST_TEST(inside.contacts().plane_jumps() == 0u);
}

BOOST_AUTO_TEST_CASE(walls_are_watched_too) {
  // The right face of a square tilts through the vertical in a wall at x = 0.45, whose outward normal is −x.
  for (const auto plane : {geometry::ContactPlane::edge_mean, geometry::ContactPlane::area_gradient}) {
    Case c = with_wall(face_case(plane));
    c.assembly.walls[0].from = {0.4, 1};
    c.assembly.walls[0].to = {0.4, -1};
    DrivenPair pair(c);
    const Bodies& b = pair.state().bodies;
    const Pose wall{planar(b.position[0][1]), b.rotation[0][1].z};
    for (const double angle : {-0.002, 0.002}) pair.move({{0, 0}, angle}, wall);
    BOOST_TEST(pair.contacts().size() == 1u);
    BOOST_TEST(pair.contacts().plane_jumps() == (plane == geometry::ContactPlane::edge_mean ? 1u : 0u));
  }
}
