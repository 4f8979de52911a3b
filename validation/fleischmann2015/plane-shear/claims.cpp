// Claims of the study.
#include "validation/kuhn2020/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "validation/fleischmann2015/plane-shear/results.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

using kuhn2020::verdict;

constexpr const char* reference = "direct-shear reference, case C";
constexpr double degree = std::numbers::pi / 180;

double solid(const ShearRow& r) { return r.solid; }
Mean solid_of(const std::vector<const Run*>& runs, double from) {
  return mean_of(runs, [&](const ShearPath& p) { return p.mean(from, 9, solid); });
}
std::string set_up(const Results& all, std::size_t packings) {
  return fmt::format("{} grains, {} packing{}, κ = {:g}", all.sands[0].count, packings, packings > 1 ? "s" : "",
                     all.sands[0].stiffness);
}

}  // namespace

void judge_strength(StudyRun& run, const Results& all) {
  const auto whole = all.of(Kind::standard);
  const auto none = all.none_by_rate();
  const Mean start = mean_of(whole, [](const ShearPath& p) { return p.rows.front().solid; });
  for (std::size_t k = 0; k < std::size(windows); ++k) {
    const Window& w = windows[k];
    if (whole.front()->path.rows.back().strain < w.to - 0.01) continue;
    const bool residual = k + 1 == std::size(windows);
    const Mean m = ratio_of(whole, w.from, w.to);
    const double low = residual ? accepted[0] : w.published - 0.04, high = residual ? accepted[1] : w.published + 0.04;
    run.claim(
        {fmt::format("true-{}", k + 1), reference,
         residual ? "true history, strain 0.6 to 1.05: τ/σ_zz = 0.373 to 0.380"
                  : fmt::format("true history, strain {:g} to {:g}: τ/σ_zz = {:g}", w.from, w.to, w.published),
         fmt::format("strain {:g} to {:g}: {}", w.from, w.to, m.text()),
         residual ? "0.34 to 0.42, the reference's"
                  : "0.04 to either side, the width that the reference allows beyond a strain of 0.6",
         verdict(m.value >= low && m.value <= high),
         fmt::format(
             "{}, σ_zz held from a solid fraction of {}; published: one run at a constant 0.63 and κ of about 90.",
             set_up(all, whole.size()), start.text())});
  }
  std::string rates;
  for (const auto& [rate, runs] : none)
    rates += fmt::format("{}I = {:g}: {}", rates.empty() ? "" : "; ", rate, ratio_of(runs, 0.1, 9).text());
  const Mean slowest = ratio_of(none.begin()->second, 0.1, 9), fastest = ratio_of(none.rbegin()->second, 0.1, 9);
  run.claim({"none", reference, "no history: τ/σ_zz = 0.118 (strain 0.1 to 0.3), 0.128 (beyond)",
             "beyond a strain of 0.1, " + rates, "0.08 to 0.15, the reference's, at the slowest rate",
             verdict(slowest.value >= 0.08 && slowest.value <= 0.15),
             set_up(all, none.rbegin()->second.size()) +
                 ", single runs where no error is given; published: one run at a constant solid fraction of 0.70."});
  const double from = run.quick() ? 0.1 : 0.6;
  const Mean with = ratio_of(whole, from, 9);
  run.claim({"factor", reference, "true history is at least 2.5 times as strong as none",
             fmt::format("{:.2f} times none at I = {:g}{}", with.value / slowest.value, none.begin()->first,
                         none.size() > 1 ? fmt::format("; {:.2f} times none at the same I = {:g}",
                                                       with.value / fastest.value, usual_rate)
                                         : ""),
             "2.5, none at its slowest rate", verdict(with.value >= 2.5 * slowest.value),
             fmt::format("True history at I = {:g} beyond a strain of {:g}: {}.", usual_rate, from, with.text())});
}

