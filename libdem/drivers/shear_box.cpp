#include "libdem/drivers/shear_box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "libdem/bounds.hpp"
#include "libdem/motion/coordinates.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/state/assembly_error.hpp"
#include "libdem/state/groups.hpp"

namespace dem {

namespace {

constexpr double clearance = 1e-3;  // between the plate and the highest sphere, in radii

WallSpec rectangle(const ShearBoxSpec& box, const char* part, Vec3 corner, Vec3 edge_1, Vec3 edge_2) {
  WallSpec w;
  w.name = part;
  w.shape = WallShape::rectangle;
  w.corner = corner;
  w.edge_1 = edge_1;
  w.edge_2 = edge_2;
  w.material = box.material;
  return w;
}

std::size_t part(const State& state, const char* name) {
  if (const auto wall = wall_named(state, name)) return *wall;
  throw std::logic_error(fmt::format("the shear box has no part '{}'", name));
}

/// Highest and lowest point of a body, and its smallest sphere (m).
struct Extent {
  double high = 0, low = 0, smallest = 0;
};
Extent extent_of(const State& state, std::size_t b) {
  const double z = state.bodies.position[0][b].z, r = state.shape_of(b).bounding_radius();
  Extent e{z + r, z - r, std::numeric_limits<double>::infinity()};
  for (const ClusterSphere s : state.shape_of(b).spheres()) e.smallest = std::min(e.smallest, s.radius);
  return e;
}

const ShearBox& box_of(const Driver& driver) { return static_cast<const ShearBox&>(driver); }

template <double ShearBoxReading::*member>
double reading(const Driver& driver, const State& state) {
  return box_of(driver).read(state).*member;
}

}  // namespace

std::vector<WallSpec> ShearBox::walls(const ShearBoxSpec& box) {
  const double l = box.length, w = box.full_width(), top = box.gap + box.height;
  std::vector<WallSpec> all;
  const auto half = [&](const char* name, double low, double high, double at) {
    const Vec3 up{0, 0, high - low};
    for (const double x : {0.0, l}) all.push_back(rectangle(box, name, {x, 0, low}, {0, w, 0}, up));
    for (const double y : {0.0, w}) all.push_back(rectangle(box, name, {0, y, low}, {l, 0, 0}, up));
    if (!(box.ledge > 0)) return;
    for (const double x : {-box.ledge, l})
      all.push_back(rectangle(box, name, {x, 0, at}, {box.ledge, 0, 0}, {0, w, 0}));
  };
  all.push_back(rectangle(box, "lower", {0, 0, -box.depth}, {l, 0, 0}, {0, w, 0}));
  half("lower", -box.depth, 0, 0);
  half("upper", box.gap, top, box.gap);
  const double plate_l = box.plate_length > 0 ? box.plate_length : l,
               plate_w = box.plate_width > 0 ? box.plate_width : w;
  all.push_back(
      rectangle(box, "plate", {0.5 * (l - plate_l), 0.5 * (w - plate_w), top}, {plate_l, 0, 0}, {0, plate_w, 0}));
  return all;
}

std::vector<laws::Key> ShearBox::keys() {
  using T = ShearBoxSpec;
  using laws::key, laws::or_zero;
  constexpr laws::NumberRange length{bounds::smallest_length, bounds::largest_length};
  return {
      key("length", &T::length, "m", length, "Inner length along x.").require(),
      key("width", &T::width, "m", or_zero(length), "Inner width along y. 0: the length."),
      key("depth", &T::depth, "m", length, "Depth of the lower half.").require(),
      key("gap", &T::gap, "m", or_zero(length), "Gap between the halves; smaller than every sphere."),
      key("height", &T::height, "m", length, "Height of the upper half's walls; the plate waits at their top.")
          .require(),
      key("ledge", &T::ledge, "m", or_zero(length),
          "Width of the ledges along ±x that close what the offset of the halves opens."),
      key("plate_length", &T::plate_length, "m", or_zero(length),
          "Length of the load plate along x. 0: that of the box."),
      key("plate_width", &T::plate_width, "m", or_zero(length), "Width of the load plate along y. 0: that of the box."),
      key<T, PlateLoad>("plate", &T::plate,
                        {{PlateLoad::weight, "weight", "a mass that falls and bounces under the load"},
                         {PlateLoad::servo, "servo",
                          "a plate without mass that moves at servo_gain times the difference of contact force and "
                          "load"}},
                        "How the load acts."),
      key("plate_mass", &T::plate_mass, "kg", or_zero({1e-36, 1e33}),
          "Mass of the plate. 0: that whose weight is the load.")
          .only({"weight"}),
      key("servo_gain", &T::servo_gain, "m/(s N)", {1e-30, 1e12},
          "Speed of the plate per difference of force. Its product with time step and stiffness of all contacts at "
          "the plate must stay below 0.2, and its product with their dashpots below 0.5.")
          .only({"servo"})
          .require(),
      key("material", &T::material, "Name of the walls' material, one of [[other_material]].")
          .by_default("that of [material]")
          .if_unusual(),
  };
}

DriverTopic ShearBox::topic() {
  return {"a box for direct shear, of a lower half that moves, an upper half and a load plate",
          "Stages in this order: fill the box (generator rain), press with plate_stress, shear with shear_velocity. "
          "Series: shear force T, normal force N and its parts, void ratio.\n",
          {"stage.plate_stress", "stage.shear_velocity", "stage.shear_displacement", "stage.history"}};
}

void ShearBox::check(const ShearBoxSpec& box, const Case& given, Findings& findings) {
  if (given.dimension == 2) return findings.add("shear_box", "a shear box", "only with dimension = 3");
  const auto check_plate = [&](const char* key, double size, const char* of_box, double most) {
    if (size > most)
      findings.refuse(
          key, number_text(size),
          fmt::format("at most the {} of the box, {}: the plate moves between its walls", of_box, number_text(most)));
  };
  check_plate("shear_box.plate_length", box.plate_length, "length", box.length);
  check_plate("shear_box.plate_width", box.plate_width, "width", box.full_width());
  if (box.plate == PlateLoad::weight && box.plate_mass == 0 && given.gravity.z == 0)
    findings.add("shear_box.plate_mass", "0 without gravity along z", "a mass > 0: without gravity no weight tells it");
  if (findings.is_given("cell.periodic") && (given.periodic[0] || given.periodic[1] || given.periodic[2]))
    findings.refuse("cell.periodic", "", "no periodic direction with [shear_box]: its walls have no images");
  for (std::size_t k = 0; k < given.assembly.walls.size(); ++k)
    if (const std::string& name = given.assembly.walls[k].name; name == "lower" || name == "upper" || name == "plate")
      findings.refuse(fmt::format("wall[{}].name", k + 1), name, "another name: it is that of a part of the shear box");
}

ShearBox::ShearBox(const ShearBoxSpec& spec, const Case&, const State& state)
    : spec_(spec), lower_(part(state, "lower")), upper_(part(state, "upper")), plate_(part(state, "plate")) {
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (state.shape_of(b).is_wall()) continue;
    solid_ += state.shape_of(b).volume();
    const Extent e = extent_of(state, b);
    if (e.smallest * 2 <= spec_.gap)
      throw AssemblyError(
          fmt::format("shear_box.gap: found {:g} m, allowed less than the smallest sphere, whose diameter is {:g} m "
                      "({}): it would get out between the halves",
                      spec_.gap, 2 * e.smallest, body_label(state, b)));
    if (e.high > plate_height(state))
      throw AssemblyError(
          fmt::format("{} reaches up to z = {:g} m, above the plate of the shear box at {:g} m: the assembly does not "
                      "fit, raise shear_box.height",
                      body_label(state, b), e.high, plate_height(state)));
  }
  if (const auto outside = lost_body(state)) {
    const Vec3 x = state.bodies.position[0][*outside];
    throw AssemblyError(fmt::format(
        "{} starts outside the shear box, at ({:g}, {:g}, {:g}) m; inside is 0 < x < {:g}, 0 < y < {:g}, {:g} < z < "
        "{:g}: the assembly does not fit",
        body_label(state, *outside), x.x, x.y, x.z, spec_.length, spec_.full_width(), -spec_.depth,
        plate_height(state)));
  }
}

