// A cell that becomes too narrow for a body, in the plane and in space.
#include "cell_cases.hpp"
#include "sphere_cases.hpp"
#include "support/message_of.hpp"
#include "support/text.hpp"

namespace {

/// Shortens the cell along x until the run stops. Returns the message, and the width at the stop.
std::pair<std::string, double> narrow(bool space, const BodySpec& wide) {
  BodySpec small = sphere_at({2, 2, space ? 2.0 : 0}, 0.1);  // body 0
  if (!space) small.shape = ShapeKind::disc;
  Case c = listed_cell(space, {small, wide});
  c.time.step = 1e-3;
  c.time.override_limit = true;
  c.stages = {lasting(2, cell_stage(at_rate(-1), at_rate(0)))};
  Simulation run(c);
  const std::string message = message_of<BlowUp>([&] { finish(run); });
  return {message, run.state().cell.vectors[0].x};
}

}  // namespace

/// It stops with the first step in which the cell is narrower than the bounding circle, whenever the next list is due.
/// A contact of two spheres of one cluster over the border was left out.
BOOST_AUTO_TEST_CASE(a_cell_that_becomes_too_narrow_for_a_body_ends_the_run) {
  BodySpec rod{.shape = ShapeKind::cluster};
  rod.spheres = {{{-0.6, 0, 0}, 0.2}, {{0, 0, 0}, 0.25}, {{0.6, 0, 0}, 0.2}};
  for (const auto& [space, body] : {std::pair(false, BodySpec{.shape = ShapeKind::disc, .radius = 0.8}),
                                    std::pair(true, sphere_at({}, 0.8)), std::pair(true, rod)}) {
    const auto [message, width] = narrow(space, body);
    BOOST_TEST((has(message, "body 1 could touch its own image") && has(message, "at least 1.6 m")), message);
    BOOST_TEST((width < 1.6 && width > 1.6 * (1 - 2e-3)), width);
  }
}
