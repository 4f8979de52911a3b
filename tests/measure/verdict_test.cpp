// The energy ledger's arithmetic and the judgement of a run.
#include "libdem/measure/verdict.hpp"

#include "support/text.hpp"

namespace {

EnergyLedger balanced() {
  EnergyLedger e;
  e.initial = 1, e.boundary_work = 20, e.gravity_work = -2, e.applied_work = 3;
  e.kinetic = 4, e.stored_normal = 5, e.stored_tangential = 1, e.friction = 8, e.viscous = 2.5, e.circulation = 0.5;
  e.event_loss = 1, e.absolute_work = 100;
  return e;
}

RunNumbers good_run() {
  RunNumbers n;
  n.time_step = 0.005, n.smallest_step_limit = 0.01;
  n.network_overlap = 0.01, n.largest_overlap = 0.03;
  n.ledger = balanced();
  n.inertial_number = 1e-4, n.stiffness_number = 1000;
  n.contact_steps = 1000000, n.plane_jumps = 0, n.undefined_planes = 0, n.servo_error = 0.01, n.servo_scatter = 0.02;
  return n;
}

const VerdictItem& item(const Verdict& v, std::string_view name) {
  const auto found = std::ranges::find(v.items, name, &VerdictItem::name);
  if (found == v.items.end()) throw std::runtime_error("no item " + std::string(name));
  return *found;
}

void check(const RunNumbers& n, Judgement expected) { BOOST_TEST(int(judge(n).overall) == int(expected)); }
void check_sentence(const RunNumbers& n, std::string_view name, const std::string& sentence) {
  BOOST_TEST(item(judge(n), name).sentence == sentence);
}

}  // namespace

BOOST_AUTO_TEST_CASE(ledger_residual) {
  EnergyLedger e = balanced();
  BOOST_TEST(e.residual() == 0.0);
  // Every entry enters with its sign: supply raises the residual, what is accounted for lowers it.
  using E = EnergyLedger;
  const auto changes = [&](std::initializer_list<double E::*> entries, double residual) {
    for (double E::*entry : entries) {
      E f = e;
      f.*entry += 2;
      BOOST_TEST(f.residual() == residual);
      BOOST_TEST(f.relative_residual() == 0.02);
    }
  };
  changes({&E::initial, &E::boundary_work, &E::gravity_work, &E::applied_work, &E::own_motion_work, &E::own_force_work},
          2);
  changes({&E::kinetic, &E::stored_normal, &E::stored_tangential, &E::friction, &E::viscous, &E::circulation,
           &E::event_loss},
          -2);
  // The columns hold every member once.
  std::set<std::string> names;
  double sum = 0;
  for (const auto& c : ledger_columns()) {
    names.insert(c.column.name);
    sum += c.value(e);
  }
  BOOST_TEST(names.size() == ledger_columns().size());
  BOOST_TEST(sum == e.supplied() + e.accounted() + e.absolute_work);
}

BOOST_AUTO_TEST_CASE(verdict_on_a_good_run) {
  const Verdict v = judge(good_run());
  BOOST_TEST((v.overall == Judgement::good && v.items.size() == 11));
  BOOST_TEST((has(v.text(), "Verdict: good") && !has(v.text(), "Why:")));
  BOOST_TEST(item(v, "time_step").value == 0.5);
}

// Each number alone makes the run worth attention, then bad, exactly beyond its thresholds.
BOOST_AUTO_TEST_CASE(every_number_can_spoil_a_run) {
  const auto set = [](std::string_view name, double x) {
    RunNumbers n = good_run();
    const auto count = std::uint64_t(std::ceil(x * 1e6));
    for (const auto& [plain, number] : {std::pair{"network_overlap", &n.network_overlap},
                                        {"largest_overlap", &n.largest_overlap},
                                        {"inertial_number", &n.inertial_number},
                                        {"stiffness_number", &n.stiffness_number},
                                        {"round_off", &n.round_off}})
      if (name == plain) return *number = x, judge(n);
    if (name == "servo_scatter")
      n.servo_scatter = x;
    else if (name == "time_step")
      n.time_step = x * *n.smallest_step_limit;
    else if (name == "energy_residual")
      n.ledger->boundary_work -= x * n.ledger->absolute_work;
    else if (name == "plane_jumps" || name == "undefined_planes")
      (name == "plane_jumps" ? n.plane_jumps : n.undefined_planes) = count;
    else if (name == "servo_error")
      n.servo_error = -x;                   // below its target
    else if (name == "cell_servo_error") {  // in units of the tolerance
      n.cell_servo.emplace();
      n.cell_servo->held = true, n.cell_servo->steps = 4;
      n.cell_servo->squares = 4 * (x * n.cell_servo->tolerance) * (x * n.cell_servo->tolerance);
    } else
      throw std::runtime_error("a threshold without a test: " + std::string(name));
    return judge(n);
  };
  for (const Threshold& t : verdict_thresholds()) BOOST_TEST_CONTEXT(t.name) {
      const double inside = t.larger_is_better ? 1.01 : 0.99, outside = t.larger_is_better ? 0.99 : 1.01;
      BOOST_TEST((set(t.name, inside * t.good).overall == Judgement::good));
      BOOST_TEST((set(t.name, t.good > 0 ? outside * t.good : 1e-6).overall == Judgement::attention));
      BOOST_TEST((set(t.name, inside * t.attention).overall == Judgement::attention));
      const Verdict bad = set(t.name, outside * t.attention);
      BOOST_TEST((bad.overall == Judgement::bad && item(bad, t.name).judgement == Judgement::bad));
      BOOST_TEST(has(bad.text(), t.reason));
    }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none_are_bad) {
  RunNumbers n = good_run();
  n.largest_overlap = std::nan("");
  check(n, Judgement::bad);
  BOOST_TEST(has(judge(n).json(), "\"name\": \"largest_overlap\", \"value\": null, \"judgement\": \"bad\""));
}

