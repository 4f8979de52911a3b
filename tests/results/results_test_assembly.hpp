// An assembly made up for tests of files and pictures: a honeycomb with displaced corners, periodic along x. Its first
// and last row are plates; motion and forces are invented. It has every feature that files must carry.
#pragma once

#include "libdem/state/view.hpp"
#include "prelude.hpp"
#include "support/random.hpp"

namespace dem::test {

struct MadeUpAssembly : State {
  std::vector<ContactRecord> contacts;
  double strain = 0.125;

  MadeUpAssembly() {
    groups = {"free", "bottom-plate", "top-plate", "wall"};
    cell_origin = {0, -1};
    dt = 1e-4, step = 2500, time = 0.25;
  }
  AssemblyView view() const { return {*this, contacts, strain}; }

  std::size_t add(Shape shape, Vec2 at, double angle, Vec2 velocity, double spin, std::uint16_t group) {
    const auto b = bodies.size();
    for (int k = 0; k < gear_terms; ++k) bodies.position[k].push_back({}), bodies.rotation[k].push_back({});
    bodies.position[0][b] = {at.x, at.y, 0};
    bodies.position[1][b] = {velocity.x * dt, velocity.y * dt, 0};
    bodies.rotation[0][b] = {0, 0, angle};
    bodies.rotation[1][b] = {0, 0, spin * dt};
    bodies.mass.push_back(shape.area());
    bodies.moment.push_back(shape.polar_moment());
    bodies.freedom.push_back(group == 0 ? free_in_plane : 0);
    bodies.applied_force.push_back({});
    bodies.applied_torque.push_back({});
    bodies.shape.push_back(static_cast<std::uint32_t>(shapes.size()));
    bodies.group.push_back(group);
    bodies.name.push_back(b == 3 ? "the third" : "");
    bodies.force.push_back({0.5 * static_cast<double>(b), -1, 0});
    bodies.torque.push_back({0, 0, 0.25});
    shapes.push_back(std::move(shape));
    return b;
  }
};

/// columns × rows cells of width 1.
inline MadeUpAssembly made_up_polygons(int columns, int rows, unsigned seed) {
  MadeUpAssembly a;
  a.cell.vectors[0] = {static_cast<double>(columns), 0, 0};
  a.cell.vectors[1] = {0, static_cast<double>(rows), 0};
  a.cell.periodic = {true, false, false};
  std::mt19937_64 random(seed);
  const auto uniform = [&](double low, double high) { return test::uniform(random, low, high); };
  // A corner that three cells share is displaced once; corners are known by their place, wrapped along x.
  std::map<std::pair<long, long>, Vec2> displaced;
  const auto corner = [&](Vec2 p) {
    const double wrapped = p.x - columns * std::floor(p.x / columns + 1e-9);
    const auto key = std::pair{std::lround(wrapped * 1000), std::lround(p.y * 1000)};
    const auto [it, fresh] = displaced.try_emplace(key, Vec2{});
    if (fresh) it->second = {uniform(-0.2, 0.2), uniform(-0.2, 0.2)};
    return p + it->second;
  };
  const double height = std::sqrt(3.0) / 2;
  const auto id = [&](int c, int r) { return static_cast<std::uint32_t>(r * columns + (c + columns) % columns); };
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const Vec2 site{c + (r % 2) * 0.5, r * height};
      geometry::Outline outline;
      for (int k = 0; k < 6; ++k) {
        const double angle = pi * (k / 3.0 + 1 / 6.0);
        outline.push_back(corner(site + (1 / std::sqrt(3.0)) * Vec2{std::cos(angle), std::sin(angle)}));
      }
      Shape shape = Shape::polygon(geometry::Polygon(outline));
      const Vec2 at = shape.polygon()[0].outline_centroid();
      const auto group = static_cast<std::uint16_t>(r == 0 ? 1 : r == rows - 1 ? 2 : 0);
      // Some have left the cell: positions are not wrapped.
      const double turns = r % 5 == 4 ? columns : 0;
      a.add(std::move(shape), at + Vec2{turns, 0}, group ? 0 : uniform(-0.06, 0.06),
            {0.01 * (at.y - 4), uniform(-1e-3, 1e-3)}, uniform(-0.1, 0.1), group);
    }
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      for (const auto& [dc, dr] : {std::pair{1, 0}, {r % 2, 1}, {r % 2 - 1, 1}}) {
        if (r + dr >= rows) continue;
        ContactRecord record;
        std::uint32_t i = id(c, r), j = id(c + dc, r + dr);
        if (i > j) std::swap(i, j);
        const Vec2 ri = planar(a.bodies.position[0][i]);
        Vec2 branch = planar(a.bodies.position[0][j]) - ri;
        const long image = -std::lround(branch.x / columns);
        branch.x += static_cast<double>(image) * columns;
        const Vec2 n = (1 / norm(branch)) * branch, t = turned_left(n), p = ri + 0.5 * branch;
        record.key = {i, j, {static_cast<std::int16_t>(image), 0, 0}, 0};
        // Strong along one diagonal, as in shear.
        const double along = std::max(0.0, -n.x * n.y) * 2, strength = uniform(0, 1);
        record.normal_force = (0.05 + 1.2 * along * along) * strength * strength - (strength < 0.03 ? 0.1 : 0);
        record.tangential_force = uniform(-0.3, 0.3) * record.normal_force;
        const Vec2 f = -record.normal_force * n - record.tangential_force * t;
        record.force = spatial(f), record.normal = spatial(n);
        record.point = spatial(p), record.branch = spatial(branch);
        record.overlap = 1e-3 * strength, record.area = 1e-4 * strength;
        record.plane_angle = std::atan(t.y / t.x);
        record.elongation = uniform(-1e-4, 1e-4);
        record.normal_stiffness = 1000, record.tangential_stiffness = 500;
        record.normal_damping = 0.1, record.tangential_damping = 0.05;
        record.stored_normal = 1e-5, record.stored_tangential = 1e-6;
        record.regime = strength > 0.8 ? Regime::slip : Regime::stick;
        a.contacts.push_back(record);
      }
  return a;
}

/// A few discs on a half plane, not periodic.
inline MadeUpAssembly made_up_discs() {
  MadeUpAssembly a;
  a.add(Shape::half_plane(), {0, 0}, pi / 2, {}, 0, 3);
  for (int k = 0; k < 6; ++k)
    a.add(Shape::disc(0.5 + 0.05 * k), {1.1 * k, 0.5 + 0.05 * k}, 0.4 * k, {0.1 * k, 0}, 0.2 * k, 0);
  for (std::uint32_t k = 1; k < 7; ++k) {
    ContactRecord c;
    c.key = {0, k};
    const Vec3 r = a.bodies.position[0][k];
    c.point = {r.x, 0, 0}, c.normal = {0, 1, 0}, c.branch = r;
    c.normal_force = k;
    c.force = {0, -static_cast<double>(k), 0};
    a.contacts.push_back(c);
  }
  return a;
}

}  // namespace dem::test
