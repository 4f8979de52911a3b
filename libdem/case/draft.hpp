// A case as its file gives it, before defaults that depend on other keys are filled in (resolve), and its checks.
#pragma once
#include "libdem/case.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/case/words.hpp"
#include "libdem/drivers/catalogue.hpp"

namespace dem::case_file {

struct OtherMaterialDraft {
  std::string name;
  std::optional<double> density, normal_stiffness, tangential_stiffness, friction, shear_modulus, poisson_ratio;
};

struct BodyDraft : BodySpec {
  BodyShape how = BodyShape::disc;
  std::optional<Vec3> own_position;
  std::vector<std::string> fixed;
  int sides = 6;
  double stretch = 1;            ///< `elongation` of a regular polygon
  double width = 0, height = 0;  ///< rectangle
};

struct StageDraft : Stage {
  std::array<std::optional<double>, 6> rate, component_stress;  ///< in the order of cell_component_names
  std::optional<double> mean_pressure, largest_rate, servo_tolerance, turn_angle;
  std::optional<Vec3> turn_axis;
  std::optional<std::uint64_t> turn_steps;

  bool drives_cell() const {
    bool any = mean_pressure || largest_rate || servo_tolerance || turns();
    for (std::size_t k = 0; k < rate.size(); ++k) any = any || rate[k] || component_stress[k];
    return any;
  }
  bool turns() const { return turn_angle || turn_axis || turn_steps; }
};

/// A case that is being read. Where the default of a key depends on other keys, own_… is what the file gives, and empty
/// without the key.
struct CaseDraft : Case {
  int format = 0;
  std::optional<std::vector<std::string>> own_periodic;  ///< the words "x", "y", "z"
  std::optional<Vec3> own_origin, own_size;              ///< of the cell
  std::optional<double> own_normal_stiffness, own_tangential_stiffness, own_stiffness_ratio;  ///< k_n, k_t, k_t/k_n
  std::optional<double> own_tangential_damping_ratio, own_tangential_damping_rate;
  Generator generator = Generator::bodies;  ///< the same as assembly.generator has
  std::vector<OtherMaterialDraft> own_materials;
  std::vector<BodyDraft> own_bodies;
  std::vector<StageDraft> own_stages;

  /// Null where the case does not use the driver.
  const DriverChoice* driver(const DriverEntry& entry) const {
    const auto at = std::ranges::find(drivers, &entry, &DriverChoice::entry);
    return at == drivers.end() ? nullptr : &*at;
  }
  /// Sizes of generators random and rain. Null for others.
  const SizeDistribution* sizes() const {
    if (const auto* rain = assembly.made_by<RainSpec>()) return rain;
    return assembly.made_by<RandomSpec>();
  }
};

/// Keys that exclude or need each other, and combinations that make no sense.
void check_combinations(const CaseDraft&, const std::filesystem::path& directory, Problems&);
// Parts of it, each in its own file checks_*.cpp. The Case is the draft, resolved.
void check_stages(const CaseDraft&, const Case&, Problems&);  ///< and the driven cell
void check_material(const CaseDraft&, Problems&);             ///< [material]
void check_materials(const CaseDraft&, Problems&);            ///< the other materials
void check_names(const CaseDraft&, Problems&);
void check_bounds(const CaseDraft&, const Case&, Problems&);  ///< numbers that are out of range together

/// Fills in the defaults that depend on other keys. `directory`: what file names in the case are relative to.
Case resolve(const CaseDraft&, const std::filesystem::path& directory);

/// The opposite of resolve(): every key of the case.
CaseDraft draft_of(const Case&);

/// Shape of the bodies. Without bodies: polygons, in space spheres. A case with clusters has the shape cluster.
ShapeKind shape_of(const CaseDraft&);

}  // namespace dem::case_file
