// From a case to bodies: generators, listed bodies, grains from a file, plates.

#include "building.hpp"
#include "cases.hpp"
#include "libdem/assembly/generators.hpp"
#include "libdem/drivers/plates.hpp"
#include "results/results_test_tools.hpp"

namespace {

const auto closely = tolerance(1e-12);

std::size_t count(const State& s, std::uint16_t group) {
  return std::size_t(std::count(s.bodies.group.begin(), s.bodies.group.end(), group));
}

/// A file of grains, and a case of them.
struct GrainFile : TemporaryFolder {
  const std::filesystem::path file;
  explicit GrainFile(const std::string& text) : file(write("grains.tsv", text)) {}
  Case with() const {
    Case c = springy_case();
    c.assembly.generator = GrainsSpec{.file = file};
    return c;
  }
};

const geometry::Outline unit_square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};

}  // namespace

BOOST_AUTO_TEST_CASE(voronoi_with_plates) {
  Case c = springy_case();
  c.periodic = {true, false};
  c.assembly.generator = geometry::VoronoiInput{};  // 16 × 18
  c.use_driver(PlatesSpec{});
  const State s = build_assembly(c);
  const Bodies& b = s.bodies;
  BOOST_TEST(b.size() == 288u);
  for (const auto& [group, size] : {std::pair{group_free, 256u}, {group_bottom_plate, 16u}, {group_top_plate, 16u}})
    BOOST_TEST(count(s, group) == size);
  double area = 0;
  for (std::size_t k = 0; k < b.size(); ++k) {
    BOOST_REQUIRE((b.freedom[k] == (b.group[k] == group_free ? free_in_plane : 0)));
    BOOST_TEST(b.mass[k] == 2 * s.shape_of(k).area(), closely);
    BOOST_TEST(b.moment[k] == 2 * s.shape_of(k).polar_moment(), closely);
    area += s.shape_of(k).area();
    for (int term = 1; term < gear_terms; ++term) BOOST_REQUIRE((b.position[std::size_t(term)][k] == Vec3{}));
  }
  BOOST_TEST(area == 0.95 * 16 * 18, tolerance(1e-9));
  // Row by row from the bottom: the plates are the first and the last.
  for (std::size_t k = 0; k < 16; ++k)
    BOOST_TEST((b.group[k] == group_bottom_plate && b.group[287 - k] == group_top_plate));
  BOOST_TEST(s.cell.vectors[0].x == 16);
  BOOST_TEST((s.cell.periodic == std::array{true, false, false}));
  BOOST_TEST(deepest_start_overlap(s).relative == 0);
  c.drivers.clear();
  BOOST_TEST(count(build_assembly(c), group_free) == 288u);
}

BOOST_AUTO_TEST_CASE(lattices_touch_and_do_not_overlap) {
  for (const ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon})
    for (const bool hexagonal : {true, false}) {
      Case c = springy_case();
      c.periodic = {true, true};
      const double row = hexagonal ? std::sqrt(0.75) : 1;
      // Discs touch at radius ½. Hexagons with their flats across the lattice's rows fill the plane at area √3/2.
      const LatticeSpec lattice{.shape = shape,
                                .columns = 6,
                                .rows = 4,
                                .sides = hexagonal ? 6 : 4,
                                .radius = shape == ShapeKind::disc ? 0.5 : std::sqrt(row / pi),
                                .hexagonal = hexagonal};
      c.assembly.generator = lattice;
      const auto generated = generate_bodies(c);
      BOOST_TEST(generated.cell_size.x == 6, closely);
      BOOST_TEST(generated.cell_size.y == 4 * row, closely);
      // A regular polygon's orientation is that of the generator: turned until the lattice is free of overlaps.
      double least = 1;
      for (double angle : {0.0, pi / 6, pi / 4}) {
        std::get<LatticeSpec>(c.assembly.generator).angle = angle;
        Case loose = c;
        loose.assembly.largest_start_overlap = 1;
        const State s = build_assembly(loose);
        BOOST_TEST(s.bodies.size() == 24u);
        for (std::size_t k = 0; k < 24; ++k) {
          const std::size_t r = k / 6;
          BOOST_TEST(s.bodies.position[0][k].x == double(k % 6) + (hexagonal && r % 2 == 1 ? 0.75 : 0.25), closely);
          BOOST_TEST(s.bodies.position[0][k].y == (double(r) + 0.5) * row, closely);
          BOOST_TEST(s.shape_of(k).area() == pi * lattice.radius * lattice.radius, closely);
        }
        least = std::min(least, deepest_start_overlap(s).relative);
      }
      BOOST_TEST(least < 1e-12);
      // A little larger, and they overlap by just that.
      std::get<LatticeSpec>(c.assembly.generator).radius *= 1.01;
      std::get<LatticeSpec>(c.assembly.generator).angle = 0;
      if (shape == ShapeKind::disc) BOOST_TEST(deepest_overlap(c) == 0.01 / 1.01, tolerance(1e-9));
    }
}

