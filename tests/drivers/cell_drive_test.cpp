// The driven cell: its motion, the work on it, what the servo holds. tests/bad-assemblies has refused input.
#include "libdem/drivers/cell_drive.hpp"

#include "cell_cases.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/measure/stress.hpp"

namespace {

/// Pressed isotropically to pressure 1 until it is in balance, with little friction.
Stage isotropic(Stage stage, double largest_rate, double duration) {
  stage.friction = 0.1;
  stage.unbalanced = 2e-3;
  stage.cell->largest_rate = largest_rate;
  return lasting(duration, stage);
}

const CellDriver& cell(const Simulation& run) { return *run.driver<CellDriver>(); }

/// The largest difference of entries in the plane, over |b_xx|.
double difference(const Tensor3& a, const Tensor3& b) {
  double worst = 0;
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t k = 0; k < 2; ++k) worst = std::max(worst, std::abs(a.m[r][k] - b.m[r][k]));
  return worst / std::abs(b.m[0][0]);
}

/// Runs to the end, and calls a function at the end of each stage: its number, and record and stress of its last step.
template <class Check>
void run_stages(Simulation& run, Check check) {
  while (!run.finished()) {
    const ServoRecord record = cell(run).record();
    const Tensor3 stress = cell(run).stress();
    const std::size_t stage = run.stage();
    run.step();
    if (run.stage() == stage && !run.finished()) continue;
    check(stage, record, stress);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_constant_rate_is_logarithmic_strain_and_bodies_follow) {
  // Far apart: nothing but the cell moves them. Cell and bodies follow exp(L t), and a trace of zero keeps the volume.
  Case c = plane_cell(ShapeKind::disc, 12, 30);
  c.stages = {lasting(0.7, cell_stage(at_rate(-0.05), at_rate(0.05), at_rate(0.08)))};
  Simulation run(c);
  const geometry::Cell start = run.state().cell;
  const auto at_start = run.state().bodies.position[0];
  finish(run);
  const double t = run.time(), grown = std::exp(0.05 * t);
  BOOST_TEST(t == 0.7, tolerance(1e-12));
  // exp of [[-a, s], [0, a]] t: the corner is s sinh(a t)/a.
  const double corner = 0.08 * std::sinh(0.05 * t) / 0.05;
  const auto carried = [&](Vec3 x) { return Vec3{x.x / grown + corner * x.y, x.y * grown, x.z}; };
  for (std::size_t a = 0; a < 2; ++a) BOOST_TEST(norm(run.state().cell.vectors[a] - carried(start.vectors[a])) < 1e-11);
  BOOST_TEST(cell_volume(run.state().cell) == cell_volume(start), tolerance(1e-12));
  for (std::size_t b = 0; b < at_start.size(); ++b)
    BOOST_TEST(norm(run.state().bodies.position[0][b] - carried(at_start[b])) < 1e-11);
  BOOST_TEST(cell(run).strains()[0] == -0.05 * t, tolerance(1e-12));
  BOOST_TEST(cell(run).strains()[3] == 0.08 * t, tolerance(1e-12));
  const Tensor3 kinetic = kinetic_stress_of_cell(run.state());
  BOOST_TEST(std::hypot(kinetic.xx(), kinetic.yy()) < 1e-20);
  BOOST_TEST(run.contact_count() == 0u);
  BOOST_TEST(run.ledger().boundary_work != 0);
  BOOST_TEST(run.ledger().relative_residual() < 1e-12);
}

BOOST_AUTO_TEST_CASE(stress_of_an_affine_lattice) {
  // A lattice of equal discs stays a lattice: its stress is the closed form of the sum over six neighbours.
  Case c = pressed_lattice(6, 6);
  c.material.friction = 0;
  c.stages = {lasting(0.35, cell_stage(at_rate(-2e-3), at_rate(1e-3), at_rate(3e-3)))};
  const Simulation run = finished(c);
  const auto& v = run.state().cell.vectors;
  // Lattice vectors: a sixth of the cell's first, and a sixth of its second plus half of one, since rows are staggered.
  const Vec2 a = 1.0 / 6 * planar(v[0]), b = 1.0 / 6 * planar(v[1]) + 0.5 * a;
  Tensor3 expected;
  for (const Vec2 l : {a, b, b - a}) {
    const double overlap = 1 - norm(l);
    BOOST_TEST(overlap > 0);
    expected.add(-1000 * overlap / norm(l) * 36 / cell_volume(run.state().cell), spatial(l), spatial(l));
  }
  // The dashpots act too, with the velocities of the cell. Without them the stress is exact to round-off.
  BOOST_TEST(difference(cell(run).stress(), expected) < 0.03);
  c.material.restitution = 1;
  const Simulation elastic = finished(c);
  BOOST_TEST(difference(cell(elastic).stress(), expected) < 1e-9);
}

BOOST_AUTO_TEST_CASE(work_on_the_cell_closes_the_ledger) {
  // Elastic and smooth, the residual is of second order; sliding and damped it stays below 1e-3 of the work.
  Case c = pressed_lattice(6, 6);
  c.material.friction = 500;
  c.material.restitution = 1;
  std::get<LatticeSpec>(c.assembly.generator).random_angle = 0.3;
  c.stages = {lasting(0.56, cell_stage(at_rate(-4e-3), at_rate(1e-3), at_rate(6e-3)))};
  double residual[3];
  for (int half = 0; half < 3; ++half) {
    c.time.step = 2.8e-3 / (1 << half);
    c.time.override_limit = true;
    const Simulation run = finished(c);
    residual[half] = run.ledger().relative_residual();
    BOOST_TEST(std::abs(run.ledger().boundary_work) > 1e-3);
  }
  BOOST_TEST(residual[0] < 1e-3);
  BOOST_TEST((residual[2] < 1e-12 || 0.5 * std::log2(residual[0] / residual[2]) > 1.8));
  for (ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon}) {
    Case dense = plane_cell(shape, 48, shape == ShapeKind::disc ? 0.3 : 0.75);
    dense.stages = {cell_stage(at_rate(-0.05), at_rate(-0.05)),
                    lasting(2, cell_stage(at_rate(0.02), at_rate(-0.02), at_rate(0.05)))};
    dense.stages[0].void_ratio = shape == ShapeKind::disc ? 0.19 : 0.16;
    const Simulation run = finished(dense);
    const EnergyLedger l = run.ledger();
    BOOST_TEST(run.contact_count() > 60u);
    BOOST_TEST(l.friction > 0);
    BOOST_TEST(l.relative_residual() < 1e-3);
    BOOST_TEST(std::abs(l.residual()) < 0.05 * l.friction);
  }
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
    c.stages = {isotropic(cell_stage(at_stress(-1), at_stress(-1)), 0.02, 100), biaxial, constant_mean, shear,
                lasting(4, cell_stage(at_stress(-1.2), at_stress(-1.2), at_stress(0.1)))};
    Simulation run(c);
    run_stages(run, [&](std::size_t stage, const ServoRecord& record, const Tensor3& stress) {
      BOOST_TEST_CONTEXT((shape == ShapeKind::disc ? "discs" : "polygons") << ", stage " << stage) {
        BOOST_TEST(record.held);
        BOOST_TEST(record.steps > 50);
        BOOST_TEST(record.mean() < 1e-3);
        if (stage == 1) BOOST_TEST(stress.yy() < -1.05);
        if (stage == 2) BOOST_TEST(mean_pressure(stress, 2) == 1.2, tolerance(2e-3));
        if (stage == 3) BOOST_TEST(stress.xy() > 0.05);
        if (stage == 4) BOOST_TEST(std::abs(stress.xy() - 0.1) < 2e-3);
      }
    });
    BOOST_TEST(cell(run).worst_record().has_value());
  }
}

