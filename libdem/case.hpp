// A case as the simulation sees it: every choice resolved, SI units, angles in radians, 2D per unit thickness.
// The case *file* (keys, defaults, messages) is in case/; this header knows no file format.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry/contact_plane.hpp"
#include "geometry/tessellation.hpp"
#include "geometry/vector.hpp"
#include "libdem/laws/law_choice.hpp"

namespace dem {

enum class Elongation { geometric, velocity };
enum class VelocitySource { predicted, corrected, trapezoid };  ///< elongation = velocity: which velocity enters v_t Δt
/// elongation = geometric. Discs: `exact` is form (G). Polygons: `exact` is form (P). The literal readings of Eqs.
/// 10-11 and of the polygon recipe are for comparison only (polygon-dem reference, §3 and §4).
enum class GeometricForm { exact, eq10_11_literal, centroid_displacement };
enum class Lever { conjugate, contact_point, proportional, radius };
enum class NormalForce { overlap, area_over_length, area_potential };  ///< discs: overlap
enum class CharacteristicLength { sqrt_area_over_2pi, sqrt_area_over_pi };
enum class FixedMass { material, infinite };
enum class GeometryMethod { fast, exact };
enum class Integrator { gear5, velocity_verlet };
enum class GearCoefficients { velocity_dependent, position_only };  ///< c0 = 3/16 (default) or 3/20
enum class ShapeKind { disc, polygon, sphere, cluster };
inline constexpr bool is_solid(ShapeKind kind) { return kind == ShapeKind::sphere || kind == ShapeKind::cluster; }

/// How a stored tangential force follows its contact from one step to the next (linear-frictional reference, §3 and
/// §10). `exact` and `swing_twist` keep length and tangency; the others are for comparison.
enum class Transport { none, projection, projection_rescaled, projection_twirl, swing_twist, exact };
enum class DissimilarMaterials { refuse, equivalent };  ///< Hertzian laws: bodies of different elastic constants

/// Coefficients of a contact; either a damping coefficient or a coefficient of restitution is given, the other follows.
struct Material {
  double density = 1;               ///< kg/m²
  double normal_stiffness = 0;      ///< k_n, N/m
  double tangential_stiffness = 0;  ///< k_t, N/m
  double friction = 0;              ///< μ
  std::optional<double> shear_modulus,
      poisson_ratio;  ///< G (Pa), ν; Hertzian laws, which have no springs, or characteristic_speed
  std::optional<double> hertz_normal_stiffness,
      hertz_tangential_stiffness;  ///< k_n, k_t (Pa) of √(R̄ δ) k_n δ, law hertz-history, instead of G and ν
  std::optional<double> characteristic_speed;  ///< v_c (m/s), law hooke-history: k_n of each pair is hooke_stiffness()
                                               ///< of G, ν, masses and radii
  double tangential_stiffness_ratio = 1;       ///< k_t/k_n with characteristic_speed
  std::optional<double> restitution;           ///< ε_n in (0, 1]; γ_n follows for each pair from its reduced mass
  std::optional<double> normal_damping;        ///< γ_n, kg/s
  std::optional<double>
      normal_damping_rate;  ///< γ_n over the reduced mass, 1/s; Hertzian laws: and over √(R̄ δ), 1/(m s)
  std::optional<double> tangential_damping;  ///< γ_t, kg/s; default from tangential_damping_ratio
  double tangential_damping_ratio = -1;      ///< γ_t/γ_n; negative: laws::LawEntry::damping_ratio of k_t/k_n
  double rotational_damping = 0;             ///< couple per relative spin, N m s
  double mass_damping =
      0;  ///< α (1/s): force −α m v and couple −α I ω on every free body, v relative to the cell's mean motion
  /// Stiffnesses are those of a pair of bodies, not normal_stiffness and tangential_stiffness.
  bool stiffness_of_pair() const { return shear_modulus || hertz_normal_stiffness; }
  bool hertzian() const { return stiffness_of_pair() && !characteristic_speed; }
  friend bool operator==(const Material&, const Material&) = default;
};

/// A material beside the first, named; bodies choose one by name. Density is that of bodies of this material.
struct NamedMaterial {
  std::string name;
  double density = 1;
  double normal_stiffness = 0, tangential_stiffness = 0, friction = 0;
  std::optional<double> shear_modulus = {}, poisson_ratio = {};
  friend bool operator==(const NamedMaterial&, const NamedMaterial&) = default;
};
/// Coefficients of contacts between two materials; what is not given follows the rule: springs in series of half
/// stiffness (k = 2 k_a k_b/(k_a + k_b)), the smaller friction.
struct MaterialPair {
  std::string first, second;
  std::optional<double> normal_stiffness, tangential_stiffness, friction;
  friend bool operator==(const MaterialPair&, const MaterialPair&) = default;
};

struct ContactChoice {
  laws::LawChoice law;  ///< with its options
  Elongation elongation = Elongation::geometric;
  VelocitySource velocity_source = VelocitySource::predicted;
  GeometricForm geometric_form = GeometricForm::exact;
  bool arc_correction = false;  ///< polygons only; discs always use the arc
  std::optional<Lever>
      lever;  ///< none: conjugate for (G) on discs, else contact_point; spheres: contact_point or radius
  geometry::ContactPlane plane = geometry::ContactPlane::area_gradient;
  NormalForce normal_force = NormalForce::area_over_length;
  double potential_exponent = 2;  ///< m of area_potential
  CharacteristicLength length = CharacteristicLength::sqrt_area_over_2pi;
  FixedMass fixed_mass = FixedMass::material;
  bool clip_tension = false;               ///< no attraction at the end of a damped contact
  Transport transport = Transport::exact;  ///< bodies in space
  DissimilarMaterials dissimilar_materials = DissimilarMaterials::refuse;
  bool damp_while_sliding = false;
  GeometryMethod geometry = GeometryMethod::fast;
  friend bool operator==(const ContactChoice&, const ContactChoice&) = default;
};

/// A sphere of a cluster, in the frame of the case file or of the cluster.
struct ClusterSphere {
  Vec3 position;      ///< m
  double radius = 0;  ///< m
  friend bool operator==(const ClusterSphere&, const ClusterSphere&) = default;
};

/// Unit quaternion, scalar part first: x = R(q) x′ from the body's axes to space (Hamilton).
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
  friend constexpr bool operator==(Quaternion, Quaternion) = default;
};

