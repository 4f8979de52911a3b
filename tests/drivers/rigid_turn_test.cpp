// A rigid turn: contacts turn with the assembly, whatever motion its bodies have left.
#include "cell_cases.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/state/assembly_error.hpp"
#include "support/message_of.hpp"
#include "support/text.hpp"
#include "support/turned.hpp"

namespace {

const char* const shapes[] = {"discs", "polygons", "spheres", "clusters"};
const char* const sources[] = {"predicted", "corrected", "trapezoid"};

Stage turn_stage(double angle, Vec3 axis, std::uint64_t steps) {
  return {.cell = CellDrive{.turn_angle = angle, .turn_axis = axis, .turn_steps = steps}};
}

struct Choice {
  ShapeKind shape;
  bool damped;
  std::optional<VelocitySource> source = {};  ///< none: elongation geometric
  const char* law = "linear";
};

/// Dense and sheared; then turned by 90° in 500 steps. With elongation by velocity the bodies are not at rest.
Case turning(const Choice& choice, Vec3 axis) {
  const bool space = is_solid(choice.shape);
  Case c = space ? space_cell(choice.shape, 80, choice.shape == ShapeKind::sphere ? 0.8 : 3.5)
                 : plane_cell(choice.shape, 48, choice.shape == ShapeKind::disc ? 0.3 : 0.75);
  if (choice.shape == ShapeKind::cluster) c.time.step = 3e-4;
  c.contact.law = choice.law;
  c.contact.elongation = choice.source ? Elongation::velocity : Elongation::geometric;
  c.contact.velocity_source = choice.source.value_or(VelocitySource::predicted);
  if (!choice.damped) {
    c.material.restitution.reset();
    c.material.normal_damping = 0;
    c.material.mass_damping = 5;
  }
  Stage press = space_stage(at_rate(-0.1), at_rate(-0.1), space ? at_rate(-0.1) : CellComponent{});
  Stage load = space_stage(at_rate(-0.04), at_rate(0.04), {});
  press.void_ratio = std::array{0.19, 0.16, 0.6, 0.62}[std::size_t(choice.shape)];
  load.cell->component[3] = at_rate(0.05);
  load.duration = 0.4;
  c.stages = {press, load, turn_stage(pi / 2, axis, 500)};
  if (!choice.source) c.stages.insert(c.stages.end() - 1, Stage{.duration = 0.5});
  return c;
}

/// By how much the stress after a turn, turned back, differs from that before, over its largest entry.
double difference_turned_back(const Tensor3& before, const Tensor3& after, Vec3 axis, double angle) {
  const Vec3 unit[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double worst = 0, largest = 0;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      const double back = dot(turned(unit[a], axis, angle), after * turned(unit[b], axis, angle));
      worst = std::max(worst, std::abs(back - before.m[a][b]));
      largest = std::max(largest, std::abs(before.m[a][b]));
    }
  return worst / largest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(stress_turns_with_the_assembly) {
  using enum VelocitySource;
  using enum ShapeKind;
  const Choice choices[] = {{sphere, false, predicted},
                            {sphere, true, predicted},
                            {sphere, true, corrected},
                            {sphere, true, trapezoid},
                            {cluster, true, predicted},
                            {disc, true, predicted},
                            {disc, true, trapezoid},
                            {polygon, true, predicted},
                            // Geometric: dashpot forces begin and end where contacts reach the friction limit.
                            {sphere, false},
                            {sphere, false, {}, "linear-refined"},
                            {cluster, false}};
  for (const Choice& choice : choices) {
    const Vec3 axis = is_solid(choice.shape) ? Vec3{1, 2, 3} : Vec3{0, 0, 1};
    const Case c = turning(choice, axis);
    Simulation run = at_stage(c, c.stages.size() - 1);
    run.step();  // the first step turns what the corrector left, not what was evaluated last
    const Tensor3 before = run.driver<CellDriver>()->stress();
    const Vec3 moving = run.state().bodies.position[1][0];
    const EnergyLedger at_start = run.ledger();
    double tangential = 0;
    for (const ContactRecord& contact : run.contacts())
      tangential = std::max(tangential, norm(contact.force + contact.normal_force * contact.normal));
    finish(run);
    const double angle = pi / 2 * 499 / 500;
    const double worst = difference_turned_back(before, run.driver<CellDriver>()->stress(), axis, angle);
    BOOST_TEST_CONTEXT(shapes[int(choice.shape)]
                       << ", " << choice.law << ", " << (choice.source ? sources[int(*choice.source)] : "geometric")
                       << (choice.damped ? ", dashpots" : "") << ": stress turned back differs by " << worst << "; "
                       << run.contact_count() << " contacts, tangential up to " << tangential) {
      BOOST_TEST(run.contact_count() > (choice.source ? 50u : 100u));
      BOOST_TEST(tangential > 0);
      BOOST_TEST(worst < (choice.source ? 1e-9 : 1e-6));
      // Bodies keep the motion that they had, and the turn does no work.
      const EnergyLedger at_end = run.ledger();
      BOOST_TEST(at_end.kinetic == at_start.kinetic, tolerance(1e-9));
      BOOST_TEST(at_end.stored() == at_start.stored(), tolerance(1e-6));
      BOOST_TEST(std::abs(at_end.residual() - at_start.residual()) < 1e-6 * at_end.absolute_work);
      BOOST_TEST(norm(moving) > 0);
      if (choice.source)
        BOOST_TEST(norm(run.state().bodies.position[1][0] - turned(moving, axis, angle)) < 1e-9 * norm(moving));
    }
  }
}

/// The cell is compressed, and the turn stops that. So the forces of the dashpots change while the contacts turn by
/// much.
BOOST_AUTO_TEST_CASE(dashpots_do_no_work_in_large_steps_of_a_turn) {
  for (const ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon, ShapeKind::sphere}) {
    const bool space = is_solid(shape);
    Case c = turning({.shape = shape, .damped = true, .source = VelocitySource::trapezoid}, {0, 0, 1});
    c.stages.erase(c.stages.begin() + 1);  // loaded by other rates
    c.stages.back() = turn_stage(pi / 2, {0, 0, 1}, 4);
    Simulation run = at_stage(c, 1);
    const EnergyLedger at_start = run.ledger();
    finish(run);
    const EnergyLedger at_end = run.ledger();
    BOOST_TEST_CONTEXT(shapes[int(shape)] << (space ? " in space" : "")) {
      BOOST_TEST(run.contact_count() > 50u);
      BOOST_TEST(std::abs(at_end.viscous - at_start.viscous) < 1e-8 * at_end.absolute_work);
      BOOST_TEST(std::abs(at_end.circulation - at_start.circulation) < 1e-6 * at_end.absolute_work);
      BOOST_TEST(std::abs(at_end.residual() - at_start.residual()) < 1e-6 * at_end.absolute_work);
    }
  }
}

/// Gravity and applied forces would do work in the turn. Whoever turns the assembly does the opposite.
BOOST_AUTO_TEST_CASE(a_turn_of_bodies_with_weight_and_loads) {
  for (const bool space : {false, true}) {
    BodySpec pushed{.shape = space ? ShapeKind::sphere : ShapeKind::disc, .radius = 0.4};
    pushed.position = {3, 1, space ? 2.0 : 0};
    BodySpec heavy = pushed;
    heavy.position = {1, 3, space ? 1.0 : 0};
    pushed.force = {0.5, 0.2, 0};
    pushed.torque = space ? 0 : 0.1;
    pushed.applied_couple = {0, 0, space ? 0.1 : 0};
    Case c = listed_cell(space, {pushed, heavy});
    c.gravity = {0.3, -0.5, 0};
    c.stages = {Stage{.duration = 20 * c.time.step}, turn_stage(1.5, {0, 0, 1}, 40)};
    Simulation run = at_stage(c, 1);
    const EnergyLedger at_start = run.ledger();
    const Vec3 from = run.state().bodies.position[0][0], heavy_from = run.state().bodies.position[0][1];
    finish(run);
    const EnergyLedger at_end = run.ledger();
    const Bodies& bodies = run.state().bodies;
    const Vec3 way = bodies.position[0][0] - from, heavy_way = bodies.position[0][1] - heavy_from;
    const double work =
        dot(pushed.force + bodies.mass[0] * c.gravity, way) + 0.1 * 1.5 + dot(bodies.mass[1] * c.gravity, heavy_way);
    BOOST_TEST(std::abs(work) > 0.1);
    BOOST_TEST(at_end.boundary_work - at_start.boundary_work == -work, tolerance(1e-9));
    BOOST_TEST(at_end.kinetic == at_start.kinetic, tolerance(1e-9));
    BOOST_TEST(std::abs(at_end.residual() - at_start.residual()) < 1e-12 * at_end.absolute_work);
  }
}

/// It would get a velocity along the direction in which it is held.
BOOST_AUTO_TEST_CASE(a_body_held_in_part_cannot_turn) {
  for (const bool plane : {true, false}) {
    BodySpec body{.shape = plane ? ShapeKind::disc : ShapeKind::sphere, .radius = 0.4};
    body.position = {2, 2, plane ? 0.0 : 2};
    const auto refused = [&](Vec3 axis) {
      Case c = listed_cell(!plane, {body});
      c.stages = {turn_stage(1, axis, 10)};
      return has(message_of<AssemblyError>([&] { Simulation{c}; }), "is held in some directions");
    };
    BOOST_TEST(!refused({0, 0, 1}));
    body.fix_x = true;
    BOOST_TEST(refused({0, 0, 1}));
    body.fix_y = true;
    BOOST_TEST(!refused({0, 0, 1}));
    if (!plane) BOOST_TEST(refused({0, 1, 1}));
  }
}

BOOST_AUTO_TEST_CASE(progress_of_a_rigid_turn) {
  Case c = pressed_lattice(6, 6);
  c.stages = {turn_stage(0.1, {0, 0, 1}, 8)};
  Simulation run(c);
  for (int k = 0; k < 8; ++k) {
    BOOST_TEST(run.stage_progress() == k / 8.0);
    run.step();
  }
  BOOST_TEST(run.finished());
}
