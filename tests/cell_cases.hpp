// Assemblies in a periodic cell that tests of the cell drive share.
#pragma once
#include "assembly_cases.hpp"

namespace dem::test {

inline CellComponent at_rate(double rate) { return {CellComponent::Mode::rate, rate, 0}; }
inline CellComponent at_stress(double stress) { return {CellComponent::Mode::stress, 0, stress}; }
inline CellComponent at_mean_pressure() { return {CellComponent::Mode::mean_pressure, 0, 0}; }

/// A stage that drives xx, yy and xy of a plane cell.
inline Stage cell_stage(CellComponent xx, CellComponent yy, CellComponent xy = {}) {
  Stage stage;
  stage.cell.emplace().component = {xx, yy, {}, xy, {}, {}};
  return stage;
}
inline Stage space_stage(CellComponent xx, CellComponent yy, CellComponent zz) {
  Stage stage = cell_stage(xx, yy);
  stage.cell->component[2] = zz;
  return stage;
}

/// Discs or hexagons of two sizes, on a lattice or at random, in a cell that is periodic along x and y; no stages.
inline Case plane_cell(ShapeKind shape, std::size_t count, double void_ratio, std::uint64_t seed = 4) {
  Case c;
  c.periodic = {true, true, false};
  c.material = {.normal_stiffness = 1000,
                .tangential_stiffness = 500,
                .friction = 0.5,
                .restitution = 0.6,
                .tangential_damping_ratio = 0.1};
  c.contact.normal_force = shape == ShapeKind::disc ? NormalForce::overlap : NormalForce::area_potential;
  c.time.step = shape == ShapeKind::disc ? 7e-4 : 4e-4;
  RandomSpec& random = c.assembly.generator.emplace<RandomSpec>();
  random.shape = shape;
  random.count = count;
  random.spread = 0.15;
  random.void_ratio = void_ratio;
  random.seed = seed;
  return c;
}

/// Spheres or clusters at random in a cell that is periodic all round; no stages.
inline Case space_cell(ShapeKind shape, std::size_t count, double void_ratio) {
  Case c = plane_cell(ShapeKind::disc, count, void_ratio);
  c.dimension = 3;
  c.periodic = {true, true, true};
  c.time.step = 5e-4;
  std::get<RandomSpec>(c.assembly.generator).shape = shape;
  std::get<RandomSpec>(c.assembly.generator).cluster = {{{0, 0, 0}, 1}, {{0.8, 0, 0}, 0.7}, {{-0.2, 0.8, 0.1}, 0.6}};
  return c;
}

/// These bodies in a cell of 4 m, in the plane or in space; no stages.
inline Case listed_cell(bool space, std::vector<BodySpec> bodies) {
  Case c = space ? space_cell(ShapeKind::sphere, 1, 1) : plane_cell(ShapeKind::disc, 1, 1);
  c.assembly = {};
  c.assembly.bodies = std::move(bodies);
  c.cell_size = {4, 4, space ? 4.0 : 0};
  return c;
}

/// Equal discs on a hexagonal lattice that overlap from the start, in a cell that fits them: every contact lives on.
inline Case pressed_lattice(int columns, int rows) {
  Case c = plane_cell(ShapeKind::disc, 1, 1);
  c.assembly.generator = LatticeSpec{.columns = columns, .rows = rows, .spacing = 0.99};
  return c;
}

}  // namespace dem::test