/// A body listed in the case, or made by a generator. Fields of bodies in the plane: angle, spin, torque, the x and y
/// of vectors; of bodies in space: orientation, angular_velocity, applied_couple.
struct BodySpec {
  std::string name;
  ShapeKind shape = ShapeKind::polygon;
  double radius = 0;  ///< disc, sphere (m)
  std::vector<ClusterSphere>
      spheres;                     ///< cluster, in any frame: `position` is that frame's origin, `orientation` its turn
  geometry::Outline outline;       ///< polygon, in any frame: see outline_is_placed
  bool outline_is_placed = false;  ///< true: position is where the outline's centroid lies, `position` is ignored
  Vec3 position;                   ///< centroid; cluster: origin of its spheres (m)
  double angle = 0;                ///< rad
  Quaternion orientation;
  Vec3 velocity;          ///< m/s; of a fixed direction: the prescribed velocity
  double spin = 0;        ///< rad/s
  Vec3 angular_velocity;  ///< rad/s
  Vec3 force;             ///< constant external force (N)
  double torque = 0;      ///< constant external torque (N m)
  Vec3 applied_couple;    ///< same in space (N m)
  bool fix_x = false, fix_y = false, fix_z = false, fix_rotation = false;
  std::optional<double> density;  ///< kg/m² (space: kg/m³); default: the material's
  std::string material;           ///< name of a NamedMaterial; empty: the first
  std::string group = "free";     ///< "free", "bottom-plate", "top-plate", "wall" or the user's word
  friend bool operator==(const BodySpec&, const BodySpec&) = default;
};

enum class WallShape { line, plane, rectangle, mesh };
/// What bodies cannot enter. In the plane a half-plane: everything right of the line through `from` and `to`, which has
/// no end. In space a surface with two sides: a plane without end, a rectangle, a triangle mesh; walls of one name are
/// one rigid part, with which a sphere has one contact where their edges meet.
struct WallSpec {
  std::string name;
  WallShape shape = WallShape::line;
  Vec2 from, to;                ///< line (m)
  Vec3 point, normal;           ///< plane: a point of it (m), its normal
  Vec3 corner, edge_1, edge_2;  ///< rectangle: a corner, and from there two perpendicular edges (m)
  std::filesystem::path file;   ///< mesh: STL
  double scale = 1;             ///< mesh: m per unit of the file
  Vec3 velocity;                ///< m/s
  std::string material;         ///< in space: name of a NamedMaterial; empty: the first
  friend bool operator==(const WallSpec&, const WallSpec&) = default;
};

