// A driver that libdem does not have, as a user writes it: a wall that vibrates.
//
//   u(t) = A sin(2π f t) d from the place that the case gives the wall, d a unit vector along `direction`
#pragma once
#include <cmath>
#include <numbers>
#include <string>

#include "libdem/drivers/catalogue.hpp"
#include "libdem/motion/coordinates.hpp"
#include "libdem/state/assembly_error.hpp"
#include "libdem/state/groups.hpp"

namespace outside {

class VibratingWall final : public dem::Driver {
 public:
  static constexpr const char* table = "vibrating_wall";
  static constexpr const char* description = "A wall that vibrates: a shaker, a sieve.";

  struct Options {
    std::string wall;
    double amplitude = 0;  ///< A (m)
    double frequency = 0;  ///< f (1/s)
    std::array<double, 3> direction{0, 0, 1};
  };
  static std::vector<dem::laws::Key> keys() {
    using dem::laws::key;
    return {key("wall", &Options::wall, "Name of the [[wall]] that vibrates.").require(),
            key("amplitude", &Options::amplitude, "m", {0, 1e3, true}, "Amplitude A of the displacement.").require(),
            key("frequency", &Options::frequency, "1/s", {0, 1e9, true}, "Frequency f.").require(),
            key("direction", &Options::direction, "", {-1e9, 1e9}, "Direction of the displacement, of any length.")};
  }

  VibratingWall(const Options& options, const dem::Case&, const dem::State& state) : options_(options) {
    const auto [x, y, z] = options.direction;
    const double size = std::sqrt(x * x + y * y + z * z);
    if (!(size > 0))
      throw dem::AssemblyError(
          "vibrating_wall.direction: found no direction, allowed three numbers that are not all 0");
    direction_ = {x / size, y / size, z / size};
    const auto wall = dem::wall_named(state, options.wall);
    if (!wall)
      throw dem::AssemblyError("vibrating_wall.wall: found \"" + options.wall + "\", allowed the name of a [[wall]]");
    wall_ = *wall;
  }

  std::string name() const override { return table; }
  void start(const dem::World& world) override { drive(world); }
  /// Moves the wall to its place at the end of the step.
  double drive(const dem::World& world) override {
    const double dt = world.state.dt, next = place(world.state.time + dt),
                 speed = (next - place(world.state.time)) / dt;
    const double along[] = {direction_.x, direction_.y, direction_.z};
    for (int a = 0; a < world.state.dimension; ++a)
      dem::prescribe_velocity(world.state.bodies, wall_, dem::Freedom(dem::free_x << a), along[a] * speed, dt);
    return 0;
  }
  void measure(const dem::World& world, bool start) override {
    if (!start) impulse_ += world.state.dt * dot(world.state.bodies.force[wall_], direction_);
  }
  std::vector<dem::DriverColumn> columns() const override {
    return {{{"vibration_impulse", "N s", "impulse of the contacts on the vibrating wall so far, along its direction"},
             [](const dem::Driver& driver, const dem::State&) {
               return static_cast<const VibratingWall&>(driver).impulse_;
             }}};
  }
  void fields(dem::FieldVisitor& f, dem::State&) override { f("impulse", impulse_); }

 private:
  double place(double time) const {
    return options_.amplitude * std::sin(2 * std::numbers::pi * options_.frequency * time);
  }

  Options options_;
  dem::Vec3 direction_;
  std::size_t wall_ = 0;
  double impulse_ = 0;  // N s
};

}  // namespace outside
