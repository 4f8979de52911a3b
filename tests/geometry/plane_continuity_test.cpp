// Following a contact plane through a movement: it is continuous, it jumps, or neither (polygon-dem reference, §6).
#include "geometry/plane_continuity.hpp"

#include "overlap_tools.hpp"

namespace dem::geometry::testing {
namespace {

const Outline square = rectangle(-0.5, -0.5, 0.5, 0.5), small = rectangle(-0.2, -0.2, 0.2, 0.2);
const Outline tall = rectangle(0, -2, 3, 2);
using Kind = PlaneTurn::Kind;

/// Body i rests at the origin; j ends at `end` with the angle, after it moved and turned.
PairMovement movement(const Outline& i, const Outline& j, Vec2 end, double angle, Vec2 moved, double turned) {
  return {{i, false, {}, {}, {}, 0}, {j, false, end, Turn::by(angle), moved, turned}, {}};
}

/// Follows the first component of the overlap at the end.
PlaneTurn follow(const PairMovement& pair, ContactPlane plane, double least_area = 1e-9) {
  PlaneFollower follower;
  const Overlap before = follower.overlap_at(pair, 0), after = follower.overlap_at(pair, 1);
  BOOST_REQUIRE(!before.components.empty());
  BOOST_REQUIRE(!after.components.empty());
  // Centroids in the frame of i, which ends at the origin without a turn.
  const Turn back = Turn::by(-pair.i.turned);
  return follower.follow(pair, back.back(before.components[0].centroid + pair.i.moved), after.components[0].centroid,
                         least_area, plane_angle_of(plane));
}

}  // namespace

// A left face tilts through the vertical. Half-way the mean of the angles jumps by exactly 180° ℓ/L, the share of the
// face in the perimeter. The choice of the perpendicular leaves 90° less that.
BOOST_AUTO_TEST_CASE(mean_of_angles_jumps_where_an_edge_passes_the_vertical) {
  const PairMovement pair = movement(square, tall, {0.4, 0}, 0.006, {}, 0.012);
  const PlaneTurn jump = follow(pair, ContactPlane::edge_mean);
  BOOST_TEST((jump.kind == Kind::jump));
  const double perimeter = 2 * 0.1 + 2 * 1.0, step = pi * 1.0 / perimeter;
  BOOST_TEST(jump.size == std::abs(wrap_line_angle(step - pi / 2)), tolerance(1e-9));
  BOOST_TEST(jump.before.at == 0.5, tolerance(1e-8));
  BOOST_TEST(jump.after.at - jump.before.at == 0x1p-30);
  BOOST_TEST(!jump.merged_or_split);
  // After 30 halvings 1e-11 of the tilt of 0.012 is left. It enters in first order.
  BOOST_TEST(jump.before.area == 0.1, tolerance(1e-9));
  BOOST_TEST(jump.before.chord == 1.0, tolerance(1e-9));
  // The gradient turns with the chord, by about as much as the face. A small share of a turn of 0.012 rad remains.
  const PlaneTurn smooth = follow(pair, ContactPlane::area_gradient);
  BOOST_TEST((smooth.kind == Kind::continuous));
  BOOST_TEST(smooth.size < 1e-10);
}

BOOST_AUTO_TEST_CASE(rigid_motion_of_the_pair_turns_no_plane) {
  PairMovement pair = movement(square, tall, Turn::by(0.3)(Vec2{0.4, 0.1}), 0.31, {}, 0.3);
  pair.i.turn = Turn::by(0.3);
  pair.i.turned = 0.3;
  // j follows the turn of i about the origin, along the chord of its arc. So the motion is rigid at its ends only.
  pair.j.moved = pair.j.end - Vec2{0.4, 0.1};
  PlaneFollower follower;
  const Overlap before = follower.overlap_at(pair, 0), after = follower.overlap_at(pair, 1);
  for (const ContactPlane plane :
       {ContactPlane::area_gradient, ContactPlane::chord, ContactPlane::edge_axial, ContactPlane::edge_mean_branch}) {
    const double a = contact_plane_angle(plane, before, before.components.at(0), {0.4, 0.1});
    const double b = contact_plane_angle(plane, after, after.components.at(0), pair.j.end);
    BOOST_TEST(std::abs(wrap_line_angle(b - a - 0.3)) < 1e-12);
    const Vec2 end = pair.i.turn.back(after.components[0].centroid);
    const auto turn = follower.follow(pair, before.components[0].centroid, end, 1e-9, plane_angle_of(plane));
    BOOST_TEST((turn.kind == Kind::continuous));
    BOOST_TEST(turn.size < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(two_crossings_become_four_where_the_chord_jumps) {
  // Reference, U7: a spike comes through a bar. The chord becomes a diagonal, the gradient stays.
  const Outline bar = rectangle(-3, -0.5, 3, 0.5), spike{{0.1, -1}, {1, 2}, {-1, 2}};
  const PairMovement pair = movement(bar, spike, {0, 0}, 0, {0, -1}, 0);
  const PlaneTurn chord = follow(pair, ContactPlane::chord), gradient = follow(pair, ContactPlane::area_gradient);
  BOOST_TEST((gradient.kind == Kind::continuous));
  BOOST_TEST((chord.kind == Kind::jump));
  BOOST_TEST(chord.before.crossings == 2);
  BOOST_TEST(chord.after.crossings == 4);
  // The tip, at x = 0.1, reaches the lower face when j has 0.5 m to go.
  BOOST_TEST(chord.before.at == 0.5, tolerance(1e-8));
  BOOST_TEST(!chord.merged_or_split);
}

BOOST_AUTO_TEST_CASE(parts_that_merge_are_marked) {
  // Two teeth of i enter a wedge from below. Their parts merge when the wedge reaches the notch, at y = 0.2.
  const Outline teeth{{-1, -1}, {1, -1}, {1, 1}, {0.1, 1}, {0, 0.2}, {-0.1, 1}, {-1, 1}};
  const Outline wedge{{0, 0}, {3, 1.2}, {3, 4}, {-3, 4}, {-3, 2.4}};
  const PairMovement pair = movement(teeth, wedge, {0.02, 0.15}, 0, {0, -0.2}, 0);
  const PlaneTurn turn = follow(pair, ContactPlane::area_gradient);
  BOOST_TEST((turn.kind == Kind::jump));
  BOOST_TEST(turn.merged_or_split);
  BOOST_TEST(turn.after.area > 1.2 * turn.before.area);
}

BOOST_AUTO_TEST_CASE(what_is_no_contact_or_has_no_plane) {
  const std::tuple<Vec2, Vec2, double, Kind> rows[] = {
      {{0.6, 0}, {0.6, 0.2}, 1e-9, Kind::continuous},
      {{0.8, 0}, {0.6, 0.3}, 1e-9, Kind::no_contact},   // not yet
      {{0.6, 0}, {0.6, 0.2}, 0.5, Kind::no_contact},    // too small
      {{0.6, 0}, {0.1, 0.1}, 1e-9, Kind::undefined},    // ends inside
      {{-0.6, 0.1}, {0.6, 0}, 1e-9, Kind::undefined}};  // through the inside
  for (const auto& [start, end, least_area, kind] : rows) {
    PlaneFollower follower;
    const PlaneTurn turn = follower.follow(movement(square, small, end, 0, end - start, 0), start, end, least_area,
                                           plane_angle_of(ContactPlane::area_gradient));
    BOOST_TEST((turn.kind == kind), "from " << start.x << " to " << end.x << ", least area " << least_area);
  }
}

// The one jump of the gradient: parallel edges pass through one line, where the area has a kink (reference, §6).
BOOST_AUTO_TEST_CASE(parallel_edges_that_pass_each_other) {
  PairMovement pair = movement(square, small, {0.6, 0.4}, 0, {0, 0.2}, 0);  // tops level after half of the way
  const PlaneTurn turn = follow(pair, ContactPlane::area_gradient);
  BOOST_TEST((turn.kind == Kind::jump));
  BOOST_TEST(!turn.merged_or_split);
  BOOST_TEST(turn.before.at == 0.5, tolerance(1e-8));
  // g goes from the left side of j, 0.4 m high, to that side and the top of i, 0.1 m long. While the top is shared,
  // half of it counts. The rest may be either step, or both.
  const double shared = std::atan2(0.05, 0.4), all = std::atan2(0.1, 0.4);
  BOOST_TEST((std::abs(turn.size - shared) < 1e-6 || std::abs(turn.size - (all - shared)) < 1e-6 ||
              std::abs(turn.size - all) < 1e-6));
  // A tilt of a thousandth makes it a fast turn instead.
  pair.j.turn = Turn::by(1e-3);
  BOOST_TEST((follow(pair, ContactPlane::area_gradient).kind == Kind::continuous));
}

BOOST_AUTO_TEST_CASE(branch_of_a_wall_is_along_its_face_normal) {
  PairMovement pair = movement(square, tall, {0.4, 1}, 0, {0.01, 0}, 0);
  pair.face = {-1, 0};
  PlaneFollower follower;
  Vec2 seen;
  follower.follow(pair, {0.45, 0}, {0.45, 0}, 1e-9, [&](const Overlap&, const OverlapComponent&, Vec2 branch) {
    seen = branch;
    return 0.0;
  });
  BOOST_TEST(seen.y == 0);
  BOOST_TEST(seen.x > 0.3);
}

}  // namespace dem::geometry::testing
