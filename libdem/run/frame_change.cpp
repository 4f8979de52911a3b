#include "libdem/run/frame_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "libdem/assembly/generators.hpp"
#include "libdem/assembly/stl.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {
namespace {

double& at(Vec3& v, std::size_t a) { return a == 0 ? v.x : a == 1 ? v.y : v.z; }
double at(const Vec3& v, std::size_t a) { return a == 0 ? v.x : a == 1 ? v.y : v.z; }

/// Target axis and sign of an axis.
struct Axis {
  std::size_t to = 0;
  double sign = 1;
};

/// M as an order of the axes with signs; empty for other turns.
std::vector<Axis> axes_of(const FrameChange& change) {
  std::vector<Axis> axes;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t to = 0; to < 3; ++to)
      if (const double m = at(change.rows[to], a); std::abs(m) == 1) axes.push_back({to, m});
  return axes.size() == 3 ? axes : std::vector<Axis>{};
}

bool keeps_axes(const std::vector<Axis>& axes) {
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (axes[a].to != a) return false;
  return !axes.empty();
}

std::size_t component_number(std::size_t a, std::size_t b) {
  for (std::size_t p = 0; p < cell_component_axes.size(); ++p)
    if (cell_component_axes[p] == std::array<int, 2>{int(std::min(a, b)), int(std::max(a, b))}) return p;
  return 0;
}

/// True if the cell is or may be sheared. After a quarter turn it would not be upper triangular.
bool leans(const Case& c) {
  if (c.cell_tilt != Vec3{}) return true;
  return std::ranges::any_of(c.stages, [](const Stage& stage) {
    for (std::size_t p = 0; stage.cell && p < stage.cell->component.size(); ++p)
      if (const auto [a, b] = cell_component_axes[p]; a != b && !(stage.cell->component[p] == CellComponent{}))
        return true;
    return false;
  });
}

/// Name of a body that is held in some directions only; empty if there is none.
std::string held_in_part(const Case& c) {
  for (std::size_t k = 0; k < c.assembly.bodies.size(); ++k) {
    const BodySpec& b = c.assembly.bodies[k];
    if (b.fix_x == b.fix_y && (c.dimension == 2 || b.fix_y == b.fix_z)) continue;
    return b.name.empty() ? fmt::format("body {}", k) : "body '" + b.name + "'";
  }
  return {};
}

CellDrive in_frame(CellDrive drive, const FrameChange& change, const std::vector<Axis>& axes) {
  const CellDrive given = drive;
  for (std::size_t p = 0; p < given.component.size(); ++p) {
    const auto [a, b] = cell_component_axes[p];
    const Axis first = axes[std::size_t(a)], second = axes[std::size_t(b)];
    CellComponent& to = drive.component[component_number(first.to, second.to)];
    to = given.component[p];
    to.rate *= first.sign * second.sign;
    to.stress *= first.sign * second.sign;
  }
  drive.turn_axis = change.axial(drive.turn_axis);
  return drive;
}

std::filesystem::path write_mesh(const WallSpec& wall, const FrameChange& change, const std::filesystem::path& file) {
  std::string text = "solid mesh\n";
  for (Triangle t : read_stl(wall.file, wall.scale)) {
    if (change.determinant() < 0) std::swap(t[1], t[2]);
    text += "facet normal 0 0 0\nouter loop\n";
    for (const Vec3 corner : t) {
      const Vec3 v = change.point(corner);
      text += fmt::format("vertex {:.17g} {:.17g} {:.17g}\n", v.x, v.y, v.z);
    }
    text += "endloop\nendfacet\n";
  }
  write_file(file, text + "endsolid mesh\n", false);
  return file;
}

/// R(q) → M R(q) Mᵀ, a rotation whatever M is: its axis is an axial vector.
Quaternion in_frame(Quaternion q, const FrameChange& change) {
  const Vec3 v = change.axial({q.x, q.y, q.z});
  return {q.w, v.x, v.y, v.z};
}

void change_body(BodySpec& b, const FrameChange& change, const std::vector<Axis>& axes) {
  // M (R(θ) v + x) + t = R(± θ) (M v) + (M x + t): the outline is turned, and the angle gets only its sign.
  for (Vec2& v : b.outline) v = planar(b.outline_is_placed ? change.point(spatial(v)) : change.vector(spatial(v)));
  for (ClusterSphere& s : b.spheres) s.position = change.vector(s.position);
  b.position = change.point(b.position);
  b.orientation = in_frame(b.orientation, change);
  for (double* about_z : {&b.angle, &b.spin, &b.torque}) *about_z *= change.determinant();
  for (Vec3* v : {&b.velocity, &b.force}) *v = change.vector(*v);
  for (Vec3* v : {&b.angular_velocity, &b.applied_couple}) *v = change.axial(*v);
  if (axes.empty()) return;  // all directions are held, or none
  const std::array held{b.fix_x, b.fix_y, b.fix_z};
  const std::array<bool*, 3> to{&b.fix_x, &b.fix_y, &b.fix_z};
  for (std::size_t a = 0; a < 3; ++a) *to[axes[a].to] = held[a];
}

