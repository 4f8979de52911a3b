// Plates and stages: heights, stresses and velocities in closed form (polygon-dem reference, §8).
#include "libdem/drivers/plates.hpp"

#include "assembly_cases.hpp"

namespace {

const auto closely = tolerance(1e-12);
constexpr double k_n = 150, width = 2;  // N/m, m

/// A column of discs of radius ½ m that just touch: the bottom plate at y = 0, `free` discs, the top plate.
Case column(int free, std::vector<Stage> stages) {
  Case c;
  c.material = {.normal_stiffness = k_n, .tangential_stiffness = 50, .friction = 0.5, .restitution = 0.3};
  c.contact.normal_force = NormalForce::overlap;
  c.time.step = 1e-3;
  c.cell_size = {width, 0};
  c.use_driver(PlatesSpec{});
  for (int k = 0; k <= free + 1; ++k) {
    BodySpec b{.shape = ShapeKind::disc, .radius = 0.5, .position = {0, double(k)}};
    if (k == 0 || k == free + 1) {
      b.group = k == 0 ? "bottom-plate" : "top-plate";
      hold(b);
    }
    c.assembly.bodies.push_back(b);
  }
  c.stages = std::move(stages);
  return c;
}

Stage hold_height(std::optional<double> duration) { return {.duration = duration}; }
Stage move_to(double height, double speed) {
  return {.normal = PlateNormal::move_to_height, .height = height, .plate_speed = speed, .until_target = true};
}
Stage hold_stress(double stress, double speed, std::optional<double> duration) {
  return {.normal = PlateNormal::hold_stress, .normal_stress = stress, .plate_speed = speed, .duration = duration};
}
Stage shear_to(double strain, double rate) { return {.shear_rate = rate, .strain = strain}; }

double height_of(const Simulation& run) { return run.driver<Plates>()->height(); }
double top(const Simulation& run) { return run.state().bodies.position[0].back().y; }
double bottom(const Simulation& run) { return run.state().bodies.position[0].front().y; }

}  // namespace

BOOST_AUTO_TEST_CASE(hold_height_moves_nothing) {
  Case c = column(2, {hold_height(0.5)});
  c.assembly.bodies[1].position.y += 0.01;  // pressed against its neighbour, and all against the plates
  const Simulation run = finished(c);
  BOOST_TEST((top(run) == 3 && bottom(run) == 0 && height_of(run) == 3));
  BOOST_TEST(run.step_count() == 500u);
  BOOST_TEST(std::isnan(run.driver<Plates>()->servo_error()));
}

