// Assemblies for tests of files and pictures, which may change them. They have every feature that files must carry.
#pragma once
#include "assembly_cases.hpp"
#include "libdem/state/view.hpp"

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

/// columns × rows polygons, the first and the last row of them plates, while they are sheared.
inline MadeUpAssembly made_up_polygons(int columns, int rows, unsigned seed) {
  Case c = polygon_shear();
  c.assembly.generator = geometry::VoronoiInput{.columns = columns, .rows = rows, .solid_fraction = 0.97, .seed = seed};
  const Simulation run = advanced(c, 450);
  MadeUpAssembly a;
  static_cast<State&>(a) = run.state();
  const auto contacts = run.contacts();
  a.contacts.assign(contacts.begin(), contacts.end());
  a.bodies.name.resize(a.bodies.size());
  a.bodies.name[3] = "the third";
  // Some have left the cell: positions are not wrapped.
  const auto turns = [columns](std::size_t b) { return int(b) / columns % 5 == 4 ? 1 : 0; };
  for (std::size_t b = 0; b < a.bodies.size(); ++b) a.bodies.position[0][b].x += columns * turns(b);
  for (ContactRecord& contact : a.contacts) {
    contact.key.image[0] = std::int16_t(contact.key.image[0] + turns(contact.key.i) - turns(contact.key.j));
    contact.point.x += columns * turns(contact.key.i);
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
