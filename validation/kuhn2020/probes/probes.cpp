// Stress probes around q/p = 0.8 in triaxial compression of clusters, for the refined and the conventional model (Fig.
// 5 of Kuhn, Suzuki and Daouadji; linear-frictional-contact reference, §15).
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "validation/kuhn2020/claims.hpp"
#include "validation/kuhn2020/probes/probe_set.hpp"
#include "validation/kuhn2020/studies.hpp"

namespace dem::validation::kuhn2020 {

namespace {

constexpr const char* section = "linear-frictional-contact reference §15";
constexpr double degrees = 180 / std::numbers::pi;

std::string shown(const Circle& c) {
  if (c.points < 3) return fmt::format("no circle through {} points", c.points);
  return fmt::format(
      "1/H = {:.3g} 1/Pa (±{:.1g} %), φ_f = {:.1f}°, misfit {:.1f} % of the diameter ({} points), opposite lobe {:.1f} "
      "%",
      c.diameter, 100 * c.error, c.direction * degrees, 100 * c.misfit, c.points, 100 * c.opposite);
}
std::string shown(const ModulusDifference& d) {
  if (!std::isfinite(d.value) || !std::isfinite(d.error)) return "not determined";
  return fmt::format("{:+.3f} ± {:.3f} %", 100 * d.value, 100 * d.error);
}

void draw(StudyRun& run, const Probes& probes, const std::vector<std::pair<double, double>>& by_steps) {
  Figure figure;
  figure.id = "kuhn2020/figure-5";
  figure.title = "Irreversible strain of stress probes in the Rendulic plane";
  figure.caption = fmt::format(
      "{}; q/p = 0.8, settled. Radius |Δε_irr|/|Δσ| in the direction of Δσ; axes σ_v = √3 p and σ_d = √(2/3) q, "
      "compression positive; strain {:g} in "
      "30 steps with relaxation. Dashed: fitted circles.",
      probes.source().sentence, magnitude);
  Panel plane{"", "along σ_v (1/GPa)", "along σ_d (1/GPa)", false, false, {}, {}};
  for (const char* name : {"refined", "conventional"}) {
    const auto points = probes.responses(probes[name]);
    Curve c{name, {}, {}, {}, {}, Curve::Style::points},
        fit{fmt::format("{}, circle", name), {}, {}, {}, {}, Curve::Style::prediction};
    for (const Response& p : points) {
      c.x.push_back(1e9 * p.radius * std::cos(p.direction));
      c.y.push_back(1e9 * p.radius * std::sin(p.direction));
    }
    const Circle circle = fit_circle(points);
    for (int k = 0; k <= 60; ++k) {
      const double t = 2 * std::numbers::pi * k / 60, r = 0.5e9 * circle.diameter;
      fit.x.push_back(r * (std::cos(circle.direction) + std::cos(t)));
      fit.y.push_back(r * (std::sin(circle.direction) + std::sin(t)));
    }
    plane.curves.push_back(std::move(c));
    plane.curves.push_back(std::move(fit));
  }
  Panel difference{
      "conventional against refined", "steps of the probe", "relative difference of Δε_irr", true, true, {}, {}};
  Curve line{"measured", {}, {}, {}, {}, Curve::Style::line_and_points};
  for (const auto& [steps, d] : by_steps) {
    line.x.push_back(steps);
    line.y.push_back(d);
  }
  Curve paper{"paper, modulus at 30 steps", {30}, {0.05}, {}, {}, Curve::Style::prediction};
  difference.curves = {std::move(line), std::move(paper)};
  Panel lobe{"large lobe", "direction of Δσ (degrees)", "|Δε_irr|/|Δσ| (1/GPa)", false, false, {}, {}};
  for (const char* suffix : {" 1 step", " 5 steps", ""}) {
    Curve c{fmt::format("refined{}", *suffix ? suffix : " 30 steps"), {}, {}, {}, {}, Curve::Style::points};
    for (const Response& p : probes.responses(probes[std::string("refined") + suffix])) {
      c.x.push_back(p.direction * degrees);
      c.y.push_back(1e9 * p.radius);
    }
    lobe.curves.push_back(std::move(c));
  }
  figure.panels = {std::move(plane), std::move(difference), std::move(lobe)};
  figure.command = "dem validate kuhn2020/probes";
  run.figure(std::move(figure));
}

void claim_controls(StudyRun& run, const Probes& probes, const std::vector<std::string>& all) {
  const Group& refined = probes["refined"];
  const PathRow& start = probes.start(0.8);
  run.claim({"state", "linear-frictional-contact reference §14 and §15",
             "mean out-of-balance force 1e-5 or less before probing; identical stored state for all probes",
             fmt::format("{}: q/p = {:.4f}, p = {:.2f} kPa, mean unbalanced force {:.1e}, {:.1f} % of {:.0f} contacts "
                         "at the limit; probe over path strain {:.3f}",
                         probes.source().sentence, start.q / start.p, start.p / 1e3, start.unbalanced,
                         100 * start.at_limit, start.contacts, magnitude / start.strain),
             "1e-5, as printed", verdict(start.unbalanced <= 1e-5),
             "All probes are loaded from the bits of one checkpoint; both models start from the same contact forces."});
  double least = INFINITY;
  for (const Rendulic& s : refined.stress) least = std::min(least, s.norm());
  const double still = probes.null_of(refined).result.front().stress.norm();
  run.claim({"null", section, "a null probe gives |Δσ| below 1 % of a probe's",
             fmt::format("{:.3g} Pa of at least {:.3g} Pa: {:.2g} %", still, least, 100 * still / least),
             "1 %, as printed", probes.source().real() ? verdict(still < 0.01 * least) : ClaimVerdict::not_comparable,
             "The same steps without strain; subtracted from all probes."});
  double dissipation = 0, balance = 0;
  for (const std::string& name : all)
    for (const ProbeResult& r : probes[name].result) {
      dissipation = std::min(dissipation, r.friction);
      balance = std::max(balance, std::abs(r.balance));
    }
  run.claim({"dissipation", section, "the dissipation of each probe is ≥ 0 and matches ΣD",
             fmt::format("least {:.1e} J; energy balance of a probe off by {:.1e} of its absolute work at most",
                         dissipation, balance),
             "not below zero but for round-off; 1e-2 of the work", verdict(dissipation >= -1e-20 && balance <= 1e-2),
             "Friction of the ledger, which sums D of all contacts."});
  const Stiffness k = probes.stiffness_of(refined);
  run.claim({"no-slip", section,
             "the response without sliding is linear: in a trial 2.7 % rms misfit and off-diagonals equal to 5 %",
             fmt::format("misfit {:.2f} % rms, off-diagonals equal to {:.1f} %; K_vv = {:.4g}, K_dd = {:.4g}, K_vd = "
                         "{:.3g}, K_dv = {:.3g} MPa",
                         100 * k.misfit, 100 * k.asymmetry, k.k(0, 0) / 1e6, k.k(1, 1) / 1e6, k.k(0, 1) / 1e6,
                         k.k(1, 0) / 1e6),
             "5 %: the trial's own size",
             probes.source().real() ? verdict(k.misfit < 0.05) : ClaimVerdict::not_comparable,
             "Contacts open and close even without sliding; K_rev by least squares over all directions."});
}

}  // namespace

void probes(StudyRun& run) {
  const bool quick = run.quick();
  Probes all(run);
  const std::size_t many = quick ? 36 : 72, few = quick ? 9 : 10;
  std::vector<Rendulic> chosen_directions;  // empty: evenly spread
  const auto group = [&](std::string name, ProbeModel model, std::size_t directions, int steps, int relaxation,
                         double ratio = 0.8, double size = magnitude) {
    Group g{std::move(name), ratio, model, directions, steps, relaxation};
    g.size = size;
    for (const Rendulic& d : chosen_directions) g.strain.push_back(size * d);
    all.add(std::move(g));
  };
  const auto pair = [&](const std::string& suffix, std::size_t directions, int steps, int relaxation,
                        double ratio = 0.8, double size = magnitude) {
    group("refined" + suffix, ProbeModel::refined, directions, steps, relaxation, ratio, size);
    group("conventional" + suffix, ProbeModel::conventional, directions, steps, relaxation, ratio, size);
  };
  // What follows looks at the large lobe alone: strains around those of the first set whose stress lies in it.
  const auto over_the_lobe = [&] {
    const auto points = all.responses(all["refined"]);
    const Circle circle = fit_circle(points);
    const auto& strain = all["refined"].strain;
    // Angles of these strains, and 25° more on either side: other schedules slide at other strains.
    double first = NAN, low = INFINITY, high = -INFINITY;
    for (std::size_t n = 0; n < points.size(); ++n) {
      if (std::abs(std::remainder(points[n].direction - circle.direction, 2 * std::numbers::pi)) > 75 / degrees)
        continue;
      const double angle = std::atan2(strain[n](1), strain[n](0));
      if (std::isnan(first)) first = angle;
      const double off = std::remainder(angle - first, 2 * std::numbers::pi);
      low = std::min(low, off), high = std::max(high, off);
    }
    std::vector<Rendulic> spread;
    for (std::size_t k = 0; k < few; ++k) {
      const double angle = first + low - 25 / degrees + (high - low + 50 / degrees) * double(k) / double(few - 1);
      spread.push_back({std::cos(angle), std::sin(angle), 0});
    }
    return spread;
  };
  const int wait = 10;  // of 30 steps; the same number in all for other numbers of steps
  pair("", many, 30, wait);
  Group deviatoric{"deviatoric", 0.8, ProbeModel::refined, quick ? few : 12, 30, wait};
  deviatoric.deviatoric = true;
  all.add(std::move(deviatoric));
  all.compute("first");
  chosen_directions = over_the_lobe();
  pair(" 1 step", few, 1, 30 * wait);
  pair(" 5 steps", few, 5, 6 * wait);
  std::vector<ProbeModel> single;
  std::vector<int> waits;
  std::vector<double> sizes, ratios;
  if (!quick) {
    single = {ProbeModel::whole_step, ProbeModel::no_onset, ProbeModel::no_direction,
              ProbeModel::first_order_transport};
    waits = {3, 30};
    sizes = {2e-6};
    ratios = {0.4, 1.2};
    for (const ProbeModel m : single) group(std::string(name_of(m)) + " 1 step", m, few, 1, 30 * wait);
    for (const int w : waits) pair(fmt::format(" relaxation {}", w), few, 30, w);
    for (const double s : sizes) pair(fmt::format(" size {:g}", s), few, 30, wait, 0.8, s);
    for (const double r : ratios) pair(fmt::format(" q/p {:g}", r), few, 30, wait, r);
  }
  all.compute("second");

  const auto difference = [&](const std::string& suffix) {
    return modulus_difference(all.responses(all["refined" + suffix]), all.responses(all["conventional" + suffix]));
  };
  const auto apart = [&](const std::string& suffix) {
    return all.irreversible_difference(all["refined" + suffix], all["conventional" + suffix]);
  };
  const auto told = [&](const std::string& suffix) {
    return fmt::format("{} (irreversible strains {:.3f} % apart)", shown(difference(suffix)), 100 * apart(suffix));
  };
  const double apart_30 = apart(""), apart_5 = apart(" 5 steps"), apart_1 = apart(" 1 step");
  const ModulusDifference at_30 = difference("");
  draw(run, all, {{1, apart_1}, {5, apart_5}, {30, apart_30}});
  claim_controls(run, all, {"refined", "conventional", "refined 1 step", "conventional 1 step"});

  const std::string here = all.source().real() ? "" : " " + all.source().sentence + ".";
  const auto judged = [&](bool holds) { return all.source().real() ? verdict(holds) : ClaimVerdict::not_comparable; };
  const Circle refined = fit_circle(all.responses(all["refined"])),
               conventional = fit_circle(all.responses(all["conventional"]));
  run.claim({"circle", "Kuhn, Suzuki, Daouadji, Fig. 5; linear-frictional-contact reference §15",
             "points of the plot lie on a circle through the origin; in a trial misfit 0.7 % of the diameter, φ_f = "
             "117°, opposite lobe 1-2 %",
             fmt::format("{} probes: {}; conventional: {}", many, shown(refined), shown(conventional)),
             "5 % of the diameter, what is seen as a circle in the figure",
             judged(refined.points > 3 && refined.misfit < 0.05 && conventional.misfit < 0.05),
             "Strain probes of 6e-6 in 30 steps with 10 steps at rest after each." + here});
  run.claim({"modulus-30", "Kuhn, Suzuki, Daouadji, Fig. 5",
             "at 30 steps the plastic modulus of the conventional model is about 5 % off",
             fmt::format("H_conv/H_ref − 1 = {}", told("")), "within a factor of 2 of 5 %",
             judged(std::abs(at_30.value) > 0.025 && std::abs(at_30.value) < 0.1),
             "The number found is the result; radial return alone explains 0.01 to 0.2 % (reference). Equal strains, "
             "equal start, equal schedule." +
                 here});
  run.claim(
      {"modulus-steps", "Kuhn, Suzuki, Daouadji; linear-frictional-contact reference §15",
       "the difference is larger with fewer steps and falls about as 1/steps: forces of 3.2 %, 0.86 %, 0.15 % at 1, 5, "
       "30 steps",
       fmt::format("H_conv/H_ref − 1: 1 step {}, 5 steps {}, 30 steps {}", told(" 1 step"), told(" 5 steps"), told("")),
       "irreversible strains are the nearer the more steps; from 1 to 30 at least by a factor of 5",
       judged(apart_1 > apart_5 && apart_5 > apart_30 && apart_1 > 5 * apart_30),
       "Equal relaxation in all (300 steps); the relaxation steps are contact steps too, so that a probe has more of "
       "them than its strain is "
       "cut into." +
           here});
  std::string text;
  if (!quick) {
    const auto reference = all.responses(all["refined 1 step"]);
    for (const ProbeModel m : single)
      text += fmt::format(
          "{}{}: {} (irreversible strains {:.3f} % apart)", text.empty() ? "" : "; ", name_of(m),
          shown(modulus_difference(reference, all.responses(all[std::string(name_of(m)) + " 1 step"]))),
          100 * all.irreversible_difference(all["refined 1 step"], all[std::string(name_of(m)) + " 1 step"]));
    run.claim({"refinements", section, "each refinement switched separately", text, "", ClaimVerdict::not_comparable,
               "Change of H in probes of one step, where it is largest; no number is published." + here});
    text = fmt::format("10 steps a strain step: {:.4g} GPa", 1e-9 / refined.diameter);
    double low = refined.diameter, high = refined.diameter;
    for (const int w : waits) {
      const std::string suffix = fmt::format(" relaxation {}", w);
      const Circle c = fit_circle(all.responses(all["refined" + suffix]));
      low = std::min(low, c.diameter), high = std::max(high, c.diameter);
      text += fmt::format("; {}: {:.4g} GPa (conventional {})", w, 1e-9 / c.diameter, told(suffix));
    }
    run.claim(
        {"relaxation", section,
         "letting the assembly relax ten cycles after each strain step lowers H by 20 %, more than the models differ",
         text, "larger than the difference of the models", judged(high / low - 1 > std::abs(at_30.value)),
         "H against the amount of relaxation." + here});
    text = fmt::format("6e-6: {:.4g} GPa", 1e-9 / refined.diameter);
    for (const double s : sizes) {
      const std::string suffix = fmt::format(" size {:g}", s);
      text += fmt::format("; {:g} ({:.3f} p/(k_n D)): {:.4g} GPa, conventional {}", s, s * 7000,
                          1e-9 / fit_circle(all.responses(all["refined" + suffix])).diameter, told(suffix));
    }
    run.claim({"magnitude", section, "probes of 2e-6 and 6e-6, and scaled with p/(k_n D)", text, "",
               ClaimVerdict::not_comparable,
               "6e-6 is 0.042 p/(k_n D) and several per cent of the path to the state." + here});
    text = fmt::format("0.8: {:.4g} GPa, {}", 1e-9 / refined.diameter, told(""));
    for (const double r : ratios) {
      const std::string suffix = fmt::format(" q/p {:g}", r);
      text += fmt::format("; {:g}: {:.4g} GPa, {}", r,
                          1e-9 / fit_circle(all.responses(all["refined" + suffix])).diameter, told(suffix));
    }
    run.claim({"ratios", section, "modulus difference at q/p = 0.4, 0.8, 1.2", text, "", ClaimVerdict::not_comparable,
               "No number is published for the other two." + here});
  }
  const Group& plane = all["deviatoric"];
  const Stiffness k = all.stiffness_of(plane);
  double forward = 0, largest = 0, smallest = INFINITY;
  for (std::size_t n = 0; n < plane.strain.size(); ++n) {
    const double size = (plane.strain[n] - k.k.inverse() * plane.stress[n]).norm() / plane.stress[n].norm();
    if (n == 0) forward = size;
    largest = std::max(largest, size);
    smallest = std::min(smallest, size);
  }
  run.claim(
      {"deviatoric-plane", section, "some probes in the deviatoric plane",
       fmt::format("{} directions: |Δε_irr|/|Δσ| from {:.3g} to {:.3g} 1/Pa, {:.3g} on in the direction of the path",
                   plane.strain.size(), smallest, largest, forward),
       "", ClaimVerdict::not_comparable,
       "ε22 ≠ ε33; K_rev with three normal components. No number is published." + here});
}

}  // namespace dem::validation::kuhn2020