BOOST_AUTO_TEST_CASE(triaxial_at_constant_mean_stress_and_shear_at_constant_stress) {
  Case c = space_cell(ShapeKind::sphere, 120, 0.75);
  Stage press = space_stage(at_stress(-1), at_stress(-1), at_stress(-1)), shear = press;
  Stage triaxial = space_stage(at_rate(-4e-4), at_mean_pressure(), at_mean_pressure());
  triaxial.cell->mean_pressure = 1;
  triaxial.stress_ratio = 0.5;
  triaxial.duration = 10;
  shear.cell->component[4] = at_rate(4e-4);
  shear.strain = 8e-4;
  c.stages = {isotropic(press, 0.05, 30), triaxial, shear};
  Simulation run(c);
  double shear_before = 0;
  run_stages(run, [&](std::size_t stage, const ServoRecord& record, const Tensor3& stress) {
    BOOST_TEST(record.held);
    if (stage > 0) BOOST_TEST(record.mean() < 1e-3);
    if (stage == 1) {
      BOOST_TEST(mean_pressure(cell(run).stress(), 3) == 1.0, tolerance(3e-3));
      BOOST_TEST(std::abs(stress.m[1][1] - stress.m[2][2]) < 3e-3);
      BOOST_TEST(deviator_stress(cell(run).stress(), 3) == 0.5, tolerance(0.01));
      BOOST_TEST(run.time() < 40);
      shear_before = stress.m[0][2];
    }
    if (stage == 2) BOOST_TEST(stress.m[0][2] > shear_before + 0.1);
  });
  BOOST_TEST(run.ledger().relative_residual() < 1e-3);
}

