#include "libdem/drivers/wall_motion.hpp"

#include <algorithm>

#include "libdem/motion/coordinates.hpp"

namespace dem {

namespace {

void move(const WallSpec& wall, std::size_t body, const Stage& stage, State& state) {
  const auto here = std::ranges::find(stage.wall_velocities, wall.name, &WallVelocity::wall);
  const Vec3 velocity = here != stage.wall_velocities.end() ? here->velocity : wall.velocity;
  prescribe_velocity(state.bodies, body, free_x, velocity.x, state.dt);
  prescribe_velocity(state.bodies, body, free_y, velocity.y, state.dt);
  prescribe_velocity(state.bodies, body, free_z, state.dimension == 3 ? velocity.z : 0, state.dt);
  prescribe_velocity(state.bodies, body, free_rz, 0, state.dt);  // a run that this one starts from may have turned it
}

}  // namespace

void WallMotion::begin(const Stage& stage, std::size_t, const World& world) {
  State& state = world.state;
  const std::vector<WallSpec>& walls = world.given.assembly.walls;
  const std::size_t n = state.bodies.size();
  if (state.dimension == 2) {  // the last bodies, one for each, named or not
    for (std::size_t k = 0; k < walls.size(); ++k) move(walls[k], n - walls.size() + k, stage, state);
    return;
  }
  for (std::size_t b = 0; b < n; ++b) {
    if (!state.shape_of(b).is_wall()) continue;
    const std::string name = state.bodies.name.empty() ? "" : state.bodies.name[b];  // no names at all: one part
    const auto wall = std::ranges::find(walls, name, &WallSpec::name);
    if (wall != walls.end()) move(*wall, b, stage, state);
  }
}

}  // namespace dem
