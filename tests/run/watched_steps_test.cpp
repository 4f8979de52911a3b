// Steps whose forces nobody looks at: Simulation::step(false).
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include "libdem/drivers/cell_drive.hpp"
#include "libdem/run/observer.hpp"
#include "sphere_cases.hpp"

using namespace dem;
using namespace dem::test;

namespace {

constexpr int steps = 60;

Case without_ledger(Case c) {
  c.output.ledger = false;
  c.spatial_order_interval = 25;  // contacts move in steps that are watched and in some that are not
  return c;
}

void check_same_forces(const Simulation& found, const Simulation& expected) {
  const Tensor3 a = found.contact_engine().virial(found.state()),
                b = expected.contact_engine().virial(expected.state());
  BOOST_TEST(std::memcmp(&a, &b, sizeof a) == 0);
  BOOST_TEST(found.contact_engine().stored_tangential() == expected.contact_engine().stored_tangential());
  const auto x = found.contacts(), y = expected.contacts();
  BOOST_TEST_REQUIRE(x.size() == y.size());
  bool same = true;
  for (std::size_t k = 0; k < x.size(); ++k)
    same &= x[k].key == y[k].key && x[k].force == y[k].force && x[k].normal_force == y[k].normal_force &&
            x[k].stored_tangential == y[k].stored_tangential;
  BOOST_TEST(same);
}

/// The motion has the same bits whoever watches, and who looks now and then sees what one sees who always looks.
void check(const Case& c) {
  Case on_two_threads = c;
  on_two_threads.threads = 2;
  Simulation always(c), seldom(on_two_threads);
  for (int k = 1; k <= steps; ++k) {
    const bool looks = k % 7 == 0 || k == steps;
    always.step();
    seldom.step(looks);
    BOOST_TEST_REQUIRE(seldom.hash() == always.hash());
    BOOST_TEST_REQUIRE(seldom.contact_engine().has_forces() == looks);
    BOOST_TEST(always.contact_engine().has_forces());
    if (looks) {
      check_same_forces(seldom, always);
    } else {  // nothing that could be taken for a force
      BOOST_TEST(std::isnan(seldom.contact_engine().virial(seldom.state()).xx()));
      BOOST_TEST(std::isnan(seldom.contact_engine().stored_tangential()));
      BOOST_TEST(std::isnan(seldom.contacts()[0].normal_force));
      BOOST_TEST(seldom.contacts()[0].overlap == always.contacts()[0].overlap);
    }
    if (k != 28 && k != 30) continue;  // watched and not
    MemoryArchive archive;
    seldom.save(archive);
    Simulation resumed(c);
    resumed.load(archive);
    BOOST_TEST(resumed.hash() == always.hash());
    BOOST_TEST(resumed.contact_engine().has_forces() == looks);
    if (looks) check_same_forces(resumed, always);
    for (int more = k; more < steps; ++more) resumed.step(more == steps - 1);
    Simulation to_the_end(c);
    for (int n = 0; n < steps; ++n) to_the_end.step();
    BOOST_TEST(resumed.hash() == to_the_end.hash());
    check_same_forces(resumed, to_the_end);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(watched_steps)

BOOST_AUTO_TEST_CASE(spheres_with_elongation_by_velocity) {
  Case c = sphere_cloud(9, 0);
  c.contact.elongation = Elongation::velocity;
  c.time.integrator = Integrator::velocity_verlet;
  check(without_ledger(c));
}

BOOST_AUTO_TEST_CASE(clusters_with_the_refined_law) {
  Case c = sphere_cloud(9, 4);
  c.contact.law = "linear-refined";
  check(without_ledger(c));
}

BOOST_AUTO_TEST_CASE(transport_with_a_column_of_its_own) {
  Case c = sphere_cloud(9, 0);
  c.contact.transport = Transport::none;
  check(without_ledger(c));
}

// With the ledger forces are part of the state, whoever looks.
BOOST_AUTO_TEST_CASE(the_ledger_watches) {
  Case c = sphere_cloud(9, 0);
  Simulation always(c), never(c);
  for (int k = 0; k < steps; ++k) {
    always.step();
    never.step(false);
  }
  BOOST_TEST(never.hash() == always.hash());
  BOOST_TEST(never.contact_engine().has_forces());
  check_same_forces(never, always);
  const EnergyLedger a = never.ledger(), b = always.ledger();
  BOOST_TEST(std::memcmp(&a, &b, sizeof a) == 0);
}

// The step that ends a stage keeps the forces: the next stage may start from the stress, and results are written there.
BOOST_AUTO_TEST_CASE(the_last_step_of_a_stage_is_watched) {
  Case c = without_ledger(sphere_cloud(5, 0));
  Stage by_time, by_strain;
  by_time.duration = 10.3 * c.time.step;
  by_time.cell = CellDrive{};
  by_strain.cell = CellDrive{};
  by_strain.cell->component[0].rate = -0.05;
  by_strain.strain = 0.05 * 10.6 * c.time.step;
  Stage by_balance, by_void_ratio;
  by_balance.unbalanced = 1e9;  // met at every check
  by_balance.cell = CellDrive{};
  by_void_ratio.cell = CellDrive{};
  by_void_ratio.cell->component[1].rate = 0.05;
  c.stages = {by_time};
  by_void_ratio.void_ratio = 1.001 * Simulation(c).driver<CellDriver>()->void_ratio();
  c.stages = {by_time, by_strain, by_balance, by_void_ratio};
  Simulation run(c);
  int unwatched = 0;
  while (!run.finished()) {
    const std::size_t stage = run.stage();
    run.step(false);
    if (run.stage() != stage) BOOST_TEST(run.contact_engine().has_forces());
    if (run.finished()) BOOST_TEST(std::isfinite(run.contact_engine().stored_tangential()));
    unwatched += !run.contact_engine().has_forces();
  }
  BOOST_TEST(run.step_count() > 21u + 9 * 16);
  BOOST_TEST(run.step_count() < 300u);
  BOOST_TEST(unwatched > 16 + 9 * 14);
}

/// A cell whose stresses a servo holds, for so many steps.
Case held_cloud(int n, int clusters) {
  Case c = without_ledger(sphere_cloud(n, clusters));
  Stage s;
  s.cell = CellDrive{};
  for (std::size_t a = 0; a < 3; ++a) {
    s.cell->component[a].mode = CellComponent::Mode::stress;
    s.cell->component[a].stress = -5;
  }
  s.duration = (steps + 0.3) * c.time.step;
  c.stages = {s};
  return c;
}

/// A servo wants forces in every step. Energies are worked out where somebody looks, and in what may be the last step.
void check_servo(const Case& c) {
  Case on_two_threads = c;
  on_two_threads.threads = 2;
  Simulation always(c), seldom(on_two_threads);
  for (int k = 1; k <= steps; ++k) {
    const bool looks = k % 7 == 0, end = k == steps;
    always.step();
    seldom.step(looks);
    BOOST_TEST_REQUIRE(seldom.hash() == always.hash());
    const Tensor3 a = seldom.driver<CellDriver>()->stress(), b = always.driver<CellDriver>()->stress();
    BOOST_TEST(std::memcmp(&a, &b, sizeof a) == 0);
    if (looks || end) {
      check_same_forces(seldom, always);
      continue;
    }
    BOOST_TEST(std::isnan(seldom.contact_engine().stored_tangential()));
    BOOST_TEST(std::isnan(seldom.ledger().stored_tangential));
    const auto x = seldom.contacts(), y = always.contacts();
    BOOST_TEST_REQUIRE(x.size() == y.size());
    bool same = true;
    for (std::size_t m = 0; m < x.size(); ++m)
      same &= x[m].key == y[m].key && x[m].force == y[m].force && x[m].stored_normal == y[m].stored_normal &&
              std::isnan(x[m].stored_tangential);
    BOOST_TEST(same);
    if (k != 26 && k != 29) continue;  // about a new order of the contacts; one after a step that somebody looked at
    MemoryArchive archive;
    seldom.save(archive);
    Simulation resumed(c);
    resumed.load(archive);
    BOOST_TEST(std::isnan(resumed.contact_engine().stored_tangential()));
    const Tensor3 d = resumed.contact_engine().virial(resumed.state()),
                  e = always.contact_engine().virial(always.state());
    BOOST_TEST(std::memcmp(&d, &e, sizeof d) == 0);
    Simulation to_the_end(c);
    while (!to_the_end.finished()) to_the_end.step();
    while (!resumed.finished()) resumed.step(false);
    BOOST_TEST(resumed.hash() == to_the_end.hash());
    check_same_forces(resumed, to_the_end);
  }
  BOOST_TEST(seldom.finished());
}

BOOST_AUTO_TEST_CASE(a_servo_watches_forces) {
  check_servo(held_cloud(5, 0));
  Case c = held_cloud(5, 4);
  c.contact.law = "linear-refined";  // which does not ask whether anybody wants energies
  check_servo(c);
}

BOOST_AUTO_TEST_CASE(a_servo_watches_forces_of_laws_with_histories) {
  for (const char* law : {"jaeger", "hertz-mindlin", "hertz-history"}) {
    BOOST_TEST_CONTEXT(law) {
      Case c = held_cloud(5, 0);
      make_hertzian(c, law);
      c.contact.elongation = Elongation::velocity;
      check_servo(c);
    }
  }
}

// Books change no motion, also where a cell kicks the bodies.
BOOST_AUTO_TEST_CASE(the_ledger_changes_no_motion) {
  Case c = sphere_cloud(9, 0);
  c.contact.elongation = Elongation::velocity;
  c.time.integrator = Integrator::velocity_verlet;
  Stage s;
  s.cell = CellDrive{};
  s.cell->component[0].rate = -0.5;
  s.cell->component[3].rate = 0.3;
  s.duration = 1e9;
  c.stages = {s};
  Simulation booked(c);
  c.output.ledger = false;
  c.threads = 2;
  Simulation other(c);
  for (int k = 0; k < steps; ++k) {
    booked.step();
    other.step(false);
  }
  BOOST_TEST((other.state().bodies.position == booked.state().bodies.position));
  BOOST_TEST((other.state().bodies.rotation == booked.state().bodies.rotation));
  BOOST_TEST(booked.keeps_ledger());
  BOOST_TEST(booked.ledger().boundary_work != 0);
}

// A sum that nobody kept is no number, and no verdict speaks of it.
BOOST_AUTO_TEST_CASE(works_that_nobody_books) {
  Case c = sphere_cloud(5, 0);
  Stage s;
  s.cell = CellDrive{};
  s.cell->component[0].rate = -0.05;
  s.duration = 1e9;
  c.stages = {s};
  const std::set<std::string> booked{"boundary_work", "friction_loss", "viscous_loss",   "circulation",
                                     "event_loss",    "absolute_work", "energy_residual"};
  for (const bool ledger : {true, false}) {
    c.output.ledger = ledger;
    Simulation run(c);
    RunObserver observer(run);
    for (int k = 0; k < 20; ++k) run.step();
    const std::vector<double> row = observer.row(run);
    std::size_t found = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string& name = observer.columns()[k].name;
      found += booked.count(name);
      if (name == "servo_error") continue;  // there is no servo
      BOOST_TEST_CONTEXT(name) BOOST_TEST(std::isfinite(row[k]) == (ledger || booked.count(name) == 0));
    }
    BOOST_TEST(found == booked.size());
    BOOST_TEST(observer.numbers(run).ledger.has_value() == ledger);
  }
}

// Without the ledger nobody knows where the energy of a compressed assembly came from: that is no sign of a blow-up.
BOOST_AUTO_TEST_CASE(no_blow_up_where_the_ledger_is_off) {
  Case c = space_case({sphere_at({0, 0, 0}, 0.5), sphere_at({1, 0, 0}, 0.5), sphere_at({2, 0, 0}, 0.5)});
  c.periodic = {true, true, true};
  c.cell_size = {3, 3, 3};
  c.output.ledger = false;
  Stage s;
  s.cell = CellDrive{};
  s.cell->component[0].rate = -0.01;
  s.strain = 0.1;
  c.stages = {s};
  Simulation run(c);
  BOOST_CHECK_NO_THROW(while (!run.finished()) run.step());
}

BOOST_AUTO_TEST_SUITE_END()
