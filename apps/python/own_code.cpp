#include "apps/python/own_code.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "libdem/motion/coordinates.hpp"
#include "libdem/state/assembly_error.hpp"
#include "libdem/state/groups.hpp"

namespace dem::python {
namespace {

constexpr std::size_t size = 6;  // coordinates of a body: x, y, z and rotations
constexpr Freedom coordinate[size] = {free_x, free_y, free_z, free_rx, free_ry, free_rz};

bool exists(const State& state, std::size_t c) { return state.dimension == 3 || c == 0 || c == 1 || c == 5; }

/// A stage moves plates along y, and a motion of one's own does the rest.
bool is_of_plates(const State& state, std::size_t b) {
  return state.bodies.group[b] == group_bottom_plate || state.bodies.group[b] == group_top_plate;
}

/// The finite numbers that a function returned: one of two counts (0: no second).
std::vector<double> numbers_of(const py::object& returned, std::size_t count, std::size_t other, const char* name) {
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(returned);
  const std::size_t found = array ? std::size_t(array.size()) : 0;
  if (found == 0 || (found != count && found != other))
    throw py::value_error(fmt::format("{}: found {} numbers, allowed {}", name, found, count));
  std::vector<double> out(array.data(), array.data() + found);
  for (const double x : out)
    if (!std::isfinite(x)) throw py::value_error(fmt::format("{}: found {}, allowed finite numbers", name, x));
  return out;
}

/// Mean velocity of a step of a body that turns with `spin` on an arm: the chord of its arc over Δt (m/s). The velocity
/// along the tangent would lead off the circle, by (spin Δt)²/2 of the arm in each step.
Vec3 chord_velocity(Vec3 spin, Vec3 arm, double dt) {
  const double half = 0.5 * norm(spin) * dt, sinc = half > 0 ? std::sin(half) / half : 1.0;
  const Vec3 tangent = cross(spin, arm);
  return (sinc * std::cos(half)) * tangent + (0.5 * dt * sinc * sinc) * cross(spin, tangent);
}

}  // namespace

std::vector<std::size_t> bodies_named(const State& state, const std::string& target) {
  if (const auto wall = wall_named(state, target)) return {*wall};
  std::vector<std::size_t> found;
  const auto group = std::ranges::find(state.groups, target);
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const bool named = b < state.bodies.name.size() && state.bodies.name[b] == target;
    const bool grouped = group != state.groups.end() && state.bodies.group[b] == group - state.groups.begin();
    if (named || grouped) found.push_back(b);
  }
  if (!found.empty()) return found;
  throw AssemblyError(
      fmt::format("python: found \"{}\", allowed the name of a wall or body, or a group with bodies ({})", target,
                  fmt::join(state.groups, ", ")));
}

std::vector<laws::Key> OwnCodeDriver::keys() {
  return {laws::key("source", &Options::source, "Source text of the Python functions of the run.").require()};
}

OwnCodeDriver::OwnCodeDriver(const Options& options, const Case&, const State& state) : code_(options.code) {
  if (!code_)
    throw AssemblyError(
        "python.source: found a case with functions of its own, allowed only with them: give them again by run.motion "
        "and run.force, from the same source");
  for (const OwnCode::Function& f : code_->motions) {
    Motion& motion = motions_.emplace_back();
    motion.bodies = bodies_named(state, f.target);
    for (const std::size_t b : motion.bodies)
      for (std::size_t c = 0; c < 3; ++c)
        if (exists(state, c) && state.bodies.freedom[b] & coordinate[c])
          throw AssemblyError(
              fmt::format("python: found a motion of {}, which is free to move; hold it in the case, as "
                          "by fixed = [\"x\", \"y\", \"rotation\"]",
                          body_label(state, b)));
  }
  for (const OwnCode::Function& f : code_->forces) {
    Force& force = forces_.emplace_back();
    force.bodies = bodies_named(state, f.target);
    force.load.resize(size * force.bodies.size());
    const py::gil_scoped_acquire lock;
    force.indices = {new py::object(py::cast(force.bodies)), [](const py::object* held) {
                       const py::gil_scoped_acquire last;
                       delete held;
                     }};
  }
}