void change_wall(WallSpec& w, const FrameChange& change, const std::filesystem::path& mesh) {
  w.from = planar(change.point(spatial(w.from)));
  w.to = planar(change.point(spatial(w.to)));
  if (change.determinant() < 0) std::swap(w.from, w.to);  // the bodies are on its left
  for (Vec3* x : {&w.point, &w.corner}) *x = change.point(*x);
  for (Vec3* v : {&w.normal, &w.edge_1, &w.edge_2, &w.velocity}) *v = change.vector(*v);
  if (w.shape != WallShape::mesh) return;
  w.file = write_mesh(w, change, mesh);
  w.scale = 1;
}

void change_cell(Case& c, const FrameChange& change, const std::vector<Axis>& axes) {
  const Case given = c;
  c.cell_origin = change.point(given.cell_origin);  // the point that a deforming cell keeps in place
  for (std::size_t a = 0; a < axes.size(); ++a) {
    c.periodic[axes[a].to] = given.periodic[a];
    at(c.cell_size, axes[a].to) = at(given.cell_size, a);
  }
  if (keeps_axes(axes))
    c.cell_tilt = {axes[0].sign * axes[1].sign * given.cell_tilt.x, axes[0].sign * axes[2].sign * given.cell_tilt.y,
                   axes[1].sign * axes[2].sign * given.cell_tilt.z};
}

}  // namespace

FrameChange FrameChange::turn(Vec3 axis, double angle) {
  const Vec3 n = (1 / norm(axis)) * axis;
  const double c = std::cos(angle), s = std::sin(angle);
  FrameChange change;
  for (std::size_t b = 0; b < 3; ++b) {  // Rodrigues
    Vec3 e;
    at(e, b) = 1;
    const Vec3 column = c * e + s * cross(n, e) + ((1 - c) * dot(n, e)) * n;
    for (std::size_t a = 0; a < 3; ++a) at(change.rows[a], b) = at(column, a);
  }
  return change;
}

FrameChange FrameChange::quarter_turn() { return {{Vec3{0, -1, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1}}, {}}; }
FrameChange FrameChange::cycle() { return {{Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}, {}}; }
FrameChange FrameChange::signs(double x, double y, double z) {
  return {{Vec3{x, 0, 0}, Vec3{0, y, 0}, Vec3{0, 0, z}}, {}};
}

FrameChange FrameChange::about(Vec3 point) const {
  FrameChange change = *this;
  change.shift = point - vector(point);
  return change;
}

Case with_listed_bodies(const Case& given, double step) {
  Case c = given;
  GeneratedBodies generated = generate_bodies(given);
  c.assembly = {};
  c.assembly.walls = given.assembly.walls;
  c.assembly.largest_start_overlap = given.assembly.largest_start_overlap;
  for (const Ball& sphere : generated.spheres) c.assembly.bodies.push_back(sphere_spec(sphere));
  for (BodySpec& body : generated.bodies) c.assembly.bodies.push_back(std::move(body));
  c.cell_origin = generated.cell_origin;
  c.cell_size = generated.cell_size;
  c.cell_tilt = generated.cell_tilt;
  // The particles of the plates are listed: none are added.
  if (c.driver_options<PlatesSpec>()) c.use_driver<PlatesSpec>().from_rows = true;
  c.time.step = step;
  c.start_from.clear();
  return c;
}

std::string cannot_change_frame(const Case& c, const FrameChange& change) {
  const std::vector<Axis> axes = axes_of(change);
  if (c.driver_options<PlatesSpec>() && !(keeps_axes(axes) && axes[1].sign > 0))
    return "the plates are level, and the upper one is the one that moves up and down";
  if (const auto* box = c.driver_options<ShearBoxSpec>()) {
    const Vec3 middle{0.5 * box->length, 0.5 * box->full_width(), 0};
    if (!keeps_axes(axes) || axes[2].sign < 0) return "the shear box stands upright and shears along x";
    if (norm(change.point(middle) - middle) > 1e-12 * norm(middle)) return "the shear box has a corner at the origin";
  }
  if (c.periodic != std::array{false, false, false} && axes.empty())
    return "the edges of the periodic cell lie along x, y and z";
  if (!axes.empty() && !keeps_axes(axes) && leans(c))
    return "the edge a of the periodic cell stays along x, and the cell leans or is sheared";
  if (const std::string body = held_in_part(c); axes.empty() && !body.empty())
    return body + " is held along an axis of its own";
  return {};
}

Case in_frame(const Case& given, const FrameChange& change, const std::filesystem::path& folder) {
  const std::vector<Axis> axes = axes_of(change);
  Case c = given;
  c.gravity = change.vector(c.gravity);
  for (BodySpec& b : c.assembly.bodies) change_body(b, change, axes);
  for (std::size_t k = 0; k < c.assembly.walls.size(); ++k)
    change_wall(c.assembly.walls[k], change, folder / fmt::format("mesh-{}.stl", k));
  change_cell(c, change, axes);
  for (Stage& stage : c.stages) {
    if (stage.cell) stage.cell = in_frame(*stage.cell, change, axes);
    for (WallVelocity& wall : stage.wall_velocities) wall.velocity = change.vector(wall.velocity);
    stage.shear_rate *= change.rows[0].x;      // of plates, which are mirrored at most
    stage.shear_velocity *= change.rows[0].x;  // the same of the shear box
  }
  return c;
}

Case renumbered(const Case& given, std::span<const std::size_t> order) {
  Case c = given;
  for (std::size_t k = 0; k < order.size(); ++k) c.assembly.bodies[k] = given.assembly.bodies[order[k]];
  return c;
}

}  // namespace dem
