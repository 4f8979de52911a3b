// A case as its file gives it, before defaults that depend on other keys are filled in (resolve), and its checks.
#pragma once
#include "libdem/case.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/case/words.hpp"
#include "libdem/drivers/catalogue.hpp"

namespace dem::case_file {

struct RootDraft {
  int format = 0;
  std::string title;
  int dimension = 2;
  Vec3 gravity;
  double skin = 0;
  std::uint64_t spatial_order_interval = Case{}.spatial_order_interval;
  int threads = 1;
  std::filesystem::path start_from;
};

struct CellDraft {
  std::optional<std::vector<std::string>> periodic;
  std::optional<Vec3> origin, size;
  Vec3 tilt;
};

struct MaterialDraft : Material {
  std::optional<double> own_normal_stiffness;
  std::optional<double> stiffness_ratio;           ///< k_t/k_n
  std::optional<double> own_tangential_stiffness;  ///< k_t
  std::optional<double> own_tangential_damping_ratio;
  std::optional<double> tangential_damping_rate;
};

struct OtherMaterialDraft {
  std::string name;
  std::optional<double> density, normal_stiffness, tangential_stiffness, friction, shear_modulus, poisson_ratio;
};

struct ContactDraft : ContactChoice {
  std::optional<NormalForce> own_normal_force;
  std::optional<bool> own_clip_tension;
};

struct AssemblyDraft {
  Generator generator = Generator::bodies;
  geometry::VoronoiInput voronoi;
  GrainsSpec grains;
  LatticeSpec lattice;
  RandomSpec random;
  RainSpec rain;
  ImportSpec import;
  double largest_start_overlap = Assembly{}.largest_start_overlap;

  /// Those of the chosen generator.
  const SizeDistribution& sizes() const {
    return generator == Generator::rain ? static_cast<const SizeDistribution&>(rain) : random;
  }
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

struct OutputDraft : OutputChoice {
  std::optional<bool> own_vtk, own_contacts;
};

struct CaseDraft {
  RootDraft root;
  CellDraft cell;
  MaterialDraft material;
  std::vector<OtherMaterialDraft> other_materials;
  std::vector<MaterialPair> material_pairs;
  ContactDraft contact;
  TimeChoice time;
  AssemblyDraft assembly;
  std::vector<BodyDraft> bodies;
  std::vector<WallSpec> walls;
  std::vector<std::optional<DriverChoice>> drivers{registered_drivers().size()};  ///< one for each of them
  std::vector<StageDraft> stages;
  OutputDraft output;

  /// Options of the driver that has options of this type. Null where the case does not use the driver.
  template <class Options>
  const Options* driver_options() const {
    for (const auto& driver : drivers)
      if (const Options* found = driver ? driver->as<Options>() : nullptr) return found;
    return nullptr;
  }
};

/// Keys that exclude or need each other, and combinations that make no sense.
void check_combinations(const CaseDraft&, const std::filesystem::path& directory, Problems&);
// Parts of it, each in its own file checks_*.cpp.
void check_stages(const CaseDraft&, Problems&);     ///< and the driven cell
void check_material(const CaseDraft&, Problems&);   ///< [material]
void check_materials(const CaseDraft&, Problems&);  ///< the other materials
void check_names(const CaseDraft&, Problems&);
void check_bounds(const CaseDraft&, Problems&);  ///< numbers that are out of range together

/// Fills in the defaults that depend on other keys. `directory`: what file names in the case are relative to.
Case resolve(const CaseDraft&, const std::filesystem::path& directory);

/// The opposite of resolve(): every key of the case.
CaseDraft draft_of(const Case&);

/// Shape of the bodies. Without bodies: polygons, in space spheres. A case with clusters has the shape cluster.
ShapeKind shape_of(const CaseDraft&);
ShapeKind kind_of(BodyShape);

}  // namespace dem::case_file
