// Law linear-refined: unit cases (§16), Figure 4 (§11), degenerate inputs (§8), brute force, options one by one.
#include "libdem/laws/linear_refined.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "laws/refined_step.hpp"
#include "libdem/laws/catalogue.hpp"
#include "libdem/laws/linear.hpp"
#include "support/study_tables.hpp"

using namespace refined;

namespace {

struct UnitCase {
  const char* name;
  Step step;
  double alpha;  // α_s; −1 where it sticks
  double fn1;
  Vector f1;
  double work, change, dissipated, trapezoid;
};

// Reference §16, both tables.
// clang-format off
const std::vector<UnitCase> unit_cases{
    {"P1", {1e5, 1e5, 0.5, 1e-3, 1.1e-3, {20, 10}, {1e-4, -5e-5}}, -1, 110, {30, 5}, 0.002125, 0.002125, 0, 0.002125},
    {"P2", {1e5, 1e5, 0.5, 1e-3, 1.2e-3, {30, 0}, {2e-4, 6e-4}}, 0.61538461538461542, 120,
     {37.542523162300157, 46.803407510652001}, 0.024059139004991771, 0.0135, 0.010559139004991773,
     0.023998182526702161},
    {"P3", {1e5, 1e5, 0.5, 1e-3, 1e-3, {0, -50}, {5e-4, 0}}, 0, 100,
     {38.079707797788245, -32.402713683194264}, 0.01084452076207568, 0, 0.010844520762075684, 0.0095199269494470606},
    {"P4", {1e5, 8e4, 0.55, 1e-3, 1.05e-3, {27.5, -47.63139720814412}, {4e-4, 0}}, 0, 105,
     {46.577630032079725, -34.140692444569787}, 0.015220281117316863, 0.0019378906250000008, 0.013282390492316862,
     0.014815526006415948},
    {"P5", {1e5, 1e5, 0.5, 1e-3, 4e-4, {50, 0}, {0, 2e-4}}, 0, 40,
     {16.772196821434409, 10.894650695780271}, 0.0014540702617308089, -0.0105, 0.01195407026173081,
     0.0010894650695780271},
    {"P6", {1e5, 1e5, 0.5, 1e-3, 2e-4, {-25, 43.30127018922193}, {3e-4, 0}}, 0, 20,
     {5.7687897133626116, 8.1682963488723725}, -0.0019086730189393185, -0.012, 0.010091326981060682,
     -0.0028846815429956082},
    {"P7", {1e5, 5e4, 0.5, 1e-3, 5e-4, {30, 40}, {0, 0}}, 0, 50, {15, 20}, 0, -0.01875, 0.01875, 0},
    {"P8", {1e5, 1e5, 0.5, -1e-3, 1e-3, {0, 0}, {1.2e-3, 1.6e-3}}, 0, 100, {30, 40}, 0.025, 0.0125, 0.0125, 0.025},
    {"P9", {1e5, 1e5, 0.5, 1e-3, -5e-4, {20, -30}, {9e-4, 3e-4}}, 0.18524610054060489, 0,
     {0, 0}, 0.0098521202682862307, -0.0065, 0.016352120268286231, 0.0072606603124339107},
    {"P10", {1e5, 1e5, 0.5, 1e-3, 1e-3, {50, 0}, {-1.5e-3, 2e-4}}, 0.65502183406113534, 100,
     {-49.198696818595963, 8.9156172726219562}, 0.026006085497845832, 0, 0.026006085497845836, 0.025973607698495743},
    {"P11", {1e5, 1e5, 0.5, 1e-3, 5e-4, {30, 0}, {2.5e-4, 0}}, 0.4, 50, {25, 0}, 0.008375, -0.001375, 0.00975,
     0.008375},
    {"P12", {1e5, 1e5, 0.2, 1e-3, 1e-3, {50, 0}, {0, 1e-4}}, 0, 100,
     {17.736377679401478, 9.242343145200195}, 0.00048045802783311018, -0.0105, 0.010980458027833111,
     0.00046211715726000976}};
// clang-format on

}  // namespace

BOOST_AUTO_TEST_SUITE(law_linear_refined)

