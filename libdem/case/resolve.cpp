#include <algorithm>
#include <cmath>
#include <numbers>

#include "libdem/case/case_file.hpp"
#include "libdem/case/draft.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/laws/catalogue.hpp"

namespace dem::case_file {
namespace {

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// The words of x, y, z and a rotation that are true.
std::vector<std::string> words_of_axes(bool x, bool y, bool z, bool rotation = false) {
  std::vector<std::string> words;
  for (const auto& [is, word] : {std::pair(x, "x"), {y, "y"}, {z, "z"}, {rotation, "rotation"}})
    if (is) words.emplace_back(word);
  return words;
}

Material resolve_material(const MaterialDraft& draft, const laws::LawEntry& law) {
  Material m = draft;
  m.normal_stiffness = draft.own_normal_stiffness.value_or(0);
  m.tangential_stiffness =
      draft.own_tangential_stiffness.value_or(draft.stiffness_ratio.value_or(0) * m.normal_stiffness);
  if (m.characteristic_speed)
    m.tangential_stiffness_ratio = draft.stiffness_ratio.value_or(m.tangential_stiffness_ratio);
  auto own_ratio = draft.own_tangential_damping_ratio;
  if (draft.tangential_damping_rate)
    own_ratio = m.normal_damping_rate.value_or(0) > 0 ? *draft.tangential_damping_rate / *m.normal_damping_rate : 0;
  if (!m.tangential_damping && (own_ratio || !m.hertzian())) {  // Hertzian laws: from κ of the pair
    const double of_springs =
        m.characteristic_speed ? m.tangential_stiffness_ratio : m.tangential_stiffness / m.normal_stiffness;
    const double ratio = draft.stiffness_ratio.value_or(of_springs);
    m.tangential_damping_ratio = own_ratio.value_or(law.damping_ratio(ratio));
  }
  return m;
}

NamedMaterial resolve_other(const OtherMaterialDraft& draft, const Material& first) {
  NamedMaterial m;
  m.name = draft.name;
  m.density = draft.density.value_or(first.density);
  m.normal_stiffness = draft.normal_stiffness.value_or(first.normal_stiffness);
  m.tangential_stiffness = draft.tangential_stiffness.value_or(
      m.normal_stiffness == first.normal_stiffness
          ? first.tangential_stiffness
          : m.normal_stiffness * (first.tangential_stiffness / first.normal_stiffness));
  m.friction = draft.friction.value_or(first.friction);
  m.shear_modulus = draft.shear_modulus ? draft.shear_modulus : first.shear_modulus;
  m.poisson_ratio = draft.poisson_ratio ? draft.poisson_ratio : first.poisson_ratio;
  if (first.stiffness_of_pair()) m.normal_stiffness = m.tangential_stiffness = 0;  // not 0/0
  return m;
}

ContactChoice resolve_contact(const ContactDraft& draft, ShapeKind shape) {
  ContactChoice c = draft;
  c.normal_force = draft.own_normal_force.value_or(shape == ShapeKind::polygon ? NormalForce::area_over_length
                                                                               : NormalForce::overlap);
  c.clip_tension = draft.own_clip_tension.value_or(c.law->clips_tension);
  if (!c.lever) {
    const bool form_g =
        shape == ShapeKind::disc && c.elongation == Elongation::geometric && c.geometric_form == GeometricForm::exact;
    c.lever = form_g ? Lever::conjugate : Lever::contact_point;
  }
  return c;
}

BodySpec resolve_body(const BodyDraft& draft) {
  BodySpec body = draft;
  body.shape = kind_of(draft.how);
  if (draft.how == BodyShape::regular_polygon) {
    // Checks resolve drafts that lack a key, which they have reported.
    if (draft.sides >= 3 && draft.radius > 0)
      body.outline =
          geometry::regular_polygon(draft.sides, std::numbers::pi * draft.radius * draft.radius, draft.stretch);
    body.radius = 0;
  } else if (draft.how == BodyShape::rectangle) {
    const double x = draft.width / 2, y = draft.height / 2;
    body.outline = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  }
  body.outline_is_placed = draft.how == BodyShape::polygon && !draft.own_position;
  body.position = draft.own_position.value_or(Vec3{});
  body.fix_x = contains(draft.fixed, "x");
  body.fix_y = contains(draft.fixed, "y");
  body.fix_z = contains(draft.fixed, "z");
  body.fix_rotation = contains(draft.fixed, "rotation");
  return body;
}

BodyDraft draft_of_body(const BodySpec& body) {
  BodyDraft draft;
  static_cast<BodySpec&>(draft) = body;
  draft.how = body.shape == ShapeKind::disc      ? BodyShape::disc
              : body.shape == ShapeKind::sphere  ? BodyShape::sphere
              : body.shape == ShapeKind::cluster ? BodyShape::cluster
                                                 : BodyShape::polygon;
  if (!body.outline_is_placed) draft.own_position = body.position;
  draft.fixed = words_of_axes(body.fix_x, body.fix_y, body.fix_z, body.fix_rotation);
  return draft;
}

CellDrive resolve_drive(const StageDraft& draft) {
  CellDrive drive;
  using Mode = CellComponent::Mode;
  for (std::size_t k = 0; k < drive.component.size(); ++k) {
    auto& component = drive.component[k];
    const bool normal = cell_component_axes[k][0] == cell_component_axes[k][1];
    if (draft.component_stress[k])
      component = {Mode::stress, 0, *draft.component_stress[k]};
    else if (draft.rate[k])
      component = {Mode::rate, *draft.rate[k], 0};
    else if (normal && draft.mean_pressure)
      component.mode = Mode::mean_pressure;
  }
  drive.mean_pressure = draft.mean_pressure.value_or(drive.mean_pressure);
  drive.largest_rate = draft.largest_rate.value_or(drive.largest_rate);
  drive.tolerance = draft.servo_tolerance.value_or(drive.tolerance);
  drive.turn_angle = draft.turn_angle.value_or(drive.turn_angle);
  drive.turn_axis = draft.turn_axis.value_or(drive.turn_axis);
  drive.turn_steps = draft.turn_steps.value_or(drive.turn_steps);
  return drive;
}

Stage resolve_stage(const StageDraft& draft, int dimension) {
  Stage stage = draft;
  if (draft.drives_cell()) {
    stage.cell = resolve_drive(draft);
    if (dimension == 2) stage.cell->component[2].mode = CellComponent::Mode::rate;  // there is no zz in the plane
  }
  return stage;
}

StageDraft draft_of_stage(const Stage& stage, int dimension) {
  StageDraft draft;
  static_cast<Stage&>(draft) = stage;
  if (!stage.cell) return draft;
  using Mode = CellComponent::Mode;
  for (std::size_t k = 0; k < draft.rate.size(); ++k) {
    if (dimension == 2 && cell_component_axes[k][1] == 2) continue;
    const CellComponent& component = stage.cell->component[k];
    if (component.mode == Mode::rate) draft.rate[k] = component.rate;
    if (component.mode == Mode::stress) draft.component_stress[k] = component.stress;
    if (component.mode == Mode::mean_pressure) draft.mean_pressure = stage.cell->mean_pressure;
  }
  draft.largest_rate = stage.cell->largest_rate;
  draft.servo_tolerance = stage.cell->tolerance;
  if (stage.cell->turns()) {
    draft.turn_angle = stage.cell->turn_angle;
    draft.turn_axis = stage.cell->turn_axis;
    draft.turn_steps = stage.cell->turn_steps;
  }
  return draft;
}

void resolve_cell(const CaseDraft& draft, Case& c) {
  const auto& a = draft.assembly;
  const bool columns = a.generator == Generator::voronoi || a.generator == Generator::lattice;
  const bool closed = a.generator == Generator::random || a.generator == Generator::import;
  const std::vector<std::string> periodic = draft.cell.periodic.value_or(words_of_axes(
      closed || (columns && draft.driver_options<PlatesSpec>()), closed, closed && draft.root.dimension == 3));
  c.periodic = {contains(periodic, "x"), contains(periodic, "y"), c.dimension == 3 && contains(periodic, "z")};
  const Vec3 origin{0, a.generator == Generator::voronoi ? -a.voronoi.spacing / std::sqrt(a.voronoi.elongation) : 0.0,
                    0};
  c.cell_origin = draft.cell.origin.value_or(origin);
  Vec2 size;
  if (a.generator == Generator::voronoi) size = geometry::voronoi_size(a.voronoi);
  if (a.generator == Generator::lattice)
    size = a.lattice.spacing *
           Vec2{double(a.lattice.columns), a.lattice.rows * (a.lattice.hexagonal ? std::sqrt(0.75) : 1.0)};
  c.cell_size = draft.cell.size.value_or(Vec3{size.x, size.y, 0});
  c.cell_tilt = draft.cell.tilt;
}

}  // namespace

ShapeKind kind_of(BodyShape how) {
  switch (how) {
    case BodyShape::disc:
      return ShapeKind::disc;
    case BodyShape::sphere:
      return ShapeKind::sphere;
    case BodyShape::cluster:
      return ShapeKind::cluster;
    default:
      return ShapeKind::polygon;
  }
}

ShapeKind shape_of(const CaseDraft& draft) {
  const auto& a = draft.assembly;
  if (draft.root.dimension == 3) {
    const bool clusters =
        std::ranges::any_of(draft.bodies, [](const BodyDraft& b) { return b.how == BodyShape::cluster; });
    return clusters || (a.generator == Generator::random && a.random.shape == ShapeKind::cluster) ? ShapeKind::cluster
                                                                                                  : ShapeKind::sphere;
  }
  if (a.generator == Generator::lattice) return a.lattice.shape;
  if (a.generator == Generator::random) return a.random.shape;
  if (a.generator == Generator::import) return ShapeKind::disc;
  if (a.generator == Generator::bodies && !draft.bodies.empty()) return kind_of(draft.bodies[0].how);
  return ShapeKind::polygon;
}

Case resolve(const CaseDraft& draft, const std::filesystem::path& directory) {
  Case c;
  c.title = draft.root.title;
  c.dimension = draft.root.dimension;
  c.spatial_order_interval = draft.root.spatial_order_interval;
  c.gravity = draft.root.gravity;
  c.skin = draft.root.skin;
  c.threads = draft.root.threads;
  resolve_cell(draft, c);
  c.material = resolve_material(draft.material, *draft.contact.law);
  for (const auto& other : draft.other_materials) c.materials.push_back(resolve_other(other, c.material));
  c.material_pairs = draft.material_pairs;
  c.contact = resolve_contact(draft.contact, shape_of(draft));
  c.time = draft.time;
  const auto& a = draft.assembly;
  c.assembly.largest_start_overlap = a.largest_start_overlap;
  if (a.generator == Generator::voronoi) c.assembly.voronoi = a.voronoi;
  if (a.generator == Generator::lattice) c.assembly.lattice = a.lattice;
  if (a.generator == Generator::grains) {
    c.assembly.grains = a.grains;
    c.assembly.grains->file = (directory / a.grains.file).lexically_normal();
  }
  if (a.generator == Generator::random) c.assembly.random = a.random;
  if (a.generator == Generator::rain) c.assembly.rain = a.rain;
  if (a.generator == Generator::import) {
    c.assembly.import = a.import;
    c.assembly.import->file = (directory / a.import.file).lexically_normal();
  }
  for (const auto& body : draft.bodies) c.assembly.bodies.push_back(resolve_body(body));
  c.assembly.walls = draft.walls;
  for (WallSpec& wall : c.assembly.walls)
    if (wall.shape == WallShape::mesh) wall.file = (directory / wall.file).lexically_normal();
  for (const auto& driver : draft.drivers)
    if (driver) c.drivers.push_back(*driver);
  if (!draft.root.start_from.empty()) c.start_from = (directory / draft.root.start_from).lexically_normal();
  for (const auto& stage : draft.stages) c.stages.push_back(resolve_stage(stage, c.dimension));
  c.output = draft.output;
  c.output.vtk = draft.output.own_vtk.value_or(c.dimension == 2);
  c.output.contacts = draft.output.own_contacts.value_or(c.dimension == 2);
  return c;
}

CaseDraft draft_of(const Case& c) {
  CaseDraft draft;
  draft.root = {case_format, c.title,     c.dimension, c.gravity, c.skin, c.spatial_order_interval,
                c.threads,   c.start_from};
  draft.cell.periodic = words_of_axes(c.periodic[0], c.periodic[1], c.periodic[2]);
  draft.cell.origin = c.cell_origin;
  draft.cell.size = c.cell_size;
  draft.cell.tilt = c.cell_tilt;
  static_cast<Material&>(draft.material) = c.material;
  if (c.material.characteristic_speed) draft.material.stiffness_ratio = c.material.tangential_stiffness_ratio;
  if (!c.material.stiffness_of_pair()) {
    draft.material.own_normal_stiffness = c.material.normal_stiffness;
    draft.material.own_tangential_stiffness = c.material.tangential_stiffness;
  }
  if (c.material.tangential_damping_ratio >= 0)
    draft.material.own_tangential_damping_ratio = c.material.tangential_damping_ratio;
  for (const auto& m : c.materials)
    if (c.material.stiffness_of_pair())
      draft.other_materials.push_back({m.name, m.density, {}, {}, m.friction, m.shear_modulus, m.poisson_ratio});
    else
      draft.other_materials.push_back(
          {m.name, m.density, m.normal_stiffness, m.tangential_stiffness, m.friction, {}, {}});
  draft.material_pairs = c.material_pairs;
  static_cast<ContactChoice&>(draft.contact) = c.contact;
  draft.contact.own_normal_force = c.contact.normal_force;
  draft.contact.own_clip_tension = c.contact.clip_tension;
  draft.time = c.time;
  auto& a = draft.assembly;
  a.largest_start_overlap = c.assembly.largest_start_overlap;
  if (c.assembly.voronoi) a.generator = Generator::voronoi, a.voronoi = *c.assembly.voronoi;
  if (c.assembly.grains) a.generator = Generator::grains, a.grains = *c.assembly.grains;
  if (c.assembly.lattice) a.generator = Generator::lattice, a.lattice = *c.assembly.lattice;
  if (c.assembly.random) a.generator = Generator::random, a.random = *c.assembly.random;
  if (c.assembly.rain) a.generator = Generator::rain, a.rain = *c.assembly.rain;
  if (c.assembly.import) a.generator = Generator::import, a.import = *c.assembly.import;
  for (const auto& body : c.assembly.bodies) draft.bodies.push_back(draft_of_body(body));
  draft.walls = c.assembly.walls;
  for (const DriverChoice& driver : c.drivers)
    for (std::size_t k = 0; k < draft.drivers.size(); ++k)
      if (&registered_drivers()[k] == driver.entry) draft.drivers[k] = driver;
  for (const auto& stage : c.stages) draft.stages.push_back(draft_of_stage(stage, c.dimension));
  static_cast<OutputChoice&>(draft.output) = c.output;
  draft.output.own_vtk = c.output.vtk;
  draft.output.own_contacts = c.output.contacts;
  return draft;
}

}  // namespace dem::case_file