void judge_critical_state(StudyRun& run, const Results& all) {
  const auto whole = all.of(Kind::standard), dense = all.of(Kind::dense);
  const auto none = all.none_by_rate();
  const Mean with = ratio_of(whole, 0.6, 9), without = ratio_of(none.begin()->second, 0.1, 9);
  const auto side = [](const ShearRow& r) { return r.xx / r.zz; };
  const Mean side_whole = mean_of(whole, [&](const ShearPath& p) { return p.mean(0.6, 9, side); });
  const Mean side_none = mean_of(none.rbegin()->second, [&](const ShearPath& p) { return p.mean(0.1, 9, side); });
  run.claim({"side-stress", reference, "σ_xx/σ_zz = 0.9 to 1.05",
             fmt::format("true, beyond a strain of 0.6: {}; none, beyond 0.1: {}", side_whole.text(), side_none.text()),
             "the published range, true history", verdict(side_whole.value >= 0.9 && side_whole.value <= 1.05),
             "The widths along x and y are fixed."});
  const Mean mohr = mean_of(whole, [&](const ShearPath& p) {
    return std::asin(p.mean(0.6, 9, [](const ShearRow& r) { return r.mohr_sine(); })) / degree;
  });
  const double tangent = std::atan(with.value) / degree, sine = std::asin(with.value) / degree;
  run.claim({"angles", reference,
             "critical state with history: atan(τ/σ_zz) = 20.4 to 20.8°, asin(τ/σ_zz) = 21.9 to 22.4°",
             fmt::format("beyond a strain of 0.6: atan {:.1f}°, asin {:.1f}°, Mohr's circle in the plane of shear {}°; "
                         "none at I = {:g}: {:.1f}°, {:.1f}°",
                         tangent, sine, mohr.text(1), none.begin()->first, std::atan(without.value) / degree,
                         std::asin(without.value) / degree),
             "atan 0.34 to atan 0.42 (18.8 to 22.8°), the range that the reference allows",
             verdict(with.value >= accepted[0] && with.value <= accepted[1]), "The same ratio told as an angle."});
  double peak = 0, peak_strain = 0;
  const Curve course = curve_of("", dense, [](const ShearRow& r) { return r.ratio(); });
  for (std::size_t k = 0; k < course.y.size(); ++k)
    if (course.y[k] > peak) peak = course.y[k], peak_strain = course.x[k];
  const double dense_start = dense.front()->path.rows.front().solid;
  run.claim(
      {"thirty-degrees", "Fleischmann et al., section 3, ring shear of a graded sand", "residual angle 30°",
       fmt::format("beyond a strain of 0.6: {:.1f}° (atan), {:.1f}° (asin); highest mean over {:g} of strain, "
                   "compressed without friction to a solid "
                   "fraction of {:.3f}: {:.1f}° (atan), {:.1f}° (asin) at a strain of {:.2f}",
                   tangent, sine, block, dense_start, std::atan(peak) / degree, std::asin(peak) / degree, peak_strain),
       "none: set beside, not judged", ClaimVerdict::not_comparable,
       "Units of the published stiffness and the apparatus are open; the reference met 30° only before the critical "
       "state of a denser sample."});
  const Mean dense_late = ratio_of(dense, 0.6, 9), dense_solid = solid_of(dense, 0.6),
             whole_solid = solid_of(whole, 0.6);
  run.claim({"critical-state", "Critical-state soil mechanics (Schofield and Wroth, 1968)",
             "strength and solid fraction at large strain do not depend on the start",
             fmt::format("beyond a strain of 0.6, τ/σ_zz and solid fraction: from {:.3f}: {}, {}; from {}: {}, {}",
                         dense_start, dense_late.text(), dense_solid.text(4),
                         mean_of(whole, [](const ShearPath& p) { return p.rows.front().solid; }).text(), with.text(),
                         whole_solid.text(4)),
             "0.03 of τ/σ_zz, 0.01 of the solid fraction: half of the strength and a third of the density that the "
             "starts differ by at a strain of 0.1",
             verdict(std::abs(dense_late.value - with.value) <= 0.03 &&
                     std::abs(dense_solid.value - whole_solid.value) <= 0.01),
             fmt::format("Without history the same stress presses the sand to {} (reference: 0.70, prescribed).",
                         solid_of(none.begin()->second, 0.1).text(4))});
}

