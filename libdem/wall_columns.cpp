#include "libdem/wall_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dem {

namespace {
constexpr std::size_t most_walls = 16;
constexpr const char* axis = "xyz";

/// A word for each wall, of letters, digits and underscores, no two alike.
std::vector<std::string> words_of(const State& state, const std::vector<std::size_t>& walls) {
  std::vector<std::string> words;
  for (const std::size_t wall : walls) {
    std::string name = state.bodies.name.empty() ? "" : state.bodies.name[wall];
    if (name.empty()) name = fmt::format("wall_{}", wall);
    name = column_word(name);
    std::string word = name;
    for (int k = 2; std::ranges::find(words, word) != words.end(); ++k) word = fmt::format("{}_{}", name, k);
    words.push_back(std::move(word));
  }
  return words;
}
}  // namespace

std::vector<std::size_t> recorded_walls(const State& state) {
  std::vector<std::size_t> walls;
  for (std::size_t b = 0; b < state.bodies.size() && walls.size() < most_walls; ++b)
    if (state.shape_of(b).is_wall()) walls.push_back(b);
  return walls;
}

std::vector<Column> wall_columns(const Simulation& run) {
  std::vector<Column> columns;
  for (const std::string& word : words_of(run.state(), recorded_walls(run.state()))) {
    if (run.state().dimension == 2) {
      for (int a = 0; a < 2; ++a) columns.push_back({fmt::format("{}_force_{}", word, axis[a]), "N/m", fmt::format("force of the contacts on wall '{}' along {}", word, axis[a])});
      columns.push_back({fmt::format("{}_moment_z", word), "N", "moment of these forces about the middle of `from` and `to`, which moves with the wall"});
      continue;
    }
    for (int a = 0; a < 3; ++a) columns.push_back({fmt::format("{}_force_{}", word, axis[a]), "N", fmt::format("force of the contacts on wall '{}' along {}", word, axis[a])});
    for (int a = 0; a < 3; ++a)
      columns.push_back({fmt::format("{}_moment_{}", word, axis[a]), "N m", fmt::format("moment of these forces about {} through the origin, which moves with the wall", axis[a])});
  }
  return columns;
}

std::vector<double> wall_row(const Simulation& run) {
  const State& state = run.state();
  std::vector<double> row;
  for (const std::size_t wall : recorded_walls(state)) {
    const Vec3 force = state.bodies.force[wall], moment = state.bodies.torque[wall];
    if (state.dimension == 2) row.insert(row.end(), {force.x, force.y, moment.z});
    else row.insert(row.end(), {force.x, force.y, force.z, moment.x, moment.y, moment.z});
  }
  return row;
}

std::vector<Column> shear_box_columns() {
  return {
      {"shear_displacement", "m", "displacement of the lower half along x since the start"},
      {"shear_force", "N", "T: force along x of the lower half on the grains"},
      {"shear_force_above", "N", "the part of it that upper half and plate bear; differs by inertia"},
      {"plate_load", "N", "force of the grains on the plate, upwards"},
      {"plane_normal_force", "N", "N: normal force on the shear plane, compression positive"},
      {"weight_above", "N", "weight of the bodies above the middle of the gap"},
      {"wall_drag", "N", "force of the grains on the upper walls, upwards: with plate load and weight above it makes N"},
      {"plate_height", "m", "z of the load plate"},
      {"void_ratio", "1", "of the space between floor and plate"},
      {"porosity", "1", "e/(1 + e)"},
      {"nominal_shear_ratio", "1", "T over the prescribed load of the plate; nan without one"},
      {"plane_shear_ratio", "1", "T/N: tangent of the angle of friction on the shear plane; nan unless N is positive"},
  };
}

std::vector<double> shear_box_row(const Simulation& run) {
  const ShearBox& box = *run.shear_box();
  const ShearBoxReading r = box.read(run.state());
  const double load = box.load();
  return {r.displacement, r.shear_force,  r.shear_force_above, r.plate_load, r.plane_normal_force, r.weight_above,
          r.wall_drag,    r.plate_height, r.void_ratio,        r.porosity(), load > 0 ? r.shear_force / load : NAN,
          r.plane_normal_force > 0 ? r.shear_force / r.plane_normal_force : NAN};
}

}  // namespace dem
