// A case as the simulation sees it: every choice resolved, SI units, angles in radians, 2D per unit thickness.
// The case *file* (keys, defaults, messages) is files/case_schema.*; this header knows no file format.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geometry/contact_plane.hpp"
#include "geometry/tessellation.hpp"
#include "geometry/vector.hpp"

namespace dem {

enum class Elongation { geometric, velocity };
enum class VelocitySource { predicted, corrected, trapezoid };  ///< elongation = velocity: which velocity enters v_t Δt
/// elongation = geometric. Discs: `exact` is form (G). Polygons: `exact` is form (P). The literal readings of Eqs. 10-11 and of
/// the polygon recipe are for comparison only (polygon-dem reference, §3 and §4).
enum class GeometricForm { exact, eq10_11_literal, centroid_displacement };
enum class Lever { conjugate, contact_point, proportional, radius };
enum class NormalForce { overlap, area_over_length, area_potential };  ///< discs: overlap
enum class CharacteristicLength { sqrt_area_over_2pi, sqrt_area_over_pi };
enum class FixedMass { material, infinite };
enum class GeometryMethod { fast, exact };
enum class Integrator { gear5, velocity_verlet };
enum class GearCoefficients { velocity_dependent, position_only };  ///< c0 = 3/16 (default) or 3/20
enum class ShapeKind { disc, polygon };

/// Coefficients of a contact; either a damping coefficient or a coefficient of restitution is given, the other follows.
struct Material {
  double density = 1;               ///< kg/m²
  double normal_stiffness = 0;      ///< k_n, N/m
  double tangential_stiffness = 0;  ///< k_t, N/m
  double friction = 0;              ///< μ
  std::optional<double> restitution;          ///< ε_n in (0, 1]; γ_n follows for each pair from its reduced mass
  std::optional<double> normal_damping;       ///< γ_n, kg/s
  std::optional<double> tangential_damping;   ///< γ_t, kg/s; default γ_n k_t/k_n
  double tangential_damping_ratio = -1;       ///< γ_t/γ_n; negative: k_t/k_n
  double rotational_damping = 0;              ///< couple per relative spin, N m s
  friend bool operator==(const Material&, const Material&) = default;
};

struct ContactChoice {
  std::string law = "linear";
  Elongation elongation = Elongation::geometric;
  VelocitySource velocity_source = VelocitySource::predicted;
  GeometricForm geometric_form = GeometricForm::exact;
  bool arc_correction = false;                 ///< polygons only; discs always use the arc
  std::optional<Lever> lever;                  ///< none: conjugate for (G) on discs, else contact_point
  geometry::ContactPlane plane = geometry::ContactPlane::area_gradient;
  NormalForce normal_force = NormalForce::area_over_length;
  double potential_exponent = 2;               ///< m of area_potential
  CharacteristicLength length = CharacteristicLength::sqrt_area_over_2pi;
  FixedMass fixed_mass = FixedMass::material;
  bool clip_tension = false;                   ///< no attraction at the end of a damped contact
  bool damp_while_sliding = false;
  GeometryMethod geometry = GeometryMethod::fast;
  friend bool operator==(const ContactChoice&, const ContactChoice&) = default;
};

/// A body listed in the case, or made by a generator.
struct BodySpec {
  std::string name;
  ShapeKind shape = ShapeKind::polygon;
  double radius = 0;                ///< disc (m)
  geometry::Outline outline;        ///< polygon, in any frame: see outline_is_placed
  bool outline_is_placed = false;   ///< true: position is where the outline's centroid lies, `position` is ignored
  Vec2 position;                    ///< centroid (m)
  double angle = 0;                 ///< rad
  Vec2 velocity;                    ///< m/s; of a fixed direction: the prescribed velocity
  double spin = 0;                  ///< rad/s
  Vec2 force;                       ///< constant external force (N)
  double torque = 0;                ///< constant external torque (N m)
  bool fix_x = false, fix_y = false, fix_rotation = false;
  std::optional<double> density;    ///< kg/m²; default: the material's
  std::string group = "free";       ///< "free", "bottom-plate", "top-plate", "wall" or the user's word
  friend bool operator==(const BodySpec&, const BodySpec&) = default;
};

/// Half-plane that bodies cannot enter: everything right of the line through `from` and `to`, which has no end.
struct WallSpec {
  std::string name;
  Vec2 from, to;        ///< m
  Vec2 velocity;        ///< m/s
  friend bool operator==(const WallSpec&, const WallSpec&) = default;
};

struct GrainsSpec {
  std::filesystem::path file;
  double scale = 1;               ///< m per unit of the file
  double simplify = 0;            ///< tolerance in the file's unit
  double shrink = 1;              ///< factor about each centroid
  bool shrink_until_free = false; ///< go on shrinking all outlines (by 1 %) until no overlap exceeds largest_start_overlap
  bool fill_holes = false;
  bool flip_y = false;            ///< files in pixels count y downwards
  friend bool operator==(const GrainsSpec&, const GrainsSpec&) = default;
};

struct LatticeSpec {              ///< equal discs or regular polygons on a square or hexagonal lattice
  ShapeKind shape = ShapeKind::disc;
  int columns = 0, rows = 0, sides = 6;
  double radius = 0.5;            ///< disc; polygon: radius of the circle of equal area (m)
  double elongation = 1;
  double spacing = 1;             ///< centre to centre (m)
  bool hexagonal = true;
  double angle = 0, random_angle = 0;  ///< rad; random_angle: uniform within ± this
  std::uint64_t seed = 1;
  friend bool operator==(const LatticeSpec&, const LatticeSpec&) = default;
};

struct Assembly {
  std::optional<geometry::VoronoiInput> voronoi;
  std::optional<GrainsSpec> grains;
  std::optional<LatticeSpec> lattice;
  std::vector<BodySpec> bodies;
  std::vector<WallSpec> walls;
  double largest_start_overlap = 0.05;  ///< of the smaller body's equivalent diameter; larger overlaps at the start are refused
  friend bool operator==(const Assembly&, const Assembly&) = default;
};

/// Two rough plates of boundary particles that move as rigid bodies, bottom and top.
struct PlatesSpec {
  /// Voronoi: first and last row. Grains and lattice: `rows` of regular polygons (or discs) of the assembly's mean size are put below and above.
  bool from_rows = true;
  int sides = 5;                    ///< of the plate particles when they are added
  double particle_size = 0;         ///< equal-area radius (m) of added plate particles; 0: mean of the assembly
  double gap = 0;                   ///< start distance between the plates' particles and the assembly (m)
  friend bool operator==(const PlatesSpec&, const PlatesSpec&) = default;
};

enum class PlateNormal { hold_height, move_to_height, hold_stress };
struct Stage {
  std::string name;
  PlateNormal normal = PlateNormal::hold_height;
  double height = 0;         ///< target of move_to_height (m)
  double normal_stress = 0;  ///< target of hold_stress, compression positive (N/m)
  double plate_speed = 0;    ///< largest vertical speed of the plate (m/s)
  double shear_rate = 0;     ///< γ̇ (1/s): plates move at ±γ̇H/2
  // The stage ends at the first of the criteria given.
  std::optional<double> duration;   ///< s
  std::optional<double> strain;     ///< γ gained during the stage
  /// Closed cycles of shear strain γ₀ → γ₀ + A → γ₀ − A → γ₀ about the strain at the start of the stage, at ±shear_rate. The
  /// plates then move at ±γ̇H₀/2, H₀ their distance at the start of the stage, so that their displacements close as well.
  std::optional<int> cycles;
  std::optional<double> strain_amplitude;  ///< A
  bool until_target = false;        ///< height or stress reached (stress: within stress_tolerance for stress_hold_time)
  double stress_tolerance = 0.01;   ///< relative
  double stress_hold_time = 0;      ///< s
  std::optional<double> quiet;      ///< kinetic energy of free bodies below this (J)
  friend bool operator==(const Stage&, const Stage&) = default;
};

struct TimeChoice {
  Integrator integrator = Integrator::gear5;
  GearCoefficients gear_coefficients = GearCoefficients::velocity_dependent;
  double step = 0;                 ///< Δt (s)
  bool override_limit = false;     ///< run although the step exceeds the limit
  double limit_check_interval = 0; ///< s between measurements of the limit during the run; 0: 1000 steps
  friend bool operator==(const TimeChoice&, const TimeChoice&) = default;
};

struct OutputChoice {
  double series_interval = 0;      ///< s; 0: 1000 rows over the run
  double snapshot_interval = 0;    ///< s; 0: 20 over the run
  double frame_interval = 0;       ///< s, SVG frames; 0: 10 over the run
  double checkpoint_interval = 60; ///< s of wall-clock time
  std::string colour_by = "rotation"; ///< SVG: rotation | speed | spin | coordination | stress
  bool vtk = true;
  bool plane_jumps = false;        ///< write every persistent jump of a contact plane and count what each definition would have done
  friend bool operator==(const OutputChoice&, const OutputChoice&) = default;
};

struct Case {
  std::string title;
  std::filesystem::path file;      ///< where it came from
  std::array<bool, 2> periodic{false, false};
  Vec2 cell_origin, cell_size;     ///< m
  Vec2 gravity;                    ///< m/s²
  Assembly assembly;
  Material material;
  ContactChoice contact;
  TimeChoice time;
  std::optional<PlatesSpec> plates;
  std::vector<Stage> stages;
  OutputChoice output;
  double skin = 0;                 ///< Verlet skin (m); 0: 0.1 of the mean bounding radius
  int threads = 1;
  friend bool operator==(const Case&, const Case&) = default;
};

}  // namespace dem
