// Steps whose forces are not read afterwards: Simulation::step(false).
#include "cell_cases.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "support/resumed.hpp"
#include "support/series_row.hpp"

namespace {

constexpr int steps = 60;

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

Tensor3 virial_of(const Simulation& run) { return run.contact_engine().virial(run.state()); }

/// The forces of both are the same, and the energies where `energies`; else the first has none.
void check_same_forces(const Simulation& found, const Simulation& expected, bool energies = true) {
  const double stored = found.contact_engine().stored_tangential();
  BOOST_TEST((energies ? stored == expected.contact_engine().stored_tangential() : std::isnan(stored)));
  if (energies) BOOST_TEST(same_bits(virial_of(found), virial_of(expected)));
  const auto x = found.contacts(), y = expected.contacts();
  BOOST_TEST_REQUIRE(x.size() == y.size());
  bool same = true;
  for (std::size_t k = 0; k < x.size(); ++k)
    same &= x[k].key == y[k].key && x[k].force == y[k].force && x[k].normal_force == y[k].normal_force &&
            x[k].stored_normal == y[k].stored_normal &&
            (energies ? x[k].stored_tangential == y[k].stored_tangential : std::isnan(x[k].stored_tangential));
  BOOST_TEST(same);
}

/// The motion has the same bits for any watcher. A watcher that looks now and then sees the same as one that always
/// looks. With a servo, forces are there in every step; energies only where they are read, and in a possible last step.
void check(Case c, bool servo = false) {
  c.output.ledger = false;
  c.spatial_order_interval = 25;  // contacts move in steps that are watched and in some that are not
  if (servo)
    c.stages = {lasting((steps + 0.3) * c.time.step, space_stage(at_stress(-5), at_stress(-5), at_stress(-5)))};
  Case on_two_threads = c;
  on_two_threads.threads = 2;
  Simulation always(c), seldom(on_two_threads), to_the_end(c);
  advance(to_the_end, steps);
  for (int k = 1; k <= steps; ++k) {
    const bool end = k == steps, looks = k % 7 == 0 || end;
    always.step();
    seldom.step(looks && !(servo && end));
    BOOST_TEST_REQUIRE(seldom.hash() == always.hash());
    BOOST_TEST_REQUIRE(seldom.contact_engine().has_forces() == (looks || servo));
    BOOST_TEST(always.contact_engine().has_forces());
    if (servo) BOOST_TEST(same_bits(seldom.driver<CellDriver>()->stress(), always.driver<CellDriver>()->stress()));
    if (looks || servo) check_same_forces(seldom, always, looks);
    if (!looks && servo) BOOST_TEST(std::isnan(seldom.ledger().stored_tangential));
    if (!looks && !servo) {  // nothing that could be taken for a force
      BOOST_TEST(std::isnan(virial_of(seldom).xx()));
      BOOST_TEST(std::isnan(seldom.contact_engine().stored_tangential()));
      BOOST_TEST(std::isnan(seldom.contacts()[0].normal_force));
      BOOST_TEST(seldom.contacts()[0].overlap == always.contacts()[0].overlap);
    }
    // Before and after a new order of the contacts, and after steps that are watched and not.
    if (k != 26 && k != 28 && k != 29 && k != 30) continue;
    Simulation resumed = resumed_from(seldom, c);
    BOOST_TEST(resumed.hash() == always.hash());
    BOOST_TEST(resumed.contact_engine().has_forces() == (looks || servo));
    if (looks || servo) BOOST_TEST(same_bits(virial_of(resumed), virial_of(always)));
    if (looks || servo) check_same_forces(resumed, always, looks);
    for (int more = k; more < steps; ++more) resumed.step(!servo && more == steps - 1);
    BOOST_TEST(resumed.hash() == to_the_end.hash());
    check_same_forces(resumed, to_the_end);
  }
  if (servo) BOOST_TEST(seldom.finished());
}

}  // namespace

BOOST_AUTO_TEST_CASE(motion_does_not_depend_on_the_watcher) {
  Case velocity = sphere_cloud(9, 0), refined = sphere_cloud(9, 4), column = sphere_cloud(9, 0);
  velocity.contact.elongation = Elongation::velocity;
  velocity.time.integrator = Integrator::velocity_verlet;
  refined.contact.law = "linear-refined";
  column.contact.transport = Transport::none;  // has a column of its own
  for (const Case& c : {velocity, refined, column}) check(c);
}