/// Velocity of a wall during a stage.
struct WallVelocity {
  std::string wall;  ///< name of a WallSpec
  Vec3 velocity;     ///< m/s
  friend bool operator==(const WallVelocity&, const WallVelocity&) = default;
};

/// How the load plate of a shear box is moved.
enum class PlateLoad { weight, servo };

/// Box for direct shear, z up, shear along x: two halves, open to each other, and a load plate that moves along z only.
/// The lower half has the floor and moves; the upper one is fixed. Its walls are the parts "lower", "upper" and
/// "plate". Source: Fleischmann et al.; direct-shear reference, §2.
struct ShearBoxSpec {
  double length = 0, width = 0;  ///< along x and y (m); width 0: the length
  double depth = 0;              ///< of the lower half: its floor is at z = −depth, its upper edge at 0 (m)
  double gap = 0;                ///< between the halves (m)
  double height = 0;             ///< of the upper half, above the gap (m)
  double ledge = 0;              ///< width of the ledges along ±x that close what the offset opens (m)
  double plate_length = 0, plate_width = 0;  ///< 0: those of the box (m)
  PlateLoad plate = PlateLoad::weight;
  double plate_mass = 0;                                                 ///< weight: kg; 0: the load over gravity
  double servo_gain = 0;                                                 ///< servo: speed per force (m/(s N))
  std::string material;                                                  ///< of all its walls; empty: the first
  double area() const { return length * (width > 0 ? width : length); }  ///< m²
  friend bool operator==(const ShearBoxSpec&, const ShearBoxSpec&) = default;
};

struct GrainsSpec {
  std::filesystem::path file;
  double scale = 1;     ///< m per unit of the file
  double simplify = 0;  ///< tolerance in the file's unit
  double shrink = 1;    ///< factor about each centroid
  bool shrink_until_free =
      false;  ///< go on shrinking all outlines (by 1 %) until no overlap exceeds largest_start_overlap
  bool fill_holes = false;
  bool flip_y = false;  ///< files in pixels count y downwards
  friend bool operator==(const GrainsSpec&, const GrainsSpec&) = default;
};

struct LatticeSpec {  ///< equal discs or regular polygons on a square or hexagonal lattice
  ShapeKind shape = ShapeKind::disc;
  int columns = 0, rows = 0, sides = 6;
  double radius = 0.5;  ///< disc; polygon: radius of the circle of equal area (m)
  double elongation = 1;
  double spacing = 1;  ///< centre to centre (m)
  bool hexagonal = true;
  double angle = 0, random_angle = 0;  ///< rad; random_angle: uniform within ± this
  std::uint64_t seed = 1;
  friend bool operator==(const LatticeSpec&, const LatticeSpec&) = default;
};

/// Sizes of bodies, by their equivalent radius.
struct SizeDistribution {
  std::string distribution = "uniform";  ///< uniform | log-normal | log-normal-by-mass | power-law | grades
  double radius = 0.5, spread = 0;       ///< mean and half width (uniform), median and σ of ln r (log-normal), m
  double smallest = 0, largest = 0;      ///< m; bounds of log-normal and power-law
  double exponent = 0;                   ///< power-law: density of radii ~ r^−exponent
  std::vector<double> grade_radii, grade_shares;  ///< grades: radii (m) and shares by number
  double median_diameter = 1;  ///< log-normal-by-mass: D50, half of the mass is in smaller bodies (m)
  double uniformity = 1;       ///< the same: C_u = D60/D10 by mass
  double cut = 3;              ///< the same: no diameter beyond D50 e^(± cut s), s = ln C_u/(z60 − z10) that of ln D
  friend bool operator==(const SizeDistribution&, const SizeDistribution&) = default;
};

/// Bodies of random size and place in the cell, without overlap; loose, to be compressed by a stage.
struct RandomSpec : SizeDistribution {
  ShapeKind shape = ShapeKind::disc;
  std::size_t count = 0;
  int sides = 6;                       ///< polygons
  double elongation = 1;               ///< polygons: stretch along x before a random turn
  std::vector<ClusterSphere> cluster;  ///< clusters: spheres of a particle of scaling radius 1
  double void_ratio = 1;  ///< at the start; the cell takes the size that gives it, unless cell.size is given
  std::uint64_t seed = 1;
  friend bool operator==(const RandomSpec&, const RandomSpec&) = default;
};

