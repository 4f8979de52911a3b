// Walls of a case.
#pragma once
#include <filesystem>
#include <string>

#include "geometry/vector.hpp"

namespace dem {

enum class WallShape { line, plane, rectangle, mesh };

/// A surface that bodies cannot enter. In the plane a half-plane: everything right of the line through `from` and `to`,
/// which has no end. In space a surface with two sides: a plane without end, a rectangle, a triangle mesh. Walls of one
/// name are one rigid part, with which a sphere has one contact where their edges meet.
struct WallSpec {
  std::string name;
  WallShape shape = WallShape::line;
  Vec2 from, to;                ///< line (m)
  Vec3 point, normal;           ///< plane: a point of it (m), its normal
  Vec3 corner, edge_1, edge_2;  ///< rectangle: a corner, and from there two perpendicular edges (m)
  std::filesystem::path file;   ///< mesh: STL
  double scale = 1;             ///< mesh: m per unit of the file
  Vec3 velocity;                ///< m/s
  std::string material;         ///< in space: name of a NamedMaterial. Empty: the first
  friend bool operator==(const WallSpec&, const WallSpec&) = default;
};

/// Velocity of a wall during a stage.
struct WallVelocity {
  std::string wall;  ///< name of a WallSpec
  Vec3 velocity;     ///< m/s
  friend bool operator==(const WallVelocity&, const WallVelocity&) = default;
};

}  // namespace dem
