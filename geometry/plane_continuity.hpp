// Does a contact plane turn continuously while two polygons move? (polygon-dem reference, §6, "Continuity metric")
//
// A plane that turned by more than a hundredth of a radian between two poses is followed by bisection of the movement.
// Each step takes the half with the larger turn. A continuous turn shrinks with the interval. A turn that remains after
// 30 halvings is a *persistent jump*.
#pragma once
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "geometry/contact_plane.hpp"
#include "geometry/overlap.hpp"

namespace dem::geometry {

inline constexpr double suspicious_turn = 0.01;    ///< rad between two poses; smaller turns are not followed
inline constexpr double persistent_turn = 0.0087;  ///< rad, half a degree; a jump leaves at least this turn
inline constexpr int continuity_bisections = 30;
/// Overlaps smaller than this share of l_c² are not followed, because the plane has no limit as A → 0. The share
/// corresponds to the 1e-9 m² of the reference at radius 0.5 m, where l_c² = 0.5 m².
inline constexpr double least_area_share = 2e-9;

/// A moving polygon: its pose at the end, and its movement up to there at constant velocity and spin.
struct MovingPolygon {
  std::span<const Vec2> vertices;  ///< in its own frame, counter-clockwise (m)
  bool convex = true;
  Vec2 end;           ///< position of the origin of its frame (m)
  Turn turn;          ///< orientation at the end
  Vec2 moved;         ///< m
  double turned = 0;  ///< rad
};

struct PairMovement {
  MovingPolygon i, j;
  /// Unit normal of the face of a wall j. The branch is taken along it. {0, 0}: j is a body.
  Vec2 face;
};

/// Angle of the plane of a component (rad, modulo π); NaN where undefined. See contact_plane_angle for the branch.
using PlaneAngle = std::function<double(const Overlap&, const OverlapComponent&, Vec2 branch)>;
PlaneAngle plane_angle_of(ContactPlane);

/// A component of the overlap at one point of the movement.
struct PlaneSample {
  double at = 1;                                            ///< share of the movement done, in [0, 1]
  double angle = std::numeric_limits<double>::quiet_NaN();  ///< rad
  Vec2 centroid;                                            ///< in the frame of body i (m)
  double area = 0, chord = 0;                               ///< m², m: chord is the length of the area's gradient
  double perimeter = 0;                                     ///< m
  int crossings = 0;
};

struct PlaneTurn {
  /// no_contact: the component is missing or too small somewhere. undefined: the plane is undefined somewhere.
  enum class Kind { continuous, jump, undefined, no_contact };
  Kind kind = Kind::continuous;
  /// Turn left after the last bisection, without the mean spin of the bodies (rad in [0, π/2]).
  double size = 0;
  /// The area of the component jumps as well: it merged or split there. So the planes before and after belong to
  /// different parts.
  bool merged_or_split = false;
  PlaneSample before, after;  ///< at the ends of the last interval
};

/// Follows planes. Keeps its memory from call to call.
class PlaneFollower {
 public:
  /// Reserves memory for polygons of so many vertices, so that following takes no memory.
  void reserve(std::size_t vertices);

  /// Follows the component whose centroid is at `start` before and at `end` after the movement (frame of body i, m). In
  /// between, the component nearest to the middle of its neighbours' centroids is taken.
  PlaneTurn follow(const PairMovement&, Vec2 start, Vec2 end, double least_area, const PlaneAngle&);

  /// The overlap at a share of the movement. The frame's origin is the end position of body i. Valid until the next
  /// call.
  const Overlap& overlap_at(const PairMovement&, double share);

 private:
  PlaneSample sample(const PairMovement&, double share, Vec2 near, const PlaneAngle&);

  std::vector<Vec2> placed_i_, placed_j_;
  Overlap overlap_;
};

}  // namespace dem::geometry