/// Spheres at rest in layers above a floor, to fall under gravity along −z. R is the largest radius that was drawn.
struct RainSpec : SizeDistribution {
  std::size_t count = 0;      ///< of spheres; the last layer may be incomplete. 0: `layers` full ones
  int columns = 0, rows = 0;  ///< places of a layer along x and y
  int layers = 0;             ///< 0: as many as `count` needs
  double pitch = 0;           ///< between neighbouring places of a layer (m); 0: 4 R
  double layer_spacing = 0;   ///< between layers (m); 0: 2.04 R
  double jitter = 0.99;  ///< each sphere is moved along x and along y, evenly within ± this share of R; never along z
  Vec2 centre;           ///< of the layers in plan (m)
  double lowest = 0;     ///< height z of the centres of the lowest layer (m)
  Vec2 width;  ///< of the area in plan, about `centre`, that must hold all spheres (m); 0: that of a periodic cell, or
               ///< any
  std::uint64_t seed = 1;
  friend bool operator==(const RainSpec&, const RainSpec&) = default;
};

/// Bodies from a start file: DEMPLA's format, or a table of centres and radii.
struct ImportSpec {
  std::filesystem::path file;
  double scale = 1;  ///< m per unit of the file
  friend bool operator==(const ImportSpec&, const ImportSpec&) = default;
};

struct Assembly {
  std::optional<RandomSpec> random;
  std::optional<RainSpec> rain;
  std::optional<ImportSpec> import;
  std::optional<geometry::VoronoiInput> voronoi;
  std::optional<GrainsSpec> grains;
  std::optional<LatticeSpec> lattice;
  std::vector<BodySpec> bodies;
  std::vector<WallSpec> walls;
  double largest_start_overlap =
      0.05;  ///< of the smaller body's equivalent diameter; larger overlaps at the start are refused
  friend bool operator==(const Assembly&, const Assembly&) = default;
};

/// Two rough plates of boundary particles that move as rigid bodies, bottom and top.
struct PlatesSpec {
  /// Voronoi: first and last row. Grains and lattice: `rows` of regular polygons (or discs) of the assembly's mean size
  /// are put below and above.
  bool from_rows = true;
  int sides = 5;             ///< of the plate particles when they are added
  double particle_size = 0;  ///< equal-area radius (m) of added plate particles; 0: mean of the assembly
  double gap = 0;            ///< start distance between the plates' particles and the assembly (m)
  friend bool operator==(const PlatesSpec&, const PlatesSpec&) = default;
};

