// Watches contact planes for persistent jumps. The usual step needs a test of two products; a plane that turned visibly
// is followed by bisection. No force, no history and no bit of the state depends on this watch.
#include <array>
#include <cmath>
#include <numbers>

#include "libdem/contacts/planar/contacts.hpp"

namespace dem {
namespace {

/// The old normal, turned with the mean spin of the bodies.
template <class Frame>
Vec2 carried_normal(const PlanarContact& old, const Frame& i, const Frame& j) {
  return old.normal + 0.5 * (i.turned + j.turned) * turned_left(old.normal);
}

}  // namespace

/// Counts a jump if the plane of the run's definition turned by more than the movement explains.
void PlanarContacts::watch_plane(Scratch& scratch, const PlanarContact& c, const PlanarContact& old,
                                 const Vec2& branch) {
  Chunk& chunk = *scratch.chunk;
  const Vec2 carried = carried_normal(old, frames_[c.key.i], frames_[c.key.j]);
  if (std::abs(cross(carried, c.normal)) <= geometry::suspicious_turn && dot(carried, c.normal) > 0) return;
  PlaneJump jump;
  if (!follow_plane(scratch, c, old, branch, choice_.plane, jump)) return;
  ++chunk.plane_jumps;
  if (jump.merged_or_split) ++chunk.merging_jumps;
  if (watch_all_) chunk.jumps.push_back(jump);
}

/// Watches the other definitions, with output.plane_jumps. Stores all angles for the next evaluation.
void PlanarContacts::watch_all_planes(Scratch& scratch, const PlanarContact& c, const PlanarContact* old,
                                      std::size_t old_index, Vec2 branch, const geometry::Overlap& overlap,
                                      const geometry::OverlapComponent& component) {
  Chunk& chunk = *scratch.chunk;
  PlaneAngles& angles = chunk.planes.emplace_back();
  const double spin = 0.5 * (frames_[c.key.i].turned + frames_[c.key.j].turned);
  for (std::size_t p = 0; p < angles.size(); ++p) {
    const geometry::ContactPlane plane = geometry::contact_planes[p].plane;
    angles[p] = geometry::contact_plane_angle(plane, overlap, component, branch);
    if (!old || plane == choice_.plane) continue;
    const double turn = std::abs(geometry::wrap_line_angle(angles[p] - scratch.planes_before[old_index][p] - spin));
    PlaneJump jump;
    if (turn > geometry::suspicious_turn && follow_plane(scratch, c, *old, branch, plane, jump))
      chunk.jumps.push_back(jump);
  }
}

/// Bisects the movement since the last evaluation. If it returns true, `jump` is filled.
bool PlanarContacts::follow_plane(Scratch& scratch, const PlanarContact& c, const PlanarContact& old, Vec2 branch,
                                  geometry::ContactPlane plane, PlaneJump& jump) {
  const double length = table_.length(c.key.i, c.key.j), least_area = geometry::least_area_share * length * length;
  if (!(c.area > least_area) || !(old.area > least_area)) return false;
  const BodyFrame &i = frames_[c.key.i], &j = frames_[c.key.j];
  const auto vertices = [&](std::uint32_t b) {
    return std::span<const Vec2>(body_vertices_.data() + first_vertex_[b], first_vertex_[b + 1] - first_vertex_[b]);
  };
  geometry::PairMovement pair;
  pair.i = {vertices(c.key.i), placed_[c.key.i].convex, i.position, i.turn, i.moved, i.turned};
  std::array<Vec2, 4> rectangle;
  if (is_wall_[c.key.j]) {  // the rectangle that the overlap was made with, moving as the wall does
    pair.face = j.turn(Vec2{1, 0});
    for (std::size_t k = 0; k < 4; ++k) rectangle[k] = scratch.image_vertices[k] - i.position - branch;
    const Vec2 foot_moved = j.moved + j.turned * turned_left(i.position + branch - j.position);
    pair.j = {rectangle, true, i.position + branch, {}, foot_moved, j.turned};
  } else {
    const Vec2 moved = cell_moves_ ? j.moved + image_movement(c.key) : j.moved;
    pair.j = {vertices(c.key.j), placed_[c.key.j].convex, i.position + branch, j.turn, moved, j.turned};
  }
  const Vec2 point = i.turn.back(c.point);
  const geometry::PlaneTurn turn =
      scratch.follower.follow(pair, old.point_in_i, point, least_area, geometry::plane_angle_of(plane));
  jump = {c.key, plane, turn.size, turn.after.area, turn.after.chord, turn.merged_or_split};
  if (turn.kind == geometry::PlaneTurn::Kind::jump) return true;
  // The same plane seen from the other side: the normal, which follows from the gradient of the area, turned round. The
  // plane itself may turn in the step, by less than a quarter turn.
  const bool reversed = plane == choice_.plane && turn.kind == geometry::PlaneTurn::Kind::continuous &&
                        dot(carried_normal(old, i, j), c.normal) < 0;
  jump.size = std::numbers::pi;
  return reversed;
}

}  // namespace dem
