// A case as the simulation sees it: every choice resolved, SI units, angles in radians, 2D per unit thickness. Each
// part lies with its owner in a header *_spec.hpp. The case *file* (keys, defaults, messages) is in case/.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry/vector.hpp"
#include "libdem/assembly/assembly_spec.hpp"
#include "libdem/contacts/contact_spec.hpp"
#include "libdem/contacts/material_spec.hpp"
#include "libdem/drivers/cell_drive_spec.hpp"

namespace dem {

enum class Integrator { gear5, velocity_verlet };
enum class GearCoefficients { velocity_dependent, position_only };  ///< c0 = 3/16 (default) or 3/20

enum class PlateNormal { hold_height, move_to_height, hold_stress };

struct Stage {
  std::string name;
  std::optional<CellDrive> cell;       ///< none: the cell rests
  std::optional<double> friction;      ///< μ of all contacts during this stage. Default: the materials'
  std::optional<double> mass_damping;  ///< α during this stage (1/s). Default: material.mass_damping
  std::optional<double> unbalanced;    ///< the stage ends when mean_unbalanced_force (ForceSums) stays below this
  std::optional<double> coordination;  ///< … when the mechanical coordination number reaches this
  std::optional<double> stress_ratio;  ///< … when q/p reaches this
  std::optional<double> void_ratio;    ///< … when the void ratio falls to this (rises, if it starts below)
  /// Of laws hooke-history and hertz-history, during this stage. Default: contact.history.
  std::optional<TangentialHistory> history;
  std::vector<WallVelocity> wall_velocities;  ///< during this stage; the others keep that of their WallSpec
  // Of a shear box.
  std::optional<double> plate_stress;  ///< on the load plate, compression positive (Pa). None: it rests where it is
  double shear_velocity = 0;           ///< of the lower half along x (m/s)
  std::optional<double> shear_displacement;  ///< the stage ends when the lower half has moved by this during it (m)
  // Of plates.
  PlateNormal normal = PlateNormal::hold_height;
  double height = 0;         ///< target of move_to_height (m)
  double normal_stress = 0;  ///< target of hold_stress, compression positive (N/m)
  double plate_speed = 0;    ///< largest vertical speed of the plate (m/s)
  double shear_rate = 0;     ///< γ̇ (1/s): plates move at ±γ̇H/2
  // The stage ends at the first of the criteria given.
  std::optional<double> duration;  ///< s
  std::optional<double> strain;    ///< γ gained during the stage
  /// Closed cycles of shear strain γ₀ → γ₀ + A → γ₀ − A → γ₀ about the strain at the start of the stage, at
  /// ±shear_rate. The plates then move at ±γ̇H₀/2, H₀ their distance at the start of the stage, so that their
  /// displacements close as well.
  std::optional<int> cycles;
  std::optional<double> strain_amplitude;  ///< A
  bool until_target = false;       ///< height or stress reached (stress: within stress_tolerance for stress_hold_time)
  double stress_tolerance = 0.01;  ///< relative
  double stress_hold_time = 0;     ///< s
  std::optional<double> quiet;     ///< kinetic energy of free bodies below this (J)
  friend bool operator==(const Stage&, const Stage&) = default;
};

struct TimeChoice {
  Integrator integrator = Integrator::gear5;
  GearCoefficients gear_coefficients = GearCoefficients::velocity_dependent;
  double step = 0;              ///< Δt (s). 0: "auto", a share of the a-priori limit that Simulation sets
  bool override_limit = false;  ///< run although the step exceeds the limit
  /// Time between measurements of the limit (s). 0: 1000 to 10 000 steps (Simulation::steps_to_next_check).
  double limit_check_interval = 0;
  friend bool operator==(const TimeChoice&, const TimeChoice&) = default;
};

struct OutputChoice {
  double series_interval = 0;          ///< s. 0: 1000 rows over the run (row_steps)
  double snapshot_interval = 0;        ///< s. 0: few (OutputPlan)
  double frame_interval = 0;           ///< s, SVG frames. 0: few
  double checkpoint_interval = 60;     ///< s of wall-clock time
  std::string colour_by = "rotation";  ///< SVG: rotation | speed | spin | coordination | stress
  bool vtk = true;
  bool contacts = true;  ///< snapshots and ParaView files hold the contacts, not the bodies alone
  bool csv = false;      ///< the series as series.csv as well, at the end of a run
  bool ledger = true;    ///< keep the energy ledger; in space, without it a step is faster and columns of works are NaN
  /// Write every persistent jump of a contact plane, and count the jumps that each definition would have had.
  bool plane_jumps = false;
  friend bool operator==(const OutputChoice&, const OutputChoice&) = default;
};

struct DriverEntry;
/// A driver with a table of its own (drivers/catalogue.hpp), with its options. Copies share the options, which never
/// change.
struct DriverChoice {
  const DriverEntry* entry = nullptr;
  std::shared_ptr<const void> options;
  /// The options; null where they are of another driver.
  template <class Options>
  const Options* as() const {
    return has(&laws::mark_of<Options>) ? static_cast<const Options*>(options.get()) : nullptr;
  }
  bool has(const char* mark) const;  ///< of the type of options
  /// The same driver with the same values of all keys.
  friend bool operator==(const DriverChoice&, const DriverChoice&);
};

struct Case {
  std::string title;
  std::filesystem::path file;  ///< where it came from
  int dimension = 2;           ///< 2: discs and polygons in the plane z = 0. 3: spheres and clusters
  std::array<bool, 3> periodic{false, false, false};
  Vec3 cell_origin, cell_size;  ///< m
  Vec3 cell_tilt;               ///< xy, xz, yz: how far the second and third cell vectors lean along x, x, y (m)
  Vec3 gravity;                 ///< m/s²
  Assembly assembly;
  Material material;  ///< of bodies that name no other
  std::vector<NamedMaterial> materials;
  std::vector<MaterialPair> material_pairs;
  /// Steps between renewals of the spatial order of spheres. Part of the state.
  std::uint64_t spatial_order_interval = 10000;
  ContactChoice contact;
  TimeChoice time;
  std::vector<DriverChoice> drivers;  ///< those with a table of their own, in the order of the catalogue
  /// Results of a run whose last state this one starts with. Empty: its own assembly.
  std::filesystem::path start_from;
  std::vector<Stage> stages;
  OutputChoice output;
  double skin = 0;  ///< Verlet skin (m). 0: 0.1 of the mean bounding radius
  int threads = 1;

  /// Options of the driver that has options of this type. Null where the case does not use the driver.
  template <class Options>
  const Options* driver_options() const {
    for (const DriverChoice& driver : drivers)
      if (const Options* found = driver.as<Options>()) return found;
    return nullptr;
  }
  /// Lets the case use the driver with these options. Returns them, to be changed until the case is copied.
  template <class Options>
  Options& use_driver(const Options& options) {
    const auto own = std::make_shared<Options>(options);
    choice_of(&laws::mark_of<Options>).options = own;
    return *own;
  }
  /// The same with the options that the case has, or else with the defaults.
  template <class Options>
  Options& use_driver() {
    const Options* own = driver_options<Options>();
    return use_driver(own ? *own : Options{});
  }

  friend bool operator==(const Case&, const Case&) = default;

 private:
  /// A new one where the case does not use the driver. Throws std::logic_error for a driver that is not known.
  DriverChoice& choice_of(const char* mark);
};

}  // namespace dem
