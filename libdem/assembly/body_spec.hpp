// A body as the case lists it, or as a generator makes it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "geometry/polygon.hpp"
#include "geometry/vector.hpp"

namespace dem {

enum class ShapeKind { disc, polygon, sphere, cluster };
inline constexpr bool is_solid(ShapeKind kind) { return kind == ShapeKind::sphere || kind == ShapeKind::cluster; }

/// A sphere of a cluster, in the frame of the case file or of the cluster.
struct ClusterSphere {
  Vec3 position;      ///< m
  double radius = 0;  ///< m
  friend bool operator==(const ClusterSphere&, const ClusterSphere&) = default;
};

/// Unit quaternion, scalar part first: x = R(q) x′ from the body's axes to space (Hamilton).
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
  friend constexpr bool operator==(Quaternion, Quaternion) = default;
};

/// Bodies in the plane have angle, spin, torque, and the x and y of vectors. Bodies in space have orientation,
/// angular_velocity and applied_couple.
struct BodySpec {
  std::string name;
  ShapeKind shape = ShapeKind::polygon;
  double radius = 0;  ///< disc, sphere (m)
  /// Cluster, in any frame: `position` is the origin of that frame, `orientation` its turn.
  std::vector<ClusterSphere> spheres;
  geometry::Outline outline;       ///< polygon, in any frame: see outline_is_placed
  bool outline_is_placed = false;  ///< true: position is where the outline's centroid lies, `position` is ignored
  Vec3 position;                   ///< centroid. Cluster: origin of its spheres (m)
  double angle = 0;                ///< rad
  Quaternion orientation;
  Vec3 velocity;          ///< m/s; prescribed in a fixed direction
  double spin = 0;        ///< rad/s
  Vec3 angular_velocity;  ///< rad/s
  Vec3 force;             ///< constant external force (N)
  double torque = 0;      ///< constant external torque (N m)
  Vec3 applied_couple;    ///< same in space (N m)
  bool fix_x = false, fix_y = false, fix_z = false, fix_rotation = false;
  std::optional<double> density;  ///< kg/m² (space: kg/m³). Default: the material's
  std::string material;           ///< name of a NamedMaterial. Empty: the first
  std::string group = "free";     ///< "free", "bottom-plate", "top-plate", "wall" or the user's word
  friend bool operator==(const BodySpec&, const BodySpec&) = default;
};

}  // namespace dem