BOOST_AUTO_TEST_CASE(a_stage_starts_at_the_rate_that_holds_the_stress) {
  // Without this start the servo answers only once the stress of the held direction is wrong.
  Case c = plane_cell(ShapeKind::disc, 60, 0.25);
  c.stages = {isotropic(cell_stage(at_stress(-1), at_stress(-1)), 0.02, 100),
              lasting(1, cell_stage(at_stress(-1), at_rate(-2e-4)))};
  Simulation run(c);
  while (run.stage() == 0) run.step();
  run.step();
  BOOST_TEST(cell(run).rate()[1] == -2e-4);
  BOOST_TEST(cell(run).rate()[0] > 0.1 * 2e-4);  // Poisson's ratio of the packing is 0.18
  BOOST_TEST(cell(run).rate()[0] < 1.0 * 2e-4);
}

BOOST_AUTO_TEST_CASE(a_servo_that_cannot_hold_says_so) {
  // Far too loose for the duration: the stress is never reached.
  Case c = plane_cell(ShapeKind::disc, 30, 2);
  c.stages = {lasting(0.5, cell_stage(at_stress(-1), at_stress(-1))), lasting(0.1)};
  c.stages[0].cell->largest_rate = 0.01;
  Simulation run(c);
  while (!run.finished()) {
    run.step();
    if (run.stage() == 0)
      for (int p = 0; p < 2; ++p) BOOST_REQUIRE(std::abs(cell(run).rate()[std::size_t(p)]) <= 0.01);
  }
  BOOST_TEST(cell(run).rate()[0] == 0);  // a stage without a cell leaves it at rest
  const auto worst = cell(run).worst_record();
  BOOST_REQUIRE(worst);
  BOOST_TEST(!worst->held);
  BOOST_TEST(std::isinf(worst->share()));
  BOOST_TEST(worst->largest > 0.99);
}

BOOST_AUTO_TEST_CASE(the_stress_is_worked_out_when_asked_for) {
  Case c = pressed_lattice(6, 6);
  c.stages = {lasting(1e9, cell_stage(at_rate(-0.02), at_rate(0.01), at_rate(0.03)))};
  Simulation asked(c), not_asked(c);
  for (int k = 0; k < 50; ++k) {
    asked.step(), not_asked.step();
    Tensor3 expected = asked.contact_engine().virial(asked.state());
    expected *= 1 / cell(asked).volume();
    BOOST_TEST((cell(asked).stress().m == expected.m));
    BOOST_TEST(norm(expected * Vec3{1, 0, 0}) > 0);
  }
  BOOST_TEST(asked.hash() == not_asked.hash());
  BOOST_TEST((cell(asked).stress().m == cell(not_asked).stress().m));
  const CellDriver& kept = cell(asked);
  asked.step();
  BOOST_CHECK_THROW(kept.stress(), std::logic_error);  // never that of another step
  BOOST_CHECK_NO_THROW(cell(asked).stress());
  // A servo that takes over from a stage without one starts from the stress that is there, watched before or not.
  c.stages[0].duration = 20 * c.time.step;
  c.stages.push_back(lasting(1e9, cell_stage(at_stress(-1), at_stress(-1))));
  Simulation watched(c), unwatched(c);
  for (int k = 0; k < 60; ++k) {
    watched.step(), unwatched.step();
    BOOST_TEST(std::isfinite(cell(watched).stress().m[0][0]));
  }
  BOOST_TEST(watched.stage() == 1u);
  BOOST_TEST(watched.hash() == unwatched.hash());
}