/// What drives one component of the periodic cell. Components are those of the velocity gradient L_ab = ∂v_a/∂x_b of
/// the mean motion, a ≤ b: xx, yy, zz, xy, xz, yz; the cell matrix (columns a, b, c) stays upper triangular, so that
/// nothing turns the cell.
struct CellComponent {
  enum class Mode { rate, stress, mean_pressure } mode = Mode::rate;
  double rate = 0;    ///< of mode rate (1/s); extension positive
  double stress = 0;  ///< of mode stress: target (Pa; 2D N/m), **tension positive**
  friend bool operator==(const CellComponent&, const CellComponent&) = default;
};
inline constexpr std::array<const char*, 6> cell_component_names{"xx", "yy", "zz", "xy", "xz", "yz"};
inline constexpr std::array<std::array<int, 2>, 6> cell_component_axes{
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

/// How a stage drives the cell. Normal components of mode mean_pressure are kept equal to each other and move so that
/// the mean pressure is `mean_pressure` (with one axis at a rate: triaxial test at constant mean stress).
struct CellDrive {
  std::array<CellComponent, 6> component;  ///< in the order of cell_component_names
  double mean_pressure = 0;                ///< compression positive (Pa; 2D N/m)
  double largest_rate =
      0;  ///< of a servo-controlled component (1/s); 0: that of the inertial number 5e-3 (drivers/cell_drive.cpp)
  double tolerance = 1e-3;  ///< relative; the servo says so when it cannot hold it
  /// Rigid turn of the whole assembly with its cell, without any relative motion: total angle (rad) about an axis, in
  /// equal steps.
  double turn_angle = 0;
  Vec3 turn_axis{0, 0, 1};
  std::uint64_t turn_steps = 0;
  bool turns() const { return turn_steps > 0; }
  friend bool operator==(const CellDrive&, const CellDrive&) = default;
};

enum class PlateNormal { hold_height, move_to_height, hold_stress };
struct Stage {
  std::string name;
  std::optional<CellDrive> cell;       ///< none: the cell rests
  std::optional<double> friction;      ///< μ of all contacts during this stage; default: the materials'
  std::optional<double> mass_damping;  ///< α during this stage (1/s); default: material.mass_damping
  std::optional<double> unbalanced;    ///< the stage ends when the unbalanced-force index stays below this
  std::optional<double> coordination;  ///< … when the mechanical coordination number reaches this
  std::optional<double> stress_ratio;  ///< … when q/p reaches this
  std::optional<double> void_ratio;    ///< … when the void ratio falls to this (rises, if it starts below)
  std::optional<TangentialHistory>
      history;  ///< laws hooke-history and hertz-history, during this stage; default: contact.history
  std::vector<WallVelocity> wall_velocities;  ///< during this stage; the others keep that of their WallSpec
  // Shear box.
  std::optional<double> plate_stress;  ///< on the load plate, compression positive (Pa); none: it rests where it is
  double shear_velocity = 0;           ///< of the lower half along x (m/s)
  std::optional<double> shear_displacement;  ///< the stage ends when the lower half has moved by this during it (m)
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
  double step = 0;                  ///< Δt (s); 0: "auto", a share of the a-priori limit that Simulation sets
  bool override_limit = false;      ///< run although the step exceeds the limit
  double limit_check_interval = 0;  ///< s between measurements of the limit during the run; 0: 1000 to 10 000 steps
                                    ///< (Simulation::steps_to_next_check)
  friend bool operator==(const TimeChoice&, const TimeChoice&) = default;
};

struct OutputChoice {
  double series_interval = 0;          ///< s; 0: 1000 rows over the run (row_steps)
  double snapshot_interval = 0;        ///< s; 0: few (OutputPlan)
  double frame_interval = 0;           ///< s, SVG frames; 0: few
  double checkpoint_interval = 60;     ///< s of wall-clock time
  std::string colour_by = "rotation";  ///< SVG: rotation | speed | spin | coordination | stress
  bool vtk = true;
  bool contacts = true;  ///< snapshots and ParaView files hold the contacts, not the bodies alone
  bool csv = false;      ///< the series as series.csv as well, at the end of a run
  bool ledger = true;    ///< keep the energy ledger; in space, without it a step is faster and columns of works are NaN
  bool plane_jumps =
      false;  ///< write every persistent jump of a contact plane and count what each definition would have done
  friend bool operator==(const OutputChoice&, const OutputChoice&) = default;
};

struct DriverEntry;
/// A driver with a table of its own (drivers/catalogue.hpp), with its options. Copies share the options, which never
/// change.
struct DriverChoice {
  const DriverEntry* entry = nullptr;
  std::shared_ptr<const void> options;
  /// The same driver with the same values of all keys.
  friend bool operator==(const DriverChoice&, const DriverChoice&);
};

struct Case {
  std::string title;
  std::filesystem::path file;  ///< where it came from
  int dimension = 2;           ///< 2: discs and polygons in the plane z = 0; 3: spheres and clusters
  std::array<bool, 3> periodic{false, false, false};
  Vec3 cell_origin, cell_size;  ///< m
  Vec3 cell_tilt;               ///< xy, xz, yz: how far the second and third cell vectors lean along x, x, y (m)
  Vec3 gravity;                 ///< m/s²
  Assembly assembly;
  Material material;  ///< of bodies that name no other
  std::vector<NamedMaterial> materials;
  std::vector<MaterialPair> material_pairs;
  std::uint64_t spatial_order_interval =
      10000;  ///< steps between renewals of the spatial order of spheres; part of the state
  ContactChoice contact;
  TimeChoice time;
  std::optional<PlatesSpec> plates;
  std::optional<ShearBoxSpec> shear_box;
  std::vector<DriverChoice> drivers;  ///< beside those above
  std::filesystem::path
      start_from;  ///< results of a run whose last state this one starts with; empty: its own assembly
  std::vector<Stage> stages;
  OutputChoice output;
  double skin = 0;  ///< Verlet skin (m); 0: 0.1 of the mean bounding radius
  int threads = 1;
  friend bool operator==(const Case&, const Case&) = default;
};

}  // namespace dem
