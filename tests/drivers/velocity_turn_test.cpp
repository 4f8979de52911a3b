// A rigid turn with elongation by velocity: the contacts turn with the assembly, whatever motion its bodies have left.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "cell_cases.hpp"
#include "libdem/drivers/cell_drive.hpp"

using namespace dem;
using namespace dem::test;

namespace {

const char* name_of(ShapeKind shape) {
  return shape == ShapeKind::disc      ? "discs"
         : shape == ShapeKind::polygon ? "polygons"
         : shape == ShapeKind::sphere  ? "spheres"
                                       : "clusters";
}
const char* name_of(VelocitySource source) {
  return source == VelocitySource::predicted   ? "predicted"
         : source == VelocitySource::corrected ? "corrected"
                                               : "trapezoid";
}

/// Dense, sheared and not at rest; then turned by 90° in 500 steps.
Case turning(ShapeKind shape, VelocitySource source, bool damped, Vec3 axis) {
  const bool space = is_solid(shape);
  Case c = space ? space_cell(shape, 80, shape == ShapeKind::sphere ? 0.8 : 3.5)
                 : plane_cell(shape, 48, shape == ShapeKind::disc ? 0.3 : 0.75);
  if (shape == ShapeKind::cluster) c.time.step = 3e-4;
  c.contact.elongation = Elongation::velocity;
  c.contact.velocity_source = source;
  if (!damped) {
    c.material.restitution.reset();
    c.material.normal_damping = 0;
    c.material.mass_damping = 5;
  }
  Stage press = space_stage(at_rate(-0.1), at_rate(-0.1), space ? at_rate(-0.1) : CellComponent{}), load = press, turn;
  press.void_ratio = shape == ShapeKind::disc      ? 0.19
                     : shape == ShapeKind::polygon ? 0.16
                     : shape == ShapeKind::sphere  ? 0.6
                                                   : 0.62;
  load.cell->component[0] = at_rate(-0.04);
  load.cell->component[1] = at_rate(0.04);
  load.cell->component[2] = {};
  load.cell->component[3] = at_rate(0.05);
  load.duration = 0.4;
  turn.cell.emplace();
  turn.cell->turn_angle = std::numbers::pi / 2;
  turn.cell->turn_axis = axis;
  turn.cell->turn_steps = 500;
  c.stages = {press, load, turn};
  return c;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(turn_with_elongation_by_velocity)

BOOST_AUTO_TEST_CASE(stress_turns_with_the_assembly) {
  struct Choice {
    ShapeKind shape;
    VelocitySource source;
    bool damped;
  };
  using enum VelocitySource;
  const Choice choices[] = {{ShapeKind::sphere, predicted, false}, {ShapeKind::sphere, predicted, true},
                            {ShapeKind::sphere, corrected, true},  {ShapeKind::sphere, trapezoid, true},
                            {ShapeKind::cluster, predicted, true}, {ShapeKind::disc, predicted, true},
                            {ShapeKind::disc, trapezoid, true},    {ShapeKind::polygon, predicted, true}};
  for (const Choice& choice : choices) {
    const Vec3 axis = is_solid(choice.shape) ? Vec3{1, 2, 3} : Vec3{0, 0, 1};
    const Case c = turning(choice.shape, choice.source, choice.damped, axis);
    Simulation run(c);
    while (run.stage() < 2) run.step();
    run.step();  // the first step turns what the corrector left, not what was evaluated last
    const Tensor3 before = run.driver<CellDriver>()->stress();
    const Vec3 moving = run.state().bodies.position[1][0];
    double tangential = 0;
    for (const ContactRecord& contact : run.contacts())
      tangential = std::max(tangential, norm(contact.force + contact.normal_force * contact.normal));
    while (!run.finished()) run.step();
    const Tensor3 after = run.driver<CellDriver>()->stress();
    const double angle = std::numbers::pi / 2 * 499 / 500, co = std::cos(angle), si = std::sin(angle);
    const Vec3 n = (1 / norm(axis)) * axis;
    const auto turned = [&](Vec3 v) { return co * v + si * cross(n, v) + (1 - co) * dot(n, v) * n; };
    const Vec3 unit[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double worst = 0, largest = 0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        worst = std::max(worst, std::abs(dot(turned(unit[a]), after * turned(unit[b])) - before.m[a][b]));
        largest = std::max(largest, std::abs(before.m[a][b]));
      }
    BOOST_TEST_MESSAGE(name_of(choice.shape) << ", " << name_of(choice.source) << (choice.damped ? ", dashpots" : "")
                                             << ": stress turned back differs by " << worst / largest << "; "
                                             << run.contact_count() << " contacts, tangential up to " << tangential);
    BOOST_TEST(run.contact_count() > 50u);
    BOOST_TEST(tangential > 0);
    BOOST_TEST(worst < 1e-9 * largest);
    // What the bodies had of their own motion is still theirs.
    BOOST_TEST(norm(moving) > 0);
    BOOST_TEST(norm(run.state().bodies.position[1][0] - turned(moving)) < 1e-9 * norm(moving));
  }
}

BOOST_AUTO_TEST_SUITE_END()
