// A wall of cases in the plane.
#pragma once
#include "libdem/case.hpp"
#include "prelude.hpp"

namespace dem::test {

inline WallSpec line_wall(const std::string& name, Vec2 from, Vec2 to, Vec2 velocity = {}) {
  return {.name = name, .from = from, .to = to, .velocity = spatial(velocity)};
}

}  // namespace dem::test
