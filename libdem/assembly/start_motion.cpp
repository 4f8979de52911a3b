#include "libdem/assembly/start_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "libdem/assembly/assembly.hpp"
#include "libdem/assembly/start_check.hpp"
#include "libdem/bounds.hpp"
#include "libdem/drivers/plates.hpp"

namespace dem {
namespace {

/// Speeds that a time step allows.
class Step {
 public:
  Step(const State& state) : dt_(state.dt) {
    for (std::size_t b = 0; b < state.bodies.size(); ++b)
      if (!state.shape_of(b).is_wall()) smallest_ = std::min(smallest_, 2 * state.shape_of(b).equivalent_radius());
  }
  void check_speed(const std::string& key, double speed) const {
    check(key, speed, smallest_, "m/s", fmt::format("passes the diameter of the smallest body, {:g} m", smallest_));
  }
  void check_spin(const std::string& key, double spin) const {
    check(key, spin, std::numbers::pi, "rad/s", "is half a turn");
  }
  void check_rate(const std::string& key, double rate) const {
    check(key, rate, bounds::largest_step_strain, "1/s",
          fmt::format("strains the cell by {:g}", bounds::largest_step_strain));
  }

 private:
  /// `most`: change in one step.
  void check(const std::string& key, double rate, double most, const char* unit, const std::string& effect) const {
    if (!(std::abs(rate) * dt_ <= most))
      throw AssemblyError(fmt::format(
          "{0}: found {1:g} {2}, allowed at most {3:.4g} {2}: a step of {4:g} s then {5}; use a smaller time.step", key,
          rate, unit, most / dt_, dt_, effect));
  }
  double dt_, smallest_ = std::numeric_limits<double>::infinity();
};

}  // namespace

void check_sizes(const State& state) {
  const Bodies& bodies = state.bodies;
  const auto is_in = [](double x, double low, double high) { return x >= low && x <= high; };  // false for NaN
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (state.shape_of(b).is_wall()) continue;
    const double radius = state.shape_of(b).bounding_radius(), place = norm(bodies.position[0][b]);
    const auto refuse = [&](const std::string& found, double low, double high) {
      throw AssemblyError(
          fmt::format("{}: found {}, allowed from {:g} to {:g}: check the sizes and the scale that the case gives",
                      body_label(state, b), found, low, high));
    };
    if (!is_in(radius, bounds::smallest_length, 1e3 * bounds::largest_length))
      refuse(fmt::format("a radius of {:g} m", radius), bounds::smallest_length, 1e3 * bounds::largest_length);
    if (!is_in(place, 0, 1e3 * bounds::largest_length))
      refuse(fmt::format("a place {:g} m from the origin", place), 0, 1e3 * bounds::largest_length);
    if (!is_in(bodies.mass[b], 1e-60, 1e60)) refuse(fmt::format("a mass of {:g} kg", bodies.mass[b]), 1e-60, 1e60);
    if (!is_in(bodies.moment[b], 1e-90, 1e90))
      refuse(fmt::format("a moment of inertia of {:g} kg m²", bodies.moment[b]), 1e-90, 1e90);
  }
}

void check_motion(const Case& given, const State& state) {
  const double height = given.driver_options<PlatesSpec>() ? distance_of_plates(state) : 0;
  const Step step(state);
  for (std::size_t k = 0; k < given.assembly.bodies.size(); ++k) {
    const BodySpec& body = given.assembly.bodies[k];
    const std::string path = fmt::format("body[{}].", k + 1);
    step.check_speed(path + "velocity", norm(body.velocity));
    if (given.dimension == 2)
      step.check_spin(path + "spin", std::abs(body.spin));
    else
      step.check_spin(path + "angular_velocity", norm(body.angular_velocity));
  }
  for (std::size_t k = 0; k < given.assembly.walls.size(); ++k)
    step.check_speed(fmt::format("wall[{}].velocity", k + 1), norm(given.assembly.walls[k].velocity));
  for (std::size_t k = 0; k < given.stages.size(); ++k) {
    const Stage& stage = given.stages[k];
    const std::string path = fmt::format("stage[{}].", k + 1);
    for (const WallVelocity& wall : stage.wall_velocities)
      step.check_speed(path + "wall_velocities", norm(wall.velocity));
    step.check_speed(path + "shear_velocity", std::abs(stage.shear_velocity));
    if (stage.normal != PlateNormal::hold_height) step.check_speed(path + "plate_speed", stage.plate_speed);
    if (height > 0 && stage.shear_rate != 0)
      step.check_speed(path + "shear_rate", 0.5 * std::abs(stage.shear_rate) * height);
    if (!stage.cell) continue;
    for (std::size_t c = 0; c < stage.cell->component.size(); ++c)
      step.check_rate(fmt::format("{}rate_{}", path, cell_component_names[c]), stage.cell->component[c].rate);
  }
}

}  // namespace dem