BOOST_AUTO_TEST_CASE(a_servo_watches_forces) {
  check(sphere_cloud(5, 0), true);
  Case refined = sphere_cloud(5, 4);
  refined.contact.law = "linear-refined";  // which works out energies in any case
  check(refined, true);
  for (const char* law : {"jaeger", "hertz-mindlin", "hertz-history"}) BOOST_TEST_CONTEXT(law) {
      Case c = hertzian(sphere_cloud(5, 0), law);
      c.contact.elongation = Elongation::velocity;
      check(c, true);
    }
}

// With the ledger, forces are part of the state, for any watcher.
BOOST_AUTO_TEST_CASE(the_ledger_watches) {
  Simulation always(sphere_cloud(9, 0)), never(sphere_cloud(9, 0));
  for (int k = 0; k < steps; ++k) always.step(), never.step(false);
  BOOST_TEST(never.hash() == always.hash());
  BOOST_TEST(never.contact_engine().has_forces());
  check_same_forces(never, always);
  BOOST_TEST(same_bits(never.ledger(), always.ledger()));
}

// The step that ends a stage keeps the forces: the next stage may start from the stress, and results are written there.
BOOST_AUTO_TEST_CASE(the_last_step_of_a_stage_is_watched) {
  Case c = sphere_cloud(5, 0);
  c.output.ledger = false;
  Stage by_time = lasting(10.3 * c.time.step, cell_stage({}, {})), by_strain = cell_stage(at_rate(-0.05), {}),
        by_balance = cell_stage({}, {}), by_void_ratio = cell_stage({}, at_rate(0.05));
  by_strain.strain = 0.05 * 10.6 * c.time.step;
  by_balance.unbalanced = 1e9;  // met at every check
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

// Books change no motion, also where a cell kicks the bodies.
BOOST_AUTO_TEST_CASE(the_ledger_changes_no_motion) {
  Case c = sphere_cloud(9, 0);
  c.contact.elongation = Elongation::velocity;
  c.time.integrator = Integrator::velocity_verlet;
  c.stages = {lasting(1e9, cell_stage(at_rate(-0.5), {}, at_rate(0.3)))};
  Simulation booked(c);
  c.output.ledger = false;
  c.threads = 2;
  Simulation other(c);
  for (int k = 0; k < steps; ++k) booked.step(), other.step(false);
  BOOST_TEST((other.state().bodies.position == booked.state().bodies.position));
  BOOST_TEST((other.state().bodies.rotation == booked.state().bodies.rotation));
  BOOST_TEST(booked.keeps_ledger());
  BOOST_TEST(booked.ledger().boundary_work != 0);
}

// A sum that is not kept is no number, and the verdict does not have it.
BOOST_AUTO_TEST_CASE(works_that_are_not_booked) {
  Case c = sphere_cloud(5, 0);
  c.stages = {lasting(1e9, cell_stage(at_rate(-0.05), {}))};
  const std::set<std::string> booked{"boundary_work", "friction_loss", "viscous_loss",   "circulation",
                                     "event_loss",    "absolute_work", "energy_residual"};
  for (const bool ledger : {true, false}) {
    c.output.ledger = ledger;
    Simulation run(c);
    RunObserver observer(run);
    advance(run, 20);
    std::size_t found = 0;
    for (const auto& [name, value] : row_of(observer, run)) {
      found += booked.count(name);
      if (name != "servo_error")  // there is no servo
        BOOST_TEST(std::isfinite(value) == (ledger || booked.count(name) == 0), name);
    }
    BOOST_TEST(found == booked.size());
    BOOST_TEST(observer.numbers(run).ledger.has_value() == ledger);
  }
}

// Without the ledger, the source of the energy of a compressed assembly is unknown: that is no sign of a blow-up.
BOOST_AUTO_TEST_CASE(no_blow_up_where_the_ledger_is_off) {
  Case c = space_case({sphere_at({0, 0, 0}, 0.5), sphere_at({1, 0, 0}, 0.5), sphere_at({2, 0, 0}, 0.5)});
  c.periodic = {true, true, true};
  c.cell_size = {3, 3, 3};
  c.output.ledger = false;
  c.stages = {cell_stage(at_rate(-0.01), {})};
  c.stages[0].strain = 0.1;
  BOOST_CHECK_NO_THROW(finished(c));
}
