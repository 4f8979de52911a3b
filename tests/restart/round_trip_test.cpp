// A run saved to a checkpoint file and loaded into a fresh simulation goes on with the same bits.
#include "cell_cases.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/results/checkpoint.hpp"
#include "results/results_test_tools.hpp"

namespace {

/// Saves at each of the steps. The loaded run is compared at once and 500 steps later with the run that was never
/// interrupted. A state with enough contacts, or the one asked for, has to be among those saved.
void check_round_trips(const Case& c, std::vector<std::uint64_t> at,
                       const std::function<bool(const Simulation&)>& tells = {}) {
  const TemporaryFolder folder;
  constexpr std::uint64_t more = 500;
  std::sort(at.begin(), at.end());
  Simulation run(c);
  std::vector<Simulation> resumed;  // advanced in step with the run that goes on
  const auto check = [&](const Simulation& other, std::size_t k) {
    BOOST_TEST_CONTEXT("loaded at step " << at[k] << ", now at step " << run.step_count()) {
      const EnergyLedger x = other.ledger(), y = run.ledger();
      BOOST_TEST(other.hash() == run.hash());
      BOOST_TEST(std::memcmp(&x, &y, sizeof x) == 0);
      BOOST_TEST(other.stage() == run.stage());
      BOOST_TEST(other.contact_count() == run.contact_count());
    }
  };
  bool told = !tells;
  while (run.step_count() < at.back() + more) {
    if (const std::size_t next = resumed.size(); next < at.size() && run.step_count() == at[next]) {
      const auto file = folder.path / "checkpoint.h5";
      write_checkpoint(file, {"test", run.step_count(), run.time()}, [&](ArchiveWriter& a) { run.save(a); });
      resumed.emplace_back(c).load(read_checkpoint(file));
      check(resumed.back(), next);
      told = told || tells(run);
    }
    run.step();
    for (std::size_t k = 0; k < resumed.size(); ++k) {
      if (run.step_count() > at[k] + more) continue;
      resumed[k].step();
      if (run.step_count() == at[k] + more) check(resumed[k], k);
    }
  }
  BOOST_TEST(told);
}

std::function<bool(const Simulation&)> more_contacts_than(std::size_t n) {
  return [n](const Simulation& run) { return run.contact_count() > n; };
}

Case small_discs() {
  Case c = disc_shear();
  auto& lattice = std::get<LatticeSpec>(c.assembly.generator);
  lattice.columns = lattice.rows = 6;
  return c;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sheared_polygons_and_discs) {
  check_round_trips(small_shear(), {0, 1, 137, 399, 400, 401, 777}, more_contacts_than(50));
  check_round_trips(small_discs(), {0, 200, 650}, more_contacts_than(30));
}

BOOST_AUTO_TEST_CASE(scattered_numbers) {
  Case c = scattered_cloud(Grain::pentagon);
  c.assembly.largest_start_overlap = 0.5;
  c.output.plane_jumps = true;
  check_round_trips(c, {150}, more_contacts_than(100));
}

BOOST_AUTO_TEST_CASE(several_components) {
  const Case c = cloud(Grain::comb, 6, 1);
  std::vector<std::uint64_t> at;  // each twentieth step at which a pair has several components
  Simulation look(c);
  for (std::uint64_t found = 0; look.step_count() < 1500; look.step())
    if (most_components(look) >= 2 && found++ % 20 == 0) at.push_back(look.step_count());
  BOOST_TEST_REQUIRE(at.size() >= 3u);
  if (at.size() > 8) at.resize(8);
  check_round_trips(c, at, [](const Simulation& run) { return most_components(run) >= 2; });
}

BOOST_AUTO_TEST_CASE(every_kind_of_stage) {
  // Approach to a height, then shear at that height. Press until a stress is held for a while, then wait for quiet.
  Case c = small_shear();
  c.stages = case_of(R"(
material = {normal_stiffness = 400, tangential_stiffness = 1, friction = 0.5, restitution = 0.9}
time.step = 0.003
assembly = {generator = "voronoi", columns = 6, rows = 7}
plates = {}
stage = [{normal = "move-to-height", height = 5.8, plate_speed = 0.3, until_target = true},
         {shear_rate = 0.05, strain = 0.01},
         {normal = "hold-stress", normal_stress = 4, plate_speed = 0.2, stress_tolerance = 0.5, until_target = true},
         {quiet = 1e-3, duration = 1e9}]
)")
                 .stages;
  c.stages[2].stress_hold_time = 0.3;
  // Which steps are in which stage: from a run of its own.
  std::vector<std::uint64_t> begins;
  for (Simulation run(c); run.step_count() < 6000 && begins.size() < 4; run.step())
    if (begins.size() == run.stage()) begins.push_back(run.step_count());
  BOOST_TEST_REQUIRE(begins.size() == 4u);
  std::vector<std::uint64_t> at;
  for (std::size_t s = 0; s < 4; ++s) {
    at.push_back(begins[s]);
    at.push_back(s < 3 ? (begins[s] + begins[s + 1]) / 2 : begins[s] + 5);
    if (s > 0) at.push_back(begins[s] - 1);
  }
  c.stages.back().quiet.reset();  // so that 500 steps follow
  check_round_trips(c, at);
}

BOOST_AUTO_TEST_CASE(cycles_of_strain) {
  Case c = small_discs();
  Stage& shear = c.stages[1];
  shear.duration.reset();
  shear.cycles = 50;
  shear.strain_amplitude = 0.0007;
  std::uint64_t before = 0;
  for (Simulation run(c); run.stage() == 0; ++before) run.step();
  // In the first leg, after some turning points, and elsewhere in a cycle.
  check_round_trips(c, {before + 7, before + 200, before + 333, before + 900},
                    [](const Simulation& run) { return run.driver<Plates>()->cycles_done() > 1.6; });
}

BOOST_AUTO_TEST_CASE(elongation_by_velocity_velocity_verlet_and_other_choices) {
  for (VelocitySource source : {VelocitySource::predicted, VelocitySource::corrected, VelocitySource::trapezoid}) {
    Case polygons = small_shear(), discs = small_discs();
    for (Case* c : {&polygons, &discs}) {
      c->contact.elongation = Elongation::velocity;
      c->contact.velocity_source = source;
      check_round_trips(*c, {310, 500});
    }
  }
  Case c = small_shear();
  c.time.integrator = Integrator::velocity_verlet;
  c.contact.normal_force = NormalForce::area_potential;
  c.contact.clip_tension = c.contact.damp_while_sliding = c.contact.arc_correction = true;
  c.material.rotational_damping = 0.01;
  c.gravity = {0.3, -0.1};
  check_round_trips(c, {310, 500});
}

BOOST_AUTO_TEST_CASE(polygons_between_walls) {
  Case c = cloud(Grain::pentagon, 4, 1);
  c.gravity = {0.1, -1};
  const Vec2 corners[] = {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}, {-3, -3}};
  for (int k = 0; k < 4; ++k) c.assembly.walls.push_back(line_wall("", corners[k], corners[k + 1]));
  check_round_trips(c, {300, 800}, more_contacts_than(3));
}