BOOST_AUTO_TEST_CASE(random_angles_follow_the_seed) {
  Case c = springy_case();
  c.assembly.generator = LatticeSpec{
      .shape = ShapeKind::polygon, .columns = 5, .rows = 5, .spacing = 3, .angle = 0.1, .random_angle = 0.4};
  const auto angles = [&c](std::uint64_t seed) {
    std::get<LatticeSpec>(c.assembly.generator).seed = seed;
    return build_assembly(c).bodies.rotation[0].by_number();
  };
  const auto a = angles(1), other = angles(2);
  BOOST_TEST((a == angles(1)));
  for (std::size_t k = 0; k < 25; ++k) BOOST_TEST(a[k].z != other[k].z);
  const auto [low, high] = std::ranges::minmax(a, {}, &Vec3::z);
  BOOST_TEST((low.z >= -0.3 && low.z < -0.1 && high.z <= 0.5 && high.z > 0.3));
}

BOOST_AUTO_TEST_CASE(listed_bodies_and_walls) {
  Case c = springy_case();
  c.gravity = {0, -9.81};
  BodySpec body = ball(0.5, {1, 2});
  body.name = "ball", body.group = "probe", body.density = 3, body.fix_y = true;
  body.angle = 0.3, body.velocity = {4, 5}, body.spin = 6, body.force = {7, 8}, body.torque = 9;
  c.assembly.bodies = {body};
  c.assembly.walls = {line_wall("slope", {0, 0}, {4, 3}, {1, 0})};
  const State s = build_assembly(c);
  const Bodies& b = s.bodies;
  BOOST_REQUIRE_EQUAL(b.size(), 2u);
  BOOST_TEST((b.position[0][0] == Vec3{1, 2, 0}));
  BOOST_TEST(b.rotation[0][0].z == 0.3);
  for (const auto& [is, wanted] : {std::pair{s.velocity(0).x, 4.}, {s.velocity(0).y, 5.}, {s.spin(0), 6.}})
    BOOST_TEST(is == wanted, closely);
  BOOST_TEST((b.applied_force[0] == Vec3{7, 8, 0}));
  BOOST_TEST(b.applied_torque[0].z == 9);
  BOOST_TEST(b.mass[0] == 3 * pi / 4, closely);
  BOOST_TEST(b.moment[0] == 0.5 * 3 * pi / 4 * 0.25, closely);
  BOOST_TEST(b.freedom[0] == (free_x | free_rz));
  BOOST_TEST(s.groups[b.group[0]] == "probe");
  BOOST_TEST(s.groups.at(4) == "probe");
  BOOST_TEST(body_label(s, 0) == "body 0 'ball' (group probe)");
  BOOST_TEST(s.gravity.y == -9.81);
  BOOST_TEST(b.group[1] == group_wall);
  BOOST_TEST(b.freedom[1] == 0);
  BOOST_TEST(s.shape_of(1).is_half_plane());
  BOOST_TEST(b.rotation[0][1].z == std::atan2(4, -3), closely);  // the left of (4, 3)
  // A placed outline stays where it is; one that is not is moved to its position.
  Case p = springy_case();
  p.assembly.bodies = {{.outline = {{10, 10}, {10, 12}, {12, 12}, {12, 10}}, .outline_is_placed = true}};  // clockwise
  BOOST_TEST((build_assembly(p).bodies.position[0][0] == Vec3{11, 11, 0}));
  p.assembly.bodies[0].outline_is_placed = false;
  p.assembly.bodies[0].position = {1, 1};
  const State moved = build_assembly(p);
  BOOST_TEST((moved.bodies.position[0][0] == Vec3{1, 1, 0}));
  BOOST_TEST(moved.shape_of(0).area() == 4, closely);
}

