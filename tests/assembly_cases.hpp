// Small assemblies that the tests of the promises share: a few hundred steps of each take a second.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/random.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/run/simulation.hpp"

namespace dem::test {

inline Material soft_material() {
  Material m;
  m.normal_stiffness = 400;
  m.tangential_stiffness = 400.0 / 3;
  m.friction = 0.5;
  m.restitution = 0.9;
  return m;
}

/// Polygons between two plates, periodic along x: pressed to σ/k_n = 1e-2, then sheared. Contacts everywhere from about
/// step 100; the second stage begins at step 400.
inline Case polygon_shear(double duration = 1e9) {
  Case c;
  c.periodic = {true, false};
  c.material = soft_material();
  c.time.step = 0.003;
  c.assembly.voronoi = geometry::VoronoiInput{.columns = 10, .rows = 10, .solid_fraction = 0.97, .seed = 3};
  c.use_driver(PlatesSpec{});
  Stage press;
  press.name = "press";
  press.normal = PlateNormal::hold_stress;
  press.normal_stress = 4;
  press.plate_speed = 0.2;
  press.duration = 1.2;
  Stage shear = press;
  shear.name = "shear";
  shear.plate_speed = 1;
  shear.shear_rate = 0.05;
  shear.duration = duration;
  c.stages = {press, shear};
  return c;
}

/// Discs between two plates of discs, periodic along x: pressed and sheared.
inline Case disc_shear() {
  Case c = polygon_shear();
  c.assembly.voronoi.reset();
  c.contact.normal_force = NormalForce::overlap;
  LatticeSpec lattice;
  lattice.columns = 12;
  lattice.rows = 10;
  lattice.radius = 0.5;
  lattice.spacing = 1.001;
  c.assembly.lattice = lattice;
  c.stages[1].shear_rate = 0.02;
  return c;
}

/// A comb: a bar with three teeth. Two of them touch in several places at once.
inline geometry::Outline comb_outline() {
  return {{-0.5, -0.3}, {0.5, -0.3}, {0.5, 0.3}, {0.32, 0.3}, {0.32, 0},    {0.1, 0},
          {0.1, 0.3},   {-0.1, 0.3}, {-0.1, 0},  {-0.32, 0},  {-0.32, 0.3}, {-0.5, 0.3}};
}

enum class Grain { comb, pentagon, disc };

/// columns × columns bodies at rest about the origin or flying towards it, at random angles and without walls or
/// gravity.
inline Case cloud(Grain grain, int columns, double speed, std::uint64_t seed = 5) {
  Case c;
  c.material = soft_material();
  c.time.step = 0.003;
  if (grain == Grain::disc) c.contact.normal_force = NormalForce::overlap;
  const double spacing = grain == Grain::disc ? 1.02 : 1.2;
  geometry::Random random(seed);
  for (int row = 0; row < columns; ++row)
    for (int column = 0; column < columns; ++column) {
      BodySpec body;
      if (grain == Grain::disc) {
        body.shape = ShapeKind::disc;
        body.radius = 0.5;
      } else {
        body.outline =
            grain == Grain::comb ? comb_outline() : geometry::regular_polygon(5, 0.7, 1 + 0.3 * random.uniform());
      }
      body.position = {spacing * (column - 0.5 * (columns - 1)), spacing * (row - 0.5 * (columns - 1))};
      body.angle = 2 * std::numbers::pi * random.uniform();
      body.velocity = -speed / (columns * spacing) * body.position +
                      0.2 * speed * Vec3{random.uniform() - 0.5, random.uniform() - 0.5};
      body.spin = speed * (random.uniform() - 0.5);
      c.assembly.bodies.push_back(body);
    }
  Stage stage;
  stage.duration = 1e9;
  c.stages = {stage};
  return c;
}

/// Combs that fly into each other: several overlap components a pair.
inline Case colliding_combs() { return cloud(Grain::comb, 8, 1.0); }

/// The largest number of contacts of one pair.
inline std::size_t most_components(const Simulation& run) {
  std::size_t most = 0, same = 0;
  const ContactRecord* last = nullptr;
  for (const ContactRecord& c : run.contacts()) {
    same = last && last->key.i == c.key.i && last->key.j == c.key.j && last->key.image == c.key.image ? same + 1 : 1;
    most = std::max(most, same);
    last = &c;
  }
  return most;
}

inline void advance(Simulation& run, std::uint64_t steps) {
  for (std::uint64_t k = 0; k < steps; ++k) run.step();
}

}  // namespace dem::test
