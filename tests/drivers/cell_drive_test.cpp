// The driven cell: its motion, the work on it, what the servo holds, rigid turns, refused input.
#include "libdem/drivers/cell_drive.hpp"

#include <boost/test/unit_test.hpp>

#include "cell_cases.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/stress.hpp"

using namespace dem;
using namespace dem::test;

namespace {

/// Pressed isotropically to pressure 1 until it is in balance, with little friction.
Stage isotropic() {
  Stage stage = cell_stage(at_stress(-1), at_stress(-1));
  stage.friction = 0.1;
  stage.unbalanced = 2e-3;
  stage.duration = 100;
  stage.cell->largest_rate = 0.02;
  return stage;
}

void run_stage(Simulation& run, std::size_t stage, std::uint64_t most = 200000) {
  for (std::uint64_t k = 0; k < most && run.stage() == stage && !run.finished(); ++k) run.step();
}

double entry(const Tensor3& t, std::size_t r, std::size_t c) { return t.m[r][c]; }

}  // namespace

BOOST_AUTO_TEST_SUITE(cell_drive)

BOOST_AUTO_TEST_CASE(a_constant_rate_is_logarithmic_strain_and_bodies_follow) {
  // Far apart: nothing but the cell moves them. Cell and bodies follow exp(L t), and a trace of zero keeps the volume.
  Case c = plane_cell(ShapeKind::disc, 12, 30);
  Stage stage = cell_stage(at_rate(-0.05), at_rate(0.05), at_rate(0.08));
  stage.duration = 0.7;
  c.stages = {stage};
  Simulation run(c);
  const geometry::Cell start = run.state().cell;
  const auto at_start = run.state().bodies.position[0];
  run_stage(run, 0);
  const double t = run.time(), grown = std::exp(0.05 * t);
  BOOST_TEST(t == 0.7, boost::test_tools::tolerance(1e-12));
  // exp of [[-a, s], [0, a]] t: the corner is s sinh(a t)/a.
  const double corner = 0.08 * std::sinh(0.05 * t) / 0.05;
  const auto carried = [&](Vec3 x) { return Vec3{x.x / grown + corner * x.y, x.y * grown, x.z}; };
  for (std::size_t a = 0; a < 2; ++a) BOOST_TEST(norm(run.state().cell.vectors[a] - carried(start.vectors[a])) < 1e-11);
  BOOST_TEST(cell_volume(run.state().cell) == cell_volume(start), boost::test_tools::tolerance(1e-12));
  for (std::size_t b = 0; b < at_start.size(); ++b)
    BOOST_TEST(norm(run.state().bodies.position[0][b] - carried(at_start[b])) < 1e-11);
  BOOST_TEST(run.driver<CellDriver>()->strains()[0] == -0.05 * t, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(run.driver<CellDriver>()->strains()[3] == 0.08 * t, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(norm(Vec3{entry(kinetic_stress_of_cell(run.state()), 0, 0),
                       entry(kinetic_stress_of_cell(run.state()), 1, 1), 0}) < 1e-20);
  BOOST_TEST(run.contact_count() == 0u);
  BOOST_TEST(run.ledger().boundary_work != 0);
  BOOST_TEST(run.ledger().relative_residual() < 1e-12);
}

BOOST_AUTO_TEST_CASE(stress_of_an_affine_lattice) {
  // A lattice of equal discs stays a lattice: its stress is the closed form of the sum over six neighbours.
  Case c = pressed_lattice(6, 6);
  c.material.friction = 0;
  c.stages = {cell_stage(at_rate(-2e-3), at_rate(1e-3), at_rate(3e-3))};
  c.stages[0].duration = 0.35;
  Simulation run(c);
  run_stage(run, 0);
  const auto& v = run.state().cell.vectors;
  // Lattice vectors: a sixth of the cell's first, and a sixth of its second plus half a lattice vector (the rows are
  // staggered).
  const Vec2 a = 1.0 / 6 * planar(v[0]), b = 1.0 / 6 * planar(v[1]) + 0.5 * a;
  Tensor3 expected;
  for (const Vec2 l : {a, b, b - a}) {
    const double overlap = 1 - norm(l);
    BOOST_TEST(overlap > 0);
    expected.add(-1000 * overlap / norm(l) * 36 / cell_volume(run.state().cell), spatial(l), spatial(l));
  }
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t k = 0; k < 2; ++k) {
      // The dashpots act too; the velocities are those of the cell.
      BOOST_TEST(std::abs(entry(run.driver<CellDriver>()->stress(), r, k) - entry(expected, r, k)) <
                 0.03 * std::abs(entry(expected, 0, 0)));
    }
  // Without them to round-off.
  c.material.restitution = 1;
  Simulation elastic(c);
  run_stage(elastic, 0);
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t k = 0; k < 2; ++k)
      BOOST_TEST(std::abs(entry(elastic.driver<CellDriver>()->stress(), r, k) - entry(expected, r, k)) <
                 1e-9 * std::abs(entry(expected, 0, 0)));
}

