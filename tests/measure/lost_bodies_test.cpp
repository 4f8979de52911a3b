// Bodies that nothing can stop: found at the start and later. Bodies that fly on purpose are not accused.
#include "libdem/assembly/lost_bodies.hpp"

#include "cases.hpp"
#include "libdem/assembly/assembly.hpp"
#include "sphere_cases.hpp"

namespace {

WallSpec rectangle(Vec3 corner, Vec3 edge_1, Vec3 edge_2) { return rectangle_wall("box", corner, edge_1, edge_2); }
WallSpec plane(Vec3 point, Vec3 normal) { return plane_wall("plane", point, normal); }

/// A floor and four sides, 0 < x, y < 1, up to z = 1.
std::vector<WallSpec> open_box() {
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  return {rectangle({}, x, y), rectangle({}, y, z), rectangle(x, y, z), rectangle({}, x, z), rectangle(y, x, z)};
}

Case spheres(const std::vector<Vec3>& at, std::vector<WallSpec> walls, Vec3 gravity = {0, 0, -10}) {
  Case c = case_of(R"(
dimension = 3
time.step = 1e-4
material = {density = 1000, friction = 0.5, normal_stiffness = 1e5, tangential_stiffness = 3e4, normal_damping = 0}
stage = [{duration = 1000}]
body = [{shape = "sphere", radius = 0.1, position = [0, 0, 0]}])");
  c.gravity = gravity;
  c.assembly.walls = std::move(walls);
  c.assembly.bodies.clear();
  for (const Vec3 x : at) c.assembly.bodies.push_back(sphere_at(x, 0.1));
  return c;
}

std::vector<std::uint64_t> astray(const Case& c) { return LostBodies(build_assembly(c)).astray(); }

using Numbers = std::vector<std::uint64_t>;

}  // namespace

BOOST_AUTO_TEST_CASE(lost_outside_an_open_box) {
  // Inside, above, above the rim, beside, below.
  const Case c = spheres(
      {{0.5, 0.5, 0.2}, {0.3, 0.3, 5}, {1.05, 0.5, 2}, {1.5, 0.5, 0.5}, {0.5, 0.5, -0.5}, {0.7, 0.7, 0.9}}, open_box());
  BOOST_TEST((astray(c) == Numbers{3, 4}));
  const auto warnings = start_warnings(LostBodies(build_assembly(c)), build_assembly(c));
  BOOST_TEST_REQUIRE(warnings.size() == 1u);
  BOOST_TEST(warnings[0].starts_with(
                 "2 bodies start where nothing can stop them: body 3 (group free) at (1.5, 0.5, 0.5) m, body 4"),
             warnings[0]);
  // A floor without end catches the body beside the box. That body is listed, but it is not lost.
  Case on_ground = c;
  on_ground.assembly.walls.push_back(plane({0, 0, -0.2}, {0, 0, 1}));
  BOOST_TEST((astray(on_ground) == Numbers{4}));
  BOOST_TEST((LostBodies(build_assembly(on_ground)).beside() == Numbers{3}));
}

BOOST_AUTO_TEST_CASE(lost_below_a_floor) {
  for (const double up : {1.0, -1.0})  // a plane has two sides
    BOOST_TEST((astray(spheres({{0, 0, 0.5}, {0, 0, -0.5}}, {plane({0, 0, 0}, {0, 0, up})})) == Numbers{1}));
  // Gravity along a wall: the wall stops no body.
  BOOST_TEST((astray(spheres({{0, 0, 0.5}}, {plane({0, 0, 0}, {0, 0, 1})}, {1, 0, 0})) == Numbers{0}));
}

