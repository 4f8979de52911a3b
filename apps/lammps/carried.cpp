// Choices that the ranks do not carry are refused before the first step.
#include <fmt/format.h>

#include "apps/lammps/part.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/drivers/catalogue.hpp"

namespace dem {

void check_carried(const Case& given, const State& state) {
  std::vector<std::string> problems;
  const auto refuse = [&](std::string_view key, std::string_view found, std::string_view allowed) {
    const int line = case_key_line(given.file, key);
    problems.push_back(fmt::format("{}{}: {}: found {}, dem-lammps carries {}; dem run carries all of them",
                                   given.file.string(), line > 0 ? fmt::format(":{}", line) : "", key, found, allowed));
  };
  if (given.dimension != 3) {
    refuse("dimension", "2", "3 (spheres) so far");
    throw CaseErrors(problems);
  }
  if (state.bodies.has_orientations()) refuse("assembly", "clusters", "spheres so far");
  for (const DriverChoice& driver : given.drivers)
    refuse(driver.entry->table, "this table", "walls and the drive of the cell so far");
  if (given.contact.elongation == Elongation::velocity && given.contact.velocity_source != VelocitySource::predicted)
    refuse("contact.velocity_source", "another one", "\"predicted\"");
  for (std::size_t k = 0; k < given.stages.size(); ++k) {
    const Stage& stage = given.stages[k];
    const auto key = [k](const char* name) { return fmt::format("stage[{}].{}", k + 1, name); };
    if (stage.cell && stage.cell->turns()) refuse(key("turn_angle"), "a rigid turn", "strain rates and stresses");
    if (stage.unbalanced) refuse(key("unbalanced"), "this end", "other ends of a stage");
    if (stage.coordination) refuse(key("coordination"), "this end", "other ends of a stage");
  }
  for (std::size_t b = 0; b < bodies_without_walls(state); ++b) {
    const Bodies& bodies = state.bodies;
    if (bodies.freedom[b] == free_in_space) continue;
    if (bodies.position[1][b] == Vec3{} && bodies.rotation[1][b] == Vec3{}) continue;
    refuse("assembly", fmt::format("body {}, which is held and moves", b), "held grains at rest");
    break;
  }
  if (!problems.empty()) throw CaseErrors(problems);
}

}  // namespace dem