BOOST_AUTO_TEST_CASE(work_on_the_cell_closes_the_ledger) {
  // Elastic and smooth, the residual is of second order; sliding and damped it stays below 1e-3 of the work.
  Case c = pressed_lattice(6, 6);
  c.material.friction = 500;
  c.material.restitution = 1;
  c.assembly.lattice->random_angle = 0.3;
  c.stages = {cell_stage(at_rate(-4e-3), at_rate(1e-3), at_rate(6e-3))};
  c.stages[0].duration = 0.56;
  double residual[3];
  for (int half = 0; half < 3; ++half) {
    c.time.step = 2.8e-3 / (1 << half);
    c.time.override_limit = true;
    Simulation run(c);
    run_stage(run, 0);
    residual[half] = run.ledger().relative_residual();
    BOOST_TEST(std::abs(run.ledger().boundary_work) > 1e-3);
  }
  BOOST_TEST_MESSAGE("elastic: residual " << residual[0] << " " << residual[1] << " " << residual[2]);
  BOOST_TEST(residual[0] < 1e-3);
  BOOST_TEST((residual[2] < 1e-12 || 0.5 * std::log2(residual[0] / residual[2]) > 1.8));
  for (ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon}) {
    Case dense = plane_cell(shape, 48, shape == ShapeKind::disc ? 0.3 : 0.75);
    dense.stages = {cell_stage(at_rate(-0.05), at_rate(-0.05)),
                    cell_stage(at_rate(0.02), at_rate(-0.02), at_rate(0.05))};
    dense.stages[0].void_ratio = shape == ShapeKind::disc ? 0.19 : 0.16;
    dense.stages[1].duration = 2;
    Simulation run(dense);
    run_stage(run, 0);
    run_stage(run, 1);
    const EnergyLedger l = run.ledger();
    BOOST_TEST_MESSAGE((shape == ShapeKind::disc ? "discs" : "polygons")
                       << ": residual " << l.relative_residual() << ", boundary work " << l.boundary_work
                       << ", friction " << l.friction << ", viscous " << l.viscous << ", contacts "
                       << run.contact_count());
    BOOST_TEST(run.contact_count() > 60u);
    BOOST_TEST(l.friction > 0);
    BOOST_TEST(l.relative_residual() < 1e-3);
    BOOST_TEST(std::abs(l.residual()) < 0.05 * l.friction);
  }
}