BOOST_AUTO_TEST_CASE(lost_without_a_floor) {
  const Case c = spheres({{0, 0, 0}, {1, 0, 0}}, {});
  BOOST_TEST((astray(c) == Numbers{0, 1}));
  BOOST_TEST(start_warnings(LostBodies(build_assembly(c)), build_assembly(c)).at(0).find("give it a floor") !=
             std::string::npos);
  BOOST_TEST(astray(spheres({{0, 0, 0}, {1, 0, 0}}, {}, {})).empty());  // nothing pulls them
  Case pulled = spheres({{0, 0, 0}, {1, 0, 0}}, {}, {});
  pulled.assembly.bodies[0].force = {1, 0, 0};
  pulled.assembly.bodies[1].force = {-1, 0, 0};  // against each other
  BOOST_TEST(astray(pulled).empty());
}

BOOST_AUTO_TEST_CASE(held_bodies_and_periodic_cells_stop_bodies) {
  Case c = spheres({{0, 0, 1}, {0.05, 0, 0}, {0.5, 0, 1}}, {});
  hold(c.assembly.bodies[1]);
  BOOST_TEST((astray(c) == Numbers{2}));
  Case periodic = spheres({{0, 0, 1}, {0.5, 0, 1}}, {});
  periodic.periodic = {false, false, true};
  periodic.cell_size = {0, 0, 2};
  BOOST_TEST(astray(periodic).empty());
}

BOOST_AUTO_TEST_CASE(half_planes_hold_what_falls_towards_them) {
  Case c = spheres({}, {});
  c.dimension = 2;
  c.gravity = {0, -10, 0};
  c.assembly.bodies = {{.shape = ShapeKind::disc, .radius = 0.1, .position = {0, 1, 0}}};
  c.assembly.walls = {line_wall("floor", {-1, 0}, {1, 0})};
  BOOST_TEST(astray(c).empty());
  c.gravity = {0, 10, 0};
  BOOST_TEST((astray(c) == Numbers{0}));
}

/// Lost while it runs: the ball that rolls over the edge of a table, after ten diameters.
BOOST_AUTO_TEST_CASE(lost_over_the_edge) {
  Case c = spheres({{0.5, 0.5, 0.1}, {0.2, 0.5, 0.1}}, {rectangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0})});
  c.assembly.bodies[0].velocity = {2, 0, 0};
  Simulation run(c);
  const LostBodies lost(run.state());
  BOOST_TEST(lost.astray().empty());
  double fell_over = 0, told = 0;
  while (run.time() < 2 && told == 0) {
    run.step(false);
    if (fell_over == 0 && run.state().bodies.position[0][0].z < 0) fell_over = run.time();
    if (!lost.find(run.state()).empty()) told = run.time();
  }
  BOOST_TEST((fell_over > 0 && told > fell_over));
  BOOST_TEST((lost.find(run.state()) == std::vector<std::size_t>{0}));
  const double z = run.state().bodies.position[0][0].z;
  BOOST_TEST((z < -2 && z > -2.1), "z = " << z);
}

/// Without gravity only a closed container can be left.
BOOST_AUTO_TEST_CASE(lost_from_a_gas_in_a_box) {
  std::vector<WallSpec> closed = open_box();
  closed.push_back(rectangle({0, 0, 1}, {1, 0, 0}, {0, 1, 0}));
  Case c = spheres({{0.5, 0.5, 0.5}, {0.2, 0.2, 0.2}, {0.8, 0.2, 0.7}, {2, 0.5, 0.5}}, closed, {});
  c.assembly.bodies[3].velocity = {10, 0, 0};
  BOOST_TEST((astray(c) == Numbers{3}));
  Simulation run(c);
  const LostBodies lost(run.state());
  BOOST_TEST(lost.find(run.state()).empty());
  while (run.time() < 0.15) run.step(false);
  BOOST_TEST((lost.find(run.state()) == std::vector<std::size_t>{3}));
  // A ball that rebounds from a single plane flies on: that is what was asked for.
  Case rebound = spheres({{0, 0, 0.2}}, {plane({0, 0, 0}, {0, 0, 1})}, {});
  rebound.assembly.bodies[0].velocity = {0, 0, 50};
  Simulation flies(rebound);
  const LostBodies none(flies.state());
  while (flies.time() < 0.2) flies.step(false);
  BOOST_TEST(none.find(flies.state()).empty());
}