BOOST_AUTO_TEST_CASE(measurement_of_the_limit_on_schedule) {
  // Measurements do not change the state at any time. A resumed run keeps the schedule and the state.
  Case c = small_shear();
  c.time.limit_check_interval = 0.03;
  BOOST_TEST(advanced(c, 600).hash() == advanced(small_shear(), 600).hash());
  check_round_trips(c, {333});
}

BOOST_FIXTURE_TEST_CASE(another_case_is_refused, InTemporaryFolder) {
  const auto file = folder.path / "c.h5";
  const Simulation run = advanced(small_shear(), 10);
  write_checkpoint(file, {"test", run.step_count(), run.time()}, [&](ArchiveWriter& a) { run.save(a); });
  Case more = small_shear(), slower = small_shear();
  std::get<geometry::VoronoiInput>(more.assembly.generator).columns = 7;
  slower.time.step = 0.002;
  for (const Case& other : {more, slower}) {
    Simulation wrong(other);
    BOOST_CHECK_THROW(wrong.load(read_checkpoint(file)), std::runtime_error);
  }
}

BOOST_AUTO_TEST_CASE(servo_of_a_cell) {
  // In the approach, while stresses are held, and in the middle of a turn.
  for (ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon}) {
    Case c = plane_cell(shape, 48, shape == ShapeKind::disc ? 0.25 : 0.35);
    std::get<RandomSpec>(c.assembly.generator).sides = 12;
    Stage press = lasting(1500 * c.time.step, cell_stage(at_stress(-1), at_stress(-1)));
    press.cell->largest_rate = 0.1;
    press.friction = 0.1;
    Stage load = lasting(1000 * c.time.step, cell_stage(at_mean_pressure(), at_rate(-1e-2), at_stress(0.1)));
    load.cell->mean_pressure = 1.5;
    load.unbalanced = 1e-9;
    Stage turn = cell_stage({}, {});
    turn.cell->turn_angle = 1;
    turn.cell->turn_steps = 1000;
    c.stages = {press, load, turn};
    check_round_trips(c, {0, 1, 700, 1400, 1499, 1500, 1503, 2200, 2700}, more_contacts_than(20));
  }
}
