// Small assemblies that the tests of the promises share: a few hundred steps of each take a second.
#pragma once
#include "cases.hpp"
#include "geometry/random.hpp"

namespace dem::test {

inline Material soft_material() {
  return {.normal_stiffness = 400, .tangential_stiffness = 400.0 / 3, .friction = 0.5, .restitution = 0.9};
}

/// A stage that ends by its duration (s).
inline Stage lasting(double duration, Stage stage = {}) {
  stage.duration = duration;
  return stage;
}

/// Polygons between two plates, periodic along x. They are pressed to σ/k_n = 1e-2, then sheared. There are contacts
/// everywhere from about step 100; the second stage begins at step 400.
inline Case polygon_shear(double duration = 1e9) {
  Case c = case_of(R"(
material = {normal_stiffness = 400, tangential_stiffness = 1, friction = 0.5, restitution = 0.9}
time.step = 0.003
assembly = {generator = "voronoi", columns = 10, rows = 10, solid_fraction = 0.97, seed = 3}
plates = {}
stage = [{name = "press", normal = "hold-stress", normal_stress = 4, plate_speed = 0.2, duration = 1.2},
         {name = "shear", normal = "hold-stress", normal_stress = 4, plate_speed = 1, shear_rate = 0.05, duration = 1}]
)");
  c.material = soft_material();
  c.cell_origin = c.cell_size = {};  // tests choose other columns, shapes and contacts
  c.contact = {};
  c.stages[1].duration = duration;
  return c;
}

inline Case small_shear() {
  Case c = polygon_shear();
  auto& voronoi = std::get<geometry::VoronoiInput>(c.assembly.generator);
  voronoi.columns = 6, voronoi.rows = 7;
  return c;
}

/// Discs between two plates of discs, periodic along x: pressed and sheared.
inline Case disc_shear() {
  Case c = polygon_shear();
  c.contact.normal_force = NormalForce::overlap;
  c.assembly.generator = LatticeSpec{.columns = 12, .rows = 10, .spacing = 1.001};
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
      BodySpec body{.shape = ShapeKind::disc, .radius = 0.5};
      if (grain == Grain::comb) body = {.outline = comb_outline()};
      if (grain == Grain::pentagon) body = {.outline = geometry::regular_polygon(5, 0.7, 1 + 0.3 * random.uniform())};
      body.position = {spacing * (column - 0.5 * (columns - 1)), spacing * (row - 0.5 * (columns - 1))};
      body.angle = 2 * pi * random.uniform();
      body.velocity = -speed / (columns * spacing) * body.position +
                      0.2 * speed * Vec3{random.uniform() - 0.5, random.uniform() - 0.5};
      body.spin = speed * (random.uniform() - 0.5);
      c.assembly.bodies.push_back(body);
    }
  c.stages = {lasting(1e9)};
  return c;
}

/// 576 grains of such a cloud that fly into each other, with numbers that say nothing about their places.
inline Case scattered_cloud(Grain grain) {
  Case c = cloud(grain, 24, 6.0);
  std::ranges::shuffle(c.assembly.bodies, std::mt19937(3));
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

}  // namespace dem::test
