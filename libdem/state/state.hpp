// Everything that a step changes except the contacts: bodies, their shapes and groups, the cell, the clock.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/cell.hpp"
#include "libdem/state/bodies.hpp"

namespace dem {

struct State {
  Bodies bodies;
  std::vector<Shape> shapes;
  std::vector<std::string> groups;  ///< names; Bodies::group indexes this
  geometry::Cell cell;
  /// d(cell vectors)/dt during the present step (m/s). Images of bodies move with it.
  std::array<Vec3, 3> cell_rate{};
  /// At the last evaluation of the contacts and at the one before.
  geometry::Cell evaluated_cell, evaluated_cell_before;
  int dimension = 2;
  /// Lower left corner (m), for pictures and profiles. A deforming cell keeps this point in place.
  Vec3 cell_origin;
  Vec3 gravity;   ///< m/s²
  double dt = 0;  ///< s
  std::uint64_t step = 0;
  double time = 0;  ///< s, step · dt summed over the stages

  const Shape& shape_of(std::size_t body) const { return shapes[bodies.shape[body]]; }
  Vec3 velocity(std::size_t b) const { return (1 / dt) * bodies.position[1][b]; }          ///< m/s
  Vec3 angular_velocity(std::size_t b) const { return (1 / dt) * bodies.rotation[1][b]; }  ///< rad/s
  /// Velocity of an image relative to its body (m/s).
  Vec3 image_velocity(std::array<std::int16_t, 3> image) const {
    return double(image[0]) * cell_rate[0] + double(image[1]) * cell_rate[1] + double(image[2]) * cell_rate[2];
  }
  double spin(std::size_t b) const { return bodies.rotation[1][b].z / dt; }  ///< rad/s, about z
};

/// True if two spheres or discs have their centres at one point, to rounding. `reach` is the sum of the radii. Their
/// contact has no normal.
inline bool centres_coincide(double distance, double reach) { return !(distance > 1e-12 * reach); }

}  // namespace dem
