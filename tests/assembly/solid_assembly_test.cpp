// Bodies in space: mass, inertia and axes of spheres and clusters, and refused starts.

#include "building.hpp"
#include "geometry/random.hpp"
#include "geometry/sphere_union.hpp"
#include "libdem/state/quaternion.hpp"
#include "libdem/state/solid_shapes.hpp"
#include "support/turned.hpp"

namespace {

BodySpec sphere(double radius, Vec3 position) { return ball(radius, position, ShapeKind::sphere); }

// Three different spheres in a frame of its own: no symmetry at all.
const std::vector<ClusterSphere> lump{{{0.1, 0.2, -0.1}, 0.5}, {{0.7, 0.1, 0.2}, 0.35}, {{-0.1, 0.6, 0.5}, 0.3}};

BodySpec cluster(std::vector<ClusterSphere> spheres, Vec3 position = {}, Quaternion orientation = {}) {
  return {.shape = ShapeKind::cluster, .spheres = std::move(spheres), .position = position, .orientation = orientation};
}

Case space_case(std::vector<BodySpec> bodies) {
  Case c = springy_case(3);
  c.assembly.bodies = std::move(bodies);
  return c;
}

template <class Spheres>
std::vector<geometry::Sphere> geometric(const Spheres& spheres) {
  std::vector<geometry::Sphere> out;
  for (std::size_t k = 0; k < spheres.size(); ++k) out.push_back({spheres[k].position, spheres[k].radius});
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(quaternions_turn_as_rotation_vectors) {
  const Vec3 a{0.3, -0.7, 0.2};
  for (const double angle : {0.0, 1e-12, 1e-3, 0.019, 0.021, 1.0, 3.1}) {
    const Vec3 axis = (1 / 3.0) * Vec3{2, -1, 2}, v = angle * axis;
    const Quaternion q = quaternion_of(v);
    BOOST_TEST(std::abs(dot(q, q) - 1) < 1e-15);
    BOOST_TEST(norm(rotated(q, a) - turned(a, axis, angle)) < 1e-15);
    BOOST_TEST(norm(rotated_back(q, rotated(q, a)) - a) < 1e-15);
    for (const Quaternion& same : {q, -1.0 * q})
      BOOST_TEST(norm(rotation_vector_of(same) - v) <= 1e-15 + 1e-15 * angle);
  }
  // About z by 90°: x becomes y.
  BOOST_TEST(norm(rotated({std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, {1, 0, 0}) - Vec3{0, 1, 0}) < 1e-15);
  const Quaternion p = quaternion_of({0.2, 0.5, -0.1}), q = quaternion_of({-0.4, 0.1, 0.9});
  BOOST_TEST(norm(rotated(p * q, a) - rotated(p, rotated(q, a))) < 1e-15);
}

BOOST_AUTO_TEST_CASE(spheres_share_shapes_and_have_no_orientation) {
  Case c = space_case({sphere(0.5, {0, 0, 0}), sphere(0.25, {2, 0, 0}), sphere(0.5, {0, 0, 3})});
  BodySpec &moving = c.assembly.bodies[1], &held = c.assembly.bodies[2];
  moving.angular_velocity = {1, 2, 3}, moving.velocity = {4, 5, 6}, moving.applied_couple = {0.1, 0.2, 0.3};
  held.fix_z = held.fix_rotation = true;
  const State s = build_assembly(c);
  const Bodies& b = s.bodies;
  BOOST_TEST(s.shapes.size() == 2u);
  BOOST_TEST(b.mass[0] == 2 * 4 * pi / 3 * 0.125, tolerance(1e-15));
  BOOST_TEST(b.moment[0] == 0.4 * b.mass[0] * 0.25, tolerance(1e-15));
  BOOST_TEST(!b.has_orientations());
  BOOST_TEST(b.principal_moments.empty());
  BOOST_TEST(b.orientation[0].empty());
  BOOST_TEST(b.freedom[0] == free_in_space);
  BOOST_TEST(b.freedom[2] == (free_x | free_y));
  BOOST_TEST((b.rotation[1][1] == 1e-3 * Vec3{1, 2, 3} && b.position[1][1] == 1e-3 * Vec3{4, 5, 6}));
  BOOST_TEST((b.applied_torque[1] == Vec3{0.1, 0.2, 0.3} && b.rotation[0][1] == Vec3{}));
}

// The cluster stays where its spheres were put, whatever the frame they are given in; its own axes are principal.
BOOST_AUTO_TEST_CASE(clusters_stand_where_their_spheres_were_put) {
  const Quaternion turn = quaternion_of({0.3, -1.2, 0.8});
  const Vec3 at{3, -4, 5};
  const State s = build_assembly(space_case({cluster(lump, at, turn)}));
  const Shape& shape = s.shape_of(0);
  const Quaternion q = s.bodies.orientation[0][0];
  BOOST_TEST(s.bodies.has_orientations());
  BOOST_TEST(std::abs(dot(q, q) - 1) < 1e-15);
  double reach = 0;
  std::vector<geometry::Sphere> placed;
  for (std::size_t k = 0; k < 3; ++k) {
    const ClusterSphere own = shape.spheres()[k];
    placed.push_back({s.bodies.position[0][0] + rotated(q, own.position), lump[k].radius});
    BOOST_TEST(norm(placed[k].centre - (at + rotated(turn, lump[k].position))) < 2e-15);
    BOOST_TEST(own.radius == lump[k].radius);
    reach = std::max(reach, norm(own.position) + own.radius);
  }
  BOOST_TEST(shape.bounding_radius() == reach);
  const auto in_space = geometry::sphere_union(placed), in_axes = geometry::sphere_union(geometric(shape.spheres()));
  BOOST_TEST(norm(in_space.centroid - s.bodies.position[0][0]) < 1e-13);
  BOOST_TEST(s.bodies.mass[0] == 2 * in_space.volume, tolerance(1e-13));
  BOOST_TEST(4 * pi / 3 * std::pow(shape.equivalent_radius(), 3) == in_space.volume, tolerance(1e-13));
  const Vec3 m = s.bodies.principal_moments[0];
  const double moments[] = {m.x, m.y, m.z};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      BOOST_TEST(std::abs(2 * in_axes.inertia[i][j] - (i == j ? moments[i] : 0.0)) < 1e-13);
  BOOST_TEST(s.bodies.moment[0] == std::min({m.x, m.y, m.z}));
  for (const double apart : {m.x - m.y, m.y - m.z, m.x - m.z}) BOOST_TEST(std::abs(apart) > 1e-3);
  BOOST_TEST((s.bodies.evaluated_orientation[0] == q && s.bodies.evaluated_orientation_before[0] == q));
  for (const auto& terms : s.bodies.orientation) BOOST_TEST(terms.size() == 1u);
}

BOOST_AUTO_TEST_CASE(symmetric_clusters_keep_their_own_axes) {
  ClusterShapes shapes;
  std::vector<ClusterSphere> octahedron{{{}, 0.8}};
  for (const double d : {-0.64, 0.64})
    octahedron.insert(octahedron.end(), {{{d, 0, 0}, 0.6}, {{0, d, 0}, 0.6}, {{0, 0, d}, 0.6}});
  BOOST_TEST((shapes.make(octahedron).axes == Quaternion{}));
  // Axisymmetric along (1,1,0): the principal axes are that direction and two across, nearest to x, y, z.
  const ClusterShapes::Made rod = shapes.make(std::vector<ClusterSphere>{{{0, 0, 0}, 1}, {{1, 1, 0}, 1}});
  BOOST_TEST(norm(rod.centroid - Vec3{0.5, 0.5, 0}) < 1e-14);
  BOOST_TEST(rod.shape.principal_moments().x < 0.9 * rod.shape.principal_moments().z);
  BOOST_TEST(rod.shape.principal_moments().y == rod.shape.principal_moments().z, tolerance(1e-13));
  BOOST_TEST(std::abs(rod.axes.w - std::cos(pi / 8)) < 1e-12);
  // One sphere is a cluster as well, and is the sphere.
  const ClusterShapes::Made one = shapes.make(std::vector<ClusterSphere>{{{1, 2, 3}, 0.7}});
  BOOST_TEST(one.shape.volume() == Shape::sphere(0.7).volume(), tolerance(1e-13));
  BOOST_TEST(one.shape.principal_moments().x == Shape::sphere(0.7).principal_moments().x, tolerance(1e-13));
  BOOST_TEST(norm(one.shape.spheres()[0].position) < 1e-15);
}

// Ten thousand copies of one template cost one integration: the same template is found again at any scale and place.
BOOST_AUTO_TEST_CASE(copies_of_a_template_are_exact_and_cheap) {
  ClusterShapes shapes;
  geometry::Random random(4);
  shapes.make(lump);
  for (int k = 0; k < 10000; ++k) {
    const double scale = 1e-5 * (1 + 3 * random.uniform());
    auto copy = lump;
    for (ClusterSphere& s : copy) s = {scale * s.position, scale * s.radius};
    const ClusterShapes::Made made = shapes.make(copy);
    if (k % 1000 != 0) continue;
    const auto exact = geometry::sphere_union(geometric(copy));
    const double trace = exact.inertia[0][0] + exact.inertia[1][1] + exact.inertia[2][2];
    const Vec3 m = made.shape.principal_moments();
    BOOST_TEST(std::max({std::abs(made.shape.volume() / exact.volume - 1), norm(made.centroid - exact.centroid) / scale,
                         std::abs((m.x + m.y + m.z) / trace - 1)}) < 1e-11);
  }
  BOOST_TEST(shapes.templates() == 1u);
}

BOOST_AUTO_TEST_CASE(start_overlap_is_refused) {
  Case c = space_case({sphere(0.5, {0, 0, 0}), sphere(1.0, {1.3, 0, 0}), sphere(0.5, {5, 0, 0})});
  check_refused(c, "body 0 (group free) and body 1 (group free) overlap by 0.2 of");
  c.assembly.largest_start_overlap = 0.31;
  const StartOverlap worst = deepest_start_overlap(build_assembly(c));
  BOOST_TEST(worst.relative == 0.2, tolerance(1e-12));
  BOOST_TEST((worst.i == 0u && worst.j == 1u));
  // Through the periodic boundary along z.
  c.assembly.bodies = {sphere(0.5, {0, 0, 0.4}), sphere(0.5, {0, 0, 3.7})};
  c.periodic = {true, true, true}, c.cell_size = {4, 4, 4}, c.cell_origin = {-1, -2, -3};
  BOOST_TEST(deepest_overlap(c) == 0.3, tolerance(1e-12));
  BOOST_TEST((build_assembly(c).cell_origin == Vec3{-1, -2, -3}));
}

BOOST_AUTO_TEST_CASE(coincident_bodies_are_refused_whatever_overlap_is_allowed) {
  const char* const one_point = "have centres at one point:";
  const BodySpec large{.outline = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  const BodySpec small{.outline = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}};
  const std::tuple<int, std::vector<BodySpec>, const char*> rows[] = {
      {3,
       {sphere(0.5, {1, 2, 3}), sphere(0.25, {1, 2, 3}), sphere(0.5, {1, 2, 3}), sphere(0.5, {1.3, 2, 3})},
       "body 0 (group free) and body 1 (group free) have centres at one point, and 3 pairs in all do: their contact "
       "has no direction"},
      {3, {sphere(0.5, {1, 2, 3}), sphere(0.5, {1.001, 2, 3})}, "accepted"},
      {2, {ball(0.5, {}), ball(0.5, {})}, one_point},
      {2, {ball(0.5, {}), ball(0.5, {0.1, 0})}, "accepted"},
      {2, {large, large}, one_point},
      {2, {large, small}, one_point}};
  for (const auto& [dimension, bodies, part] : rows) {
    Case c = springy_case(dimension);
    c.assembly.largest_start_overlap = 1.0;
    c.assembly.bodies = bodies;
    const std::string found = refusal(c);
    BOOST_TEST((found.find(part) != found.npos), found);
  }
}

// Two rods crossed: their bounding spheres overlap deeply, their arms only where they cross.
BOOST_AUTO_TEST_CASE(overlap_of_clusters_is_that_of_their_spheres) {
  std::vector<ClusterSphere> rod;
  for (int k = -4; k <= 4; ++k) rod.push_back({{0.3 * k, 0, 0}, 0.2});
  Case c = space_case({cluster(rod), cluster(rod, {0, 0, 0.39}, quaternion_of({0, 0, pi / 2}))});
  const State s = build_assembly(c);
  const double diameter = 2 * s.shape_of(0).equivalent_radius();
  BOOST_TEST(deepest_start_overlap(s).relative == 0.01 / diameter, tolerance(1e-9));
  c.assembly.bodies[1].position.z = 0.41;
  BOOST_TEST(deepest_overlap(c) == 0.0);
}
