// Everything that a step changes, except the contacts: bodies, their shapes and groups, the cell, the clock.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/broad_phase.hpp"
#include "libdem/state/bodies.hpp"

namespace dem {

struct State {
  Bodies bodies;
  std::vector<Shape> shapes;
  std::vector<std::string> groups;   ///< names; Bodies::group indexes this
  geometry::Cell cell;
  Vec2 cell_origin;                  ///< lower left corner, for pictures and profiles (m)
  Vec3 gravity;                      ///< m/s²
  double dt = 0;                     ///< s
  std::uint64_t step = 0;
  double time = 0;                   ///< s; step · dt of the stages so far

  const Shape& shape_of(std::size_t body) const { return shapes[bodies.shape[body]]; }
  /// Index of a group; groups.size() when there is none of that name.
  std::size_t find_group(std::string_view name) const;
  Vec3 velocity(std::size_t b) const { return (1 / dt) * bodies.position[1][b]; }   ///< m/s
  double spin(std::size_t b) const { return bodies.rotation[1][b].z / dt; }         ///< rad/s, about z
};

}  // namespace dem
