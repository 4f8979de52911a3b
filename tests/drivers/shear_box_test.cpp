// The box for direct shear: stages, balance of forces, plate by weight and by servo, resuming, histories that change,
// spheres that get out.
#include "libdem/drivers/shear_box.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "libdem/assembly/assembly.hpp"
#include "libdem/run/simulation.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;
namespace tt = boost::test_tools;

namespace {

Stage stage(const char* name, double duration) {
  Stage s;
  s.name = name;
  s.duration = duration;
  return s;
}

/// 90 spheres of 5 mm: rain, compaction under 2 kPa, rest, shear by half a diameter.
Case box_case() {
  Case c;
  c.dimension = 3;
  c.gravity = {0, 0, -9.81};
  RainSpec rain;
  rain.radius = 2.5e-3;
  rain.columns = rain.rows = 3;
  rain.layers = 10;
  rain.centre = {0.015, 0.015};
  rain.lowest = -0.0124;
  c.assembly.rain = rain;
  ShearBoxSpec box;
  box.length = 0.03;
  box.depth = 0.015;
  box.gap = 2.5e-3;
  box.height = 0.06;
  box.ledge = 5e-3;
  c.use_driver(box);
  c.material.density = 2500;
  c.material.shear_modulus = 1.2e7;
  c.material.poisson_ratio = 0.3;
  c.material.friction = 0.5;
  c.material.restitution = 0.8;
  c.contact.law = "hertz-history";
  c.contact.elongation = Elongation::velocity;
  c.contact.velocity_source = VelocitySource::trapezoid;
  c.time.integrator = Integrator::velocity_verlet;
  c.time.step = 1e-5;
  Stage compact = stage("compact", 0.08), rest = stage("rest", 0.04), shear = stage("shear", 1);
  for (Stage* s : {&compact, &rest, &shear}) s->plate_stress = 2000;
  compact.friction = 0.05;
  shear.shear_velocity = 0.05;
  shear.shear_displacement = 2.5e-3;
  c.stages = {stage("rain", 0.15), compact, rest, shear};
  return c;
}

void run_stages(Simulation& run, std::size_t until) {
  while (run.stage() < until) run.step();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shear_box)

/// Momentum of the spheres and of the plate.
struct Momentum {
  Vec3 grains;
  double plate = 0;  // upwards; M = σA/g
};
Momentum momentum(const Simulation& run, double load) {
  const State& state = run.state();
  Momentum p;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (!state.shape_of(b).is_wall())
      p.grains += (state.bodies.mass[b] / state.dt) * state.bodies.position[1][b];
    else if (state.bodies.name[b] == "plate")
      p.plate = load / 9.81 * state.bodies.position[1][b].z / state.dt;
  return p;
}

/// Readings balance step by step: what T, N, plate load, weights and drag leave is what the momenta of grains and plate
/// gain, to round-off.
BOOST_AUTO_TEST_CASE(balance) {
  Simulation run(box_case());
  BOOST_TEST(!run.driver<ShearBox>()->is_loaded());
  run_stages(run, 2);
  const double load = 2000 * 0.03 * 0.03, dt = run.state().dt;
  const ShearBoxReading rest = run.driver<ShearBox>()->read(run.state());
  BOOST_TEST(rest.weight_above + rest.weight_below == 90 * 1.6362461737446838e-4 * 9.81, tt::tolerance(1e-9));
  BOOST_TEST(rest.void_ratio == 0.03 * 0.03 * (rest.plate_height + 0.015) / (90 * 6.544984694978736e-08) - 1,
             tt::tolerance(1e-9));
  BOOST_TEST(rest.porosity() > 0.35);
  BOOST_TEST(rest.porosity() < 0.55);
  for (const std::size_t until : {3u, 4u}) {
    const Momentum start = momentum(run, load);
    ShearBoxReading before = run.driver<ShearBox>()->read(run.state());
    double along = 0, up = 0, plate = 0, shear = 0, time = 0;
    while (run.stage() < until) {
      run.step();
      const ShearBoxReading r = run.driver<ShearBox>()->read(run.state());
      const auto gain = [](const ShearBoxReading& x) {
        return x.plane_normal_force - (x.plate_load + x.weight_above + x.wall_drag);
      };
      // Velocity Verlet: mean of both ends; the plate is driven by the force at the start.
      along += 0.5 * dt * (before.shear_force - before.shear_force_above + r.shear_force - r.shear_force_above);
      up += 0.5 * dt * (gain(before) + gain(r));
      plate += dt * (before.plate_load - load);
      shear += dt * r.shear_force;
      time += dt;
      before = r;
    }
    const Momentum end = momentum(run, load);
    const double scale = load * time;
    BOOST_TEST(std::abs(end.grains.x - start.grains.x - along) < 1e-12 * scale);
    BOOST_TEST(std::abs(end.grains.z - start.grains.z - up) < 1e-12 * scale);
    BOOST_TEST(std::abs(end.plate - start.plate - plate) < 1e-12 * scale);
    if (until == 4) BOOST_TEST(shear > 0.3 * scale);
  }
  BOOST_TEST(run.state().bodies.position[0][90].x == 2.5e-3, tt::tolerance(1.1e-4));  // to half a step
  const EnergyLedger e = run.ledger();
  BOOST_TEST(std::abs(e.residual()) < 5e-4 * e.absolute_work);
}

/// The ledger of the shear alone closes, too: from the packing on, whose stored energy is its start.
BOOST_AUTO_TEST_CASE(ledger_of_the_shear) {
  Simulation first(box_case());
  run_stages(first, 3);
  MemoryArchive archive;
  first.save(archive);
  Case c = box_case();
  c.stages = {c.stages.back()};
  Simulation run(c);
  run.take_over(archive, true);
  while (!run.finished()) run.step();
  const EnergyLedger e = run.ledger();
  BOOST_TEST(e.friction > 0);
  BOOST_TEST(e.boundary_work > 0);
  BOOST_TEST(std::abs(e.residual()) < 1e-3 * e.absolute_work);
  // The same motion as in one go, but for the numbers of its stages.
  Simulation whole(box_case());
  while (!whole.finished()) whole.step();
  BOOST_TEST(whole.step_count() == run.step_count());
  BOOST_TEST((whole.state().bodies.position[0] == run.state().bodies.position[0]));
}

/// A servo without mass holds the load of the plate, up to what moves it: rise over gain and time, to round-off.
BOOST_AUTO_TEST_CASE(plate_by_servo) {
  Case c = box_case();
  c.use_driver<ShearBoxSpec>().plate = PlateLoad::servo;
  c.use_driver<ShearBoxSpec>().servo_gain = 0.1;
  Simulation run(c);
  run_stages(run, 3);
  const double load = 2000 * 0.03 * 0.03, start = run.driver<ShearBox>()->read(run.state()).plate_height;
  double before = run.driver<ShearBox>()->read(run.state()).plate_load, impulse = 0;
  while (!run.finished()) {
    run.step();
    impulse += run.state().dt * (before - load);
    before = run.driver<ShearBox>()->read(run.state()).plate_load;
  }
  const double rise = run.driver<ShearBox>()->read(run.state()).plate_height - start;
  BOOST_TEST(0.1 * impulse == rise, tt::tolerance(1e-9));
  BOOST_TEST(std::abs(rise) > 1e-5);
}

/// Saved in the middle of each stage and between two, resumed on another number of threads: the same bits.
BOOST_AUTO_TEST_CASE(resumed) {
  Case c = box_case();
  c.stages[2].history = TangentialHistory::none;  // histories change twice
  c.spatial_order_interval = 700;
  Simulation whole(c);
  std::vector<MemoryArchive> archives;
  std::size_t stage = 0;
  while (!whole.finished()) {
    whole.step();
    if (whole.step_count() % 1501 == 0 || whole.stage() != stage) whole.save(archives.emplace_back());
    stage = whole.stage();
  }
  BOOST_TEST(archives.size() > 10u);
  for (std::size_t k = 0; k < archives.size(); k += 2) {
    Case other = c;
    other.threads = 2;
    other.skin = 2e-4;
    Simulation run(other);
    run.load(archives[k]);
    while (!run.finished()) run.step();
    BOOST_TEST(run.hash() == whole.hash());
  }
}

/// A change of history drops the springs: their energy is an event loss, and the ledger still closes.
BOOST_AUTO_TEST_CASE(history_of_a_stage) {
  Case c = box_case();
  Simulation first(c);
  run_stages(first, 2);
  MemoryArchive archive;
  first.save(archive);
  c.stages = {c.stages[2]};
  c.stages[0].history = TangentialHistory::none;
  Simulation run(c);
  run.take_over(archive, true);
  BOOST_TEST(first.contact_engine().stored_tangential() > 0);
  BOOST_TEST(run.contact_engine().stored_tangential() == 0);
  for (int k = 0; k < 100; ++k) run.step();
  BOOST_TEST(run.contact_engine().stored_tangential() == 0);
}

BOOST_AUTO_TEST_CASE(refused) {
  Case c = box_case();
  c.use_driver<ShearBoxSpec>().gap = 5.1e-3;
  BOOST_CHECK_EXCEPTION(Simulation{c}, AssemblyError,
                        [](const AssemblyError& e) { return std::string(e.what()).find("shear_box.gap") == 0; });
  c = box_case();
  c.use_driver<ShearBoxSpec>().height = 0.03;  // the rain does not fit below the plate
  BOOST_CHECK_THROW(Simulation{c}, AssemblyError);
  c = box_case();
  c.assembly.rain->centre = {0.03, 0.015};
  BOOST_CHECK_THROW(Simulation{c}, AssemblyError);
  c = box_case();
  c.assembly.rain->columns = 4;
  BOOST_CHECK_THROW(Simulation{c}, AssemblyError);
}

/// A sphere that gets out: the run stops and names it. Ledges that are too short let spheres fall through.
BOOST_AUTO_TEST_CASE(lost_sphere) {
  Case c = box_case();
  c.use_driver<ShearBoxSpec>().ledge = 0;
  c.stages.back().shear_displacement = 0.02;
  Simulation run(c);
  BOOST_CHECK_EXCEPTION(while (!run.finished()) run.step(), BlowUp, [](const BlowUp& e) {
    const std::string text = e.what();
    return text.find("has left the shear box") != text.npos && text.find("body ") != text.npos &&
           text.find("t = ") != text.npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