BOOST_AUTO_TEST_CASE(unit_cases_of_the_reference) {
  for (const UnitCase& u : unit_cases) {
    const Step& s = u.step;
    const double largest = s.mu * s.kn * std::max(s.overlap_0, s.overlap_1), energy = largest * largest / s.kt;
    // §8: 1e-11 of the limit, work 1e-10 (F²/kt + |W|).
    const double force = 1e-11 * largest, work = 1e-10 * (energy + std::abs(u.work));
    const Outcome exact = take(s);
    BOOST_TEST_INFO(u.name << ": f1 (" << exact.f1.x << ", " << exact.f1.y << "), W " << exact.work << ", D "
                           << exact.dissipated);
    BOOST_TEST(near(exact.fn1, u.fn1, 1e-13 * 100));
    BOOST_TEST((near(exact.f1.x, u.f1.x, force) && near(exact.f1.y, u.f1.y, force)));
    BOOST_TEST(near(exact.work, u.work, work));
    BOOST_TEST(near(exact.change, u.change, 1e-14 * energy));
    BOOST_TEST(near(exact.dissipated, u.dissipated, work));
    BOOST_TEST(near(exact.slid, u.alpha < 0 ? 0 : 1 - u.alpha, u.alpha < 0 ? 0 : 1e-14), u.name);
    Options options;
    options.sliding_work = dem::SlidingWork::trapezoid;
    const Outcome coarse = take(s, options);
    BOOST_TEST((coarse.f1.x == exact.f1.x && coarse.f1.y == exact.f1.y), u.name);
    BOOST_TEST(near(coarse.work, u.trapezoid, 1e-13 * energy), u.name);
  }
}

// Reference §11 (the paper's Figure 4): start on the limit square to the movement, constant normal force.
BOOST_AUTO_TEST_CASE(figure_4_final_angle_and_work) {
  const auto rows = dem::test::study_rows("tests/support/tables/angles.csv");
  BOOST_TEST(rows.size() == 16u);
  const Options conventional = with(false, false, false);
  for (const auto& r : rows) {
    const double x = r.number("x"), exact = r.number("exact"), radial = r.number("conventional");
    Step s;
    s.overlap_0 = s.overlap_1 = 1e-3;
    s.f0 = {0, -50};
    s.shift = {x * 50 / s.kt, 0};
    const auto angle = [](Vector f) { return std::atan2(f.y, f.x) * 180 / std::numbers::pi; };
    const Outcome o = take(s);
    BOOST_TEST(near(angle(o.f1), exact, 6e-11), "x = " << x << ": " << angle(o.f1));  // the table's last digit
    BOOST_TEST(near(angle(take(s, conventional).f1), radial, 6e-11), "x = " << x);
    BOOST_TEST(near(o.work, 50 * 50 / s.kt * std::log(std::cosh(x)), 1e-11 * 50 * 50 / s.kt * (1 + x)), "x = " << x);
  }
}

BOOST_AUTO_TEST_CASE(random_steps_agree_with_brute_force) {
  dem::geometry::Random random(20200817);
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

BOOST_AUTO_TEST_CASE(degenerate_inputs) {
  const double fn = 100, limit = 50, pi = std::numbers::pi;
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
  BOOST_TEST(against.work == -1e-5 * 30, boost::test_tools::tolerance(1e-14));
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
  BOOST_TEST(lost.dissipated == 0.5 * 2500 / 1e5, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(lost.f1.x == 0);
  const Outcome regained = take(Step{1e5, 1e5, 0.5, -1e-3, 1e-3, {0, 0}, {1e-4, 0}});
  BOOST_TEST(regained.f1.x == 5);
  // Touching to rounding at the start, and at the end.
  BOOST_TEST(take(Step{1e5, 1e5, 0.5, 0, 1e-3, {0, 0}, {1e-2, 0}}).f1.x == 50);
  BOOST_TEST(good(take(Step{1e5, 1e5, 0.5, 1e-300, 1e-3, {0, 0}, {1e-2, 1e-2}})));
  BOOST_TEST(good(take(Step{1e5, 1e5, 0.5, 1e-3, 1e-300, {50, 0}, {1e-2, 1e-2}})));
}

// Reference §10: without the refinements it is the conventional model, which is law `linear`.
BOOST_AUTO_TEST_CASE(without_refinements_it_is_law_linear) {
  const Options conventional = with(false, false, false);
  dem::geometry::Random random(5);
  dem::laws::Linear::History spring;
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
    dem::laws::Linear::pass({}, {}, a, &spring);
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
  const Step bends = unit_cases[1].step;
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

BOOST_AUTO_TEST_CASE(in_the_catalogue) {
  const dem::laws::LawEntry* law = dem::laws::find("linear-refined");
  BOOST_TEST_REQUIRE((law && law->history_size == 2 && law->sees_lost_contacts));
  double history[2] = {30, -40}, elongation[2];
  law->elongation(history, nullptr, {1e4, 0, 0, 0}, elongation);
  BOOST_TEST((elongation[0] == 3e-3 && elongation[1] == -4e-3));
  const double quarter[4] = {0, -1, 1, 0};
  law->transform(history, quarter);
  BOOST_TEST((history[0] == 40 && history[1] == 30));
}

BOOST_AUTO_TEST_SUITE_END()