std::vector<std::size_t> OwnCodeDriver::held_apart() const {
  std::vector<std::size_t> all;
  for (const Motion& motion : motions_) all.insert(all.end(), motion.bodies.begin(), motion.bodies.end());
  return all;
}

void OwnCodeDriver::ask_motions(const State& state) {
  // In the middle of the step the displacement of a step is right to second order.
  const double time = state.time + 0.5 * state.dt;
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const std::vector<double> x = numbers_of(code_->motions[k].call(time), size, size + 3, "motion");
    motions_[k].velocity = {x[0], x[1], x[2]};
    motions_[k].spin = {x[3], x[4], x[5]};
    motions_[k].about.reset();
    if (x.size() > size) motions_[k].about = Vec3{x[6], x[7], x[8]};
  }
}

void OwnCodeDriver::start(const World& world) {
  {
    const py::gil_scoped_acquire lock;
    ask_motions(world.state);
  }
  drive(world);
}

double OwnCodeDriver::drive(const World& world) {
  State& state = world.state;
  for (const Motion& motion : motions_)
    for (const std::size_t b : motion.bodies) {
      Vec3 v = motion.velocity;
      const Vec3 w = motion.spin;
      if (motion.about) {  // the function says where this point is in the middle of the step
        const Vec3 arm = state.bodies.position[0][b] - *motion.about + (0.5 * state.dt) * v;
        v += chord_velocity(w, arm, state.dt);
      }
      const double rates[size] = {v.x, v.y, v.z, w.x, w.y, w.z};
      const bool is_plate = is_of_plates(state, b);
      if (is_plate && v.y != 0)
        throw py::value_error(
            fmt::format("motion of {}: found velocity {} along y, allowed 0: the stage moves plates along y",
                        body_label(state, b), v.y));
      for (std::size_t c = 0; c < size; ++c)
        if (exists(state, c) && !(state.bodies.freedom[b] & coordinate[c]) && !(is_plate && coordinate[c] == free_y))
          prescribe_velocity(state.bodies, b, coordinate[c], rates[c], state.dt);
    }
  return 0;
}

// Works are trapezoids over the movement between evaluations, as of all loads.
ContactWork OwnCodeDriver::apply(const World& world) {
  work_ = 0;
  if (forces_.empty()) return {};
  State& state = world.state;
  Bodies& bodies = state.bodies;
  const py::gil_scoped_acquire lock;
  const py::object seen = py::cast(StateView{&state});
  for (std::size_t f = 0; f < forces_.size(); ++f) {
    Force& force = forces_[f];
    std::vector<double> load =
        numbers_of(code_->forces[f].call(state.time, seen, *force.indices), size * force.bodies.size(), 0, "force");
    for (std::size_t k = 0; k < force.bodies.size(); ++k) {
      const std::size_t b = force.bodies[k];
      double *now = load.data() + size * k, *before = force.load.data() + size * k;
      const Vec3 moved = bodies.evaluated_position[b] - bodies.evaluated_position_before[b];
      const Vec3 turned = bodies.evaluated_rotation[b] - bodies.evaluated_rotation_before[b];
      const double way[size] = {moved.x, moved.y, moved.z, turned.x, turned.y, turned.z};
      for (std::size_t c = 0; c < size; ++c) {
        if (!exists(state, c) || !(bodies.freedom[b] & coordinate[c])) now[c] = 0;
        work_ += 0.5 * (before[c] + now[c]) * way[c];
        before[c] = now[c];
      }
      bodies.force[b] += Vec3{now[0], now[1], now[2]};
      bodies.torque[b] += Vec3{now[3], now[4], now[5]};
    }
  }
  return {};
}

void OwnCodeDriver::fields(FieldVisitor& f, State&) {
  for (std::size_t k = 0; k < forces_.size(); ++k) f(fmt::format("load/{}", k), forces_[k].load, Hashed::no);
}

}  // namespace dem::python
