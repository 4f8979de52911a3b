// The check of objectivity (dem check --objectivity): a case in another frame, and what it says of the difference. A
// change of frame that is wrong in one thing has to be found: else the check could not fail.
#include "libdem/run/objectivity.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "cell_cases.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "line_wall.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;

namespace {

/// Two polygons that meet off centre, one of them turning, under gravity.
Case two_polygons(geometry::ContactPlane plane = geometry::ContactPlane::area_gradient) {
  Case c;
  c.material = soft_material();
  c.contact.plane = plane;
  c.time.step = 0.001;
  c.gravity = {0.4, -1};
  BodySpec a, b;
  a.outline = geometry::regular_polygon(5, 0.7, 1.2);
  b.outline = geometry::regular_polygon(4, 0.6, 1.1);
  a.position = {1, 2};
  a.velocity = {0.5, 0.1};
  a.spin = 0.8;
  b.position = {2.1, 2.3};
  b.velocity = {-0.5, 0};
  b.angle = 0.3;
  c.assembly.bodies = {a, b};
  return c;
}

Case listed(const Case& c) { return with_listed_bodies(c, c.time.step); }

ObjectivityReport check(const Case& given, std::uint64_t steps = 1000) {
  const Case c = listed(given);
  FirstSteps first(c, steps);
  BOOST_TEST(first.steps() == steps);
  BOOST_TEST(first.most_contacts() > 0);
  ObjectivityReport report = check_objectivity(first, c, {}, [&](const ObjectivityItem& item) {
    BOOST_TEST_MESSAGE(item.name << " " << item.how << " " << item.why_not << ": " << item.found.at_end.position
                                 << " diameters, shift " << item.shift.position);
  });
  report.other_bits = first.other_bits(3);
  BOOST_TEST(!report.other_bits);
  return report;
}

const ObjectivityItem& item(const ObjectivityReport& report, const std::string& name) {
  const auto found = std::ranges::find(report.items, name, &ObjectivityItem::name);
  BOOST_TEST_REQUIRE((found != report.items.end()), name);
  return *found;
}

const FrameChange turned = FrameChange::turn({0, 0, 1}, 0.35);
const FrameChange mirrored = FrameChange::signs(-1, 1, 1);

}  // namespace

BOOST_AUTO_TEST_SUITE(objectivity)

BOOST_AUTO_TEST_CASE(listed_bodies_are_the_same_case) {
  for (Case c : {polygon_shear(), disc_shear(), plane_cell(ShapeKind::polygon, 30, 1),
                 space_cell(ShapeKind::cluster, 20, 4), two_polygons()}) {
    c.time.step *= 0.5;
    Simulation given(c), same(listed(c));
    BOOST_TEST(given.hash() == same.hash());
    advance(given, 20);
    advance(same, 20);
    BOOST_TEST(given.hash() == same.hash());
  }
}

BOOST_AUTO_TEST_CASE(changes_that_come_round_give_the_case_again) {
  Case plane = listed(two_polygons());
  plane.assembly.walls = {line_wall("floor", {-3, 0.5}, {4, 0}, {0.1, 0.2})};
  plane.assembly.bodies[0].fix_x = true;
  Case space = listed(sphere_cloud(2, 2));
  space.assembly.bodies[1].fix_y = true;
  space.stages = {space_stage(at_rate(0.1), at_stress(-2), at_mean_pressure())};
  const auto times = [](Case c, const FrameChange& change, int n) {
    for (int k = 0; k < n; ++k) {
      BOOST_TEST(cannot_change_frame(c, change) == "");
      c = in_frame(c, change, {});
    }
    return c;
  };
  BOOST_TEST((times(plane, FrameChange::quarter_turn(), 4) == plane));
  BOOST_TEST((times(plane, mirrored, 2) == plane));
  BOOST_TEST(!(times(plane, FrameChange::quarter_turn(), 1) == plane));
  BOOST_TEST((times(space, FrameChange::cycle(), 3) == space));
  BOOST_TEST((times(space, FrameChange::signs(-1, -1, 1), 2) == space));
  BOOST_TEST(!(times(space, FrameChange::cycle(), 2) == space));
}

BOOST_AUTO_TEST_CASE(two_polygons_are_objective) {
  const ObjectivityReport report = check(two_polygons());
  BOOST_TEST(report.is_good());
  BOOST_TEST(report.items.size() == 4u);
  for (const ObjectivityItem& one : report.items) {
    BOOST_TEST(one.found.is_round_off(), one.name);
    BOOST_TEST(!one.how.empty(), one.name);
    BOOST_TEST(one.found.at_end.position < 1e-11, one.name);
    BOOST_TEST(one.why_not == "", one.name);
  }
  BOOST_TEST(item(report, "turned").how == "by 20°");
}

