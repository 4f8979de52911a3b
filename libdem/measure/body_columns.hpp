// Columns of a named body: `word_part`.
#pragma once
#include <vector>

#include "libdem/measure/series.hpp"
#include "libdem/state/state.hpp"

namespace dem {

struct BodyColumn {
  const char *part, *unit, *description;
  double (*value)(const State&, std::size_t body);
  int only_in = 0;  ///< its dimension; zero for both
};
inline std::vector<BodyColumn> body_columns(int dimension) {
  using S = const State&;
  using B = std::size_t;
  std::vector<BodyColumn> columns{
      {"x", "m", "x of the centroid of", [](S s, B b) { return s.bodies.position[0][b].x; }},
      {"y", "m", "y of the centroid of", [](S s, B b) { return s.bodies.position[0][b].y; }},
      {"z", "m", "z of the centroid of", [](S s, B b) { return s.bodies.position[0][b].z; }, 3},
      {"angle", "rad", "angle of", [](S s, B b) { return s.bodies.rotation[0][b].z; }, 2},
      {"velocity_x", "m/s", "velocity along x of", [](S s, B b) { return s.velocity(b).x; }},
      {"velocity_y", "m/s", "velocity along y of", [](S s, B b) { return s.velocity(b).y; }},
      {"velocity_z", "m/s", "velocity along z of", [](S s, B b) { return s.velocity(b).z; }, 3},
      {"spin", "rad/s", "angular velocity of", [](S s, B b) { return s.spin(b); }, 2},
      {"angular_velocity_x", "rad/s", "angular velocity about the x axis of",
       [](S s, B b) { return s.angular_velocity(b).x; }, 3},
      {"angular_velocity_y", "rad/s", "angular velocity about the y axis of",
       [](S s, B b) { return s.angular_velocity(b).y; }, 3},
      {"angular_velocity_z", "rad/s", "angular velocity about the z axis of",
       [](S s, B b) { return s.angular_velocity(b).z; }, 3}};
  std::erase_if(columns, [dimension](const BodyColumn& c) { return c.only_in != 0 && c.only_in != dimension; });
  return columns;
}

}  // namespace dem
