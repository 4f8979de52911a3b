// Keys of a stage that exclude or need each other: its ends, plates, shear box, walls and the drive of the cell.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "libdem/case/schema.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "libdem/drivers/stage_ends.hpp"

namespace dem::case_file {
namespace {

/// The first key of the stage that drives the cell, as it stands in the file.
std::string first_cell_key(const std::string& path, const Problems& problems) {
  for (const char* kind : {"rate_", "stress_"})
    for (const char* component : cell_component_names)
      if (std::string key = fmt::format("{}.{}{}", path, kind, component); problems.is_given(key)) return key;
  for (const char* name : {"mean_pressure", "largest_rate", "servo_tolerance", "turn_angle", "turn_axis", "turn_steps"})
    if (std::string key = fmt::format("{}.{}", path, name); problems.is_given(key)) return key;
  return path;
}

void check_turn(const StageDraft& stage, const std::string& path, int dimension, Problems& problems) {
  if (!stage.turn_angle) problems.add(path + ".turn_angle", "nothing", "an angle (rad): the stage is a turn");
  if (!stage.turn_steps) problems.add(path + ".turn_steps", "nothing", "a number of steps: the stage is a turn");
  const Vec3 axis = stage.turn_axis.value_or(Vec3{0, 0, 1});
  if (!(norm(axis) > 0) || (dimension == 2 && (axis.x != 0 || axis.y != 0)))
    problems.refuse(path + ".turn_axis", "three numbers [x, y, z], not all 0; in the plane [0, 0, 1]");
  bool strains = stage.mean_pressure.has_value();
  for (std::size_t k = 0; k < stage.rate.size(); ++k)
    strains = strains || stage.component_stress[k] || stage.rate[k].value_or(0) != 0;
  if (strains)
    problems.add(path + ".turn_angle", "a turn beside rates or stresses",
                 "one of the two: a turn moves nothing relative to anything");
}

void check_drive(const StageDraft& stage, const std::string& path, int dimension, bool closed, Problems& problems) {
  if (!closed) {
    problems.add(first_cell_key(path, problems), "this key without a fully periodic cell",
                 fmt::format("only with cell.periodic = {}: the cell is what is driven",
                             dimension == 2 ? "[\"x\", \"y\"]" : "[\"x\", \"y\", \"z\"]"));
    return;
  }
  bool free_normal = false;
  for (std::size_t k = 0; k < stage.rate.size(); ++k) {
    const std::string name = cell_component_names[k];
    const auto [a, b] = cell_component_axes[k];
    if (dimension == 2 && b == 2) continue;
    if (stage.rate[k] && stage.component_stress[k])
      problems.add(path + ".stress_" + name, fmt::format("this key beside rate_{}", name),
                   "one of the two: a direction whose strain is prescribed has none left for the servo");
    if (a == b && stage.component_stress[k].value_or(-1) >= 0)
      problems.refuse(path + ".stress_" + name,
                      "a number < 0: stresses are tension positive, and bodies without cohesion bear compression only");
    free_normal = free_normal || (a == b && !stage.rate[k] && !stage.component_stress[k]);
  }
  if (stage.mean_pressure && !free_normal)
    problems.refuse(path + ".mean_pressure",
                    "at least one normal direction without a rate or a stress of its own: it holds the pressure");
  if (stage.turns()) check_turn(stage, path, dimension, problems);
}

}  // namespace

/// Histories of Hertzian laws hold slopes or turning forces that friction bounds. They have no meaning under another
/// friction. Without friction there are none. A stage without a friction has those of all materials and pairs.
void check_friction_of_stages(const CaseDraft& draft, const Case& resolved, Problems& problems) {
  if (draft.contact.law->legs < 0) return;
  std::vector<double> of_materials{resolved.material.friction};
  for (const NamedMaterial& other : resolved.materials) of_materials.push_back(other.friction);
  for (const MaterialPair& pair : resolved.material_pairs)
    if (pair.friction) of_materials.push_back(*pair.friction);
  const auto frictions = [&](const StageDraft& stage) {
    return stage.friction ? std::vector{*stage.friction} : of_materials;
  };
  const auto check = [&](std::size_t k) {
    const StageDraft &before = draft.own_stages[k - 1], &stage = draft.own_stages[k];
    if (!before.friction && !stage.friction) return;
    for (const double then : frictions(before))
      for (const double now : frictions(stage)) {
        if (now == then || then == 0) continue;
        const std::string path = fmt::format("stage[{}]", k + 1);
        return problems.add(problems.is_given(path + ".friction") ? path + ".friction" : path,
                            fmt::format("friction {} after {}", encode(now), encode(then)),
                            fmt::format("the friction of the stage before, unless that is 0: histories of law = "
                                        "\"{}\" are bounded by the friction they were made with",
                                        draft.contact.law.name()));
      }
  };
  for (std::size_t k = 1; k < draft.own_stages.size(); ++k) check(k);
}

/// Stages of a shear box in an order that works: a packing, the plate on it, then shear.
void check_stages_of_box(const CaseDraft& draft, Problems& problems) {
  const bool has_box = draft.driver_options<ShearBoxSpec>();
  bool loaded = !draft.start_from.empty(), said = false;
  for_each_entry(draft.own_stages, "stage", [&](const StageDraft& stage, const std::string& path) {
    if (stage.history && !draft.contact.law->history)
      problems.refuse(path + ".history", "no history of a stage: only " +
                                             laws_that_have([](const auto& law) { return law.history; }, "the choice"));
    if (!has_box) {
      const auto refuse = [&](const char* key, bool given) {
        if (!given || said) return;
        problems.add(path + "." + key, "this key without a shear box", "only with a [shear_box] table");
        said = true;
      };
      refuse("plate_stress", stage.plate_stress.has_value());
      refuse("shear_velocity", stage.shear_velocity != 0);
      refuse("shear_displacement", stage.shear_displacement.has_value());
      return;
    }
    if (stage.shear_velocity != 0 && !loaded)
      problems.refuse(path + ".shear_velocity",
                      "only after a stage with plate_stress: before there is a packing under the plate there is "
                      "nothing to shear");
    if (stage.shear_displacement && stage.shear_velocity == 0)
      problems.refuse(path + ".shear_displacement", "a stage with shear_velocity other than 0");
    loaded = loaded || problems.is_given(path + ".plate_stress");
  });
}

/// Walls that a stage moves are there, and no others move them.
void check_moving_walls(const CaseDraft& draft, Problems& problems) {
  std::string names;
  for (const WallSpec& wall : draft.assembly.walls)
    if (names.find(encode(wall.name)) == std::string::npos)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", encode(wall.name));
  for_each_entry(draft.own_stages, "stage", [&](const StageDraft& stage, const std::string& table) {
    const std::vector<WallVelocity>& moving = stage.wall_velocities;
    const std::string path = table + ".wall_velocities";
    for (std::size_t w = 0; w < moving.size(); ++w) {
      if (std::ranges::none_of(draft.assembly.walls, [&](const WallSpec& wall) { return wall.name == moving[w].wall; }))
        problems.add(path, encode(moving[w].wall),
                     names.empty() ? "only with a [[wall]]" : fmt::format("the name of a [[wall]]: {}", names));
      for (std::size_t v = 0; v < w; ++v)
        if (moving[v].wall == moving[w].wall) problems.add(path, encode(moving[w].wall), "every wall once");
      if (draft.dimension == 2 && moving[w].velocity.z != 0)
        problems.add(path, encode(moving[w].velocity), "[x, y] with dimension = 2");
    }
  });
}

void check_stages(const CaseDraft& draft, const Case& resolved, Problems& problems) {
  check_moving_walls(draft, problems);
  check_friction_of_stages(draft, resolved, problems);
  check_stages_of_box(draft, problems);
  bool needs_plates = !draft.driver_options<PlatesSpec>();  // said once
  const auto need_plates = [&](const std::string& key, const std::string& found) {
    if (!std::exchange(needs_plates, false)) return;
    problems.add(
        key, found + " without plates",
        "only with them: add a [plates] table (may be empty): with voronoi the first and last row become the plates");
  };
  const bool closed = resolved.periodic[0] && resolved.periodic[1] && (draft.dimension == 2 || resolved.periodic[2]);
  if (draft.own_stages.empty()) problems.add("stage", "none", "at least one [[stage]]: it says how long the run is");
  for_each_entry(draft.own_stages, "stage", [&](const StageDraft& stage, const std::string& path) {
    const auto given = [&](const char* key) { return problems.is_given(path + "." + key); };
    if (stage.normal != PlateNormal::hold_height) need_plates(path + ".normal", encode(stage.normal));
    if (stage.shear_rate != 0) need_plates(path + ".shear_rate", encode(stage.shear_rate));
    if (given("strain") && stage.shear_rate == 0 && !stage.drives_cell() && !problems.has(path + ".shear_rate"))
      problems.add(path + ".strain", stage.strain ? encode(*stage.strain) : "a strain",
                   "a stage with shear_rate other than 0, or one that drives the cell");
    if (stage.until_target && stage.normal == PlateNormal::hold_height && !stage.mean_pressure &&
        std::ranges::none_of(stage.component_stress, [](const auto& s) { return s.has_value(); }))
      problems.add(path + ".until_target", "true", "only where plates move or a servo of the cell holds a stress");
    // Plates that hold a stress are judged by the tolerance, and keep both keys while until_target is switched off.
    if (stage.normal != PlateNormal::hold_stress && !stage.until_target && !problems.has(path + ".until_target")) {
      constexpr std::string_view why =
          " without until_target = true: only that end waits for the stress; set it, or remove this key";
      const Stage idle;
      if (stage.stress_hold_time != idle.stress_hold_time)
        problems.refuse(path + ".stress_hold_time", fmt::format("{}{}", encode(idle.stress_hold_time), why));
      if (stage.stress_tolerance != idle.stress_tolerance)
        problems.refuse(path + ".stress_tolerance", fmt::format("{}{}", encode(idle.stress_tolerance), why));
    }
    if (given("cycles") != given("strain_amplitude"))
      problems.add(path + (given("cycles") ? ".cycles" : ".strain_amplitude"),
                   given("cycles") ? "this key without strain_amplitude" : "this key without cycles",
                   "both or neither");
    if (given("cycles") && stage.shear_rate == 0 && !problems.has(path + ".shear_rate"))
      problems.add(path + ".cycles", stage.cycles ? encode(*stage.cycles) : "cycles",
                   "a stage with shear_rate other than 0");
    if (given("cycles") && given("strain"))
      problems.add(path + ".strain", "this key beside cycles", "one of the two: the strain of cycles turns back");
    for (const char* key : {"stress_ratio", "void_ratio"})
      if (given(key) && !closed)
        problems.add(path + "." + key, "this key without a fully periodic cell",
                     "only with cell.periodic in every direction: it is a mean over the cell");
    if (stage.drives_cell()) check_drive(stage, path, draft.dimension, closed, problems);
    bool end = stage.until_target || stage.turns();
    std::string keys;
    for (const StageEnd& known : stage_ends()) {
      end = end || given(std::string(known.key).c_str());
      keys += fmt::format("{}{}", keys.empty() ? "" : ", ", known.key);
    }
    if (!end) problems.add(path, "no end", "at least one of " + keys);
  });
}

}  // namespace dem::case_file
