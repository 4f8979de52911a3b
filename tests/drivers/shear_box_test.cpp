// The box for direct shear: stages, balance of forces, plate by weight and by servo, resuming, spheres that get out.
// tests/bad-assemblies has refused boxes.
#include "libdem/drivers/shear_box.hpp"

#include "assembly_cases.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/state/groups.hpp"
#include "support/message_of.hpp"
#include "support/resumed.hpp"
#include "support/text.hpp"

namespace {

/// 90 spheres of 5 mm: rain, compaction under 2 kPa, rest, shear by half a diameter.
Case box_case() {
  return case_of(R"(
dimension = 3
gravity = [0.0, 0.0, -9.81]
contact = { law = "hertz-history", elongation = "velocity", velocity_source = "trapezoid" }
material = { density = 2500.0, shear_modulus = 1.2e7, poisson_ratio = 0.3, friction = 0.5, restitution = 0.8 }
time = { step = 1e-5, integrator = "velocity-verlet" }
shear_box = { length = 0.03, depth = 0.015, gap = 2.5e-3, height = 0.06, ledge = 5e-3 }
stage = [
  { name = "rain", duration = 0.15 },
  { name = "compact", duration = 0.08, plate_stress = 2000.0, friction = 0.05 },
  { name = "rest", duration = 0.04, plate_stress = 2000.0 },
  { name = "shear", duration = 1.0, plate_stress = 2000.0, shear_velocity = 0.05, shear_displacement = 2.5e-3 },
]
[assembly]
generator = "rain"
radius = 2.5e-3
columns = 3
rows = 3
layers = 10
centre = [0.015, 0.015]
lowest = -0.0124
)");
}
constexpr double load = 2000 * 0.03 * 0.03;  // N

ShearBoxReading read(const Simulation& run) { return run.driver<ShearBox>()->read(run.state()); }

/// Momentum of the spheres, and that of the plate upwards (M = σA/g).
std::pair<Vec3, double> momentum(const State& state) {
  Vec3 grains;
  for (std::size_t b = 0; b < 90; ++b) grains += state.bodies.mass[b] * state.velocity(b);
  return {grains, load / 9.81 * state.velocity(wall_named(state, "plate").value()).z};
}

}  // namespace

/// Readings balance step by step: what T, N, plate load, weights and drag leave is the gain of momenta, to round-off.
BOOST_AUTO_TEST_CASE(readings_balance_the_momenta) {
  Simulation run(box_case());
  BOOST_TEST(!run.driver<ShearBox>()->is_loaded());
  run_to(run, 2);
  const double dt = run.state().dt;
  const ShearBoxReading rest = read(run);
  BOOST_TEST(rest.weight_above + rest.weight_below == 90 * 1.6362461737446838e-4 * 9.81, tolerance(1e-9));
  BOOST_TEST(rest.void_ratio == 0.03 * 0.03 * (rest.plate_height + 0.015) / (90 * 6.544984694978736e-08) - 1,
             tolerance(1e-9));
  BOOST_TEST((rest.porosity() > 0.35 && rest.porosity() < 0.55), rest.porosity());
  for (const std::size_t until : {3u, 4u}) {
    const auto [grains, plate_before] = momentum(run.state());
    ShearBoxReading before = read(run);
    double along = 0, up = 0, plate = 0, shear = 0, time = 0;
    while (run.stage() < until) {
      run.step();
      const ShearBoxReading r = read(run);
      const auto gain = [](const ShearBoxReading& x) {
        return x.plane_normal_force - (x.plate_load + x.weight_above + x.wall_drag);
      };
      // Velocity Verlet takes the mean of both ends. The force at the start drives the plate.
      along += 0.5 * dt * (before.shear_force - before.shear_force_above + r.shear_force - r.shear_force_above);
      up += 0.5 * dt * (gain(before) + gain(r));
      plate += dt * (before.plate_load - load);
      shear += dt * r.shear_force;
      time += dt;
      before = r;
    }
    const auto [grains_after, plate_after] = momentum(run.state());
    const double scale = load * time;
    BOOST_TEST(std::abs(grains_after.x - grains.x - along) < 1e-12 * scale);
    BOOST_TEST(std::abs(grains_after.z - grains.z - up) < 1e-12 * scale);
    BOOST_TEST(std::abs(plate_after - plate_before - plate) < 1e-12 * scale);
    if (until == 4) BOOST_TEST(shear > 0.3 * scale);
  }
  BOOST_TEST(run.state().bodies.position[0][90].x == 2.5e-3, tolerance(1.1e-4));  // to half a step
  const EnergyLedger e = run.ledger();
  BOOST_TEST(std::abs(e.residual()) < 5e-4 * e.absolute_work);
}

/// A servo without mass holds the load of the plate but for the force that moves the plate: rise over gain and time.
BOOST_AUTO_TEST_CASE(plate_by_servo) {
  Case c = box_case();
  c.use_driver<ShearBoxSpec>().plate = PlateLoad::servo;
  c.use_driver<ShearBoxSpec>().servo_gain = 0.1;
  Simulation run = at_stage(c, 3);
  const double start = read(run).plate_height;
  double before = read(run).plate_load, impulse = 0;
  while (!run.finished()) {
    run.step();
    impulse += run.state().dt * (before - load);
    before = read(run).plate_load;
  }
  const double rise = read(run).plate_height - start;
  BOOST_TEST(0.1 * impulse == rise, tolerance(1e-9));
  BOOST_TEST(std::abs(rise) > 1e-5);
}

/// Saved in the middle of each stage and between two, resumed on another number of threads: the same bits.
BOOST_AUTO_TEST_CASE(resumed_with_the_same_bits) {
  Case c = box_case();
  c.stages[2].history = TangentialHistory::none;  // histories change twice
  c.spatial_order_interval = 700;
  Simulation whole(c);
  std::vector<MemoryArchive> archives;
  std::size_t stage = 0;
  while (!whole.finished()) {
    whole.step();
    if (whole.step_count() % 1501 == 0 || whole.stage() != stage) archives.push_back(saved(whole));
    stage = whole.stage();
  }
  BOOST_TEST(archives.size() > 10u);
  for (std::size_t k = 0; k < archives.size(); k += 2) {
    Case other = c;
    other.threads = 2;
    other.skin = 2e-4;
    Simulation run(other);
    run.load(archives[k]);
    finish(run);
    BOOST_TEST(run.hash() == whole.hash());
  }
}

/// The run stops when a sphere gets out, and names it. Ledges that are too short let spheres fall through.
BOOST_AUTO_TEST_CASE(lost_sphere) {
  Case c = box_case();
  c.use_driver<ShearBoxSpec>().ledge = 0;
  c.stages.back().shear_displacement = 0.02;
  Simulation run(c);
  const std::string text = message_of<BlowUp>([&] { finish(run); });
  for (const char* part : {"has left the shear box", "body ", "t = "}) BOOST_TEST(has(text, part), text);
}
