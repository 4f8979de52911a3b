// Box for direct shear: its walls, its load plate, and what it measures (direct-shear reference, §2 and §3).
//
// The lower half moves along x at the velocity of the stage, the upper one is fixed, the plate moves along z only.
// Without plate_stress it waits at the top of the upper half; the first stage with one puts it on the highest sphere.
// Its speed follows from the force F of the contacts on it. `weight` is M v' = F − σA, so that it falls as a weight σA
// would. `servo` is v = G (F − σA). Both are prescribed motions for the contacts and the ledger. The work of the plate
// on the assembly is boundary work.
//
// The grains above the shear plane hang between the plate, the lower half and the upper walls. N is the normal force on
// the plane. It is the force on the lower half, less the weight of the spheres below the middle of the gap. By the
// balance of the part above, N is plate load + weight above + drag of the sample on the upper walls, except for
// inertia. T/N is a property of the grains, T/(σA) is not (§3).
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "libdem/drivers/driver.hpp"
#include "libdem/drivers/findings.hpp"
#include "libdem/laws/key.hpp"

namespace dem {

/// How the load plate is moved.
enum class PlateLoad { weight, servo };

/// Options of [shear_box]: two halves, open to each other, and a load plate. The lower half has the floor. The walls
/// are the parts "lower", "upper" and "plate" (Fleischmann et al., direct-shear reference, §2).
struct ShearBoxSpec {
  double length = 0, width = 0;  ///< along x and y (m). Width 0: the length
  double depth = 0;              ///< of the lower half: its floor is at z = −depth, its upper edge at 0 (m)
  double gap = 0;                ///< between the halves (m)
  double height = 0;             ///< of the upper half, above the gap (m)
  double ledge = 0;              ///< width of the ledges along ±x that close what the offset opens (m)
  double plate_length = 0, plate_width = 0;  ///< 0: those of the box (m)
  PlateLoad plate = PlateLoad::weight;
  double plate_mass = 0;  ///< weight: kg. 0: the load over gravity
  double servo_gain = 0;  ///< servo: speed per force (m/(s N))
  std::string material;   ///< of all its walls. Empty: the first

  double full_width() const { return width > 0 ? width : length; }  ///< along y (m)
  double area() const { return length * full_width(); }             ///< m²
  friend bool operator==(const ShearBoxSpec&, const ShearBoxSpec&) = default;
};

/// Readings of a shear box at one time. Forces in N.
struct ShearBoxReading {
  double displacement = 0;                    ///< of the lower half since the start of the run (m)
  double shear_force = 0;                     ///< T: the lower half on the grains, along its movement +x
  double shear_force_above = 0;               ///< what upper half and plate bear of it; differs from T by inertia
  double plate_load = 0;                      ///< of the contacts on the plate, upwards
  double plane_normal_force = 0;              ///< N, on the shear plane
  double weight_below = 0, weight_above = 0;  ///< of the spheres below and above the middle of the gap
  double wall_drag = 0;     ///< of the grains on the upper walls, upwards: on the shear plane it adds to the load
  double plate_height = 0;  ///< z of the plate (m)
  double void_ratio = 0;    ///< of the space between floor and plate; overlaps count twice
  double porosity() const { return void_ratio / (1 + void_ratio); }
};

class ShearBox final : public Driver {
 public:
  static constexpr const char *table = "shear_box", *selector = "plate";
  static constexpr const char* description =
      "Box for direct shear (dimension = 3), z up, shear along x: a lower half from z = −depth to 0, which moves, an "
      "upper half above the gap, which is fixed, both from x = y = 0, and a load plate that moves along z only. Stages "
      "lower the plate (plate_stress) and shear (shear_velocity).";
  using Options = ShearBoxSpec;
  static std::vector<laws::Key> keys();
  static DriverTopic topic();
  static void check(const ShearBoxSpec&, const Case&, Findings&);
  /// The walls "lower", "upper" and "plate".
  static std::vector<WallSpec> walls(const ShearBoxSpec&);

  /// Throws AssemblyError: a sphere outside the box, or so small that it fits through the gap.
  ShearBox(const ShearBoxSpec&, const Case&, const State&);

  std::string name() const override { return table; }
  /// In the first stage with a load, the plate goes to the highest sphere.
  void begin(const Stage&, std::size_t number, const World&) override;
  void resume(const Stage& stage, std::size_t, const World&) override { stage_ = stage; }  // nothing moves
  bool outlives_run() const override { return true; }
  void start(const World& world) override { drive(world); }
  double drive(const World&) override;
  /// Reads the force on the plate.
  void measure(const World&, bool start) override;
  /// The stage has sheared by its shear_displacement, to the step that comes nearest.
  bool displacement_reached(const State&) const;
  double displacement_share(const State&) const;  ///< of it; 0 without

  ShearBoxReading read(const State&) const;
  bool is_loaded() const { return !waits_; }
  double area() const { return spec_.area(); }                              ///< m²
  double load() const { return stage_.plate_stress.value_or(0) * area(); }  ///< σA of the stage (N)
  /// A free body whose centroid has left the box.
  std::optional<std::size_t> lost_body(const State&) const;
  std::optional<std::string> trouble(const State&) const override;
  std::vector<DriverColumn> columns() const override;
  void fields(FieldVisitor&, State&) override;

 private:
  double plate_height(const State& state) const {
    return spec_.gap + spec_.height + state.bodies.position[0][plate_].z;
  }
  double shift(const State& state) const { return state.bodies.position[0][lower_].x; }

  ShearBoxSpec spec_;
  std::size_t lower_ = 0, upper_ = 0, plate_ = 0;
  double solid_ = 0;  // volume of the bodies (m³)
  Stage stage_;
  bool waits_ = true;
  double speed_ = 0, force_ = 0;  // of the plate; of the contacts on it
  double stage_start_ = 0;        // displacement at the start of the stage
};

}  // namespace dem