BOOST_AUTO_TEST_CASE(move_to_height_arrives_exactly_and_never_passes) {
  for (const double target : {2.97, 3.05, 3.0}) {
    Simulation run(column(2, {move_to(target, 0.0123), hold_height(0.01)}));
    double before = 3;
    while (run.stage() == 0) {
      run.step();
      const double now = height_of(run);
      BOOST_REQUIRE(std::abs(now - before) <= 0.0123 * 1e-3 * (1 + 1e-9));
      BOOST_REQUIRE((target < 3 ? now >= target - 1e-14 && now <= before : now <= target + 1e-14 && now >= before));
      before = now;
    }
    BOOST_TEST(std::abs(height_of(run) - target) <= 1e-14);
    BOOST_TEST(run.step_count() == std::max(1u, unsigned(std::ceil(std::abs(target - 3) / 0.0123e-3))));
    BOOST_TEST(bottom(run) == 0);  // the bottom plate keeps its height
    finish(run);
    BOOST_TEST(std::abs(height_of(run) - target) <= 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(held_stress_compresses_columns_by_their_compliance) {
  // n + 1 contacts of stiffness k_n in series: the height falls by (n + 1) σW/k_n.
  for (const int free : {1, 4}) {
    const double stress = 2.5;
    Stage stage = hold_stress(stress, 1, 1000);
    stage.until_target = true;
    stage.stress_tolerance = 1e-4;
    stage.stress_hold_time = 2;
    Simulation run(column(free, {stage}));
    double since = -1;  // the last time at which the stress came within its tolerance
    while (!run.finished()) {
      run.step();
      const bool off = std::abs(run.driver<Plates>()->stress().normal_top / stress - 1) > 1e-4;
      since = off ? -1 : since < 0 ? run.time() : since;
    }
    BOOST_TEST(since > 0);
    BOOST_TEST(run.time() - since == 2, tolerance(1e-3));
    BOOST_TEST(height_of(run) == free + 1 - (free + 1) * stress * width / k_n, tolerance(1e-6));
    BOOST_TEST(run.driver<Plates>()->stress().normal_top == stress, tolerance(1e-4));
    BOOST_TEST(run.driver<Plates>()->stress().normal_bottom == stress, tolerance(2e-4));
    BOOST_TEST(std::abs(run.driver<Plates>()->servo_error()) < 1e-4);
    BOOST_TEST(run.time() < 100);
    BOOST_TEST(bottom(run) == 0);
  }
  // Squares on top of each other: F = k_n A/l_c with A = a·depth, l_c = 2a/√2π, so k = k_n √2π/2 a contact.
  Case c = column(1, {hold_stress(4, 1, 60)});
  c.contact.normal_force = NormalForce::area_over_length;
  for (BodySpec& b : c.assembly.bodies)
    b.shape = ShapeKind::polygon, b.outline = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  const Simulation run = finished(c);
  BOOST_TEST(height_of(run) == 2 - 2 * 4 * width / (k_n * std::sqrt(2 * 3.14159265358979324) / 2), tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(unresisted_plate_is_a_braked_bar) {
  // M v′ = −σW − c v, c = σW/speed, by backward Euler: v_k = −speed (1 − (1 + cΔt/M)^−k).
  Case c = column(1, {hold_stress(0.5, 0.2, 20)});
  c.assembly.bodies[2].position.y = 30;  // far above
  Simulation run(c);
  const double mass = run.state().bodies.mass.back(), rate = 0.5 * width / 0.2 / mass * 1e-3;
  for (int k = 1; k <= 5000; ++k) {
    run.step();
    if (k % 500 == 1 || k < 5)
      BOOST_TEST(run.state().velocity(2).y == -0.2 * (1 - std::pow(1 + rate, -(k + 1))), tolerance(1e-9));
  }
  BOOST_TEST(run.state().velocity(2).y == -0.2, tolerance(1e-6));
  BOOST_TEST(run.driver<Plates>()->servo_error() == -1);
  BOOST_TEST(!run.driver<Plates>()->target_reached());
}

BOOST_AUTO_TEST_CASE(shear_velocities_follow_the_height) {
  Stage stage = move_to(2.9, 0.05);
  stage.shear_rate = 0.3;
  stage.until_target = false;
  stage.duration = 3;
  Case c = column(1, {stage});
  c.assembly.bodies[2].position.y = 3;  // no contact with the free disc
  Simulation run(c);
  double x = 0;
  for (int k = 0; k < 2500; ++k) {
    const double height = height_of(run);
    run.step();
    BOOST_REQUIRE(std::abs(run.state().velocity(2).x - 0.5 * 0.3 * height) < 1e-12);
    BOOST_REQUIRE(std::abs(run.state().velocity(0).x + 0.5 * 0.3 * height) < 1e-12);
    x += 0.5 * 0.3 * height * 1e-3;
  }
  // Positions follow the velocity of their step, strain the rate.
  BOOST_TEST(run.state().bodies.position[0][2].x == x, tolerance(1e-10));
  BOOST_TEST(run.state().bodies.position[0][0].x == -x, tolerance(1e-10));
  BOOST_TEST(run.strain() == 0.3 * 2.5, tolerance(1e-10));
  BOOST_TEST(run.state().bodies.rotation[0][2].z == 0);
}

BOOST_AUTO_TEST_CASE(stresses_are_forces_per_width_without_external_ones) {
  Case c = column(1, {hold_height(1)});
  c.gravity = {1, -2};
  for (std::size_t k : {0, 2}) c.assembly.bodies[k].force = {30, 40};  // on the plates: theirs, not the assembly's
  c.assembly.bodies[1].position.y = 1.002;  // 0.002 into the top plate, free of the bottom one
  c.assembly.bodies[1].velocity = {0, 0};
  const WallStress s = Simulation(c).driver<Plates>()->stress();
  BOOST_TEST(s.normal_top == k_n * 0.002 / width, tolerance(1e-9));
  BOOST_TEST(std::abs(s.normal_bottom) < 1e-12);
  BOOST_TEST(s.normal() == 0.5 * k_n * 0.002 / width, tolerance(1e-9));
  BOOST_TEST(std::abs(s.shear_top) < 1e-12);
}

BOOST_AUTO_TEST_CASE(shear_stress_is_that_of_friction) {
  // A disc without rotation between plates that shear: both contacts slide at last, τ = μσ on either plate.
  Stage shear = hold_height(4);
  shear.shear_rate = 0.05;
  Case c = column(1, {shear});
  c.assembly.bodies[1].fix_rotation = true;
  c.assembly.bodies[2].position.y = 1.99;
  c.assembly.bodies[1].position.y = 0.995;
  c.material.tangential_stiffness = 450;
  c.time.step = 5e-4;
  const Simulation run = advanced(c, 200);
  const WallStress s = run.driver<Plates>()->stress();
  BOOST_TEST((run.contacts()[0].regime == Regime::slip && run.contacts()[1].regime == Regime::slip));
  // On discs the sliding force tilts with the normal; after 0.1 s by 0.005.
  BOOST_TEST(s.shear_top == 0.5 * s.normal_top, tolerance(0.03));
  BOOST_TEST(s.shear_bottom == s.shear_top, tolerance(0.01));
  BOOST_TEST(s.shear() > 0);  // along +x at the top is positive
}

// The first criterion ends a stage. Strain counts from the start of its stage, and may be negative.
BOOST_AUTO_TEST_CASE(stages_one_after_the_other_each_by_its_own_end) {
  const Stage up = shear_to(0.001, 0.01);
  Stage by_strain = shear_to(0.002, 0.01), by_time = by_strain, in_time = move_to(2.5, 0.1);
  by_strain.duration = 0.3, by_time.duration = 0.1, in_time.duration = 0.25;
  const std::tuple<std::vector<Stage>, unsigned, double> rows[] = {{{by_strain}, 200, 0.002},
                                                                   {{by_time}, 100, 0.001},
                                                                   {{in_time}, 250, 0},
                                                                   {{up, up, up}, 300, 0.003},
                                                                   {{up, shear_to(0.001, -0.01)}, 200, 0}};
  for (const auto& [stages, steps, strain] : rows) {
    const Simulation run = finished(column(1, stages));
    BOOST_TEST(run.step_count() == steps);
    BOOST_TEST(std::abs(run.strain() - strain) < 1e-15);
  }
  // By strain: 0.2 s.
  Simulation run(column(1, {hold_height(0.1), shear_to(0.002, 0.01), move_to(2.01, 0.1), hold_height(0.05)}));
  std::vector<std::uint64_t> ends;
  std::size_t stage = 0;
  while (!run.finished()) {
    run.step();
    if (run.stage() != stage) {
      BOOST_REQUIRE(run.stage() == ++stage);
      ends.push_back(run.step_count());
    }
    BOOST_REQUIRE((run.stage_progress() >= 0 && run.stage_progress() <= 1));
  }
  BOOST_TEST((ends == std::vector<std::uint64_t>{100, 300, 400, 450}));
  BOOST_TEST(run.strain() == 0.002, closely);
  BOOST_TEST(run.stage_progress() == 1);
}

BOOST_AUTO_TEST_CASE(cycles_of_strain_close_exactly_for_any_time_step) {
  // γ₀ → γ₀ + A → γ₀ − A → γ₀. A is no multiple of γ̇Δt, the height is not constant, the strain at the start is not 0.
  for (const double direction : {1.0, -1.0})
    for (const double dt : {1e-3, 3.7e-4}) {
      Stage before = hold_height(0.1);
      before.shear_rate = 0.02;
      const double amplitude = 0.00234567;
      Stage stage = hold_stress(0.5, 0.01, {});
      stage.cycles = 3;
      stage.strain_amplitude = amplitude;
      stage.shear_rate = 0.03 * direction;
      Case c = column(1, {before, stage});
      c.time.step = dt;
      c.assembly.bodies[2].position.y = 3;  // far above, so that the height falls all the time
      Simulation run = at_stage(c, 1);
      const double centre = run.strain(), height = height_of(run), x = run.state().bodies.position[0][2].x;
      double low = 0, high = 0, done = 0, before_step = centre;
      std::uint64_t steps = 0;
      int turns = 0, sign = direction > 0 ? 1 : -1;
      while (!run.finished()) {
        run.step();
        ++steps;
        const double moved = run.strain() - before_step;
        BOOST_REQUIRE(std::abs(moved) <= 0.03 * dt * (1 + 1e-9));
        if (moved * sign < 0) ++turns, sign = -sign;
        before_step = run.strain();
        low = std::min(low, run.strain() - centre);
        high = std::max(high, run.strain() - centre);
        // The plates follow the strain: displacement ±γH₀/2.
        const double expected = x + 0.5 * (run.strain() - centre) * height;
        BOOST_REQUIRE(std::abs(run.state().bodies.position[0][2].x - expected) < 1e-14);
        BOOST_REQUIRE(run.stage_progress() >= done - 1e-12);
        done = run.stage_progress();
      }
      BOOST_TEST(run.strain() == centre);
      BOOST_TEST(high == amplitude, closely);
      BOOST_TEST(low == -amplitude, closely);
      BOOST_TEST(turns == 6);
      // Legs of A, 2A … A, each rounded up to full steps.
      const double leg = amplitude / (0.03 * dt);
      BOOST_TEST(steps == 2 * std::uint64_t(std::ceil(leg)) + 5 * std::uint64_t(std::ceil(2 * leg)));
      BOOST_TEST(run.driver<Plates>()->cycles_done() == 3);
    }
}

BOOST_AUTO_TEST_CASE(quiet_ends_when_the_bodies_have_come_to_rest) {
  Case c = column(1, {Stage{.quiet = 1e-9}});
  c.assembly.bodies[1].velocity = {0, 0.05};
  c.assembly.bodies[2].position.y = 1.98;
  c.assembly.bodies[1].position.y = 0.99;
  Simulation run(c);
  double energy = 1;
  while (!run.finished()) {
    energy = run.ledger().kinetic;
    BOOST_REQUIRE(run.step_count() < 100000u);
    run.step();
  }
  BOOST_TEST(run.ledger().kinetic < 1e-9);
  BOOST_TEST(run.step_count() > 100u);
  BOOST_TEST(run.step_count() % 16 == 0u);  // looked at every 16 steps
  BOOST_TEST(energy < 1e-6);
}
