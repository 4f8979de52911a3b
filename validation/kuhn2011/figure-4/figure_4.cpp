// Fig. 4: the equivalent load history that a contact stores, step by step. The steps of the paper are not printed;
// those of the reference (jaeger-contact reference §16, U3) were chosen to reproduce every history that it describes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "validation/kuhn2011/reference_tables.hpp"
#include "validation/kuhn2011/studies.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::kuhn2011 {

namespace {

using kuhn2020::agrees_with_print;
using kuhn2020::verdict;

/// An end of a leg as it is printed, 1000 ζ*, and its slope.
struct End {
  const char* z;
  double p;
};
struct History {
  const char* path;
  std::vector<End> ends;
};
const std::array<History, 9> histories{{
    {"0–1", {{"1", 0.2}}},
    {"0–1–2", {{"1", 0.2}, {"2", -0.3}}},
    {"0–1–2–3", {{"1", 0.2}, {"2", -0.3}, {"3", -0.1}}},
    {"0–1–2–2a–4", {{"1", 0.2}, {"2", -0.3}, {"2.33333", -0.1}, {"3.4", 0.5}}},
    {"0–1–1a–5", {{"1", 0.2}, {"1.5", -0.3}, {"3.2", 0.5}}},
    {"0–1–1a–5–6", {{"1", 0.2}, {"1.5", -0.3}, {"3.2", 0.5}, {"4.2", 0.1}}},
    {"0–1–1a–5–6–7", {{"1", 0.2}, {"1.5", -0.3}, {"3.2", 0.5}, {"4.2", 0.1}, {"5", 0.4}}},
    {"0–1–1a–5–6–6a–8", {{"1", 0.2}, {"1.5", -0.3}, {"3.2", 0.5}, {"4.2", 0.1}, {"4.55556", 0.4}, {"5.2", -0.5}}},
    {"0–1–1a–5–6–6a–7a–9",
     {{"1", 0.2}, {"1.5", -0.3}, {"3.2", 0.5}, {"4.2", 0.1}, {"4.55556", 0.4}, {"4.95", -0.5}, {"5.1", 0.5}}},
}};
/// All ends after the ninth step, ζ* and F*.
constexpr std::array<std::array<double, 2>, 7> last_ends{{{0.001, 0.00016865480854231355},
                                                          {0.0014999999999999998, 0.0003098386676965933},
                                                          {0.0032, 0.0009654364585800329},
                                                          {0.0042, 0.0014516859164433603},
                                                          {0.004555555555555556, 0.0016398750142893434},
                                                          {0.00495, 0.0018574046408900784},
                                                          {0.0051, 0.0019424685325636554}}};
/// Cumulative loss by friction (J).
constexpr std::array<const char*, 9> losses{"0",          "0",          "0",          "8.67001e-9", "8.51274e-8",
                                            "8.51274e-8", "8.51274e-8", "8.75189e-8", "8.75980e-8"};

/// The contact after each of the nine steps, and in words what the step was.
struct Step {
  std::vector<laws::Leg> legs;
  std::string regime;
  double held, cumulative;  // ξ_e and the sum of Δξ (m)
};
std::vector<Step> nine_steps() {
  const auto& table = table_named("U3");
  JaegerPath path = path_of(table);
  std::vector<Step> steps;
  double sum = 0;
  for (const auto& row : table.rows) {
    const auto before = path.legs();
    const auto regime = path.step(move_of(row));
    sum += row.shift_1;
    Step s{path.legs(), "stick", path.h.held_1, sum};
    if (regime != laws::StepRegime::stick) {
      // Unloading stays inside the cone of a leg that slipped: the leg is shortened and a new one opens.
      const bool from_slip = std::abs(before.back().p_1) >= path.c.friction * (1 - 1e-12);
      s.regime = from_slip && s.legs.size() == before.size() + 1 ? "slip, unloading" : "slip, loading";
    }
    steps.push_back(std::move(s));
  }
  return steps;
}

void claim_steps(StudyRun& run, const std::vector<Step>& steps) {
  const auto& table = table_named("U3");
  const TableMatch m = match(table);
  run.claim({"table", "jaeger-contact reference §16, U3", "nine steps: F_n, F_t, U_t, regimes, number of legs",
             fmt::format("F_t off by at most {:.1e} of f max F_n, U_t by {:.1e}; {} rows with another regime, {} with "
                         "another number of legs",
                         m.force, m.stored, m.regimes, m.legs),
             fmt::format("{}, all numbers of legs", table_tolerance), verdict(m.holds() && m.legs == 0),
             "The digits are those of an evaluation with 60 digits."});
  bool holds = true;
  double worst_slope = 0;
  std::string published, measured;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto& wanted = histories[k].ends;
    const auto& legs = steps[k].legs;
    holds = holds && legs.size() == wanted.size();
    published += fmt::format("{}{}", k ? ", " : "", histories[k].path);
    measured += fmt::format("{}{}:", k ? "; " : "", k + 1);
    for (std::size_t l = 0; l < legs.size(); ++l) {
      measured += fmt::format("{} {:.6g}", l ? "," : "", 1000 * legs[l].z);
      if (l >= wanted.size()) continue;
      holds = holds && agrees_with_print(wanted[l].z, 1000 * legs[l].z) && std::abs(legs[l].p_1 - wanted[l].p) <= 1e-12;
      worst_slope = std::max(worst_slope, std::abs(legs[l].p_1 - wanted[l].p));
    }
  }
  run.claim({"histories", "Kuhn 2011, Fig. 4; jaeger-contact reference §16, U3",
             fmt::format("stored histories {}", published),
             fmt::format("1000 ζ* after the steps {}; slopes off by at most {:.1e}", measured, worst_slope),
             "half a unit of the last printed digit; 1e-12 of the slopes", verdict(holds),
             "2a = 7/3, 1a = 3/2, 6a = 41/9, 7a = 4.95. A front that meets legs at their ends would show here first."});
  double ends = 0;
  const auto& last = steps.back().legs;
  bool same = last.size() == last_ends.size();
  for (std::size_t l = 0; same && l < last.size(); ++l) {
    ends = std::max({ends, std::abs(last[l].z / last_ends[l][0] - 1),
                     std::abs(m.path.c.normal_force(last[l].z) / last_ends[l][1] - 1)});
  }
  run.claim({"last-history", "jaeger-contact reference §16, U3", "seven entries after step 9, ζ* and F* in 16 digits",
             fmt::format("{} entries, off by at most {:.1e}", last.size(), ends), "1e-12",
             verdict(same && ends <= 1e-12), "Fronts come from a square root and a difference of near values."});
  const std::array<const char*, 9> words{"stick", "stick", "stick",         "slip, loading",  "slip, loading",
                                         "stick", "stick", "slip, loading", "slip, unloading"};
  int right = 0;
  double off = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    right += steps[k].regime == words[k];
    off = std::max(off, std::abs(steps[k].held - steps[k].cumulative) / std::abs(table.rows[k].z));
  }
  run.claim({"kinds-of-slip", "Kuhn 2011, Fig. 4; jaeger-contact reference §5 and §16",
             "steps 1, 2, 3, 6, 7 stick; 4, 5, 8 slip while loading; 9 slips while unloading: inside the cone of the "
             "leg that slipped before",
             fmt::format("{} of 9 steps", right), "all nine", verdict(right == 9),
             "The contact tells stick from slip; the rest is read from its legs before and after."});
  run.claim({"movement", "jaeger-contact reference §4", "ξ_e of the legs is the cumulative ξ where nothing slid",
             fmt::format("off by at most {:.1e} ζ", off), "1e-14 ζ: rounding of nine steps", verdict(off <= 1e-14),
             "So every polyline of the figure ends where the path is."});
}

