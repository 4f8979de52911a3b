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

void resolve_material(const CaseDraft& draft, Material& m) {
  m.normal_stiffness = draft.own_normal_stiffness.value_or(0);
  m.tangential_stiffness =
      draft.own_tangential_stiffness.value_or(draft.own_stiffness_ratio.value_or(0) * m.normal_stiffness);
  if (m.characteristic_speed)
    m.tangential_stiffness_ratio = draft.own_stiffness_ratio.value_or(m.tangential_stiffness_ratio);
  auto own_ratio = draft.own_tangential_damping_ratio;
  if (draft.own_tangential_damping_rate)
    own_ratio = m.normal_damping_rate.value_or(0) > 0 ? *draft.own_tangential_damping_rate / *m.normal_damping_rate : 0;
  if (!m.tangential_damping && (own_ratio || !m.hertzian())) {  // Hertzian laws: from κ of the pair
    const double of_springs =
        m.characteristic_speed ? m.tangential_stiffness_ratio : m.tangential_stiffness / m.normal_stiffness;
    const double ratio = draft.own_stiffness_ratio.value_or(of_springs);
    m.tangential_damping_ratio = own_ratio.value_or(draft.contact.law->damping_ratio(ratio));
  }
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
  draft.how = BodyShape(body.shape);
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
  const auto* voronoi = a.made_by<geometry::VoronoiInput>();
  const auto* lattice = a.made_by<LatticeSpec>();
  const bool columns = voronoi || lattice, closed = a.made_by<RandomSpec>() || a.made_by<ImportSpec>();
  const std::vector<std::string> periodic = draft.own_periodic.value_or(
      words_of_axes(closed || (columns && draft.driver_options<PlatesSpec>()), closed, closed && draft.dimension == 3));
  c.periodic = {contains(periodic, "x"), contains(periodic, "y"), c.dimension == 3 && contains(periodic, "z")};
  Vec2 origin, size;
  if (voronoi) origin.y = -voronoi->spacing / std::sqrt(voronoi->elongation), size = geometry::voronoi_size(*voronoi);
  if (lattice)
    size =
        lattice->spacing * Vec2{double(lattice->columns), lattice->rows * (lattice->hexagonal ? std::sqrt(0.75) : 1.0)};
  c.cell_origin = draft.own_origin.value_or(spatial(origin));
  c.cell_size = draft.own_size.value_or(spatial(size));
}

}  // namespace

ShapeKind shape_of(const CaseDraft& draft) {
  const auto* random = draft.assembly.made_by<RandomSpec>();
  if (draft.dimension == 3) {
    const bool clusters =
        std::ranges::any_of(draft.own_bodies, [](const BodyDraft& b) { return b.how == BodyShape::cluster; });
    return clusters || (random && random->shape == ShapeKind::cluster) ? ShapeKind::cluster : ShapeKind::sphere;
  }
  if (const auto* lattice = draft.assembly.made_by<LatticeSpec>()) return lattice->shape;
  if (random) return random->shape;
  if (draft.generator == Generator::import) return ShapeKind::disc;
  if (draft.generator == Generator::bodies && !draft.own_bodies.empty()) return kind_of(draft.own_bodies[0].how);
  return ShapeKind::polygon;
}

Case resolve(const CaseDraft& draft, const std::filesystem::path& directory) {
  Case c = draft;
  const auto find_file = [&](std::filesystem::path& file) { file = (directory / file).lexically_normal(); };
  resolve_cell(draft, c);
  resolve_material(draft, c.material);
  for (const auto& other : draft.own_materials) c.materials.push_back(resolve_other(other, c.material));
  const bool is_conjugate = shape_of(draft) == ShapeKind::disc && c.contact.elongation == Elongation::geometric &&
                            c.contact.geometric_form == GeometricForm::exact;
  if (!c.contact.lever) c.contact.lever = is_conjugate ? Lever::conjugate : Lever::contact_point;
  if (auto* file = c.assembly.file()) find_file(*file);
  for (const auto& body : draft.own_bodies) c.assembly.bodies.push_back(resolve_body(body));
  for (WallSpec& wall : c.assembly.walls)
    if (wall.shape == WallShape::mesh) find_file(wall.file);
  if (!c.start_from.empty()) find_file(c.start_from);
  for (const StageDraft& own : draft.own_stages) {
    Stage& stage = c.stages.emplace_back(own);
    if (!own.drives_cell()) continue;
    stage.cell = resolve_drive(own);
    if (c.dimension == 2) stage.cell->component[2].mode = CellComponent::Mode::rate;  // there is no zz in the plane
  }
  return c;
}

CaseDraft draft_of(const Case& c) {
  CaseDraft draft;
  static_cast<Case&>(draft) = c;
  draft.format = case_format;
  draft.own_periodic = words_of_axes(c.periodic[0], c.periodic[1], c.periodic[2]);
  draft.own_origin = c.cell_origin;
  draft.own_size = c.cell_size;
  const Material& m = c.material;
  if (m.characteristic_speed) draft.own_stiffness_ratio = m.tangential_stiffness_ratio;
  if (!m.stiffness_of_pair()) {
    draft.own_normal_stiffness = m.normal_stiffness;
    draft.own_tangential_stiffness = m.tangential_stiffness;
  }
  if (m.tangential_damping_ratio >= 0) draft.own_tangential_damping_ratio = m.tangential_damping_ratio;
  for (const auto& o : c.materials)
    if (m.stiffness_of_pair())
      draft.own_materials.push_back({o.name, o.density, {}, {}, o.friction, o.shear_modulus, o.poisson_ratio});
    else
      draft.own_materials.push_back(
          {o.name, o.density, o.normal_stiffness, o.tangential_stiffness, o.friction, {}, {}});
  draft.generator = Generator(c.assembly.generator.index());
  for (const auto& body : c.assembly.bodies) draft.own_bodies.push_back(draft_of_body(body));
  for (const auto& stage : c.stages) draft.own_stages.push_back(draft_of_stage(stage, c.dimension));
  return draft;
}

}  // namespace dem::case_file
