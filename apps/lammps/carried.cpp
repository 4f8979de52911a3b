// Choices that the ranks do not carry are refused before the first step.
#include <fmt/format.h>

#include "apps/lammps/part.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/contacts/spheres/candidates.hpp"
#include "libdem/drivers/catalogue.hpp"
#include "libdem/drivers/plates.hpp"

namespace dem {
namespace {

class Refusals {
 public:
  explicit Refusals(const Case& given) : given_(given) {}
  void add(std::string_view key, std::string_view found, std::string_view allowed) {
    problems_.push_back(
        located(given_.file,
                fmt::format("{}: found {}, dem-lammps carries {}; dem run carries all of them", key, found, allowed)));
  }
  void report() const {
    if (!problems_.empty()) throw CaseErrors(problems_);
  }

 private:
  const Case& given_;
  std::vector<std::string> problems_;
};

}  // namespace

void check_carried(const Case& given) {
  Refusals refusals(given);
  for (const DriverChoice& driver : given.drivers)
    if (driver.entry->table != std::string_view(Plates::table))
      refusals.add(driver.entry->table, "this table", "plates, walls, mass damping and the drive of the cell so far");
  if (given.dimension == 2) {
    if (given.contact.geometry == GeometryMethod::exact) refusals.add("contact.geometry", "\"exact\"", "\"fast\"");
    if (const auto* grains = given.assembly.made_by<GrainsSpec>(); grains && grains->simplify > 0)
      refusals.add("assembly.simplify", fmt::format("{:g}", grains->simplify), "0");
    if (given.output.plane_jumps) refusals.add("output.plane_jumps", "true", "counts of jumps in the verdict");
  }
  if (given.contact.elongation == Elongation::velocity && given.contact.velocity_source != VelocitySource::predicted)
    refusals.add("contact.velocity_source",
                 given.contact.velocity_source == VelocitySource::corrected ? "\"corrected\"" : "\"trapezoid\"",
                 "\"predicted\"");
  for (std::size_t k = 0; k < given.stages.size(); ++k) {
    const Stage& stage = given.stages[k];
    const auto key = [k](const char* name) { return fmt::format("stage[{}].{}", k + 1, name); };
    if (stage.cell && stage.cell->turns()) refusals.add(key("turn_angle"), "a rigid turn", "strain rates and stresses");
  }
  refusals.report();
}

void check_carried(const Case& given, const State& state) {
  Refusals refusals(given);
  if (const auto body = body_beyond_images(state, bodies_without_walls(state)))
    refusals.add("assembly", fmt::format("body {} more than {} periodic cells away from the cell", *body, most_images),
                 "nearer bodies");
  if (state.bodies.has_orientations()) refusals.add("assembly", "clusters", "spheres so far");
  refusals.report();
}

}  // namespace dem