BOOST_AUTO_TEST_CASE(blow_up_and_interruption) {
  RunNumbers n = good_run();
  n.interrupted = "interrupted by Ctrl-C";
  check(n, Judgement::attention);
  n.blow_up = RunNumbers::BlowUp{1234, 0.5, "kinetic energy grew 1e6-fold in the contact of bodies \"3\" and 4"};
  const Verdict v = judge(n);
  BOOST_TEST((v.overall == Judgement::bad));
  BOOST_TEST(has(v.text(), "blew up at step 1234, t = 0.5 s: kinetic energy grew"));
  BOOST_TEST(has(v.json(), "bodies \\\"3\\\" and 4"));
}

BOOST_AUTO_TEST_CASE(stages_by_their_names) {
  RunNumbers n = good_run();
  n.servo_error = -0.002, n.servo_scatter = 0.015, n.largest_servo_error = 0.04,
  n.largest_servo_error_stage = "stage 3 'shear'";
  check_sentence(n, "servo_error", "The held stress was in the mean 0.2 % below its target.");
  check_sentence(n, "servo_scatter",
                 "Row by row it was off by 1.5 % (root mean square), at most 4 %, in stage 3 'shear'.");
  n.cell_servo.emplace();
  n.cell_servo->held = true, n.cell_servo->steps = 1, n.cell_servo->squares = 1e-8, n.cell_servo->largest = 2e-4;
  n.cell_servo_stage = "stage 2";
  check_sentence(n, "cell_servo_error",
                 "The stresses that the cell held were off their targets by 0.01 % (root mean square of stage 2, the "
                 "worst), at most 0.02 %, "
                 "where 0.1 % is tolerated.");
  n.cut_short = {"stage 1 'press' after 2 s, before until_target"};
  const Verdict v = judge(n);
  BOOST_TEST((v.overall == Judgement::attention));
  BOOST_TEST(has(v.text(), "attention  Ended by their duration: stage 1 'press' after 2 s, before until_target.\n"));
}

/// Circulation is judged only beyond the known value of the law. The sentences name no planes where there are none.
BOOST_AUTO_TEST_CASE(circulation_is_a_note) {
  RunNumbers n = good_run();
  n.ledger->friction -= 20, n.ledger->circulation += 20;  // 20.5 % of the work
  check(n, Judgement::attention);
  BOOST_TEST(has(judge(n).text(), "Why: more than 10 % of the work has no source in the law's stored energy"));
  n.ledger->friction += 15, n.ledger->circulation -= 15;  // 5 %
  check(n, Judgement::good);
  n.ledger->friction -= 15, n.ledger->circulation += 15;
  n.known_circulation = {0.63, "area-over-length with the plane edge-mean"};
  check(n, Judgement::good);
  n.known_circulation = {0.06, "area-over-length with the plane area-gradient"};
  check(n, Judgement::attention);
  BOOST_TEST(has(judge(n).text(),
                 "Why: on closed loops area-over-length with the plane area-gradient was measured at "
                 "up to 6 % of the work"));
  for (const Threshold& t : verdict_thresholds())
    if (std::string_view(t.name) != "plane_jumps") BOOST_TEST(!has(t.reason, "area-gradient"), t.name);
}

/// One impact of a free grain spoils no run; contacts that carry load do.
BOOST_AUTO_TEST_CASE(an_impact_is_no_load) {
  RunNumbers n = good_run();
  n.largest_overlap = 0.064;
  check(n, Judgement::good);
  n.network_overlap = 0.03, n.network_overlap_stage = "stage 2 'press'";
  check(n, Judgement::attention);
  check_sentence(
      n, "network_overlap",
      "The largest overlap of contacts that carry load was 3 % of a diameter, in the mean of stage 2 'press'.");
}

/// Positions near the origin are not mentioned.
BOOST_AUTO_TEST_CASE(positions_far_from_the_origin) {
  RunNumbers n = good_run();
  n.round_off = 1e-7, n.distance = 3;
  BOOST_TEST(judge(n).text() == judge(good_run()).text());
  n.round_off = 2.2e-5, n.distance = 1e9;
  check_sentence(n, "round_off", "At 1e+09 m from the origin positions are rounded by 2e-05 of an overlap.");
}

/// Jumps where parts of an overlap merge or split are in the shapes. No choice of the user avoids them.
BOOST_AUTO_TEST_CASE(merging_jumps_are_told_only) {
  RunNumbers n = good_run();
  n.plane_jumps = n.merging_plane_jumps = 500;
  check(n, Judgement::good);
  n.plane_jumps = 510;
  check(n, Judgement::attention);
}

BOOST_AUTO_TEST_CASE(verdict_on_lost_bodies) {
  RunNumbers n = good_run();
  n.lost = RunNumbers::Lost{3, 10, 0, true, 0.25, "body 7 (group free) at (1, 2, 3) m"};
  check(n, Judgement::attention);
  check_sentence(n, "lost_bodies",
                 "3 of 10 bodies are lost, the first since t = 0.25 s: body 7 (group free) at (1, 2, 3) m.");
  n.lost->count = n.lost->from_start = 6;
  check(n, Judgement::bad);
  n.lost->has_holder = false;  // nothing was built to hold them: they fly
  check(n, Judgement::attention);
}

BOOST_AUTO_TEST_CASE(a_run_without_work_is_not_blamed_for_it) {
  RunNumbers n;
  n.ledger = EnergyLedger{};
  check(n, Judgement::good);
  n.ledger->kinetic = 1e-20;  // energy from nowhere, and no work done: not excused
  check(n, Judgement::bad);
}