/// Loss of a history whose steps are cut into n parts (J).
std::array<double, 9> cumulative_loss(int n) {
  const auto& table = table_named("U3");
  JaegerPath path = path_of(table);
  std::array<double, 9> lost{};
  for (std::size_t k = 0; k < lost.size(); ++k) {
    step_in_parts(path, move_of(table.rows[k]), n);
    lost[k] = path.lost();
  }
  return lost;
}

void claim_loss(StudyRun& run) {
  const auto coarse = cumulative_loss(2000), fine = cumulative_loss(4000);
  bool holds = true, falls = false;
  double before = 0, scale = std::strtod(losses.back(), nullptr);
  std::string measured;
  for (std::size_t k = 0; k < fine.size(); ++k) {
    const double found = fine[k] + (fine[k] - coarse[k]) / 3, printed = std::strtod(losses[k], nullptr);
    holds = holds && std::abs(found - printed) <= kuhn2020::half_unit(losses[k]) * (printed > 0 ? 1 : 0) +
                                                      1e-6 * (printed > 0 ? printed : scale);
    falls = falls || found < before - 1e-9 * scale;
    before = found;
    measured += fmt::format("{}{}", k ? ", " : "", std::abs(found) < 1e-9 * scale ? "0" : fmt::format("{:.6g}", found));
  }
  run.claim(
      {"loss", "jaeger-contact reference §16, U3",
       "cumulative loss by friction: 0, 0, 0, 8.67001e-9, 8.51274e-8, 8.51274e-8, 8.51274e-8, 8.75189e-8, 8.75980e-8",
       measured, "half a unit of the last printed digit and 1e-6 (the reference states ±1e-6)",
       verdict(holds && !falls),
       "Straight steps in 2000 and 4000 parts, work by the trapezoid, extrapolated. Steps that stick lose nothing."});
}