BOOST_AUTO_TEST_CASE(the_published_plane_is_explained_and_not_accused) {
  const ObjectivityReport report = check(two_polygons(geometry::ContactPlane::edge_mean));
  const ObjectivityItem& turn = item(report, "turned");
  BOOST_TEST(turn.found.at_end.position > 1e-4);
  BOOST_TEST(!turn.found.is_round_off());
  BOOST_TEST(turn.found.beyond_from.value_or(0) > 0u);
  BOOST_TEST_REQUIRE(turn.without_bound.has_value());
  BOOST_TEST(turn.without_bound->at_end.position < 1e-11);
  BOOST_TEST(turn.explained());
  BOOST_TEST(item(report, "shifted").found.is_round_off());
  BOOST_TEST(item(report, "renumbered").found.is_round_off());
  BOOST_TEST(report.is_good());
  const auto bound = bound_choices(listed(two_polygons(geometry::ContactPlane::edge_mean)));
  BOOST_TEST_REQUIRE(bound.size() == 1u);
  BOOST_TEST(bound[0].value == "edge-mean");
  for (const auto plane : {geometry::ContactPlane::area_gradient, geometry::ContactPlane::edge_axial,
                           geometry::ContactPlane::edge_mean_branch, geometry::ContactPlane::chord})
    BOOST_TEST(bound_choices(two_polygons(plane)).empty());
}

BOOST_AUTO_TEST_CASE(the_literal_elongation_depends_on_the_numbering) {
  Case c = plane_cell(ShapeKind::disc, 40, 0.3);
  c.contact.geometric_form = GeometricForm::eq10_11_literal;
  c.stages = {cell_stage(at_rate(-0.3), at_rate(-0.3))};
  const ObjectivityReport report = check(c, 400);
  BOOST_TEST(item(report, "turned").found.is_round_off());
  BOOST_TEST(!item(report, "renumbered").found.is_round_off());
  BOOST_TEST(item(report, "renumbered").explained());
  BOOST_TEST(report.is_good());
}

// Each of these cases is wrong in one thing: the check has to find it.
BOOST_AUTO_TEST_CASE(a_wrong_change_of_frame_is_found) {
  const Case c = listed(two_polygons());
  FirstSteps first(c, 600);
  const auto wrong = [&](const char* what, const FrameChange& change, auto spoil) {
    Case other = in_frame(c, change, {});
    BOOST_TEST(first.compare(other, what, change).is_round_off(), what);
    spoil(other);
    const FrameResult found = first.compare(other, what, change);
    BOOST_TEST(!found.is_round_off(), what);
    BOOST_TEST((!found.failure.empty() || found.at_end.position > 1e-10 || found.at_end.rotation > 1e-10), what);
  };
  wrong("gravity stays", turned, [&](Case& other) { other.gravity = c.gravity; });
  wrong("a spin keeps its sign", mirrored, [](Case& other) { other.assembly.bodies[0].spin *= -1; });
  wrong("an angle keeps its sign", mirrored, [](Case& other) { other.assembly.bodies[1].angle *= -1; });
  wrong("an outline is not turned", turned,
        [&](Case& other) { other.assembly.bodies[0].outline = c.assembly.bodies[0].outline; });
  wrong("a velocity is a little off", turned, [](Case& other) { other.assembly.bodies[0].velocity.x += 1e-9; });
  wrong("another friction", turned, [](Case& other) { other.material.friction *= 0.5; });
  // Bodies in another order, but compared as if they were in the old one.
  const std::vector<std::size_t> order{1, 0};
  BOOST_TEST(first.compare(renumbered(c, order), "renumbered", {}, order).is_round_off());
  BOOST_TEST(!first.compare(renumbered(c, order), "renumbered").is_round_off());
  // A run that ends early: too large a step, measured or a priori.
  Case stiff = c;
  stiff.material.normal_stiffness *= 1e4;
  BOOST_TEST(!first.compare(stiff, "stiff").failure.empty());
}

BOOST_AUTO_TEST_CASE(free_flight_rounds_without_any_growth_of_a_shift) {
  Case c = two_polygons();
  c.gravity = {};
  for (BodySpec& b : c.assembly.bodies) b.velocity = {0.1 + b.velocity.x * b.velocity.x, 0.3};  // side by side
  const Case all = listed(c);
  FirstSteps first(all, 1000);
  BOOST_TEST(check_objectivity(first, all, {}, [](const ObjectivityItem&) {}).is_good());
}

