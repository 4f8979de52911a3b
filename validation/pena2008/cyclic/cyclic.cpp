// Cyclic loading: closed loops of two bodies (polygon-dem reference, §3 and §4), and packings between plates in cyclic
// shear.
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "libdem/case/case_file.hpp"
#include "validation/pena2008/cyclic/loop_claims.hpp"
#include "validation/pena2008/cyclic/packings.hpp"
#include "validation/pena2008/studies.hpp"

namespace dem::validation::pena2008 {

namespace {

ClaimVerdict verdict(bool agrees) { return agrees ? ClaimVerdict::agrees : ClaimVerdict::differs; }

struct Variant {
  const char* group;
  CyclicChoice choice;
  std::string label() const {
    return fmt::format(
        "{}, {}",
        choice.elongation == Elongation::geometric ? (choice.grains == Grains::discs ? "(G)" : "(P)") : "v_t Δt",
        choice.step_share == 1 ? std::string("Δt") : fmt::format("Δt/{:g}", 1 / choice.step_share));
  }
};

/// Mean and half its 95 % interval (Student's t).
struct Estimate {
  double mean = 0, error = 0;
};
Estimate estimate(const std::vector<double>& v) {
  Estimate e;
  for (double x : v) e.mean += x / double(v.size());
  double square = 0;
  for (double x : v) square += (x - e.mean) * (x - e.mean);
  if (v.size() < 2) return {e.mean, NAN};
  const double freedom = double(v.size() - 1), t = boost::math::quantile(boost::math::students_t(freedom), 0.975);
  e.error = t * std::sqrt(square / freedom / double(v.size()));
  return e;
}
std::string text(const Estimate& e) { return fmt::format("({:.2f} ± {:.2f})e-6", 1e6 * e.mean, 1e6 * e.error); }

/// Least-squares slope of the second half: residual strain per cycle when the first adjustments are over.
double late_slope(const std::vector<double>& y) {
  const std::size_t first = y.size() / 2;
  const double n = double(y.size() - first), centre = (double(first) + double(y.size() - 1)) / 2;
  double sum = 0, square = 0;
  for (std::size_t k = first; k < y.size(); ++k)
    sum += y[k] * (double(k) - centre), square += (double(k) - centre) * (double(k) - centre);
  return n > 1 ? sum / square : NAN;
}

struct Group {
  std::string name, words;
  std::vector<Variant> variants;                   // the first: velocity at Δt; one is geometric at Δt
  std::vector<std::vector<CyclicResult>> results;  // [variant][seed]