void draw(StudyRun& run, const std::vector<Step>& steps) {
  Figure figure;
  figure.id = "kuhn2011/figure-4";
  figure.title = "The equivalent load history after each of nine steps";
  figure.caption =
      "Equivalent history that the contact stores (line, corners where its legs end) after each step, and the one "
      "before the step (second line); "
      "f = 0.5. Dashed: the cone of slope ±f behind the new point. A step sticks where the old end lies inside this "
      "cone: one more leg. Else it "
      "slips: "
      "the old history is kept up to where it leaves the cone, and the new leg lies on the cone.";
  const double f = table_named("U3").friction;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto polyline = [](const std::vector<laws::Leg>& legs) {
      Curve c{"", {0}, {0}, {}, {}, Curve::Style::line_and_points};
      double z = 0, y = 0;
      for (const auto& leg : legs) {
        y += leg.p_1 * (leg.z - z);
        z = leg.z;
        c.x.push_back(1000 * z);
        c.y.push_back(1000 * y);
      }
      return c;
    };
    Panel p{fmt::format("step {}: {}", k + 1, steps[k].regime), "1000 ζ/R", "1000 ξ/(κR)", false, false, {}, {}};
    Curve now = polyline(steps[k].legs);
    now.label = fmt::format("after: {} leg{}", steps[k].legs.size(), steps[k].legs.size() > 1 ? "s" : "");
    const double z = now.x.back(), y = now.y.back(), reach = std::min(z, 2.2);
    p.curves.push_back(std::move(now));
    if (k > 0) {
      Curve before = polyline(steps[k - 1].legs);
      before.label = "before";
      p.curves.push_back(std::move(before));
    }
    p.curves.push_back(
        {"cone ±f", {z - reach, z, z - reach}, {y - f * reach, y, y + f * reach}, {}, {}, Curve::Style::prediction});
    figure.panels.push_back(std::move(p));
  }
  figure.command = "dem validate kuhn2011/figure-4";
  run.figure(std::move(figure));
}

}  // namespace

void figure_4(StudyRun& run) {
  const auto steps = nine_steps();
  claim_steps(run, steps);
  claim_loss(run);
  draw(run, steps);
}

}  // namespace dem::validation::kuhn2011
