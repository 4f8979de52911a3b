#include "libdem/drivers/plates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "libdem/bounds.hpp"
#include "libdem/motion/coordinates.hpp"
#include "libdem/state/assembly_error.hpp"
#include "libdem/state/groups.hpp"

namespace dem {

namespace {

double sum_of_heights(const State& state, const std::vector<std::size_t>& bodies) {
  double sum = 0;
  for (std::size_t b : bodies) sum += state.bodies.position[0][b].y;
  return sum;
}

double mean_height(const State& state, const std::vector<std::size_t>& bodies) {
  return sum_of_heights(state, bodies) / double(bodies.size());
}

void set_velocity(State& state, const std::vector<std::size_t>& bodies, double vx, double vy) {
  for (std::size_t b : bodies) {
    prescribe_velocity(state.bodies, b, free_x, vx, state.dt);
    prescribe_velocity(state.bodies, b, free_y, vy, state.dt);
  }
}

/// The bodies of a group, among the first `count` ones.
std::vector<std::size_t> bodies_of(const State& state, std::uint16_t group, std::size_t count = SIZE_MAX) {
  std::vector<std::size_t> bodies;
  for (std::size_t b = 0; b < std::min(count, state.bodies.size()); ++b)
    if (state.bodies.group[b] == group) bodies.push_back(b);
  return bodies;
}

}  // namespace

double distance_of_plates(const State& state) {
  const auto bottom = bodies_of(state, group_bottom_plate), top = bodies_of(state, group_top_plate);
  return bottom.empty() || top.empty() ? 0 : mean_height(state, top) - mean_height(state, bottom);
}

std::vector<laws::Key> Plates::keys() {
  using laws::key;
  constexpr laws::NumberRange length = laws::or_zero({bounds::smallest_length, bounds::largest_length});
  return {key("from_rows", &PlatesSpec::from_rows,
              "The first and the last row of the assembly are the plates (voronoi, lattice), or the listed bodies of "
              "the groups bottom-plate and top-plate; false: particles are added.")
              .by_default("true for voronoi, else false"),
          key("sides", &PlatesSpec::sides, laws::NumberRange{3, 1000}, "Sides of added plate particles."),
          key("particle_size", &PlatesSpec::particle_size, "m", length,
              "Equal-area radius of added plate particles. 0: the mean of the assembly."),
          key("gap", &PlatesSpec::gap, "m", length, "Distance between plates and assembly at the start.")};
}

DriverTopic Plates::topic() {
  return {"two rough plates, below and above an assembly in the plane, that press and shear it",
          "Each stage says with `normal` whether the plates keep their distance, go to a height or hold a stress, and "
          "with shear_rate how fast they shear. Signs: normal_stress is\n"
          "compression positive. Series: strain, wall stresses, shear_ratio.\n",
          {"stage.normal", "stage.height", "stage.normal_stress", "stage.plate_speed", "stage.shear_rate",
           "stage.strain", "stage.cycles", "stage.strain_amplitude", "stage.until_target", "stage.stress_tolerance",
           "stage.stress_hold_time"}};
}

void Plates::adapt(PlatesSpec& spec, const Case& given) {
  spec.from_rows = given.assembly.made_by<geometry::VoronoiInput>();
}

void Plates::check(const PlatesSpec& spec, const Case& given, Findings& findings) {
  if (given.dimension == 3)
    findings.add("plates", "this table",
                 "only with dimension = 2: remove it, and build walls with [[wall]], or a box with [shear_box]");
  else if (given.periodic[1])  // also where the directions are those of the generator
    findings.refuse("cell.periodic", R"(["x", "y"])", R"(["x"] with [plates]: the plates close y)");
  const auto listed = [&given](std::string_view group) {
    return std::ranges::find(given.assembly.bodies, group, &BodySpec::group) != given.assembly.bodies.end();
  };
  if (spec.from_rows && !given.assembly.made_by<geometry::VoronoiInput>() && !given.assembly.made_by<LatticeSpec>() &&
      !(listed("bottom-plate") && listed("top-plate")))
    findings.add("plates.from_rows", "true",
                 "false unless assembly.generator = \"voronoi\" or \"lattice\", or bodies of the groups bottom-plate "
                 "and top-plate are listed");
  if (!spec.from_rows) return;
  const PlatesSpec idle;
  const auto refuse_idle = [&](const char* key, auto value, auto usual) {
    if (value != usual)
      findings.refuse(std::string("plates.") + key, fmt::format("{}", value),
                      fmt::format("{} only with from_rows = true: no particles are added", usual));
  };
  refuse_idle("sides", spec.sides, idle.sides);
  refuse_idle("particle_size", spec.particle_size, idle.particle_size);
  refuse_idle("gap", spec.gap, idle.gap);
}

Plates::Plates(const PlatesSpec&, const Case& given, const State& state)
    : bottom_(bodies_of(state, group_bottom_plate)),
      top_(bodies_of(state, group_top_plate)),
      bottom_count_(bottom_.size()),
      top_count_(top_.size()),
      width_(state.cell.periodic[0] ? state.cell.vectors[0].x : given.cell_size.x) {
  for (std::size_t b : top_) top_mass_ += state.bodies.mass[b];
  for (const auto* plate : {&bottom_, &top_})
    for (std::size_t b : *plate)
      if (state.bodies.freedom[b] & free_in_plane)
        throw AssemblyError(
            body_label(state, b) +
            " belongs to a plate, but is free to move: fix its x, y and rotation, or name another group");
  if (bottom_.empty() || top_.empty())
    throw AssemblyError("plates are asked for, but no body belongs to bottom-plate or to top-plate");
  if (!(width_ > 0)) throw AssemblyError("plates need a cell with a width: set cell.size");
  height_ = mean_height(state, top_) - mean_height(state, bottom_);
  bool holds = false;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    holds |= state.bodies.freedom[b] != 0 && !state.shape_of(b).is_wall();
  if (!holds) throw AssemblyError("plates: there is nothing between them, no body of the case can move");
}

void Plates::begin(const Stage& stage, std::size_t, const World&) {
  stage_ = stage;
  reached_ = false;
  within_since_ = -1;
  leg_ = 0;
  centre_ = strain_;
  cycle_height_ = height_;
}

double Plates::leg_end() const {
  if (leg_ >= 2 * *stage_.cycles) return centre_;
  const double side = (leg_ % 2 == 0) == (stage_.shear_rate > 0) ? 1 : -1;
  return centre_ + side * *stage_.strain_amplitude;
}

double Plates::cycles_done() const {
  if (!stage_.cycles) return 0;
  if (cycles_over()) return *stage_.cycles;
  // Legs are A, 2A, 2A … 2A, A long.
  const double walked = (leg_ == 0 ? 0 : 2 * leg_ - 1) * *stage_.strain_amplitude;
  const double length = (leg_ == 0 || leg_ == 2 * *stage_.cycles ? 1 : 2) * *stage_.strain_amplitude;
  return (walked + length - std::abs(way_to_turn())) / (4 * *stage_.strain_amplitude);
}

double Plates::drive(const World& world) {
  State& state = world.state;
  const double speed = stage_.plate_speed;
  switch (stage_.normal) {
    case PlateNormal::hold_height:
      vertical_speed_ = 0;
      break;
    case PlateNormal::move_to_height: {  // the last step arrives exactly
      const double way = stage_.height - height_;
      vertical_speed_ = std::clamp(way / state.dt, -speed, speed);
      break;
    }
    case PlateNormal::hold_stress: {
      const double brake = stage_.normal_stress * width_ / speed;
      const double force = (stress_.normal_top - stage_.normal_stress) * width_;
      vertical_speed_ = (vertical_speed_ + state.dt / top_mass_ * force) / (1 + state.dt / top_mass_ * brake);
      break;
    }
  }
  double shear_speed = 0.5 * stage_.shear_rate * height_;
  if (stage_.cycles) {  // the last step before a turning point arrives exactly
    const double most = std::abs(stage_.shear_rate) * state.dt;
    shear_speed = cycles_over() ? 0 : 0.5 * std::clamp(way_to_turn(), -most, most) / state.dt * cycle_height_;
  }
  set_velocity(state, bottom_, -shear_speed, 0);
  set_velocity(state, top_, shear_speed, vertical_speed_);
  return 0;
}

void Plates::take_part(const State& state, std::size_t owned) {
  bottom_ = bodies_of(state, group_bottom_plate, owned);
  top_ = bodies_of(state, group_top_plate, owned);
}

void Plates::read_forces(const World& world) {
  const State& state = world.state;
  // Forces of contacts on the plates: what the bodies hold, less what is applied from outside.
  const auto sum = [&](const std::vector<std::size_t>& bodies) {
    Vec2 total;
    for (std::size_t b : bodies)
      total += planar(state.bodies.force[b] - state.bodies.applied_force_on(b)) -
               state.bodies.mass[b] * planar(state.gravity);
    return total;
  };
  const Vec2 own_bottom = sum(bottom_), own_top = sum(top_);
  std::array sums{
      own_bottom.x, own_bottom.y, own_top.x, own_top.y, sum_of_heights(state, bottom_), sum_of_heights(state, top_)};
  world.contacts.add_other_parts(sums);
  const Vec2 on_bottom{sums[0], sums[1]}, on_top{sums[2], sums[3]};
  stress_ = {-on_bottom.y / width_, on_top.y / width_, on_bottom.x / width_, -on_top.x / width_};
  height_ = sums[5] / double(top_count_) - sums[4] / double(bottom_count_);
}

void Plates::measure(const World& world, bool start) {
  const State& state = world.state;
  read_forces(world);
  if (start) return;
  if (!stage_.cycles) {
    strain_ += stage_.shear_rate * state.dt;
  } else if (!cycles_over()) {
    const double most = std::abs(stage_.shear_rate) * state.dt, way = way_to_turn();
    if (std::abs(way) <= most)
      strain_ = leg_end(), ++leg_;  // set, not summed: no drift of round-off from cycle to cycle
    else
      strain_ += std::copysign(most, way);
  }
  if (stage_.normal == PlateNormal::move_to_height) {
    reached_ = std::abs(height_ - stage_.height) <= 1e-12 * std::max(1.0, std::abs(stage_.height));
  } else if (stage_.normal == PlateNormal::hold_stress) {
    if (std::abs(servo_error()) > stage_.stress_tolerance)
      within_since_ = -1;
    else if (within_since_ < 0)
      within_since_ = state.time;
    reached_ = within_since_ >= 0 && state.time - within_since_ >= stage_.stress_hold_time;
  }
}

double Plates::servo_error() const {
  if (stage_.normal != PlateNormal::hold_stress) return std::numeric_limits<double>::quiet_NaN();
  return (stress_.normal_top - stage_.normal_stress) / stage_.normal_stress;
}

void Plates::fields(FieldVisitor& f, State&) {
  f("height", height_);
  f("strain", strain_);
  f("vertical_speed", vertical_speed_);
  f("within_since", within_since_);
  f("stress", stress_);
  f("reached", reached_, Hashed::no);
  const Hashed cyclic{stage_.cycles.has_value()};
  f("leg", leg_, cyclic);
  f("centre", centre_, cyclic);
  f("cycle_height", cycle_height_, cyclic);
}

}  // namespace dem
