// Forces and moments on walls, in the plane and in space.
#include <boost/test/unit_test.hpp>

#include "libdem/run/row_columns.hpp"
#include "line_wall.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;
namespace tt = boost::test_tools;

namespace {
double value(const Simulation& run, const std::string& name) {
  for (const RowColumn& column : wall_columns(run.state()))
    if (column.column.name == name) return column.value(RowLook(run, {}));
  BOOST_FAIL("no column " + name);
  return 0;
}
constexpr double overlap = 1e-3, stiffness = 1000;  // of stony_material
}  // namespace

BOOST_AUTO_TEST_SUITE(wall_columns_of_the_series)

/// A disc pressed into a floor 0.7 m beside the middle of its two points, and one into a wall on the right.
BOOST_AUTO_TEST_CASE(lines_in_the_plane) {
  Case c;
  c.material = stony_material();
  c.time.step = 1e-4;
  BodySpec disc;
  disc.shape = ShapeKind::disc;
  disc.radius = 0.5;
  disc.position = {1.7, 0.5 - overlap, 0};
  c.assembly.bodies.push_back(disc);
  disc.position = {3.5 + overlap, 2, 0};
  c.assembly.bodies.push_back(disc);
  c.assembly.walls = {line_wall("floor", {0, 0}, {2, 0}), line_wall("right side", {4, 0}, {4, 1})};
  Stage s;
  s.duration = 1;
  c.stages = {s};
  Simulation run(c);
  BOOST_TEST(wall_columns(run.state()).size() == 6u);
  BOOST_TEST(std::abs(value(run, "floor_force_x")) < 1e-12);
  BOOST_TEST(value(run, "floor_force_y") == -stiffness * overlap, tt::tolerance(1e-9));
  BOOST_TEST(value(run, "floor_moment_z") == -0.7 * stiffness * overlap, tt::tolerance(1e-9));
  BOOST_TEST(value(run, "right_side_force_x") == stiffness * overlap, tt::tolerance(1e-9));
  BOOST_TEST(value(run, "right_side_moment_z") == -1.5 * stiffness * overlap, tt::tolerance(1e-9));
}

/// Of polygons the moment is about the middle of the wall's points, too; gravity of the wall is nobody's force.
BOOST_AUTO_TEST_CASE(a_block_on_a_line) {
  Case c;
  c.material = stony_material();
  c.gravity = {0, -9.81, 0};
  c.time.step = 1e-4;
  BodySpec block;
  block.shape = ShapeKind::polygon;
  block.outline = {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}};
  block.position = {1.2, 0.1 - overlap, 0};
  c.assembly.bodies.push_back(block);
  c.assembly.walls = {line_wall("a b", {-1, 0}, {2, 0}), line_wall("a_b", {-1, -5}, {2, -5})};
  Stage s;
  s.duration = 1;
  c.stages = {s};
  const Simulation run(c);
  const double force = value(run, "a_b_force_y");
  BOOST_TEST(force < 0);
  BOOST_TEST(value(run, "a_b_moment_z") == (1.2 - 0.5) * force, tt::tolerance(1e-9));
  BOOST_TEST(value(run, "a_b_2_force_y") == 0);
  BOOST_TEST(run.state().bodies.force[2].y == 0);
}

BOOST_AUTO_TEST_CASE(a_plane_in_space) {
  Case c = space_case({sphere_at({2, 3, 0.5 - overlap}, 0.5)});
  WallSpec floor;
  floor.name = "floor";
  floor.shape = WallShape::plane;
  floor.normal = {0, 0, 1};
  c.assembly.walls = {floor};
  Stage s;
  s.duration = 1;
  c.stages = {s};
  Simulation run(c);
  BOOST_TEST(wall_columns(run.state()).size() == 6u);
  BOOST_TEST(value(run, "floor_force_z") == -stiffness * overlap, tt::tolerance(1e-9));
  BOOST_TEST(value(run, "floor_moment_x") == -3 * stiffness * overlap, tt::tolerance(1e-9));
  BOOST_TEST(value(run, "floor_moment_y") == 2 * stiffness * overlap, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
