// Law linear-refined: unit cases (§16), Figure 4 (§11), degenerate inputs (§8), brute force, options one by one.
#include "libdem/laws/linear_refined.hpp"

#include "laws/refined_step.hpp"
#include "libdem/laws/catalogue.hpp"
#include "libdem/laws/linear.hpp"
#include "support/study_tables.hpp"

using namespace refined;

namespace {

/// Reference §16, both tables. `alpha` is α_s, and −1 where it sticks.
const auto unit_cases = study_rows("tests/support/tables/refined-steps.csv");
Step step_of(const StudyRow& row) {
  const auto n = [&](const char* column) { return row.number(column); };
  return {
      n("kn"), n("kt"), n("mu"), n("overlap_0"), n("overlap_1"), {n("f0_x"), n("f0_y")}, {n("shift_x"), n("shift_y")}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(unit_cases_of_the_reference) {
  BOOST_TEST(unit_cases.size() == 12u);
  for (const auto& u : unit_cases) BOOST_TEST_CONTEXT(u.at("name")) {
      const Step s = step_of(u);
      const double largest = s.mu * s.kn * std::max(s.overlap_0, s.overlap_1), energy = largest * largest / s.kt;
      // §8: 1e-11 of the limit, work 1e-10 (F²/kt + |W|).
      const double force = 1e-11 * largest, work = 1e-10 * (energy + std::abs(u.number("work"))),
                   alpha = u.number("alpha");
      const Outcome exact = take(s);
      BOOST_TEST_INFO("f1 (" << exact.f1.x << ", " << exact.f1.y << "), W " << exact.work << ", D "
                             << exact.dissipated);
      BOOST_TEST(near(exact.fn1, u.number("fn1"), 1e-13 * 100));
      BOOST_TEST((near(exact.f1.x, u.number("f1_x"), force) && near(exact.f1.y, u.number("f1_y"), force)));
      BOOST_TEST(near(exact.work, u.number("work"), work));
      BOOST_TEST(near(exact.change, u.number("change"), 1e-14 * energy));
      BOOST_TEST(near(exact.dissipated, u.number("dissipated"), work));
      BOOST_TEST(near(exact.slid, alpha < 0 ? 0 : 1 - alpha, alpha < 0 ? 0 : 1e-14));
      Options options;
      options.sliding_work = SlidingWork::trapezoid;
      const Outcome coarse = take(s, options);
      BOOST_TEST((coarse.f1.x == exact.f1.x && coarse.f1.y == exact.f1.y));
      BOOST_TEST(near(coarse.work, u.number("trapezoid"), 1e-13 * energy));
    }
}

// Reference §11 (the paper's Figure 4): start on the limit square to the movement, constant normal force.
BOOST_AUTO_TEST_CASE(figure_4_final_angle_and_work) {
  const auto rows = study_rows("tests/support/tables/angles.csv");
  BOOST_TEST(rows.size() == 16u);
  const Options conventional = with(false, false, false);
  for (const auto& r : rows) {
    const double x = r.number("x"), exact = r.number("exact"), radial = r.number("conventional");
    Step s;
    s.overlap_0 = s.overlap_1 = 1e-3;
    s.f0 = {0, -50};
    s.shift = {x * 50 / s.kt, 0};
    const auto angle = [](Vector f) { return std::atan2(f.y, f.x) * 180 / pi; };
    const Outcome o = take(s);
    BOOST_TEST(near(angle(o.f1), exact, 6e-11), "x = " << x << ": " << angle(o.f1));  // the table's last digit
    BOOST_TEST(near(angle(take(s, conventional).f1), radial, 6e-11), "x = " << x);
    BOOST_TEST(near(o.work, 50 * 50 / s.kt * std::log(std::cosh(x)), 1e-11 * 50 * 50 / s.kt * (1 + x)), "x = " << x);
  }
}

BOOST_AUTO_TEST_CASE(random_steps_agree_with_brute_force) {
  geometry::Random random(20200817);
  const auto within = [&](double a, double b) { return a + (b - a) * random.uniform(); };
  int slid = 0, lost = 0, fresh = 0;
  for (int n = 0; n < 60; ++n) {
    Step s;
    s.kt = s.kn * within(0.3, 1.5);
    s.mu = within(0.1, 0.9);
    s.overlap_0 = n % 5 == 0 ? -within(1e-4, 1e-3) : within(2e-4, 1e-3);
    s.overlap_1 = n % 5 == 1 ? -within(1e-4, 1e-3) : within(2e-4, 1e-3);
    const double limit = s.mu * s.kn * std::max(s.overlap_0, 0.0), angle = within(-3, 3), along = within(-3, 3);
    const double size = n % 3 == 0 ? 1 : within(0, 1), far = within(0, 3) * s.mu * s.kn * 1e-3 / s.kt;
    s.f0 = {size * limit * std::cos(angle), size * limit * std::sin(angle)};
    s.shift = {far * std::cos(along), far * std::sin(along)};
    const Outcome o = take(s);
    const Numbers b = integrated(s, 40000);
    const double largest = s.mu * s.kn * std::max(s.overlap_0, s.overlap_1), energy = largest * largest / s.kt;
    // Two extrapolated sub-steppings leave n⁻² of the path, and n⁻¹ of the sub-step in which the sliding begins.
    const double left = 2e-8;
    BOOST_TEST_INFO("step " << n);
    BOOST_TEST((near(o.f1.x, double(b.x), left * largest) && near(o.f1.y, double(b.y), left * largest)));
    BOOST_TEST(near(o.work, double(b.work), left * energy));
    BOOST_TEST(near(o.dissipated, double(b.dissipated), left * energy));
    slid += o.slid > 0;
    lost += s.overlap_1 <= 0;
    fresh += s.overlap_0 <= 0;
  }
  BOOST_TEST((slid > 20 && lost > 10 && fresh > 10));
}

BOOST_AUTO_TEST_CASE(degenerate_inputs_of_linear_refined) {
  const double fn = 100, limit = 50;
  const auto good = [](const Outcome& o) {
    return std::isfinite(o.f1.x) && std::isfinite(o.f1.y) && std::isfinite(o.work) && std::isfinite(o.dissipated) &&
           length(o.f1) <= o.limit * (1 + 4e-16) && o.dissipated >= -1e-14 * 50 * 50 / 1e5;
  };
  const auto step = [&](double overlap_1, Vector f0, Vector shift) {
    return Step{1e5, 1e5, 0.5, fn / 1e5, overlap_1, f0, shift};
  };
  // Overlap of the end, force over its limit, movement in limits over stiffness, all directions.
  for (const double overlap : {1e-3, 1e-3 * (1 + 1e-13), 1e-3 * (1 - 1e-13), 5e-4, 2e-3, 1e-9, 0.0, -1e-3, 1e-3 * 1e-6})
    for (const double share : {0.0, 1e-17, 0.3, 1 - 1e-16, 1 - 5e-18, 1.0, 1 + 1e-16, 1 + 5e-18, 2.0})
      for (const double moved : {0.0, 1e-16 * 1e5 / limit, 1e-3, 0.5, 1.0, 30.0, 1e3})
        for (const double angle : {0.0, pi / 2, -pi / 2, pi, 1e-9, pi - 1e-9, 2.0}) {
          const double f = share * limit, d = moved * limit / 1e5;
          const Step s = step(overlap, {f * std::cos(angle), f * std::sin(angle)}, {d, 0});
          const Outcome o = take(s);
          BOOST_TEST(good(o), "overlap " << overlap << ", share " << share << ", moved " << moved << ", angle " << angle
                                         << ": f1 (" << o.f1.x << ", " << o.f1.y << "), D " << o.dissipated);
        }

  // θ = 180° exactly: straight back while the normal force falls faster than the movement relaxes the force.
  const Outcome against = take(step(2e-4, {-limit, 0}, {1e-5, 0}));
  BOOST_TEST(against.f1.x == -10);
  BOOST_TEST(against.work == -1e-5 * 30, tolerance(1e-14));
  // No movement: shrinking limit, constant, growing.
  BOOST_TEST(take(step(5e-4, {30, 40}, {0, 0})).f1.x == 15);
  BOOST_TEST(take(step(1e-3, {30, 40}, {0, 0})).dissipated == 0);
  BOOST_TEST(take(step(2e-3, {30, 40}, {0, 0})).f1.y == 40);
  // Movement square to the force with c a rounding below zero: the printed root is that of a negative number.
  const Outcome square = take(step(1e-3, {0, std::nextafter(limit, 0)}, {5e-4, 0}));
  BOOST_TEST(near(square.f1.x, 38.079707797788245, 1e-10));
  Step smooth = step(2e-3, {0, 0}, {1e-3, 2e-3});
  smooth.mu = 0;
  const Outcome none = take(smooth);
  BOOST_TEST((none.f1.x == 0 && none.f1.y == 0 && none.work == 0 && none.dissipated == 0));
  // Infinite friction, also where the normal force is zero.
  Step sticky = step(1e-3, {40, 0}, {1, 0});
  sticky.mu = std::numeric_limits<double>::infinity();
  BOOST_TEST(take(sticky).slid == 0);
  BOOST_TEST(near(take(sticky).f1.x, 1e5 + 40, 1e-9));
  for (const double overlap : {0.0, -1e-3}) {
    sticky.overlap_1 = overlap;
    const Outcome o = take(sticky);
    BOOST_TEST((o.f1.x == 0 && std::isfinite(o.work) && std::isfinite(o.dissipated)), "overlap " << overlap);
  }
  // Lost without movement: all that was stored is dissipated. Regained: from zero.
  const Outcome lost = take(step(-1e-3, {30, 40}, {0, 0}));
  BOOST_TEST(lost.dissipated == 0.5 * 2500 / 1e5, tolerance(1e-15));
  BOOST_TEST(lost.f1.x == 0);
  const Outcome regained = take(Step{1e5, 1e5, 0.5, -1e-3, 1e-3, {0, 0}, {1e-4, 0}});
  BOOST_TEST(regained.f1.x == 5);
  // Without a spring: no force, nothing stored, no work.
  for (const double overlap : {1e-3, 5e-4, 2e-3, -1e-3})
    for (const double from : {1e-3, -1e-3}) {
      if (from < 0 && overlap < 0) continue;
      Block b = row({1e5, 0, 0.5, from, overlap, {0, 0}, {1e-3, -2e-3}});
      LinearRefined::History h;
      LinearRefined::pass({}, {}, b, &h);
      for (const double number : {h.force_1, h.force_2, b.stored[0], b.work[0], b.dissipated[0]})
        BOOST_TEST(number == 0, "overlap " << from << " to " << overlap);
    }
  // Touching to rounding at the start, and at the end.
  BOOST_TEST(take(Step{1e5, 1e5, 0.5, 0, 1e-3, {0, 0}, {1e-2, 0}}).f1.x == 50);
  BOOST_TEST(good(take(Step{1e5, 1e5, 0.5, 1e-300, 1e-3, {0, 0}, {1e-2, 1e-2}})));
  BOOST_TEST(good(take(Step{1e5, 1e5, 0.5, 1e-3, 1e-300, {50, 0}, {1e-2, 1e-2}})));
}

// Reference §10: without the refinements it is the conventional model, which is law `linear`.
BOOST_AUTO_TEST_CASE(without_refinements_it_is_law_linear) {
  const Options conventional = with(false, false, false);
  geometry::Random random(5);
  laws::Linear::History spring;
  LinearRefined::History force;
  double largest = 0, work = 0, normal = 100;
  for (int n = 0; n < 5000; ++n) {
    Block a{};
    a.count = 1;
    a.normal_end[0] = 60 + 80 * random.uniform();
    a.made[0] = n % 7 == 0 ? 0.3 : 0;
    a.lost[0] = 1;
    a.shift_1[0] = 1e-4 * (random.uniform() - 0.4);
    a.shift_2[0] = 1e-4 * (random.uniform() - 0.5);
    a.stiffness[0] = 8e4;
    a.friction[0] = 0.5;
    a.damping[0] = 3;
    a.velocity_1[0] = 0.2;
    a.normal_start[0] = normal;  // the limit at the start is that of the end before, as in a run
    normal = a.normal_end[0];
    Block b = a;
    laws::Linear::pass({}, {}, a, &spring);
    LinearRefined::pass(conventional, {}, b, &force);
    const double limit = 0.5 * 140, energy = limit * limit / 8e4;
    for (const double d : {a.elastic_1[0] - b.elastic_1[0], a.elastic_2[0] - b.elastic_2[0]})
      largest = std::max(largest, std::abs(d) / limit);
    for (const double d : {a.work[0] - b.work[0], a.stored[0] - b.stored[0], a.dissipated[0] - b.dissipated[0]})
      work = std::max(work, std::abs(d) / energy);
    BOOST_REQUIRE((a.sliding[0] != 0) == (b.sliding[0] != 0));
    BOOST_REQUIRE(a.viscous_1[0] == b.viscous_1[0]);
  }
  BOOST_TEST(largest < 1e-14);
  BOOST_TEST(work < 1e-14);
}

BOOST_AUTO_TEST_CASE(refinements_one_by_one) {
  // Part of the step: half the movement after a first touch half way.
  const Step fresh{1e5, 1e5, 0.5, -1e-3, 1e-3, {0, 0}, {2e-4, 1e-4}};
  BOOST_TEST(near(take(fresh, with(true, false, false)).f1.x, 10, 1e-12));
  BOOST_TEST(near(take(fresh, with(false, true, true)).f1.x, 20, 1e-12));
  // Onset alone: the force of radial return, another work.
  const Step bends = step_of(unit_cases[1]);
  const Outcome radial = take(bends, with(true, false, false)), onset = take(bends, with(true, true, false));
  BOOST_TEST((near(radial.f1.x, onset.f1.x, 1e-12) && near(radial.f1.y, onset.f1.y, 1e-12)));
  BOOST_TEST(std::abs(radial.work - onset.work) > 1e-4 * onset.work);
  BOOST_TEST(near(length(radial.f1), 60, 1e-12));
  // Direction alone: the force lies between that of radial return (no turning before the limit) and the movement.
  const Outcome turned = take(bends, with(true, false, true)), both = take(bends);
  const auto angle = [](Vector f) { return std::atan2(f.y, f.x); };
  BOOST_TEST(near(length(turned.f1), 60, 1e-12));
  BOOST_TEST(std::abs(angle(turned.f1) - angle(both.f1)) > 1e-4);
  BOOST_TEST(angle(turned.f1) < std::atan2(6, 2));
  BOOST_TEST(angle(turned.f1) > 0);
  BOOST_TEST(turned.dissipated > 0);
  // From rest it follows the movement with the mean force.
  Step rest = bends;
  rest.f0 = {0, 0};
  const Outcome from_rest = take(rest, with(true, false, true));
  BOOST_TEST(near(angle(from_rest.f1), std::atan2(6, 2), 1e-14));
  BOOST_TEST(near(from_rest.work, 0.5 * 60 * length(rest.shift), 1e-15));
}

BOOST_AUTO_TEST_CASE(linear_refined_in_the_catalogue) {
  const laws::LawEntry* law = laws::find("linear-refined");
  BOOST_TEST_REQUIRE((law && law->history_size == 2 && law->sees_lost_contacts));
  double history[2] = {30, -40}, elongation[2];
  law->elongation(history, nullptr, {1e4, 0, 0, 0}, elongation);
  BOOST_TEST((elongation[0] == 3e-3 && elongation[1] == -4e-3));
  const double quarter[4] = {0, -1, 1, 0};
  law->transform(history, quarter);
  BOOST_TEST((history[0] == 40 && history[1] == 30));
}