BOOST_AUTO_TEST_CASE(the_choice_of_the_cell_does_not_matter) {
  // The same lattice by another second vector: the same motion, to round-off and its growth.
  Case c = pressed_lattice(6, 6);
  c.stages = {cell_stage(at_rate(-4e-3), at_stress(-20), at_rate(0.05))};
  c.stages[0].duration = 1e9;
  Simulation one(c);
  c.cell_tilt.x = -2 * one.state().cell.vectors[0].x;
  Simulation other(c);
  advance(one, 300);
  advance(other, 300);
  double apart = 0;
  for (std::size_t b = 0; b < one.state().bodies.size(); ++b)
    apart = std::max(apart, norm(one.state().bodies.position[0][b] - other.state().bodies.position[0][b]));
  BOOST_TEST_MESSAGE("positions differ by " << apart << " m");
  BOOST_TEST(apart < 1e-11);
  BOOST_TEST(one.contact_count() == other.contact_count());
  BOOST_TEST(one.driver<CellDriver>()->volume() == other.driver<CellDriver>()->volume(),
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(servo_holds_stresses_of_discs_and_polygons) {
  for (ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon}) {
    Case c = plane_cell(shape, 60, shape == ShapeKind::disc ? 0.25 : 0.7);
    Stage biaxial = cell_stage(at_stress(-1), at_rate(-2e-4));
    biaxial.strain = 1e-3;
    Stage constant_mean = cell_stage(at_mean_pressure(), at_rate(2e-4));
    constant_mean.cell->mean_pressure = 1.2;
    constant_mean.strain = 5e-4;
    Stage shear = cell_stage(at_stress(-1.2), at_stress(-1.2), at_rate(2e-4));
    shear.strain = 1e-3;
    Stage shear_stress = cell_stage(at_stress(-1.2), at_stress(-1.2), at_stress(0.1));
    shear_stress.duration = 4;
    c.stages = {isotropic(), biaxial, constant_mean, shear, shear_stress};
    Simulation run(c);
    for (std::size_t s = 0; s < c.stages.size(); ++s) {
      while (run.stage() == s && !run.finished()) {
        const ServoRecord before = run.driver<CellDriver>()->record();
        const Tensor3 stress = run.driver<CellDriver>()->stress();
        const std::size_t stage = run.stage();
        run.step();
        if (run.stage() == stage && !run.finished()) continue;
        BOOST_TEST_MESSAGE((shape == ShapeKind::disc ? "discs" : "polygons")
                           << ", stage " << stage << ": " << run.step_count() << " steps, servo error " << before.mean()
                           << ", at most " << before.largest << "; stress " << stress.xx() << " " << stress.yy() << " "
                           << stress.xy() << ", unbalanced "
                           << mean_unbalanced_force(run.contacts(), run.state().bodies));
        BOOST_TEST(before.held);
        BOOST_TEST(before.steps > 50);
        BOOST_TEST(before.mean() < 1e-3);
        if (stage == 1) BOOST_TEST(stress.yy() < -1.05);
        if (stage == 2) BOOST_TEST(mean_pressure(stress, 2) == 1.2, boost::test_tools::tolerance(2e-3));
        if (stage == 3) BOOST_TEST(stress.xy() > 0.05);
        if (stage == 4) BOOST_TEST(std::abs(stress.xy() - 0.1) < 2e-3);
      }
    }
    BOOST_TEST(run.driver<CellDriver>()->worst_record().has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_servo_that_cannot_hold_says_so) {
  // Far too loose for the duration: the stress is never reached.
  Case c = plane_cell(ShapeKind::disc, 30, 2);
  Stage stage = cell_stage(at_stress(-1), at_stress(-1));
  stage.cell->largest_rate = 0.01;
  stage.duration = 0.5;
  Stage rest;
  rest.duration = 0.1;
  c.stages = {stage, rest};
  Simulation run(c);
  while (!run.finished()) {
    run.step();
    if (run.stage() == 0)
      for (int p = 0; p < 2; ++p) BOOST_REQUIRE(std::abs(run.driver<CellDriver>()->rate()[std::size_t(p)]) <= 0.01);
  }
  BOOST_TEST(run.driver<CellDriver>()->rate()[0] == 0);  // a stage without a cell leaves it at rest
  BOOST_REQUIRE(run.driver<CellDriver>()->worst_record());
  BOOST_TEST(!run.driver<CellDriver>()->worst_record()->held);
  BOOST_TEST(std::isinf(run.driver<CellDriver>()->worst_record()->share()));
  BOOST_TEST(run.driver<CellDriver>()->worst_record()->largest > 0.99);
}

BOOST_AUTO_TEST_CASE(a_rigid_turn_turns_the_stress_with_it) {
  for (ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon}) {
    Case c = plane_cell(shape, 48, shape == ShapeKind::disc ? 0.3 : 0.75);
    c.material.tangential_damping_ratio =
        0;  // a contact at the limit may slide or stick by round-off, which switches its dashpot
    c.stages = {cell_stage(at_rate(-0.05), at_rate(-0.05)), cell_stage(at_rate(0.02), at_rate(-0.02), at_rate(0.05)),
                Stage{}, Stage{}, Stage{}};
    c.stages[0].void_ratio = shape == ShapeKind::disc ? 0.19 : 0.16;
    c.stages[1].duration = 0.5;
    c.stages[2].duration = 0.1;  // the cell rests, the bodies still move
    c.stages[3].cell.emplace();
    c.stages[3].cell->turn_angle = std::numbers::pi / 3;
    c.stages[3].cell->turn_steps = 100;
    c.stages[4].duration = 0.01;
    Simulation run(c);
    for (std::size_t s = 0; s < 3; ++s) run_stage(run, s);
    run.step();  // the first step turns what the corrector left, not what was evaluated last
    const Tensor3 before = run.driver<CellDriver>()->stress();
    const EnergyLedger at_start = run.ledger();
    BOOST_TEST(at_start.kinetic > 0);
    const std::uint64_t step = run.step_count();
    run_stage(run, 3);
    BOOST_TEST(run.step_count() == step + 99);
    const Tensor3 after = run.driver<CellDriver>()->stress();
    const double angle = 0.99 * std::numbers::pi / 3, co = std::cos(angle), si = std::sin(angle);
    const double q[2][2] = {{co, -si}, {si, co}};
    double worst = 0;
    for (std::size_t r = 0; r < 2; ++r)
      for (std::size_t k = 0; k < 2; ++k) {
        double back = 0;
        for (std::size_t a = 0; a < 2; ++a)
          for (std::size_t b = 0; b < 2; ++b) back += q[a][r] * entry(after, a, b) * q[b][k];
        worst = std::max(worst, std::abs(back - entry(before, r, k)) / std::abs(entry(before, 0, 0)));
      }
    BOOST_TEST_MESSAGE((shape == ShapeKind::disc ? "discs" : "polygons")
                       << ": stress turned back differs by " << worst);
    BOOST_TEST(worst < 1e-9);
    const EnergyLedger at_end = run.ledger();
    BOOST_TEST(at_end.kinetic == at_start.kinetic, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(at_end.stored() == at_start.stored(), boost::test_tools::tolerance(1e-6));
    BOOST_TEST(std::abs(at_end.residual() - at_start.residual()) < 1e-6 * at_end.absolute_work);
    run_stage(run, 4);  // and it goes on from there
    BOOST_TEST(run.finished());
    BOOST_TEST(run.ledger().relative_residual() < 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(same_bits_for_any_number_of_threads) {
  Case c = plane_cell(ShapeKind::disc, 60, 0.3);
  c.stages = {cell_stage(at_stress(-1), at_stress(-1), at_rate(0.02))};
  c.stages[0].cell->largest_rate = 0.1;
  c.stages[0].duration = 1e9;
  std::uint64_t hash = 0;
  for (int threads : {1, 2, 8}) {
    c.threads = threads;
    Simulation run(c);
    advance(run, 2000);
    BOOST_TEST(run.contact_count() > 0u);
    if (threads == 1) hash = run.hash();
    BOOST_TEST(run.hash() == hash);
  }
}

BOOST_AUTO_TEST_CASE(refused) {
  const auto says = [](const char* part) {
    return [part](const AssemblyError& e) { return std::string(e.what()).find(part) != std::string::npos; };
  };
  Case c = plane_cell(ShapeKind::disc, 30, 1);
  c.stages = {cell_stage(at_rate(0.1), at_rate(0))};
  c.periodic[1] = false;
  BOOST_CHECK_EXCEPTION(Simulation{c}, AssemblyError, says("y is not"));
  c.periodic[1] = true;
  c.assembly.random->count = 4;
  c.assembly.random->void_ratio = 0.6;
  BOOST_CHECK_EXCEPTION(Simulation{c}, AssemblyError, says("use a larger cell"));
}

BOOST_AUTO_TEST_CASE(a_fixed_body_is_refused_where_the_cell_deforms) {
  Case c = plane_cell(ShapeKind::disc, 1, 1);
  c.assembly.random.reset();
  c.cell_size = {6, 6, 0};
  for (int k = 0; k < 9; ++k) {
    BodySpec body;
    body.shape = ShapeKind::disc;
    body.radius = 0.5;
    body.position = {1 + 2.0 * (k % 3), 1 + 2.0 * (k / 3), 0};
    c.assembly.bodies.push_back(body);
  }
  c.stages = {cell_stage(at_rate(0.1), at_rate(0))};
  c.stages[0].duration = 1;
  BodySpec& held = c.assembly.bodies.at(7);
  held.name = "held";
  held.fix_x = true;
  Simulation{c};  // it follows along y
  held.fix_y = true;
  BOOST_CHECK_EXCEPTION(Simulation{c}, AssemblyError, [](const AssemblyError& e) {
    const std::string text = e.what();
    return text.find("body 7 'held'") != std::string::npos && text.find("free it, or take it out") != std::string::npos;
  });
  c.stages[0].cell = CellDrive{};
  c.stages[0].cell->turn_angle = 0.1;
  c.stages[0].cell->turn_steps = 10;
  Simulation{c};  // a rigid turn takes everything along
}

BOOST_AUTO_TEST_CASE(the_stress_is_worked_out_when_asked_for) {
  Case c = pressed_lattice(6, 6);
  c.stages = {cell_stage(at_rate(-0.02), at_rate(0.01), at_rate(0.03))};
  c.stages[0].duration = 1e9;
  Simulation asked(c), not_asked(c);
  for (int k = 0; k < 50; ++k) {
    asked.step();
    not_asked.step();
    Tensor3 expected = asked.contact_engine().virial(asked.state());
    expected *= 1 / asked.driver<CellDriver>()->volume();
    BOOST_TEST((asked.driver<CellDriver>()->stress().m == expected.m));
    BOOST_TEST(norm(expected * Vec3{1, 0, 0}) > 0);
  }
  BOOST_TEST(asked.hash() == not_asked.hash());
  BOOST_TEST((asked.driver<CellDriver>()->stress().m == not_asked.driver<CellDriver>()->stress().m));
  const CellDriver& kept = *asked.driver<CellDriver>();
  asked.step();
  BOOST_CHECK_THROW(kept.stress(), std::logic_error);  // never that of another step
  BOOST_CHECK_NO_THROW(asked.driver<CellDriver>()->stress());
  // A servo that takes over from a stage without one starts from the stress that is there, as does one whose stress was
  // looked at.
  c.stages[0].duration = 20 * c.time.step;
  c.stages.push_back(cell_stage(at_stress(-1), at_stress(-1)));
  c.stages[1].duration = 1e9;
  Simulation watched(c), unwatched(c);
  for (int k = 0; k < 60; ++k) {
    watched.step();
    unwatched.step();
    BOOST_TEST(std::isfinite(watched.driver<CellDriver>()->stress().m[0][0]));
  }
  BOOST_TEST(watched.stage() == 1u);
  BOOST_TEST(watched.hash() == unwatched.hash());
}

BOOST_AUTO_TEST_CASE(progress_of_a_rigid_turn) {
  Case c = pressed_lattice(6, 6);
  c.stages = {Stage{}};
  c.stages[0].cell.emplace();
  c.stages[0].cell->turn_angle = 0.1;
  c.stages[0].cell->turn_steps = 8;
  Simulation run(c);
  for (int k = 0; k < 8; ++k) {
    BOOST_TEST(run.stage_progress() == k / 8.0);
    run.step();
  }
  BOOST_TEST(run.finished());
}

BOOST_AUTO_TEST_SUITE_END()