BOOST_AUTO_TEST_CASE(plates_are_mirrored_and_shifted_but_not_turned) {
  for (Case c : {polygon_shear(), disc_shear()}) {
    c.stages[0].duration = 0.9;  // the shear begins at step 300
    const ObjectivityReport report = check(c, 600);
    BOOST_TEST(report.is_good());
    BOOST_TEST(item(report, "turned").how == "");
    BOOST_TEST(item(report, "turned").why_not.starts_with("the plates are level"));
    for (const char* name : {"shifted", "mirrored", "renumbered"})
      BOOST_TEST(item(report, name).found.is_round_off(), name);
    // Mirrored, they shear the other way.
    Case other = in_frame(listed(c), mirrored, {});
    BOOST_TEST(other.stages[1].shear_rate == -c.stages[1].shear_rate);
    other.stages[1].shear_rate *= -1;
    FirstSteps first(listed(c), 600);
    BOOST_TEST(!first.compare(other, "mirrored", mirrored).is_round_off());
  }
}

BOOST_AUTO_TEST_CASE(periodic_cells) {
  // Along its edges: a quarter turn, with other rates along x and y.
  Case discs = plane_cell(ShapeKind::disc, 40, 0.25);
  discs.stages = {cell_stage(at_rate(-0.1), at_rate(-0.05))};
  const ObjectivityReport level = check(discs, 500);
  BOOST_TEST(level.is_good());
  BOOST_TEST(item(level, "turned").how == "by 90°");
  BOOST_TEST(item(level, "turned").why_not != "");
  // One that leans and is sheared: half a turn.
  discs.cell_tilt = {3, 0, 0};
  discs.stages = {cell_stage(at_stress(-20), at_rate(-0.1), at_rate(0.2))};
  const ObjectivityReport sheared = check(discs, 500);
  BOOST_TEST(sheared.is_good());
  BOOST_TEST(item(sheared, "turned").how == "by 180°");
  // Mirrored it is sheared the other way.
  const Case all = listed(discs), other = in_frame(all, mirrored, {});
  BOOST_TEST(other.stages[0].cell->component[3].rate == -0.2);
  BOOST_TEST(other.cell_tilt.x == -3);
  FirstSteps first(all, 500);
  Case wrong = other;
  wrong.stages[0].cell->component[3].rate = 0.2;
  BOOST_TEST(!first.compare(wrong, "mirrored", mirrored).is_round_off());
  // Space.
  Case cloud = sphere_cloud(3, 3);
  cloud.cell_tilt = {0.3, -0.2, 0.1};
  cloud.stages = {space_stage(at_rate(0.05), at_stress(-20), at_rate(-0.1))};
  cloud.stages[0].cell->component[4] = at_rate(0.1);
  const ObjectivityReport space = check(cloud, 300);
  BOOST_TEST(space.is_good());
  BOOST_TEST(item(space, "turned").how == "by 180° about z");
}

BOOST_AUTO_TEST_CASE(bodies_held_along_an_axis) {
  Case c = two_polygons();
  c.assembly.bodies[1].fix_x = true;
  const ObjectivityReport report = check(c);
  BOOST_TEST(report.is_good());
  BOOST_TEST(item(report, "turned").how == "by 90°");
  BOOST_TEST(item(report, "turned").why_not == "body 1 is held along an axis of its own");
}

