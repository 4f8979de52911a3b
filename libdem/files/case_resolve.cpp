#include "libdem/files/case_resolve.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libdem/files/case_file.hpp"

namespace dem::case_file {
namespace {

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

Material resolve_material(const MaterialDraft& draft) {
  Material m = draft;
  m.tangential_stiffness =
      draft.own_tangential_stiffness.value_or(draft.stiffness_ratio.value_or(0) * draft.normal_stiffness);
  if (!m.tangential_damping)
    m.tangential_damping_ratio = draft.own_tangential_damping_ratio.value_or(
        draft.stiffness_ratio.value_or(m.tangential_stiffness / m.normal_stiffness));
  return m;
}

ContactChoice resolve_contact(const ContactDraft& draft, ShapeKind shape) {
  ContactChoice c = draft;
  c.normal_force =
      draft.own_normal_force.value_or(shape == ShapeKind::disc ? NormalForce::overlap : NormalForce::area_over_length);
  if (!c.lever) {
    const bool form_g =
        shape == ShapeKind::disc && c.elongation == Elongation::geometric && c.geometric_form == GeometricForm::exact;
    c.lever = form_g ? Lever::conjugate : Lever::contact_point;
  }
  return c;
}

BodySpec resolve_body(const BodyDraft& draft) {
  BodySpec body = draft;
  body.shape = draft.how == BodyShape::disc ? ShapeKind::disc : ShapeKind::polygon;
  if (draft.how == BodyShape::regular_polygon) {
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
  body.fix_rotation = contains(draft.fixed, "rotation");
  return body;
}

BodyDraft draft_of_body(const BodySpec& body) {
  BodyDraft draft;
  static_cast<BodySpec&>(draft) = body;
  draft.how = body.shape == ShapeKind::disc ? BodyShape::disc : BodyShape::polygon;
  if (!body.outline_is_placed) draft.own_position = body.position;
  if (body.fix_x) draft.fixed.push_back("x");
  if (body.fix_y) draft.fixed.push_back("y");
  if (body.fix_rotation) draft.fixed.push_back("rotation");
  return draft;
}

void resolve_cell(const CaseDraft& draft, Case& c) {
  const auto& a = draft.assembly;
  const bool columns = a.generator == Generator::voronoi || a.generator == Generator::lattice;
  std::vector<std::string> periodic;
  if (draft.plates && columns) periodic = {"x"};
  if (draft.cell.periodic) periodic = *draft.cell.periodic;
  c.periodic = {contains(periodic, "x"), contains(periodic, "y"), contains(periodic, "z")};
  const Vec3 origin{0, a.generator == Generator::voronoi ? -a.voronoi.spacing / std::sqrt(a.voronoi.elongation) : 0.0, 0};
  c.cell_origin = draft.cell.origin.value_or(origin);
  Vec2 size;
  if (a.generator == Generator::voronoi) size = geometry::voronoi_size(a.voronoi);
  if (a.generator == Generator::lattice)
    size = a.lattice.spacing *
           Vec2{double(a.lattice.columns), a.lattice.rows * (a.lattice.hexagonal ? std::sqrt(0.75) : 1.0)};
  c.cell_size = draft.cell.size.value_or(Vec3{size.x, size.y, 0});
}

}  // namespace

ShapeKind shape_of(const CaseDraft& draft) {
  if (draft.assembly.generator == Generator::lattice) return draft.assembly.lattice.shape;
  if (draft.assembly.generator == Generator::bodies && !draft.bodies.empty() && draft.bodies[0].how == BodyShape::disc)
    return ShapeKind::disc;
  return ShapeKind::polygon;
}

Case resolve(const CaseDraft& draft, const std::filesystem::path& directory) {
  Case c;
  c.title = draft.root.title;
  c.gravity = draft.root.gravity;
  c.skin = draft.root.skin;
  c.threads = draft.root.threads;
  resolve_cell(draft, c);
  c.material = resolve_material(draft.material);
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
  for (const auto& body : draft.bodies) c.assembly.bodies.push_back(resolve_body(body));
  c.assembly.walls = draft.walls;
  if (draft.plates) {
    c.plates = *draft.plates;
    c.plates->from_rows = draft.plates->own_from_rows.value_or(a.generator == Generator::voronoi);
  }
  c.stages = draft.stages;
  c.output = draft.output;
  return c;
}

CaseDraft draft_of(const Case& c) {
  CaseDraft draft;
  draft.root = {case_format, c.title, c.gravity, c.skin, c.threads};
  draft.cell.periodic.emplace();
  if (c.periodic[0]) draft.cell.periodic->push_back("x");
  if (c.periodic[1]) draft.cell.periodic->push_back("y");
  draft.cell.origin = c.cell_origin;
  draft.cell.size = c.cell_size;
  static_cast<Material&>(draft.material) = c.material;
  draft.material.own_tangential_stiffness = c.material.tangential_stiffness;
  if (c.material.tangential_damping_ratio >= 0)
    draft.material.own_tangential_damping_ratio = c.material.tangential_damping_ratio;
  static_cast<ContactChoice&>(draft.contact) = c.contact;
  draft.contact.own_normal_force = c.contact.normal_force;
  draft.time = c.time;
  auto& a = draft.assembly;
  a.largest_start_overlap = c.assembly.largest_start_overlap;
  if (c.assembly.voronoi) a.generator = Generator::voronoi, a.voronoi = *c.assembly.voronoi;
  if (c.assembly.grains) a.generator = Generator::grains, a.grains = *c.assembly.grains;
  if (c.assembly.lattice) a.generator = Generator::lattice, a.lattice = *c.assembly.lattice;
  for (const auto& body : c.assembly.bodies) draft.bodies.push_back(draft_of_body(body));
  draft.walls = c.assembly.walls;
  if (c.plates) {
    draft.plates.emplace();
    static_cast<PlatesSpec&>(*draft.plates) = *c.plates;
    draft.plates->own_from_rows = c.plates->from_rows;
  }
  draft.stages = c.stages;
  draft.output = c.output;
  return draft;
}

}  // namespace dem::case_file
