// Two rough plates of boundary particles: move to a height, hold height or stress, shear.
//
// The plates are rigid bodies without rotation. The bottom plate keeps its height; the top plate moves up and down. In
// shear the plates move at ±γ̇H/2, H the distance between the mean heights of their particles' centroids (polygon-dem
// reference, §8).
// Under stress control the top plate is a heavy bar with the mass M of its particles. The target stress presses it
// down, and a brake slows it: M v' = F − σW − c v with c = σW/plate_speed. It approaches at plate_speed where nothing
// resists. It settles where the assembly carries σ, and follows a collapse as fast as its inertia allows. The scheme is
// backward Euler in v, so any c is stable.
#pragma once
#include <optional>

#include "libdem/drivers/driver.hpp"
#include "libdem/drivers/findings.hpp"
#include "libdem/laws/key.hpp"

namespace dem {

/// Options of [plates].
struct PlatesSpec {
  /// The first and the last row of the assembly are the plates (voronoi, lattice). False: rows of regular polygons (or
  /// discs) are put below and above the assembly.
  bool from_rows = true;
  int sides = 5;             ///< of the plate particles when they are added
  double particle_size = 0;  ///< equal-area radius (m) of added plate particles. 0: mean of the assembly
  double gap = 0;            ///< start distance between the plates' particles and the assembly (m)
  friend bool operator==(const PlatesSpec&, const PlatesSpec&) = default;
};

/// Forces per length of the plates on the assembly (N/m). Compression and shear along +x at the top are positive.
struct WallStress {
  double normal_bottom = 0, normal_top = 0, shear_bottom = 0, shear_top = 0;
  double normal() const { return 0.5 * (normal_bottom + normal_top); }
  double shear() const { return 0.5 * (shear_bottom + shear_top); }
};

/// Distance of the mean heights of the bodies of top and bottom plate (m); 0 without plates.
double distance_of_plates(const State&);

class Plates final : public Driver {
 public:
  static constexpr const char* table = "plates";
  static constexpr const char* description =
      "Two rough plates of boundary particles, below and above the assembly, that move as rigid bodies.";
  using Options = PlatesSpec;
  static std::vector<laws::Key> keys();
  static DriverTopic topic();
  /// The rows of a Voronoi assembly are the plates, unless the case says otherwise.
  static void adapt(PlatesSpec&, const Case&);
  static void check(const PlatesSpec&, const Case&, Findings&);

  /// Throws AssemblyError when a plate has no particle.
  Plates(const PlatesSpec&, const Case&, const State&);

  std::string name() const override { return table; }
  void begin(const Stage&, std::size_t number, const World&) override;
  bool outlives_run() const override { return true; }
  void start(const World& world) override { drive(world); }
  /// Sets the velocities of the plates.
  double drive(const World&) override;
  /// Reads the forces; advances strain and servo memory.
  void measure(const World&, bool start) override;
  /// Has the target of the stage (height or stress) been reached?
  bool target_reached() const { return reached_; }
  /// Time since when the stress has been within its tolerance (s). Negative if it is not.
  double within_since() const { return within_since_; }
  /// Are the cycles of the stage done? False where it has none.
  bool cycles_over() const { return stage_.cycles && leg_ > 2 * *stage_.cycles; }
  /// Cycles of the stage done so far, parts of one by the strain path walked; 0 without cycles.
  double cycles_done() const;

  double height() const { return height_; }  ///< H (m)
  /// γ of all stages (1).
  std::optional<ImposedStrain> strain() const override { return ImposedStrain{strain_, stage_.shear_rate}; }
  double shear_rate() const { return stage_.shear_rate; }
  const WallStress& stress() const { return stress_; }
  /// (σ − target)/target while a stress is held, NaN otherwise.
  double servo_error() const;

  void fields(FieldVisitor&, State&) override;
  void take_part(const State&, std::size_t owned) override;

 private:
  std::vector<std::size_t> bottom_, top_;  // of this part of the assembly
  std::size_t bottom_count_, top_count_;   // of all parts
  double width_, top_mass_ = 0;            // length of the plates along x (m); kg, of all parts
  Stage stage_;
  void read_forces(const World&);
  double leg_end() const;  // strain at the end of the present leg of a cycle
  double way_to_turn() const { return leg_end() - strain_; }

  double height_ = 0, strain_ = 0, vertical_speed_ = 0;
  double within_since_ = -1;  // time since when the stress has been within its tolerance; negative if it is not
  bool reached_ = false;
  // Cycles: legs 0 … 2·cycles of a stage, to +A, −A, +A … and at last back to 0.
  int leg_ = 0;
  double centre_ = 0, cycle_height_ = 0;  // strain and height at the start of the stage
  WallStress stress_;
};

}  // namespace dem