BOOST_AUTO_TEST_CASE(grains_from_a_file) {
  // Two squares of side 10 pixels, 1 pixel apart, and a third with a hole; y counts downwards.
  const GrainFile file(
      "# grains\n"
      "left\tPOLYGON((0 0, 10 0, 10 10, 0 10, 0 0))\n"
      "right\tPOLYGON((9 20, 19 20, 19 30, 9 30, 9 20))\n"
      "ring\tPOLYGON((40 0, 50 0, 50 10, 40 10, 40 0),(43 3, 47 3, 47 7, 43 7, 43 3))\n");
  Case c = file.with();
  std::get<GrainsSpec>(c.assembly.generator).scale = 0.1;
  check_refused(c, ".tsv:4: grain 'ring' has 1 hole(s)");
  check_refused(c, "fill_holes");
  std::get<GrainsSpec>(c.assembly.generator).fill_holes = true;
  const State s = build_assembly(c);
  BOOST_REQUIRE_EQUAL(s.bodies.size(), 3u);
  BOOST_TEST(s.bodies.name[0] == "left");
  BOOST_TEST(s.bodies.position[0][1].x == 1.4, closely);
  BOOST_TEST(s.bodies.position[0][1].y == 2.5, closely);
  for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(s.shape_of(k).area() == 1, closely);  // the hole is filled
  std::get<GrainsSpec>(c.assembly.generator).flip_y = true;
  std::get<GrainsSpec>(c.assembly.generator).shrink = 0.5;
  const State flipped = build_assembly(c);
  BOOST_TEST(flipped.bodies.position[0][1].y == -2.5, closely);
  BOOST_TEST(flipped.shape_of(1).area() == 0.25, closely);
}

BOOST_AUTO_TEST_CASE(a_grain_that_is_no_polygon_is_named_with_file_and_line) {
  const GrainFile file("# grains\ngood\tPOLYGON((0 0, 1 0, 1 1, 0 1, 0 0))\nbow\tPOLYGON((4 0, 5 1, 5 0, 4 1, 4 0))\n");
  Case c = file.with();
  for (const double simplify : {0.0, 0.1}) {
    std::get<GrainsSpec>(c.assembly.generator).simplify = simplify;
    check_refused<geometry::GeometryError>(c, ".tsv:3: grain 'bow': the edge from vertex 1 to 2 crosses");
  }
}

BOOST_AUTO_TEST_CASE(grains_shrink_until_they_are_free) {
  // Faces overlap by 2 of 10 pixels: 0.2/1.128 of the equivalent diameter. Sides s, centres 8 apart, overlap by s − 8.
  const GrainFile file("a\tPOLYGON((0 0, 10 0, 10 10, 0 10, 0 0))\nb\tPOLYGON((8 0, 8 10, 18 10, 18 0, 8 0))\n");
  Case c = file.with();
  check_refused(c, "'a' (group free) and body 1 'b' (group free)");
  std::get<GrainsSpec>(c.assembly.generator).shrink_until_free = true;
  const State s = build_assembly(c);
  const double limit = c.assembly.largest_start_overlap, relative = deepest_start_overlap(s).relative;
  BOOST_TEST(relative <= limit);
  BOOST_TEST(relative > limit - 0.015);  // by steps of 1 %, no further than needed
  int steps = 0;
  double side = 10;
  for (; (side - 8) / (2 * side / std::sqrt(pi)) > limit; ++steps) side *= 0.99;
  BOOST_TEST(steps > 5);
  BOOST_TEST(s.shape_of(0).area() == side * side, tolerance(1e-9));
  c.assembly.largest_start_overlap = 0;  // touching is allowed
  BOOST_TEST(deepest_overlap(c) == 0);
  // One inside the other is never freed by this.
  const GrainFile inside("a\tPOLYGON((0 0, 10 0, 10 10, 0 10, 0 0))\nb\tPOLYGON((4 4, 6 4, 6 6, 4 6, 4 4))\n");
  std::get<GrainsSpec>(c.assembly.generator).file = inside.file;
  check_refused(c, "shrinking the grains to half");
}

