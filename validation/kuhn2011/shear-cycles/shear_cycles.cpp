// Small cycles of simple shear at constant volume with the exact law, merged histories and the usual approximations:
// secant modulus and damping against amplitude and number of cycles, on packings of three seeds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libdem/case/case_file.hpp"
#include "validation/kuhn2011/shear-cycles/cycles.hpp"
#include "validation/kuhn2011/studies.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::kuhn2011 {

namespace {

using kuhn2020::verdict;

/// A value with its standard error over the packings.
struct Mean {
  double value = 0, error = 0;
};
Mean mean_of(const std::vector<double>& v) {
  Mean m;
  for (const double x : v) m.value += x / double(v.size());
  double square = 0;
  for (const double x : v) square += (x - m.value) * (x - m.value);
  if (v.size() > 1) m.error = std::sqrt(square / double(v.size() * (v.size() - 1)));
  return m;
}
std::string percent(const Mean& m) { return fmt::format("{:+.2f} ± {:.2f} %", 100 * m.value, 100 * m.error); }

struct Results {
  std::vector<CycleChoice> choices;  // by amplitude, rising
  std::vector<Packing> packings;
  std::vector<std::vector<std::vector<ShearCycles>>> runs;  // by law, packing, amplitude
  std::vector<ShearCycles> slow;                            // exact law, first packing, half the rate