void judge_conditions(StudyRun& run, const Results& all) {
  const auto none = all.none_by_rate();
  const Mean with = ratio_of(all.of(Kind::standard), 0.6, 9), slow = ratio_of(all.of(Kind::slow), 0.6, 9),
             stiff = ratio_of(all.of(Kind::stiff), 0.6, 9);
  run.claim({"rigid", reference, "κ = 1e3 to 1e4: the grains are rigid",
             fmt::format("beyond a strain of 0.6: κ = 1000: {}; κ = 10 000: {}", with.text(), stiff.text()),
             "0.03, three to four quarters of the range that the reference allows to either side",
             verdict(std::abs(stiff.value - with.value) <= 0.03),
             "True history; a single run beside the mean of three."});
  const Mean fast_none = ratio_of(none.rbegin()->second, 0.1, 9), slow_none = ratio_of(none.begin()->second, 0.1, 9);
  run.claim(
      {"slow-true", reference, "I ≤ 2e-3 is slow enough",
       fmt::format("true history: I = {:g}: {}; I = {:g}: {}", usual_rate, with.text(), 0.5 * usual_rate, slow.text()),
       "0.03, as for the stiffness", verdict(std::abs(slow.value - with.value) <= 0.03),
       "A single run beside the mean of three."});
  run.claim({"slow-none", reference, "I ≤ 2e-3 is slow enough",
             fmt::format("no history: I = {:g}: {}; I = {:g}: {}", usual_rate, fast_none.text(), none.begin()->first,
                         slow_none.text()),
             "0.03, as for the stiffness", verdict(std::abs(fast_none.value - slow_none.value) <= 0.03),
             "Tangential forces are those of dashpots, and collisions of nearly frictionless grains count."});
  const Mean smooth = ratio_of(all.of(Kind::frictionless), 0.1, 9), rough = ratio_of(none.at(slow_rate), 0.1, 9);
  run.claim({"none-frictionless", "direct-shear reference, case A", "μ = 0 everywhere: none is nearly this",
             fmt::format("I = {:g}, beyond a strain of 0.1: μ = 0: {}; none with μ = 0.5: {}", slow_rate, smooth.text(),
                         rough.text()),
             "0.03, as for the stiffness", verdict(std::abs(smooth.value - rough.value) <= 0.03),
             "A single run beside the mean of two."});
  std::vector<Mean> strengths;
  std::vector<double> solids;
  std::string gradings;
  for (const double uniformity : uniformities) {
    const auto runs = all.with_uniformity(uniformity);
    const Grading g = grading_of(all.packings[runs.front()->packing]);
    strengths.push_back(ratio_of(runs, 0.6, 9));
    solids.push_back(solid_of(runs, 0.6).value);
    gradings += fmt::format(
        "{}C_u {:g} ({:.2f} of the first packing, diameters {:.2f} to {:.2f}, {} packings): {}, solid fraction {:.4f}",
        gradings.empty() ? "" : "; ", uniformity, g.uniformity(), g.smallest, g.largest, runs.size(),
        strengths.back().text(), solids.back());
  }
  const auto [low, high] = std::ranges::minmax_element(strengths, {}, &Mean::value);
  run.claim({"grading", "Nguyen, Azéma, Sornay, Radjaï, Phys. Rev. E 91 (2015) 032203 (pentagons)",
             "the strength under steady shear does not depend on the span of sizes; the solid fraction rises with it",
             "beyond a strain of 0.6: " + gradings,
             "two standard errors of the largest difference, or 0.01; order of the solid fractions",
             verdict(high->value - low->value <= std::max(0.01, 2 * std::hypot(high->error, low->error)) &&
                     std::ranges::is_sorted(solids)),
             "True history, spheres instead of pentagons."});
  const Grading grading = grading_of(all.packings.front());
  double servo = 0, margin = 0;
  for (const Run& r : all.runs) servo = std::max(servo, r.path.servo_mean), margin = std::max(margin, r.path.margin);
  const auto near = [](double x, double wanted) { return std::abs(x / wanted - 1) <= 0.08; };
  run.claim({"sand", reference, "D10, D50, D60 by mass 0.642, 1, 1.091 D50; C_u 1.7",
             fmt::format("first packing: {:.3f}, {:.3f}, {:.3f}, C_u {:.2f}; of all runs, σ_zz held within {:.2f} % "
                         "(rms) and the time step at most "
                         "{:.2f} of its measured limit",
                         grading.d10, grading.d50, grading.d60, grading.uniformity(), 100 * servo, margin),
             "8 %: 1500 grains stand for about 500 of equal mass, their quantiles scatter by s/√500 times 1.3 to 1.7, "
             "2 to 3 %; 1 % of the stress",
             verdict(near(grading.d10, 0.642) && near(grading.d50, 1) && near(grading.d60, 1.091) && servo <= 0.01 &&
                     margin < 1),
             "The cut at 3 s takes 0.2 % off C_u."});
}

}  // namespace dem::validation::fleischmann2015
