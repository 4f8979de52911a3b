// A wall of cases in the plane.
#pragma once
#include <string>
#include <utility>

#include "libdem/case.hpp"

namespace dem::test {

inline WallSpec line_wall(std::string name, Vec2 from, Vec2 to, Vec2 velocity = {}) {
  WallSpec wall;
  wall.name = std::move(name);
  wall.from = from;
  wall.to = to;
  wall.velocity = spatial(velocity);
  return wall;
}

}  // namespace dem::test
