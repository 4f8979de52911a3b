// D1 and D7: a sphere on an incline that cannot turn, one that can, and one that slides until it rolls.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/fleischmann2015/single-bodies/bodies.hpp"
#include "validation/fleischmann2015/single-bodies/parts.hpp"
#include "validation/fleischmann2015/unit_tables.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

using kuhn2020::agrees_with_print;
using kuhn2020::verdict;

constexpr const char *incline = "direct-shear reference §4, case D1; T7",
                     *rolling = "direct-shear reference §4, case D7";

void claim_locked(StudyRun& run) {
  const OnSlope rests = run_slope({}, 0.2);
  run.claim({"locked-true", incline,
             fmt::format("with true history it rests at u = {:.6e} m = m g sin θ/k_t", rest_at_15),
             fmt::format("{:.9e} m after 0.2 s, {:.0e} off, moving at {:.0e} m/s", rests.elongation,
                         rests.elongation / rest_at_15 - 1, rests.speed),
             "5e-7: the printed digits", verdict(std::abs(rests.elongation / rest_at_15 - 1) < 5e-7),
             "A sphere with fix_rotation on a plane, gravity tilted by 15°, friction 0.5."});
  const double none = run_slope({.history = TangentialHistory::none}, 0.2).speed;
  run.claim({"locked-none", incline,
             fmt::format("without history it creeps at {:.9g} m/s = m g sin θ/(γ_t m)", creep_at_15),
             fmt::format("{:.9g} m/s, {:.0e} off", none, none / creep_at_15 - 1),
             "1e-9: the same steady state, whatever the integrator", verdict(std::abs(none / creep_at_15 - 1) < 1e-9),
             "It never comes to rest, though friction would hold it."});
  std::string published, ours;
  double worst = 0;
  for (const auto& [dt, v] : pseudo_at_15) {
    const double found = run_slope({.history = TangentialHistory::pseudo, .dt = dt}, 0.1).speed;
    published += fmt::format("{}{:.7g} m/s at Δt = {:g} s", published.empty() ? "" : ", ", v, dt);
    ours += fmt::format("{}{:.7g}", ours.empty() ? "" : ", ", found);
    worst = std::max(worst, std::abs(found / v - 1));
  }
  run.claim({"locked-pseudo", incline,
             "pseudo-history creeps, and the speed is a matter of the time step: " + published,
             fmt::format("{} m/s after 0.1 s; {:.0e} off at most", ours, worst), "2e-5, relative (§5)",
             verdict(worst < 2e-5), "m g sin θ/(γ_t m + k_t Δt): the smaller the step the faster."});
}

void claim_free(StudyRun& run) {
  const double g_along = 9.81 * std::sin(15 * degree), rolls = 5.0 / 7 * g_along * 0.2,
               overlap = ball_mass() * 9.81 * std::cos(15 * degree) / ball_stiffness;
  const double arm = 1 - 0.5 * overlap / ball_radius, rolls_about_middle = g_along * 0.2 / (1 + 0.4 / (arm * arm));
  double found[2][3];
  for (int l = 0; l < 2; ++l)
    for (std::size_t k = 0; k < 3; ++k)
      found[l][k] =
          run_slope({.history = histories[k], .locked = false, .lever = l == 0 ? Lever::radius : Lever::contact_point},
                    0.2)
              .speed;
  run.claim({"free-true", incline, "a free sphere rolls: 0.362716 m/s after 0.2 s with true history",
             fmt::format("{:.6f} m/s with lever radius; {:.6f} m/s with the contact point in the middle of the overlap",
                         found[0][0], found[1][0]),
             "the printed digits", verdict(agrees_with_print("0.362716", found[0][0])),
             fmt::format("(5/7) g t sin θ = {:.6f} m/s; with the shorter arm R − δ/2 {:.6f} m/s.", rolls,
                         rolls_about_middle)});
  const double slip = 2.0 / 7 * g_along / 200;
  run.claim({"free-none", incline, "0.3638 m/s without history",
             fmt::format("{:.6f} m/s with lever radius, {:.6f} m/s with the contact point", found[0][2], found[1][2]),
             "the printed digits", verdict(agrees_with_print("0.3638", found[0][2])),
             fmt::format("The dashpot needs a slip of {:.3g} m/s: 2/7 of it more, {:.6f} m/s. An incline with a free "
                         "sphere tells histories apart by 0.3 % only.",
                         slip, rolls + 2.0 / 7 * slip)});
  const double held = 571.4285714285714 * 1e-5 / ball_mass(),
               expected = rolls + 2.0 / 7 * (2.0 / 7 * g_along / (200 + held));
  run.claim(
      {"free-pseudo", incline, "every history model rolls with (5/7) g sin θ",
       fmt::format("pseudo {:.6f} m/s at Δt = 1e-5 s, {:.1e} off (5/7) g t sin θ and {:.1e} off the same with its slip",
                   found[0][1], found[0][1] / rolls - 1, found[0][1] / expected - 1),
       "0.3 % from the slip; 1e-6 with it",
       verdict(std::abs(found[0][1] / rolls - 1) < 3e-3 && std::abs(found[0][1] / expected - 1) < 1e-6),
       "Slip (2/7) g sin θ/(γ_t + k_t Δt/m)."});
}