  const std::vector<std::vector<ShearCycles>>& law(const char* name) const { return runs[variant_named(name)]; }
  /// f(cycle) over the packings. `cycle`: −1 is the last.
  template <class F>
  Mean over_packings(std::size_t law, std::size_t amplitude, int cycle, F f) const {
    std::vector<double> v;
    for (const auto& of_packing : runs[law]) v.push_back(f(cycle_of(of_packing[amplitude], cycle)));
    return mean_of(v);
  }
  /// f of a law over f of the exact one minus 1, packing by packing.
  template <class F>
  Mean against_exact(std::size_t law, std::size_t amplitude, int cycle, F f) const {
    std::vector<double> v;
    const auto& exact = runs[variant_named(exact_law)];
    for (std::size_t p = 0; p < exact.size(); ++p)
      v.push_back(f(cycle_of(runs[law][p][amplitude], cycle)) / f(cycle_of(exact[p][amplitude], cycle)) - 1);
    return mean_of(v);
  }
  static const Cycle& cycle_of(const ShearCycles& s, int cycle) {
    return cycle < 0 ? s.cycles.back() : s.cycles[std::size_t(cycle)];
  }
  std::size_t amplitude(double a) const {
    for (std::size_t k = 0; k < choices.size(); ++k)
      if (std::abs(choices[k].amplitude / a - 1) < 1e-6) return k;
    throw std::runtime_error(fmt::format("no cycles of amplitude {:g} were made", a));
  }
};

double dry(const Cycle& c) { return c.dry(); }
double modulus(const Cycle& c) { return c.modulus; }

Results compute(StudyRun& run) {
  const bool quick = run.quick();
  Results out;
  if (quick)
    out.choices = {{1e-5, 100, 2, 500}, {1e-4, 100, 2, 500}, {1e-3, 100, 2, 500}};
  else
    out.choices = {{1e-5, 250, 20}, {3e-5, 250, 5}, {1e-4, 250, 20}, {3e-4, 250, 5}, {1e-3, 500, 20}};
  const std::size_t count = quick ? 100 : 1000, seeds = quick ? 2 : 3;
  const auto laws = law_variants();
  const auto must = [](const TaskResult& r) -> const std::vector<double>& {
    if (!r.done) throw std::runtime_error("a task of the cycles of shear failed: " + r.message);
    return r.numbers;
  };
  std::string what;
  for (std::size_t s = 0; s < seeds; ++s) what += resolved_case(packing_case(count, 11 + s));
  double digest = 0;  // another packing is another set of runs
  for (const TaskResult& r : run.tasks(
           "packings", seeds,
           [&](std::size_t k, TaskProgress&p) { return make_packing(packing_case(count, 11 + k), p).pack(); }, what)) {
    out.packings.push_back(Packing::unpack(must(r)));
    for (std::size_t k = 0; k < r.numbers.size(); ++k) digest += r.numbers[k] * double(1 + k % 97);
  }
  what += fmt::format("\ncycles 1 {:.17g}", digest);
  for (const CycleChoice& c : out.choices)
    what += fmt::format("\n{:g} {} {} {}", c.amplitude, c.quarter, c.cycles, c.rest);
  for (const LawVariant& law : laws) what += fmt::format("\n{}", resolved_case(cycles_case({}, law, out.choices[0])));

  // A task: all amplitudes with one law on one packing; the last one with the exact law at half the rate.
  const std::size_t all = laws.size() * seeds;
  std::vector<double> cost(all + 1, 1.0);
  cost[all] = 2;
  const auto results = run.tasks(
      "cycles", all + 1,
      [&](std::size_t k, TaskProgress& progress) {
        const bool slow = k == all;
        const std::size_t law = slow ? variant_named(exact_law) : k / seeds, packing = slow ? 0 : k % seeds;
        std::vector<double> numbers;
        for (CycleChoice choice : out.choices) {
          if (slow) choice.quarter *= 2;
          const auto one = run_cycles(cycles_case(out.packings[packing], laws[law], choice), choice, progress).pack();
          numbers.push_back(double(one.size()));
          numbers.insert(numbers.end(), one.begin(), one.end());
        }
        return numbers;
      },
      what, cost);
  for (std::size_t k = 0; k <= all; ++k) {
    const auto& n = must(results[k]);
    std::vector<ShearCycles> by_amplitude;
    for (auto at = n.begin(); at != n.end();) {
      const auto end = at + 1 + std::ptrdiff_t(*at);
      by_amplitude.push_back(ShearCycles::unpack({at + 1, end}));
      at = end;
    }
    if (k == all)
      out.slow = std::move(by_amplitude);
    else {
      if (k % seeds == 0) out.runs.emplace_back();
      out.runs.back().push_back(std::move(by_amplitude));
    }
  }
  return out;
}

void draw(StudyRun& run, const Results& all) {
  const auto laws = law_variants();
  const int fifth = std::min(4, all.choices.front().cycles - 1);
  Figure figure;
  figure.id = "kuhn2011/shear-cycles";
  figure.title =
      "Cycles of simple shear at constant volume: modulus and damping with exact and approximate tangential forces";
  figure.caption = fmt::format(
      "{} packings of {} spheres, compressed without friction to p = 100 kPa; G = 29 GPa, ν = 0.15, f = 0.5, friction "
      "from the first cycle on. "
      "Damping: area of the loop less what dashpots took, over 4π times ½ G γ². Bars: standard error over the "
      "packings. Against amplitude: cycle {}. "
      "Loops: first packing, last cycle; the second one without its secant line.",
      all.packings.size(), all.packings.front().radius.size(), fifth + 1);
  const std::size_t small = all.amplitude(1e-5), middle = all.amplitude(1e-4), large = all.amplitude(1e-3);
  Panel loops{"loop, amplitude 1e-3", "γ (1e-3)", "τ/p", false, false, {}, {}};
  Panel bent{"loop without its secant, amplitude 1e-4",
             "γ over its amplitude",
             "(τ − Gγ)/(G times amplitude)",
             false,
             false,
             {},
             {}};
  Panel moduli{"secant modulus", "amplitude of γ", "G over that of jaeger at 1e-5", true, false, {}, {}};
  Panel dampings{"damping", "amplitude of γ", "damping ratio", true, true, {}, {}};
  Panel cycles{"damping in the course of cycles, 1e-4", "cycle", "damping ratio", false, false, {}, {}};
  Panel softening{"modulus in the course of cycles, 1e-3", "cycle", "G (MPa)", false, false, {}, {}};
  const double stiffest = all.over_packings(variant_named(exact_law), small, fifth, modulus).value;
  for (std::size_t l = 0; l < laws.size(); ++l) {
    Curve loop{laws[l].name, {}, {}, {}, {}, Curve::Style::line}, part = loop;
    const ShearCycles &one = all.runs[l][0][large], &other = all.runs[l][0][middle];
    for (const LoopPoint& p : one.last)
      loop.x.push_back(1e3 * p.strain), loop.y.push_back(p.stress / confining_pressure);
    const auto [low, high] = std::ranges::minmax_element(other.last, {}, [](const LoopPoint& p) { return p.strain; });
    const double g = other.cycles.back().modulus, centre = 0.5 * (high->stress + low->stress),
                 amplitude = 0.5 * (high->strain - low->strain);
    for (const LoopPoint& p : other.last)
      part.x.push_back(p.strain / amplitude), part.y.push_back((p.stress - centre - g * p.strain) / (g * amplitude));
    loops.curves.push_back(std::move(loop));
    bent.curves.push_back(std::move(part));
    const auto add = [](Curve& c, double x, Mean m, double unit) {
      c.x.push_back(x), c.y.push_back(m.value / unit);
      c.y_low.push_back((m.value - m.error) / unit), c.y_high.push_back((m.value + m.error) / unit);
    };
    Curve g_of{laws[l].name, {}, {}, {}, {}, Curve::Style::line_and_points}, d_of = g_of, d_by_cycle = g_of,
                                                                             g_by_cycle = g_of;
    for (std::size_t a = 0; a < all.choices.size(); ++a) {
      add(g_of, all.choices[a].amplitude, all.over_packings(l, a, fifth, modulus), stiffest);
      add(d_of, all.choices[a].amplitude, all.over_packings(l, a, fifth, dry), 1);
    }
    for (int k = 0; k < all.choices[middle].cycles; ++k)
      add(d_by_cycle, k + 1, all.over_packings(l, middle, k, dry), 1);
    for (int k = 0; k < all.choices[large].cycles; ++k)
      add(g_by_cycle, k + 1, all.over_packings(l, large, k, modulus), 1e6);
    moduli.curves.push_back(std::move(g_of));
    dampings.curves.push_back(std::move(d_of));
    cycles.curves.push_back(std::move(d_by_cycle));
    softening.curves.push_back(std::move(g_by_cycle));
  }
  const double first = all.over_packings(variant_named(exact_law), small, fifth, dry).value;
  dampings.curves.push_back(
      {"jaeger, in proportion to γ", {1e-5, 1e-4}, {first, 10 * first}, {}, {}, Curve::Style::prediction});
  figure.panels = {std::move(loops),    std::move(bent),   std::move(moduli),
                   std::move(dampings), std::move(cycles), std::move(softening)};
  figure.case_text = resolved_case(cycles_case({}, laws[0], {1e-4, all.choices[middle].quarter, 1}));
  figure.command = "dem validate kuhn2011/shear-cycles";
  run.figure(std::move(figure));
}

/// A hundred spheres over two fast cycles show that everything runs.
ClaimVerdict judged(const StudyRun& run, bool holds) {
  return run.quick() ? ClaimVerdict::not_comparable : verdict(holds);
}

/// "1e-05: X; 0.0001: Y; …" of the amplitudes.
std::string each(const Results& all, auto text) {
  std::string out;
  for (std::size_t a = 0; a < all.choices.size(); ++a)
    out += fmt::format("{}{:.0e}: {}", a ? "; " : "", all.choices[a].amplitude, text(a));
  return out;
}

void claim_laws(StudyRun& run, const Results& all) {
  const std::size_t small = all.amplitude(1e-5), middle = all.amplitude(1e-4), exact = variant_named(exact_law);
  const auto differences = [&](std::size_t law, int cycle) {
    return each(all, [&](std::size_t a) {
      return fmt::format("G {}, damping {}", percent(all.against_exact(law, a, cycle, modulus)),
                         percent(all.against_exact(law, a, cycle, dry)));
    });
  };
  run.claim({"values", "This study", "secant modulus and damping of the exact law",
             each(all,
                  [&](std::size_t a) {
                    const Mean g = all.over_packings(exact, a, -1, modulus), d = all.over_packings(exact, a, -1, dry);
                    return fmt::format("G = {:.1f} ± {:.1f} MPa, damping {:.5f} ± {:.5f}", g.value / 1e6, g.error / 1e6,
                                       d.value, d.error);
                  }),
             "", ClaimVerdict::not_comparable, "Last cycle; mean and standard error of the packings."});
  const std::size_t usual = variant_named(usual_law);
  const Mean at_small = all.against_exact(usual, small, -1, dry), at_middle = all.against_exact(usual, middle, -1, dry);
  run.claim(
      {"single-reversal", "jaeger-contact reference §14, B", "a memory of one reversal misses every second one",
       fmt::format("last cycle against `jaeger`: {}. First cycle: {}", differences(usual, -1), differences(usual, 0)),
       "damping at 1e-5 and 1e-4 off by more than 10 % and two standard errors",
       judged(run, std::abs(at_small.value) > std::max(0.1, 2 * at_small.error) &&
                       std::abs(at_middle.value) > std::max(0.1, 2 * at_middle.error)),
       "Its loops do not open again where the contact reloads; the modulus does not show it."});
  const std::size_t turning = variant_named("hertz-mindlin, turning points");
  double worst = 0;
  for (const std::size_t a : {small, middle})
    worst = std::max({worst, std::abs(all.against_exact(turning, a, -1, modulus).value),
                      std::abs(all.against_exact(turning, a, -1, dry).value)});
  run.claim({"turning-points", "jaeger-contact reference §14, A",
             "a memory of all turning points converges to the exact law for movement in one direction",
             fmt::format("last cycle against `jaeger`: {}", differences(turning, -1)),
             "5 % at 1e-5 and 1e-4: steps are finite, contacts turn", judged(run, worst <= 0.05),
             "Its stick steps are not remembered (reference §14)."});
  const std::size_t none = variant_named("hertz-mindlin, no memory");
  const double without = all.over_packings(none, small, -1, dry).value / all.over_packings(exact, small, -1, dry).value;
  const double by_friction = all.over_packings(none, small, -1, [](const Cycle& c) { return c.friction; }).value /
                             all.over_packings(exact, small, -1, dry).value;
  run.claim({"no-memory", "Mindlin and Deresiewicz, J. Appl. Mech. 20 (1953) 327",
             "micro-slip dissipates at any amplitude; a contact without slip annulus does not before it slides",
             fmt::format("damping of `none` over that of `jaeger` at 1e-5: {:.3f}, of which friction took {:.3f}; last "
                         "cycle against `jaeger`: {}",
                         without, by_friction, differences(none, -1)),
             "at most 0.15 at 1e-5", judged(run, without <= 0.15),
             "Only contacts that slide have friction in that law: at this amplitude weak ones do."});
  double merged = 0;
  std::string text;
  for (const char* name : {"jaeger, merged 0.10 f", "jaeger, merged 0.20 f", bounded_law}) {
    for (std::size_t a = 0; a < all.choices.size(); ++a)
      merged = std::max({merged, std::abs(all.against_exact(variant_named(name), a, -1, modulus).value),
                         std::abs(all.against_exact(variant_named(name), a, -1, dry).value)});
    text += fmt::format("{}: {}. ", name, differences(variant_named(name), -1));
  }
  run.claim({"merging", "Kuhn 2011, Fig. 5", "merging with 0.10 f changes a force by 3 %", text,
             "3 % of modulus and damping at all amplitudes", judged(run, merged <= 0.03), "Last cycle."});
  if (!run.quick()) {
    const double lower = all.over_packings(exact, small, 4, dry).value,
                 upper = all.over_packings(exact, all.amplitude(3e-5), 4, dry).value;
    const double power = std::log(upper / lower) / std::log(3.0);
    run.claim({"power", "Mindlin and Deresiewicz, J. Appl. Mech. 20 (1953) 327",
               "loss of a cycle ~ amplitude³ where the amplitude is small, damping ratio ~ amplitude",
               fmt::format("damping ~ amplitude^{:.3f} between 1e-5 and 3e-5 (cycle 5)", power), "0.1",
               verdict(std::abs(power - 1) <= 0.1),
               "Closed form of one contact at constant normal force (reference §11); here normal forces change and "
               "weak contacts slide."});
  }
}

void claim_soundness(StudyRun& run, const Results& all) {
  const std::size_t small = all.amplitude(1e-5), middle = all.amplitude(1e-4), exact = variant_named(exact_law),
                    usual = variant_named(usual_law);
  const double modulus_found = all.over_packings(exact, small, 0, modulus).value;
  std::vector<double> theory;
  double contacts = 0;
  for (const Packing& p : all.packings) {
    const double z = 2.0 * double(Simulation(case_of(p)).contact_count()) / double(p.radius.size());
    contacts += z / double(all.packings.size());
    theory.push_back(walton_modulus(z, p.void_ratio, confining_pressure));
  }
  const double ratio = modulus_found / mean_of(theory).value;
  run.claim(
      {"effective-medium", "Walton 1987; Makse, Gland, Johnson, Schwartz, Phys. Rev. Lett. 83 (1999) 5070",
       "the effective medium, in which all spheres move as the mean does, is too stiff in shear by about a third or "
       "more",
       fmt::format(
           "G = {:.1f} MPa at 1e-5, {:.2f} of the {:.1f} MPa of Walton's rough spheres with {:.2f} contacts a sphere",
           modulus_found / 1e6, ratio, mean_of(theory).value / 1e6, contacts),
       "between 0.5 and 0.85", judged(run, ratio >= 0.5 && ratio <= 0.85),
       "Spheres of different size here, equal ones there."});
  const auto open = [](const Cycle& c) { return (c.friction + c.viscous) / c.damping - 1; };
  const Mean closes = all.over_packings(exact, middle, -1, open);
  run.claim({"loop-energy", "DESIGN, promise 2",
             "area of a loop = friction and dashpots of the ledger over a closed cycle",
             fmt::format("friction and dashpots against the area, last cycle, `jaeger`: {}; `single-reversal`: {}",
                         each(all, [&](std::size_t a) { return percent(all.over_packings(exact, a, -1, open)); }),
                         each(all, [&](std::size_t a) { return percent(all.over_packings(usual, a, -1, open)); })),
             "5 % at 1e-4 for `jaeger`: stored energy still changes from cycle to cycle",
             judged(run, std::abs(closes.value) <= 0.05),
             "`single-reversal` has no potential: what its friction takes beyond the area is circulation of the law."});
  const auto slower = [&](std::size_t a, int cycle, auto f) {
    return f(Results::cycle_of(all.slow[a], cycle)) / f(Results::cycle_of(all.runs[exact][0][a], cycle)) - 1;
  };
  double viscous = 0, slower_g = 0, slower_d = 0, residual = 0, margin = 0, pressure = 0;
  for (std::size_t a = 0; a < all.choices.size(); ++a) {
    viscous =
        std::max(viscous, all.over_packings(exact, a, -1, [](const Cycle& c) { return c.viscous / c.damping; }).value);
    slower_g = std::max(slower_g, std::abs(slower(a, -1, modulus)));
    slower_d = std::max(slower_d, std::abs(slower(a, -1, dry)));
    for (const auto& of_law : all.runs)
      for (const auto& of_packing : of_law) {
        residual = std::max(residual, of_packing[a].residual), margin = std::max(margin, of_packing[a].margin);
        for (const Cycle& c : of_packing[a].cycles)
          pressure = std::max(pressure, std::abs(c.pressure / confining_pressure - 1));
      }
  }
  run.claim({"quasi-static", "Definition of a secant modulus", "modulus and damping do not depend on the rate",
             fmt::format("changes at half the rate, exact law, first packing, first cycle then last: {}; dashpots take "
                         "{:.0f} % of a loop at most",
                         each(all,
                              [&](std::size_t a) {
                                return fmt::format("G {:+.2f} % and {:+.2f} %, damping {:+.1f} % and {:+.1f} %",
                                                   100 * slower(a, 0, modulus), 100 * slower(a, -1, modulus),
                                                   100 * slower(a, 0, dry), 100 * slower(a, -1, dry));
                              }),
                         100 * viscous),
             "2 % and 5 %, last cycle", judged(run, slower_g <= 0.02 && slower_d <= 0.05),
             "Restitution 0.97; what dashpots take is subtracted from the damping. At 1e-3 contacts are made and lost, "
             "and two runs of one packing "
             "part."});
  run.claim({"ledger", "DESIGN, promise 2",
             "initial and boundary energy = kinetic + stored + friction + viscous + circulation + event loss",
             fmt::format("residual {:.1e} of the absolute work at most; time step {:.2f} of the measured limit at "
                         "most; mean pressure within {:.1f} "
                         "% of its start at constant volume",
                         residual, margin, 100 * pressure),
             "1e-3; 0.95", verdict(residual <= 1e-3 && margin <= 0.95), "All laws, packings and amplitudes."});
}

}  // namespace

void shear_cycles(StudyRun& run) {
  const Results all = compute(run);
  draw(run, all);
  claim_laws(run, all);
  claim_soundness(run, all);
}

}  // namespace dem::validation::kuhn2011
