#include "libdem/drivers/wall_motion.hpp"

#include <algorithm>

#include "libdem/motion/coordinates.hpp"

namespace dem {

void move_walls(const Case& given, const Stage& stage, State& state) {
  if (given.assembly.walls.empty()) return;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (!state.shape_of(b).is_wall()) continue;
    const std::string& name = state.bodies.name[b];
    const auto wall = std::ranges::find(given.assembly.walls, name, &WallSpec::name);
    if (wall == given.assembly.walls.end()) continue;
    const auto here = std::ranges::find(stage.wall_velocities, name, &WallVelocity::wall);
    const Vec3 velocity = here != stage.wall_velocities.end() ? here->velocity : wall->velocity;
    prescribe_velocity(state.bodies, b, free_x, velocity.x, state.dt);
    prescribe_velocity(state.bodies, b, free_y, velocity.y, state.dt);
    prescribe_velocity(state.bodies, b, free_z, state.dimension == 3 ? velocity.z : 0, state.dt);
  }
}

}  // namespace dem