void ShearBox::begin(const Stage& stage, std::size_t, const World& world) {
  State& state = world.state;
  stage_ = stage;
  stage_start_ = shift(state);
  if (!stage.plate_stress) {
    speed_ = 0;
    return;
  }
  if (!waits_) return;
  waits_ = false;
  double highest = -spec_.depth, radius = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (state.shape_of(b).is_wall()) continue;
    const Extent e = extent_of(state, b);
    highest = std::max(highest, e.high);
    radius = std::max(radius, e.smallest);
  }
  Vec3& position = state.bodies.position[0][plate_];
  position.z += highest + clearance * radius - plate_height(state);
  // Contacts and ledger see no movement: the plate was put there.
  state.bodies.evaluated_position[plate_] = position;
}

double ShearBox::drive(const World& world) {
  State& state = world.state;
  if (!waits_ && stage_.plate_stress) {
    const double excess = force_ - load();
    if (spec_.plate == PlateLoad::servo)
      speed_ = spec_.servo_gain * excess;
    else
      speed_ += state.dt / (spec_.plate_mass > 0 ? spec_.plate_mass : load() / std::abs(state.gravity.z)) * excess;
  }
  prescribe_velocity(state.bodies, plate_, free_z, speed_, state.dt);
  prescribe_velocity(state.bodies, lower_, free_x, stage_.shear_velocity, state.dt);
  return 0;
}

