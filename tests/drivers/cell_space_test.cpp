// The driven cell in space: spheres and clusters under a servo, rigid turns, the same bits.
#include <boost/test/unit_test.hpp>

#include "cell_cases.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/measure/motion_sums.hpp"

using namespace dem;
using namespace dem::test;

namespace {

Stage turn_stage(double angle, Vec3 axis, std::uint64_t steps) {
  Stage stage;
  stage.cell.emplace();
  stage.cell->turn_angle = angle;
  stage.cell->turn_axis = axis;
  stage.cell->turn_steps = steps;
  return stage;
}

/// Compressed at rates until it is dense, sheared, and left alone for a while.
std::vector<Stage> prepared(double void_ratio, double rest) {
  Stage press = space_stage(at_rate(-0.1), at_rate(-0.1), at_rate(-0.1));
  press.void_ratio = void_ratio;
  Stage load = space_stage(at_rate(-0.04), at_rate(0.02), at_rate(0.02));
  load.cell->component[5] = at_rate(0.03);
  load.duration = 0.4;
  Stage still;
  still.duration = rest;
  return {press, load, still};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cell_in_space)

BOOST_AUTO_TEST_CASE(triaxial_at_constant_mean_stress_and_shear_at_constant_stress) {
  Case c = space_cell(ShapeKind::sphere, 120, 0.75);
  Stage press = space_stage(at_stress(-1), at_stress(-1), at_stress(-1));
  press.cell->largest_rate = 0.05;
  press.friction = 0.1;
  press.unbalanced = 2e-3;
  press.duration = 30;
  Stage triaxial = space_stage(at_rate(-4e-4), at_mean_pressure(), at_mean_pressure());
  triaxial.cell->mean_pressure = 1;
  triaxial.stress_ratio = 0.5;
  triaxial.duration = 10;
  Stage shear = space_stage(at_stress(-1), at_stress(-1), at_stress(-1));
  shear.cell->component[4] = at_rate(4e-4);
  shear.strain = 8e-4;
  c.stages = {press, triaxial, shear};
  Simulation run(c);
  double shear_before = 0;
  while (!run.finished()) {
    const ServoRecord record = run.driver<CellDriver>()->record();
    const Tensor3 stress = run.driver<CellDriver>()->stress();
    const std::size_t stage = run.stage();
    run.step();
    if (run.stage() == stage && !run.finished()) continue;
    BOOST_TEST_MESSAGE("stage " << stage << ": " << run.step_count() << " steps, servo error " << record.mean()
                                << ", at most " << record.largest << "; stress " << stress.m[0][0] << " "
                                << stress.m[1][1] << " " << stress.m[2][2] << ", xz " << stress.m[0][2]
                                << ", unbalanced " << mean_unbalanced_force(run.contacts(), run.state().bodies)
                                << ", residual " << run.ledger().relative_residual());
    BOOST_TEST(record.held);
    if (stage > 0) BOOST_TEST(record.mean() < 1e-3);
    if (stage == 1) {
      BOOST_TEST(mean_pressure(run.driver<CellDriver>()->stress(), 3) == 1.0, boost::test_tools::tolerance(3e-3));
      BOOST_TEST(std::abs(stress.m[1][1] - stress.m[2][2]) < 3e-3);
      BOOST_TEST(deviator_stress(run.driver<CellDriver>()->stress(), 3) == 0.5, boost::test_tools::tolerance(0.01));
      BOOST_TEST(run.time() < 40);
    }
    if (stage == 1) shear_before = stress.m[0][2];
    if (stage == 2) BOOST_TEST(stress.m[0][2] > shear_before + 0.1);
  }
  BOOST_TEST(run.ledger().relative_residual() < 1e-3);
}

BOOST_AUTO_TEST_CASE(a_rigid_turn_about_any_axis) {
  for (const auto& [shape, law] : {std::pair{ShapeKind::sphere, "linear"},
                                   {ShapeKind::sphere, "linear-refined"},
                                   {ShapeKind::cluster, "linear"}}) {
    Case c = space_cell(shape, 80, shape == ShapeKind::sphere ? 0.8 : 3.5);
    c.contact.law = law;
    c.material.restitution
        .reset();  // moving bodies have dashpot forces, which begin and end where contacts reach the friction limit
    c.material.normal_damping = 0;
    c.material.mass_damping = 5;
    const double angle = std::numbers::pi / 2;
    const Vec3 axis{1, 2, 3};
    c.stages = prepared(shape == ShapeKind::sphere ? 0.6 : 0.62, 0.5);
    c.stages.push_back(turn_stage(angle, axis, 1000));
    Simulation run(c);
    while (run.stage() < 3) run.step();
    run.step();  // the first step turns what the corrector left, not what was evaluated last
    const Tensor3 before = run.driver<CellDriver>()->stress();
    double tangential = 0;
    for (const ContactRecord& contact : run.contacts())
      tangential = std::max(tangential, norm(contact.force) - contact.normal_force);
    while (!run.finished()) run.step();
    const Tensor3 after = run.driver<CellDriver>()->stress();
    // Back: R^T σ R.
    const double part = angle * 0.999, co = std::cos(part), si = std::sin(part);
    const Vec3 n = (1 / norm(axis)) * axis;
    std::array<Vec3, 3> turned;
    for (std::size_t a = 0; a < 3; ++a) {
      Vec3 e;
      (&e.x)[a] = 1;
      turned[a] = co * e + si * cross(n, e) + (1 - co) * dot(n, e) * n;
    }
    double worst = 0, largest = 0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        worst = std::max(worst, std::abs(dot(turned[a], after * turned[b]) - before.m[a][b]));
        largest = std::max(largest, std::abs(before.m[a][b]));
      }
    BOOST_TEST_MESSAGE((shape == ShapeKind::sphere ? "spheres, " : "clusters, ")
                       << law << ": stress turned back differs by " << worst / largest << "; " << run.contact_count()
                       << " contacts, tangential up to " << tangential << ", stress " << largest);
    BOOST_TEST(run.contact_count() > 100u);
    BOOST_TEST(tangential > 0);
    BOOST_TEST(worst < 1e-6 * largest);
  }
}

BOOST_AUTO_TEST_CASE(same_bits_for_any_number_of_threads) {
  Case c = space_cell(ShapeKind::cluster, 60, 3.5);
  c.stages = {space_stage(at_stress(-1), at_stress(-2), at_stress(-1))};
  c.stages[0].cell->largest_rate = 1;
  c.time.step = 3e-4;
  c.stages[0].duration = 1e9;
  std::uint64_t hash = 0;
  for (int threads : {1, 2, 8}) {
    c.threads = threads;
    Simulation run(c);
    advance(run, 1500);
    BOOST_TEST(run.contact_count() > 30u);
    if (threads == 1) hash = run.hash();
    BOOST_TEST(run.hash() == hash);
  }
}

BOOST_AUTO_TEST_SUITE_END()
