// A wall of cases in the plane.
#pragma once

#include "libdem/case.hpp"
#include "prelude.hpp"

namespace dem::test {

inline WallSpec line_wall(const std::string& name, Vec2 from, Vec2 to, Vec2 velocity = {}) {
  WallSpec wall;
  wall.name = name, wall.from = from, wall.to = to, wall.velocity = spatial(velocity);
  return wall;
}

}  // namespace dem::test