  std::size_t find(Elongation e, double share) const {
    for (std::size_t v = 0; v < variants.size(); ++v)
      if (variants[v].choice.elongation == e && variants[v].choice.step_share == share) return v;
    throw std::logic_error("no such variant");
  }
  std::vector<double> slopes(std::size_t variant) const {
    std::vector<double> out;
    for (const CyclicResult& r : results[variant]) out.push_back(late_slope(r.densification));
    return out;
  }
  std::vector<double> offsets(std::size_t variant) const {
    std::vector<double> out;
    for (const CyclicResult& r : results[variant]) out.push_back(late_slope(r.stress));
    return out;
  }
  /// Of the late slopes, seed by seed: both start from the same packing.
  Estimate difference(std::size_t a, std::size_t b) const {
    auto x = slopes(a), y = slopes(b);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] -= y[k];
    return estimate(x);
  }
};

std::vector<Group> groups_of(bool quick) {
  const double finest_discs = quick ? 0.5 : 0.25;
  const auto add = [](Group& g, CyclicChoice c, Elongation e, double share) {
    c.elongation = e, c.step_share = share;
    g.variants.push_back({"", c});
  };
  Group discs{"discs", "discs", {}, {}}, stuck{"discs-without-sliding", "discs that cannot slide (μ = 500)", {}, {}},
      polygons{"polygons", "polygons", {}, {}};
  const CyclicChoice d{.cycles = quick ? 12 : 50}, s{.friction = 500, .cycles = quick ? 12 : 40},
      p{.grains = Grains::polygons, .cycles = quick ? 6 : 40};
  add(discs, d, Elongation::velocity, 1);
  if (!quick) add(discs, d, Elongation::velocity, 0.5);
  add(discs, d, Elongation::velocity, finest_discs);
  add(discs, d, Elongation::geometric, 1);
  add(discs, d, Elongation::geometric, finest_discs);
  add(stuck, s, Elongation::velocity, 1);
  if (!quick) add(stuck, s, Elongation::velocity, 0.25);
  add(stuck, s, Elongation::geometric, 1);
  if (!quick) add(stuck, s, Elongation::geometric, 0.25);
  add(polygons, p, Elongation::velocity, 1);
  if (!quick) add(polygons, p, Elongation::velocity, 0.5);
  add(polygons, p, Elongation::geometric, 1);
  if (!quick) add(polygons, p, Elongation::geometric, 0.5);
  return {discs, stuck, polygons};
}

void run_group(StudyRun& run, const Case& base, Group& group, std::size_t seeds) {
  std::vector<CyclicChoice> choices;
  std::vector<double> cost;
  std::string fingerprint = "cyclic 2\n" + resolved_case(base);
  for (const Variant& v : group.variants)
    for (std::size_t k = 0; k < seeds; ++k) {
      CyclicChoice c = v.choice;
      c.seed = k + 1;
      choices.push_back(c);
      cost.push_back(c.cycles / c.step_share);
      fingerprint += fmt::format("{} {} {} {} {} {} {}\n", int(c.grains), int(c.elongation), c.step_share, c.amplitude,
                                 c.friction, c.cycles, c.seed);
    }
  const auto done = run.tasks(
      group.name, choices.size(),
      [&](std::size_t k, TaskProgress& progress) {
        return run_cycles(cyclic_case(base, choices[k]), [&](double share) { progress.done(share); }).numbers();
      },
      fingerprint, cost);
  for (std::size_t v = 0; v < group.variants.size(); ++v) {
    auto& of_variant = group.results.emplace_back();
    for (std::size_t k = 0; k < seeds; ++k) {
      const TaskResult& r = done[v * seeds + k];
      if (!r.done)
        throw std::runtime_error(
            fmt::format("{}, {}, seed {}: {}", group.words, group.variants[v].label(), k + 1, r.message));
      of_variant.push_back(CyclicResult::from(r.numbers));
    }
  }
}

Curve densification_curve(const Group& group, std::size_t v) {
  Curve curve{group.variants[v].label(),
              {},
              {},
              {},
              {},
              group.variants[v].choice.elongation == Elongation::geometric ? Curve::Style::line
                                                                           : Curve::Style::line_and_points};
  for (std::size_t n = 0; n < group.results[v][0].densification.size(); ++n) {
    std::vector<double> of_seeds;
    for (const CyclicResult& r : group.results[v]) of_seeds.push_back(r.densification[n]);
    const Estimate e = estimate(of_seeds);
    curve.x.push_back(double(n + 1));
    curve.y.push_back(e.mean);
    if (of_seeds.size() >= 5 && n % 10 == 9)  // the interval of fewer seeds fills the picture
      curve.y_low.push_back(e.mean - e.error), curve.y_high.push_back(e.mean + e.error);
    else
      curve.y_low.push_back(e.mean), curve.y_high.push_back(e.mean);
  }
  return curve;
}

Curve residual_curve(const Group& group, std::size_t v) {
  Curve curve{group.variants[v].label(), {}, {}, {}, {}, Curve::Style::line_and_points};
  for (std::size_t n = 1; n < group.results[v][0].densification.size(); ++n) {
    double square = 0;
    for (const CyclicResult& r : group.results[v])
      square += std::pow(r.densification[n] - r.densification[n - 1], 2) / double(group.results[v].size());
    curve.x.push_back(double(n + 1));
    curve.y.push_back(std::sqrt(square));
  }
  return curve;
}

void packings(StudyRun& run, const Case& base) {
  std::vector<Group> groups = groups_of(run.quick());
  Figure figure{"pena2008/cyclic-shear",
                "Cyclic shear of packings between plates",
                "Residual vertical strain (compression positive, mean height of each cycle) against the number of the "
                "cycle, mean over the seeds with its 95 % interval at every tenth cycle; change from "
                "cycle to cycle, root mean square over the seeds; loops of shear stress over strain from one upper "
                "turning point to the next, seed 1.",
                {},
                resolved_case(base),
                "dem validate pena2008/cyclic"};
  double strain_error = 0;
  for (Group& group : groups) {
    const std::size_t seeds = run.quick() ? (group.name == "discs" ? 3 : 2) : (group.name == "polygons" ? 5 : 8);
    run_group(run, base, group, seeds);
    const double finest =
        group
            .variants[group.variants[1].choice.elongation == Elongation::velocity ? (group.variants.size() > 4 ? 2 : 1)
                                                                                  : 0]
            .choice.step_share;
    const std::size_t v = group.find(Elongation::velocity, 1), g = group.find(Elongation::geometric, 1);
    for (const auto& of_variant : group.results)
      for (const CyclicResult& r : of_variant) strain_error = std::max(strain_error, r.strain_error);
    std::string slopes;
    for (std::size_t k = 0; k < group.variants.size(); ++k)
      slopes += fmt::format("{}{} {}", k == 0 ? "" : "; ", group.variants[k].label(), text(estimate(group.slopes(k))));
    const Estimate between = group.difference(v, g);
    const double amplitude = group.variants[0].choice.amplitude;
    std::string noise;
    double noise_error = between.error;
    if (finest != 1) {
      const Estimate e = group.difference(g, group.find(Elongation::geometric, finest));
      noise = fmt::format("; geometric at Δt less at Δt/{:g}: {}", 1 / finest, text(e));
      noise_error = std::max(noise_error, e.error);
    }
    const bool seen = std::abs(between.mean) > noise_error;
    const CyclicResult& one = group.results[g][0];
    run.claim(
        {group.name + "-ratcheting", "polygon-dem reference §3, path dependence of `velocity`",
         "does the path dependence of `velocity` show as ratcheting of a packing? (no published value)",
         fmt::format("{}, strain ±{:g}, {} seeds, residual vertical strain per cycle in the second half of {} cycles: "
                     "{}. `velocity` less `geometric`, same packings: {}{}",
                     group.words, amplitude, seeds, group.variants[0].choice.cycles, slopes, text(between), noise),
         "95 % interval of the difference over the seeds, or of that between time steps of one elongation where this "
         "is larger",
         ClaimVerdict::not_comparable,
         fmt::format("{} With `geometric` (seed 1): coordination {:.2f}, {:.0f} % of the contacts slide; residual "
                     "{:.1e} of the strain amplitude a cycle; the shear-stress offset of the loop changes by {} of the "
                     "normal stress a cycle with `velocity`, {} with `geometric`.",
                     seen ? "Yes: the difference is larger than the scatter." : "No difference beyond the scatter.",
                     one.coordination, 100 * one.sliding, std::abs(estimate(group.slopes(g)).mean) / amplitude,
                     text(estimate(group.offsets(v))), text(estimate(group.offsets(g))))});
    if (finest != 1) {
      const Estimate e = group.difference(v, group.find(Elongation::velocity, finest));
      run.claim(
          {group.name + "-time-step", "polygon-dem reference §3, Cundall",
           "the whole published Δt dependence of `velocity` is one term, the damping k_tΔt/2: at rest between turning "
           "points it has no effect",
           fmt::format(
               "residual strain per cycle with `velocity` at Δt less at Δt/{:g}, same packings: {} ({} seeds, {})",
               1 / finest, text(e), seeds, group.words),
           "95 % interval of the difference over the seeds", verdict(std::abs(e.mean) <= e.error),
           std::abs(e.mean) <= e.error ? "What ratcheting there is does not come from Δt."
                                       : "The residual strain changes with Δt although all is slow."});
    }
    Panel strain{"Residual vertical strain: " + group.words, "cycle", "−ΔH/H₀", false, false, {}, {}};
    for (std::size_t k = 0; k < group.variants.size(); ++k) strain.curves.push_back(densification_curve(group, k));
    figure.panels.push_back(strain);
    Panel residual{"Change from cycle to cycle: " + group.words,         "cycle", "|change of −ΔH/H₀|", true, true,
                   {residual_curve(group, v), residual_curve(group, g)}, {}};
    figure.panels.push_back(residual);
    Panel loops{"Loops: " + group.words, "shear strain γ", "shear stress / normal stress", false, false, {}, {}};
    for (const std::size_t k : {v, g})
      for (const bool first : {true, false}) {
        const CyclicResult& r = group.results[k][0];
        Curve loop{fmt::format("{}, {}", k == v ? "v_t Δt" : "geometric", first ? "first cycle" : "last cycle"),
                   {},
                   {},
                   {},
                   {},
                   k == v ? Curve::Style::points : Curve::Style::line};
        const auto &x = first ? r.first_strain : r.last_strain, &y = first ? r.first_stress : r.last_stress;
        loop.x.assign(x.begin(), x.end());
        loop.y.assign(y.begin(), y.end());
        loops.curves.push_back(loop);
      }
    figure.panels.push_back(loops);
  }
  run.claim(
      {"closed-cycles", "what a closed cycle is", "a cycle ends at the strain at which it began, at any Δt",
       fmt::format("largest difference of the strain at turning points of all cycles and runs: {:.1e}", strain_error),
       "no difference: the same bits", verdict(strain_error == 0),
       "The step that reaches a turning point is shortened to end there, and the strain is set to it."});
  run.figure(figure);
}

}  // namespace

void cyclic(StudyRun& run) {
  Figure figure{"pena2008/cyclic-loops",
                "Closed loops of two bodies",
                "What is left in the spring when both bodies are back where they were, as a share of the largest "
                "elongation on the way. Discs: median of 20 random loops.",
                {},
                "",
                "dem validate pena2008/cyclic"};
  loops_of_discs(run, figure);
  loops_of_polygons(run, figure);
  run.figure(figure);
  packings(run, read_case(run.sources() / "case.toml"));
}

}  // namespace dem::validation::pena2008