void claim_rolling(StudyRun& run) {
  Rolled r[3];
  for (std::size_t k = 0; k < 3; ++k) r[k] = run_rolling(histories[k], 0.05);
  const double arm = 1 - 0.5 * r[0].overlap / ball_radius, expected = 1 / (1 + 0.4 / (arm * arm));
  double worst = 0, from_simple = 0;
  for (const Rolled& one : r) {
    worst = std::max(worst, std::abs(one.speed / expected - 1));
    from_simple = std::max(from_simple, std::abs(1.4 * one.speed - 1));
  }
  run.claim({"rolling-speed", rolling,
             "a sphere that slides at 0.5 m/s rolls at 5/7 of it at the end: 0.357143 m/s, with every history",
             fmt::format("{:.6f} (true), {:.6f} (pseudo), {:.6f} m/s (none) after 0.05 s: {:.0e} off, {:.0e} off with "
                         "the arm R − δ/2",
                         0.5 * r[0].speed, 0.5 * r[1].speed, 0.5 * r[2].speed, from_simple, worst),
             "1e-4 for δ/R = 3.2e-4; 1e-5 with the arm: what the dashpots have left of the slip",
             verdict(from_simple < 1e-4 && worst < 1e-5), "A check of the Coulomb limit, not of history."});
  // The slip falls in proportion to time, so that a thousandth of it is left a thousandth before the end.
  const double begins = r[0].rolls_at / 0.999, known = 2 * 0.5 / (7 * 0.5 * 9.81),
               with_arm = 0.5 / (0.5 * 9.81 * (1 + 2.5 * arm * arm));
  run.claim(
      {"rolling-start", rolling,
       fmt::format("rolling starts at 2 v₀/(7 μ g) = 0.02913 s with true history (the formula gives {:.6f} s)", known),
       fmt::format("{:.6f} s from when 1e-3 of the slip is left, {:.0e} off, {:.0e} off with the arm R − δ/2; "
                   "without history 1e-3 is left at {:.5f} s, with pseudo-history at {:.5f} s",
                   begins, begins / known - 1, begins / with_arm - 1, r[2].rolls_at, r[1].rolls_at),
       "the printed digits; 7e-5 with the arm: a time step of 2e-6 s",
       verdict(agrees_with_print("0.02913", begins) && std::abs(begins / with_arm - 1) < 7e-5),
       "Friction of a dashpot falls below the limit before the slip ends, and its slip fades only."});
}

}  // namespace

std::vector<Panel> slopes(StudyRun& run) {
  claim_locked(run);
  claim_free(run);
  claim_rolling(run);
  constexpr double shown = 40;  // ms
  Panel path{"locked sphere, incline of 15°: path", "time (ms)", "path (μm)", false, true, {}, {}},
      speed{"locked sphere, incline of 15°: speed", "time (ms)", "speed (mm/s)", false, false, {}, {}};
  Curve known{"numbers of the reference, T7", {}, {}, {}, {}, Curve::Style::points};
  const auto add = [&](const std::string& label, TangentialHistory history, double dt, double creep) {
    const OnSlope s = run_slope({.history = history, .dt = dt}, 1e-3 * shown);
    Curve x{label, s.time, s.path, {}, {}, Curve::Style::line}, v{label, s.time, s.speeds, {}, {}, Curve::Style::line};
    for (Curve* c : {&x, &v})
      for (double& t : c->x) t *= 1e3;
    for (double& u : x.y) u *= 1e6;
    for (double& u : v.y) u *= 1e3;
    path.curves.push_back(std::move(x));
    speed.curves.push_back(std::move(v));
    known.x.push_back(shown), known.y.push_back(1e3 * creep);
  };
  add("true", TangentialHistory::whole, 1e-5, 0);
  for (const auto& [dt, v] : pseudo_at_15)
    add(fmt::format("pseudo, Δt = {:g} s", dt), TangentialHistory::pseudo, dt, v);
  add("none", TangentialHistory::none, 1e-5, creep_at_15);
  path.curves.push_back(
      {"m g sin θ/k_t", {0, shown}, {rest_at_15 * 1e6, rest_at_15 * 1e6}, {}, {}, Curve::Style::prediction});
  speed.curves.push_back(std::move(known));
  return {std::move(path), std::move(speed)};
}

}  // namespace dem::validation::fleischmann2015
