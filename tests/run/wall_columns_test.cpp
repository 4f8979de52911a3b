// Forces and moments on walls, in the plane and in space.
#include "cases.hpp"
#include "libdem/run/row_columns.hpp"
#include "support/series_row.hpp"

namespace {
constexpr double force = 1000 * 1e-3;  // of the spring, at an overlap of 1e-3 m

Case with_walls(const std::string& text) {
  return case_of(R"(time.step = 1e-4
material = {density = 2, normal_stiffness = 1000, tangential_stiffness = 700, friction = 0.4, restitution = 0.8}
stage = [{duration = 1}]
)" + text);
}
}  // namespace

/// A disc pressed into a floor 0.7 m beside the middle of its two points, and one into a wall on the right.
BOOST_AUTO_TEST_CASE(columns_of_lines_in_the_plane) {
  const Simulation run(with_walls(R"(
body = [{shape = "disc", radius = 0.5, position = [1.7, 0.499]}, {shape = "disc", radius = 0.5, position = [3.501, 2]}]
wall = [{name = "floor", from = [0, 0], to = [2, 0]}, {name = "right side", from = [4, 0], to = [4, 1]}])"));
  BOOST_TEST(wall_columns(run.state()).size() == 6u);
  for (const RowColumn& column : wall_columns(run.state()))  // per metre of thickness, as all forces in the plane
    BOOST_TEST(column.column.unit == (column.column.name.ends_with("moment_z") ? "N m" : "N"));
  BOOST_TEST(std::abs(row_of(run).at("floor_force_x")) < 1e-12);
  check(row_of(run), 1e-9,
        {{"floor_force_y", -force},
         {"floor_moment_z", -0.7 * force},
         {"right_side_force_x", force},
         {"right_side_moment_z", -1.5 * force}});
}

/// For polygons the moment is about the middle of the wall's points, too. Gravity of the wall is no force on it.
BOOST_AUTO_TEST_CASE(columns_of_a_line_under_a_block) {
  Case c = with_walls(R"(
gravity = [0, -9.81]
body = [{shape = "rectangle", width = 0.2, height = 0.2, position = [1.2, 0.099]}]
wall = [{name = "a b", from = [-1, 0], to = [2, 0]}, {name = "c", from = [-1, -5], to = [2, -5]}])");
  c.assembly.walls[1].name = "a_b";  // a case file may not have this name beside the other
  const Simulation run(c);
  const SeriesRow row = row_of(run);
  BOOST_TEST(row.at("a_b_force_y") < 0);
  check(row, 1e-9, {{"a_b_moment_z", (1.2 - 0.5) * row.at("a_b_force_y")}, {"a_b_2_force_y", 0}});
  BOOST_TEST(run.state().bodies.force[2].y == 0);
}

BOOST_AUTO_TEST_CASE(columns_of_a_plane_in_space) {
  const Simulation run(with_walls(R"(
dimension = 3
body = [{shape = "sphere", radius = 0.5, position = [2, 3, 0.499]}]
wall = [{name = "floor", shape = "plane", point = [0, 0, 0], normal = [0, 0, 1]}])"));
  BOOST_TEST(wall_columns(run.state()).size() == 6u);
  check(row_of(run), 1e-9, {{"floor_force_z", -force}, {"floor_moment_x", -3 * force}, {"floor_moment_y", 2 * force}});
}

/// A body may be three cells away from the cell: all its images press the wall alike. An overlap of 1e-3 keeps 12
/// digits of the positions.
BOOST_AUTO_TEST_CASE(moments_are_those_of_the_contacts_in_the_cell) {
  for (const double cells : {0, 3, -2}) {
    Case c = with_walls(R"(
cell = {periodic = ["x"], size = [4, 4]}
body = [{shape = "disc", radius = 0.5, position = [2.7, 0.499]}]
wall = [{name = "floor", from = [0, 0], to = [4, 0]}])");
    c.assembly.bodies[0].position.x += 4 * cells;
    check(row_of(Simulation(c)), 1e-9, {{"floor_moment_z", -0.7 * force}});
    c = with_walls(R"(
dimension = 3
cell = {periodic = ["x", "y"], size = [4, 5, 1], tilt = [1, 0, 0]}
body = [{shape = "sphere", radius = 0.5, position = [3, 4, 0.499]}]
wall = [{name = "floor", shape = "plane", point = [0, 0, 0], normal = [0, 0, 1]}])");
    c.assembly.bodies[0].position.x += 4 * cells + 1;  // one cell along the leaning vector
    c.assembly.bodies[0].position.y += 5;
    check(row_of(Simulation(c)), 1e-9, {{"floor_moment_x", -4 * force}, {"floor_moment_y", 3 * force}});
  }
}
