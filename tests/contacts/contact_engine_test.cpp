// A cell that becomes too narrow for a body, in the plane and in space.
#include "cell_cases.hpp"
#include "sphere_cases.hpp"
#include "support/message_of.hpp"
#include "support/text.hpp"

namespace {

/// Shortens the cell along x until the run stops. Returns the message, and the width at the stop.
std::pair<std::string, double> narrow(Case c, BodySpec wide) {
  c.periodic = {true, true, c.dimension == 3};
  c.cell_size = {3.3, 3.3, c.dimension == 3 ? 3.3 : 0};
  BodySpec small = wide;  // body 0
  small.shape = c.dimension == 3 ? ShapeKind::sphere : ShapeKind::disc;
  small.radius = 0.1;
  small.spheres.clear();
  small.position = {1.6, 1.6, c.dimension == 3 ? 1.6 : 0};
  c.assembly.bodies = {small, std::move(wide)};
  c.time.step = 1e-3;
  c.time.override_limit = true;
  c.stages = {cell_stage(at_rate(-1), at_rate(0))};
  c.stages[0].duration = 2;
  Simulation run(c);
  const std::string message = message_of<BlowUp>([&] { finish(run); });
  return {message, run.state().cell.vectors[0].x};
}

}  // namespace

/// It stops with the first step in which the cell is narrower than the bounding circle, whenever the next list is due.
/// A contact of two spheres of one cluster over the border was left out.
BOOST_AUTO_TEST_CASE(a_cell_that_becomes_too_narrow_for_a_body_ends_the_run) {
  Case plane;
  plane.material = {.normal_stiffness = 1000, .tangential_stiffness = 500, .friction = 0.5, .restitution = 0.6};
  const Case space = space_case({});
  BodySpec rod{.shape = ShapeKind::cluster};
  rod.spheres = {{{-0.6, 0, 0}, 0.2}, {{0, 0, 0}, 0.25}, {{0.6, 0, 0}, 0.2}};
  for (const auto& [c, body] : {std::pair(plane, BodySpec{.shape = ShapeKind::disc, .radius = 0.8}),
                                std::pair(space, sphere_at({}, 0.8)), std::pair(space, rod)}) {
    const auto [message, width] = narrow(c, body);
    BOOST_TEST((has(message, "body 1 could touch its own image") && has(message, "at least 1.6 m")), message);
    BOOST_TEST((width < 1.6 && width > 1.6 * (1 - 2e-3)), width);
  }
}