BOOST_AUTO_TEST_CASE(spheres_and_clusters_between_walls) {
  const std::filesystem::path mesh = std::filesystem::temp_directory_path() / "dem-objectivity-test.stl";
  {  // a tetrahedron that stands in the way
    const std::array<Vec3, 4> v{Vec3{-1, -1, -0.4}, Vec3{2, -1, -0.4}, Vec3{0, 2, -0.4}, Vec3{0.3, 0.2, 0.9}};
    std::ofstream out(mesh);
    out << "solid t\n";
    for (const auto& f : {std::array{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}) {
      out << "facet normal 0 0 0\nouter loop\n";
      for (const int k : f)
        out << "vertex " << v[std::size_t(k)].x << " " << v[std::size_t(k)].y << " " << v[std::size_t(k)].z << "\n";
      out << "endloop\nendfacet\n";
    }
    out << "endsolid t\n";
  }
  BodySpec cluster = sphere_at({1.4, 0.5, 1.6}, 0.4);
  cluster.shape = ShapeKind::cluster;
  cluster.spheres = {{{0, 0, 0}, 0.4}, {{0.3, 0.05, 0}, 0.35}, {{-0.1, 0.3, 0.1}, 0.3}};
  cluster.orientation = normalised({1, 0.2, -0.3, 0.4});
  cluster.angular_velocity = {1, -0.5, 0.3};
  Case c = space_case({sphere_at({0.2, 0.3, 1.5}, 0.5), cluster, sphere_at({-0.9, 0.4, 0.6}, 0.4)});
  c.gravity = {0.3, -0.4, -4};
  c.time.step = 5e-4;
  WallSpec plane, rectangle, block;
  plane.name = "floor";
  plane.shape = WallShape::plane;
  plane.normal = {0, 0.1, 1};
  plane.velocity = {0.2, 0, 0};
  rectangle.name = "side";
  rectangle.shape = WallShape::rectangle;
  rectangle.corner = {-1.4, -2, 0};
  rectangle.edge_1 = {0, 4, 0};
  rectangle.edge_2 = {0, 0, 3};
  block.name = "block";
  block.shape = WallShape::mesh;
  block.file = mesh;
  c.assembly.walls = {plane, rectangle, block};
  Stage stage;
  stage.duration = 10;
  stage.wall_velocities = {{"side", {0.3, 0, 0}}};
  c.stages = {stage};
  const ObjectivityReport report = check(c, 2000);
  BOOST_TEST(report.is_good());
  BOOST_TEST(item(report, "turned").how == "by 20° about (1, 2, 3)");
  BOOST_TEST(item(report, "mirrored").found.is_round_off());
  // A mesh that stays behind is found.
  const Case all = listed(c);
  FirstSteps first(all, 2000);
  const FrameChange turn = FrameChange::turn({1, 2, 3}, 0.35);
  Case other = in_frame(all, turn, std::filesystem::temp_directory_path());
  BOOST_TEST(first.compare(other, "turned", turn).is_round_off());
  other.assembly.walls[2] = all.assembly.walls[2];
  BOOST_TEST(!first.compare(other, "turned", turn).is_round_off());
  std::filesystem::remove(mesh);
  std::filesystem::remove(std::filesystem::temp_directory_path() / "mesh-2.stl");
}

BOOST_AUTO_TEST_CASE(a_shear_box_is_mirrored_and_turned_about_its_middle) {
  std::vector<BodySpec> spheres;
  for (int k = 0; k < 8; ++k)
    spheres.push_back(sphere_at({0.6 + (k % 2) + 0.03 * k, 0.55 + (k / 2 % 2), -0.3 + k / 4 * 0.9}, 0.48));
  Case c = space_case(spheres);
  c.assembly.largest_start_overlap = 0.3;
  c.gravity = {0, 0, -9.81};
  c.time.step = 2e-4;
  ShearBoxSpec box;
  box.length = 2.2;
  box.width = 2;
  box.depth = 0.9;
  box.gap = 0.2;
  box.height = 2;
  box.ledge = 0.5;
  c.use_driver(box);
  Stage stage;
  stage.plate_stress = 50;
  stage.shear_velocity = 0.4;
  stage.duration = 10;
  c.stages = {stage};
  const ObjectivityReport report = check(c);
  BOOST_TEST(report.is_good());
  BOOST_TEST(item(report, "turned").how.starts_with("by 180° about its middle"));
  BOOST_TEST(item(report, "mirrored").found.is_round_off());
  BOOST_TEST(item(report, "shifted").why_not == "the shear box has a corner at the origin");
}

BOOST_AUTO_TEST_CASE(cases_that_end_before) {
  Case c = two_polygons();
  Stage stage;
  stage.duration = 0.25;
  c.stages = {stage};
  FirstSteps ends(listed(c), 1000);
  BOOST_TEST(ends.steps() == 250u);
  BOOST_TEST(ends.failure() == "");
  c.stages[0].duration = 10;
  c.time.override_limit = true;
  c.time.step = 0.05;  // blows up at the first contact
  c.assembly.bodies[1].position.x = 3;
  c.material.normal_stiffness = 1e7;
  FirstSteps fails(listed(c), 1000);
  BOOST_TEST(fails.steps() < 1000u);
  BOOST_TEST(fails.steps() > 1u);
  BOOST_TEST(fails.failure().starts_with("step "));
}

BOOST_AUTO_TEST_SUITE_END()