BOOST_AUTO_TEST_CASE(added_plates) {
  const GrainFile file("a\tPOLYGON((0 0, 10 0, 10 10, 0 10, 0 0))\nb\tPOLYGON((20 2, 30 2, 30 14, 20 14, 20 2))\n");
  Case c = file.with();
  c.periodic = {true, false};
  c.cell_size = {40, 0};
  c.use_driver(PlatesSpec{.from_rows = false, .sides = 5, .gap = 0.25});
  const State s = build_assembly(c);
  const double size = 0.5 * (std::sqrt(100 / pi) + std::sqrt(120 / pi));
  const std::size_t n = std::size_t(std::lround(40 / (2 * size)));
  BOOST_TEST(count(s, group_bottom_plate) == n);
  BOOST_TEST(count(s, group_top_plate) == n);
  BOOST_TEST(count(s, group_free) == 2u);
  double low = 1e9, high = -1e9;
  for (std::size_t k = 2; k < s.bodies.size(); ++k) {
    BOOST_TEST(s.bodies.freedom[k] == 0);
    BOOST_TEST(s.shape_of(k).area() == pi * size * size, closely);
    for (Vec2 v : s.shape_of(k).polygon().front().vertices()) {
      const double y = s.bodies.position[0][k].y + Turn::by(s.bodies.rotation[0][k].z)(v).y;
      s.bodies.group[k] == group_bottom_plate ? high = std::max(high, y) : low = std::min(low, y);
    }
  }
  BOOST_TEST(high <= -0.25 + 1e-12);
  BOOST_TEST(low >= 14.25 - 1e-12);
  // Particles of one plate may overlap: fewer sides stand out more.
  c.use_driver<PlatesSpec>().particle_size = 12;
  BOOST_TEST(count(build_assembly(c), group_top_plate) == 2u);
  c.cell_size = {};
  c.periodic = {false, false};
  BOOST_CHECK_NO_THROW(build_assembly(c));  // the width is that of the grains
}

BOOST_AUTO_TEST_CASE(start_overlaps_in_closed_form) {
  Case c = springy_case();
  c.assembly.largest_start_overlap = 1;
  c.periodic = {true, false}, c.cell_size = {4, 0};
  c.assembly.bodies = {ball(0.5, {}), ball(0.25, {-3.3, 0})};  // 0.7 from an image
  const StartOverlap worst = deepest_start_overlap(build_assembly(c));
  BOOST_TEST(worst.relative == 0.05 / 0.5, closely);
  BOOST_TEST((worst.i == 0u && worst.j == 1u));
  // Faces: area over chord is the depth.
  c.assembly.bodies = {{.outline = {{0, 0}, {2, 0}, {2, 2}, {0, 2}}}, {.outline = unit_square, .position = {1.4, 0}}};
  BOOST_TEST(deepest_overlap(c) == 0.1 / (2 / std::sqrt(pi)), closely);
  c.assembly.bodies[1].position = {0.2, 0.2};  // inside
  BOOST_TEST(deepest_overlap(c) == 1);
}

BOOST_AUTO_TEST_CASE(start_behind_a_wall) {
  Case c = springy_case();
  c.assembly.bodies = {{.name = "loose", .outline = unit_square, .position = {0, 0.45}}};  // 0.05 deep
  c.assembly.walls = {line_wall("floor", {-1, 0}, {1, 0})};
  c.assembly.largest_start_overlap = 0.05;
  BOOST_TEST(deepest_overlap(c) == 0.05 * std::sqrt(pi) / 2, closely);
  c.assembly.bodies[0].position = {50, -3};
  check_refused(c, "body 0 'loose' (group free) is behind the wall 'floor', its centre by 3 m; expected on the left");
}

BOOST_AUTO_TEST_CASE(particles_of_one_plate_may_overlap_but_not_the_free_bodies) {
  Case c = springy_case();
  c.assembly.bodies = {ball(0.5, {}), ball(0.5, {0.3, 0})};
  const auto groups = [&](const char* first, const char* second) {
    c.assembly.bodies[0].group = first, c.assembly.bodies[1].group = second;
    return refusal(c);
  };
  BOOST_TEST(groups("bottom-plate", "bottom-plate") == "accepted");
  BOOST_TEST(groups("bottom-plate", "free").find("(group bottom-plate) and body ") != std::string::npos);
  BOOST_TEST(groups("free", "free") != "accepted");
}