void ShearBox::measure(const World& world, bool start) {
  if (!start) force_ = world.state.bodies.force[plate_].z;
}

bool ShearBox::displacement_reached(const State& state) const {
  return stage_.shear_displacement && std::abs(shift(state) - stage_start_) >=
                                          *stage_.shear_displacement - 0.5 * std::abs(stage_.shear_velocity) * state.dt;
}

double ShearBox::displacement_share(const State& state) const {
  return stage_.shear_displacement ? std::abs(shift(state) - stage_start_) / *stage_.shear_displacement : 0;
}

ShearBoxReading ShearBox::read(const State& state) const {
  ShearBoxReading r;
  const ByBody<Vec3>& force = state.bodies.force;
  const Vec3 lower = force[lower_], upper = force[upper_], plate = force[plate_];
  const double g = std::abs(state.gravity.z);
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (state.shape_of(b).is_wall()) continue;
    (state.bodies.position[0][b].z < 0.5 * spec_.gap ? r.weight_below : r.weight_above) += g * state.bodies.mass[b];
  }
  r.displacement = shift(state);
  r.shear_force = -lower.x;
  r.shear_force_above = upper.x + plate.x;
  r.plate_load = plate.z;
  r.plane_normal_force = -lower.z - r.weight_below;
  r.wall_drag = upper.z;
  r.plate_height = plate_height(state);
  r.void_ratio = area() * (r.plate_height + spec_.depth) / solid_ - 1;
  return r;
}

std::optional<std::size_t> ShearBox::lost_body(const State& state) const {
  const double x0 = shift(state), w = spec_.full_width(), top = plate_height(state), l = spec_.length;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (state.shape_of(b).is_wall() || state.bodies.freedom[b] == 0) continue;
    const Vec3 x = state.bodies.position[0][b];
    const bool below = x.z<0, above = x.z> spec_.gap;
    // Between the halves: in the reach of either.
    const double low = below   ? x0
                       : above ? 0
                               : std::min(x0, 0.0),
                 high = below   ? x0 + l
                        : above ? l
                                : std::max(x0, 0.0) + l;
    if (!(x.z > -spec_.depth && x.z < top && x.y > 0 && x.y < w && x.x > low && x.x < high)) return b;
  }
  return std::nullopt;
}

std::optional<std::string> ShearBox::trouble(const State& state) const {
  const auto lost = lost_body(state);
  if (!lost) return {};
  const Vec3 x = state.bodies.position[0][*lost];
  return fmt::format(
      "{} has left the shear box, at ({:.6g}, {:.6g}, {:.6g}) m. Likely cause: contacts too soft for the load, an "
      "opening wider than a sphere (shear_box.gap, shear_box.ledge), or a time step in which it moves too far.",
      body_label(state, *lost), x.x, x.y, x.z);
}

std::vector<DriverColumn> ShearBox::columns() const {
  using D = const Driver&;
  using S = const State&;
  using R = ShearBoxReading;
  return {
      {{"shear_displacement", "m", "displacement of the lower half along x since the start"},
       reading<&R::displacement>},
      {{"shear_force", "N", "T: force along x of the lower half on the grains"}, reading<&R::shear_force>},
      {{"shear_force_above", "N", "the part of it that upper half and plate bear; differs by inertia"},
       reading<&R::shear_force_above>},
      {{"plate_load", "N", "force of the grains on the plate, upwards"}, reading<&R::plate_load>},
      {{"plane_normal_force", "N", "N: normal force on the shear plane, compression positive"},
       reading<&R::plane_normal_force>},
      {{"weight_above", "N", "weight of the bodies above the middle of the gap"}, reading<&R::weight_above>},
      {{"wall_drag", "N",
        "force of the grains on the upper walls, upwards: with plate load and weight above it makes N"},
       reading<&R::wall_drag>},
      {{"plate_height", "m", "z of the load plate"}, reading<&R::plate_height>},
      {{"void_ratio", "1", "of the space between floor and plate"}, reading<&R::void_ratio>},
      {{"porosity", "1", "e/(1 + e)"}, [](D d, S s) { return box_of(d).read(s).porosity(); }},
      {{"nominal_shear_ratio", "1", "T over the prescribed load of the plate; nan without one"},
       [](D d, S s) {
         const double load = box_of(d).load();
         return load > 0 ? box_of(d).read(s).shear_force / load : NAN;
       }},
      {{"plane_shear_ratio", "1", "T/N: tangent of the angle of friction on the shear plane; nan unless N is positive"},
       [](D d, S s) {
         const ShearBoxReading r = box_of(d).read(s);
         return r.plane_normal_force > 0 ? r.shear_force / r.plane_normal_force : NAN;
       }},
  };
}

void ShearBox::fields(FieldVisitor& f, State&) {
  f("waits", waits_);
  f("speed", speed_);
  f("force", force_);
  f("stage_start", stage_start_);
}

}  // namespace dem
