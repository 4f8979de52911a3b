// Cyclic loading: closed loops of two bodies (polygon-dem reference, §3 and §4), and packings between plates in cyclic shear.
#include <fmt/format.h>

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

#include "libdem/files/case_file.hpp"
#include "validation/pena2008/cyclic/loops.hpp"
#include "validation/pena2008/cyclic/packings.hpp"
#include "validation/pena2008/studies.hpp"

namespace dem::validation::pena2008 {

namespace {

constexpr const char* levers_section = "polygon-dem reference §3, where the force acts";

ClaimVerdict verdict(bool agrees) { return agrees ? ClaimVerdict::agrees : ClaimVerdict::differs; }

struct Spread { double low = 0, median = 0, high = 0; };
Spread spread(std::vector<double> values) {
  std::ranges::sort(values);
  return {values.front(), values[values.size() / 2], values.back()};
}
std::string text(const Spread& s, double scale, const char* unit) { return fmt::format("{:.2g} … {:.2g}{}, median {:.2g}{}", scale * s.low, scale * s.high, unit, scale * s.median, unit); }

LoopChoice velocity_loop() { return {.elongation = Elongation::velocity}; }
LoopChoice form_g(Lever lever) { return {.lever = lever}; }

/// The same choice on many random loops.
template <class F>
Spread over_loops(LoopChoice choice, F value, std::uint64_t loops) {
  std::vector<double> values;
  for (choice.seed = 1; choice.seed <= loops; ++choice.seed) values.push_back(std::abs(value(disc_loop(choice))));
  return spread(values);
}

// ---- Two bodies ---------------------------------------------------------------------------------------------------

void loops_of_discs(StudyRun& run, Figure& figure) {
  const std::uint64_t loops = run.quick() ? 20 : 200;
  const auto left = [](const LoopResult& r) { return r.relative(); };
  const auto work = [](const LoopResult& r) { return r.work / r.exchanged; };
  const auto couple = [](const LoopResult& r) { return r.couple; };
  const Spread g = over_loops(form_g(Lever::conjugate), left, loops), v = over_loops(velocity_loop(), left, loops);
  run.claim({"disc-loop-geometric", levers_section, "a closed loop of coordinates leaves nothing in ξ with (G)", fmt::format("at most {:.0e} of the amplitude in {} random loops", g.high, loops),
             "1e-12: round-off of 1000 steps", verdict(g.high < 1e-12), "(G) is a function of the coordinates."});
  run.claim({"disc-loop-velocity", levers_section, "`velocity`: a closed loop of coordinates leaves about 2.5 % of its amplitude in ξ",
             fmt::format("{} of the amplitude in {} random loops with δ/(a_i + a_j) about 1 %", text(v, 100, " %"), loops), "the reference's loop is not stated: 2.5 % lies within the range of random loops",
             verdict(v.low < 0.025 && v.high > 0.025), "v_t = V·t − (a_i − δ/2)ω_i − (a_j − δ/2)ω_j is no derivative of anything: what is left is the area that the loop encloses in the plane of δ and the angles."});
  LoopChoice coarse = velocity_loop(), fine = velocity_loop();
  coarse.steps = 100, fine.steps = 10000;
  double change = 0, with_any = INFINITY;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    coarse.seed = fine.seed = seed;
    change = std::max(change, std::abs(disc_loop(coarse).left[0] / disc_loop(fine).left[0] - 1));
  }
  std::string levers;
  for (const auto& [lever, name] : {std::pair{Lever::contact_point, "contact point"}, {Lever::proportional, "proportional"}, {Lever::radius, "radius"}}) {
    LoopChoice choice = velocity_loop();
    choice.lever = lever;
    const Spread s = over_loops(choice, left, loops);
    with_any = std::min(with_any, s.median);
    levers += fmt::format("{}{} {:.2g} %", levers.empty() ? "" : ", ", name, 100 * s.median);
  }
  run.claim({"disc-loop-any-lever", levers_section, "`velocity` is path-dependent with any lever", "median of what is left: " + levers, "not zero: above 1e-6 of the amplitude", verdict(with_any > 1e-6),
             "Other levers change how much, not whether."});
  run.claim({"disc-loop-any-step", levers_section, "what `velocity` leaves is its path dependence, not its time step", fmt::format("100 and 10000 steps a loop differ by at most {:.1e} of what is left", change),
             "0.1 %: the sum over a closed loop converges faster than any power of the step", verdict(change < 1e-3), "A smaller Δt does not help."});

  const Spread conjugate = over_loops(form_g(Lever::conjugate), work, loops), proportional = over_loops(form_g(Lever::proportional), work, loops);
  run.claim({"lever-conjugate", levers_section, "(G) with lever conjugate: net work of a closed loop 6e-17 (of the work exchanged)", fmt::format("at most {:.0e} of the work exchanged", conjugate.high),
             "1e-13: round-off of 1000 steps", verdict(conjugate.high < 1e-13), "The force is the derivative of ½ k_t ξ²."});
  LoopChoice few = form_g(Lever::proportional), many = form_g(Lever::proportional);
  few.steps = 100, many.steps = 10000;
  const double rest = std::abs(disc_loop(few).work / disc_loop(many).work - 1);
  run.claim({"lever-proportional", levers_section, "levers a_i|R_ij|/(a_i + a_j) with force f_t (proportional) create 0.47 % of the exchanged work per loop at δ/(a_i + a_j) about 1 %, at any Δt",
             fmt::format("{} of the work exchanged in {} random loops; 100 and 10000 steps differ by {:.0e} of it", text(proportional, 100, " %"), loops, rest),
             "not zero, the same at any Δt (1e-6); the size within a factor of three of the largest of our loops, as the reference's loop is not stated",
             verdict(proportional.median > 1e-5 && rest < 1e-6 && proportional.high > 0.0047 / 3 && proportional.median < 0.0047),
             "The work is k_t ∮ ξ dξ |R_ij|/(a_i + a_j), and |R_ij| changes along the loop."});
  const Spread kept = over_loops(form_g(Lever::proportional), couple, loops), broken = over_loops(form_g(Lever::radius), couple, loops);
  run.claim({"lever-angular-momentum", levers_section, "lever proportional conserves angular momentum; lever radius breaks it",
             fmt::format("couple from nothing over the largest f_t: proportional at most {:.0e} m, radius {:.2g} … {:.2g} m", kept.high, broken.low, broken.high), "1e-13 m for zero; radius: the overlap δ, 0.002 … 0.018 m",
             verdict(kept.high < 1e-13 && broken.low > 1e-3 && broken.high < 0.019), "Arms a_i and a_j add up to more than the distance, by δ."});

  Panel sizes{"Two discs: left after one loop", "mean δ/(a_i + a_j)", "|ξ| left / amplitude of ξ", true, true, {}, {}};
  for (const double amplitude : {0.1, 1.0, 5.0}) {
    Curve curve{fmt::format("v_t Δt, angles ±{:g} rad", 0.05 * amplitude), {}, {}, {}, {}, Curve::Style::line_and_points};
    for (const double overlap : {1e-4, 1e-3, 1e-2, 3e-2}) {
      LoopChoice choice = velocity_loop();
      choice.overlap = overlap;
      choice.amplitude = amplitude;
      curve.x.push_back(overlap);
      curve.y.push_back(over_loops(choice, left, 20).median);
    }
    sizes.curves.push_back(curve);
  }
  Curve nothing{"(G)", {}, {}, {}, {}, Curve::Style::points};
  for (const double overlap : {1e-4, 1e-3, 1e-2, 3e-2}) {
    LoopChoice choice = form_g(Lever::conjugate);
    choice.overlap = overlap;
    nothing.x.push_back(overlap);
    nothing.y.push_back(over_loops(choice, left, 20).median);
  }
  sizes.curves.push_back(nothing);
  figure.panels.push_back(sizes);
  double least = INFINITY, most = 0;  // of the growth from one angle amplitude to fifty times that
  for (std::size_t k = 0; k < 4; ++k) {
    const double ratio = sizes.curves[2].y[k] / sizes.curves[0].y[k];
    least = std::min(least, ratio), most = std::max(most, ratio);
  }
  const double power = std::log(sizes.curves[1].y[2] / sizes.curves[1].y[0]) / std::log(100.0);
  run.claim({"disc-loop-size", levers_section, "loops of growing amplitude: what `velocity` leaves is a share of the amplitude",
             fmt::format("share from angles of ±0.005 to ±0.25 rad: constant within {:.1e}; it grows with the overlap as its power {:.3f}", std::max(most - 1, 1 - least), power), "a share: constant within 5 %",
             verdict(std::max(most - 1, 1 - least) < 0.05), fmt::format("About {:.2g} times the relative overlap: small in stiff packings, at any strain.", sizes.curves[1].y[2] / 0.01)});
}

void loops_of_polygons(StudyRun& run, Figure& figure) {
  const LoopResult by_p = polygon_loop({.steps = 6400}), by_v = polygon_loop({.elongation = Elongation::velocity, .steps = 6400});
  run.claim({"polygon-loop", "polygon-dem reference §4", "only for discs is ξ a function of the coordinates: for polygons (P) depends on the path",
             fmt::format("loop of §6 in 6400 steps: (P) leaves {:.5e} m, {:.2f} % of the amplitude; v_t Δt leaves {:.5e} m", by_p.left[0], 100 * by_p.relative(), by_v.left[0]),
             "not zero (1e-6 of the amplitude); both elongations within 1e-4: their common limit", verdict(std::abs(by_v.left[0] / by_p.left[0] - 1) < 1e-4 && std::abs(by_p.relative()) > 1e-6),
             "Both approximate the integral of v_t at the moving centroid, which depends on the path; for polygons the elongation cures the time step, not the path."});
  Panel sizes{"Two polygons: left after one loop", "amplitude of the motion (1: reference §6)", "|ξ| left / amplitude of ξ", true, true, {}, {}};
  for (const bool geometric : {true, false}) {
    Curve curve{geometric ? "(P)" : "v_t Δt", {}, {}, {}, {}, geometric ? Curve::Style::line_and_points : Curve::Style::points};
    for (const double amplitude : {0.03, 0.1, 0.3, 1.0}) {
      LoopChoice choice = geometric ? LoopChoice{} : velocity_loop();
      choice.amplitude = amplitude;
      curve.x.push_back(amplitude);
      curve.y.push_back(std::abs(polygon_loop(choice).relative()));
    }
    sizes.curves.push_back(curve);
  }
  figure.panels.push_back(sizes);

  Panel repeated{"The same loop again and again", "loop", "ξ left (m)", false, false, {}, {}};
  constexpr int times = 20;
  double uneven = 0;
  for (const auto& [label, discs, elongation] : {std::tuple{"discs, (G)", true, Elongation::geometric}, {"discs, v_t Δt", true, Elongation::velocity}, {"polygons, (P)", false, Elongation::geometric}, {"polygons, v_t Δt", false, Elongation::velocity}}) {
    const LoopChoice choice{.elongation = elongation, .loops = times};
    const LoopResult r = discs ? disc_loop(choice) : polygon_loop(choice);
    Curve curve{label, {}, {}, {}, {}, elongation == Elongation::geometric ? Curve::Style::line_and_points : Curve::Style::points};
    for (int n = 0; n < times; ++n) curve.x.push_back(n + 1), curve.y.push_back(r.left[std::size_t(n)]);
    if (!discs || elongation == Elongation::velocity) uneven = std::max(uneven, std::abs(r.left.back() / (times * r.left.front()) - 1));
    repeated.curves.push_back(curve);
  }
  figure.panels.push_back(repeated);
  run.claim({"loops-add-up", levers_section, "an elongation that depends on the path leaves the same in every loop: without sliding it adds up",
             fmt::format("after {} loops {} times what one leaves, within {:.1e}", times, times, uneven), "1 %", verdict(uneven < 0.01),
             "Until the Coulomb limit stops it: this is how an elongation could ratchet by itself."});
}

// ---- Packings -----------------------------------------------------------------------------------------------------

struct Variant {
  const char* group;
  CyclicChoice choice;
  std::string label() const {
    return fmt::format("{}, {}", choice.elongation == Elongation::geometric ? (choice.grains == Grains::discs ? "(G)" : "(P)") : "v_t Δt",
                       choice.step_share == 1 ? std::string("Δt") : fmt::format("Δt/{:g}", 1 / choice.step_share));
  }
};

/// Mean and half its 95 % interval (Student's t).
struct Estimate { double mean = 0, error = 0; };
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
  for (std::size_t k = first; k < y.size(); ++k) sum += y[k] * (double(k) - centre), square += (double(k) - centre) * (double(k) - centre);
  return n > 1 ? sum / square : NAN;
}

struct Group {
  std::string name, words;
  std::vector<Variant> variants;   // the first: velocity at Δt; one is geometric at Δt
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
  const auto add = [](Group& g, CyclicChoice c, Elongation e, double share) { c.elongation = e, c.step_share = share; g.variants.push_back({"", c}); };
  Group discs{"discs", "discs", {}, {}}, stuck{"discs-without-sliding", "discs that cannot slide (μ = 500)", {}, {}}, polygons{"polygons", "polygons", {}, {}};
  const CyclicChoice d{.cycles = quick ? 12 : 50}, s{.friction = 500, .cycles = quick ? 12 : 40}, p{.grains = Grains::polygons, .cycles = quick ? 6 : 40};
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
  std::string fingerprint = "cyclic 1\n" + resolved_case(base);
  for (const Variant& v : group.variants)
    for (std::size_t k = 0; k < seeds; ++k) {
      CyclicChoice c = v.choice;
      c.seed = k + 1;
      choices.push_back(c);
      cost.push_back(c.cycles / c.step_share);
      fingerprint += fmt::format("{} {} {} {} {} {} {}\n", int(c.grains), int(c.elongation), c.step_share, c.amplitude, c.friction, c.cycles, c.seed);
    }
  const auto done = run.tasks(group.name, choices.size(), [&](std::size_t k, TaskProgress& progress) {
    return run_cycles(cyclic_case(base, choices[k]), [&](double share) { progress.done(share); }).numbers();
  }, fingerprint, cost);
  for (std::size_t v = 0; v < group.variants.size(); ++v) {
    auto& of_variant = group.results.emplace_back();
    for (std::size_t k = 0; k < seeds; ++k) {
      const TaskResult& r = done[v * seeds + k];
      if (!r.done) throw std::runtime_error(fmt::format("{}, {}, seed {}: {}", group.words, group.variants[v].label(), k + 1, r.message));
      of_variant.push_back(CyclicResult::from(r.numbers));
    }
  }
}

Curve densification_curve(const Group& group, std::size_t v) {
  Curve curve{group.variants[v].label(), {}, {}, {}, {}, group.variants[v].choice.elongation == Elongation::geometric ? Curve::Style::line : Curve::Style::line_and_points};
  for (std::size_t n = 0; n < group.results[v][0].densification.size(); ++n) {
    std::vector<double> of_seeds;
    for (const CyclicResult& r : group.results[v]) of_seeds.push_back(r.densification[n]);
    const Estimate e = estimate(of_seeds);
    curve.x.push_back(double(n + 1));
    curve.y.push_back(e.mean);
    if (std::isfinite(e.error) && n % 10 == 9) curve.y_low.push_back(e.mean - e.error), curve.y_high.push_back(e.mean + e.error);
    else curve.y_low.push_back(e.mean), curve.y_high.push_back(e.mean);
  }
  return curve;
}

Curve residual_curve(const Group& group, std::size_t v) {
  Curve curve{group.variants[v].label(), {}, {}, {}, {}, Curve::Style::line_and_points};
  for (std::size_t n = 1; n < group.results[v][0].densification.size(); ++n) {
    double square = 0;
    for (const CyclicResult& r : group.results[v]) square += std::pow(r.densification[n] - r.densification[n - 1], 2) / double(group.results[v].size());
    curve.x.push_back(double(n + 1));
    curve.y.push_back(std::sqrt(square));
  }
  return curve;
}

void packings(StudyRun& run, const Case& base) {
  std::vector<Group> groups = groups_of(run.quick());
  Figure figure{"pena2008/cyclic-shear", "Cyclic shear of packings between plates",
                "Residual vertical strain (compression positive, mean height of each cycle) against the number of the cycle, mean over the seeds with its 95 % interval at every tenth cycle; change from "
                "cycle to cycle, root mean square over the seeds; loops of shear stress over strain from one upper turning point to the next, seed 1.",
                {}, resolved_case(base), "dem validate pena2008/cyclic"};
  double strain_error = 0;
  for (Group& group : groups) {
    const std::size_t seeds = run.quick() ? (group.name == "discs" ? 3 : 2) : (group.name == "polygons" ? 5 : 8);
    run_group(run, base, group, seeds);
    const double finest = group.variants[group.variants[1].choice.elongation == Elongation::velocity ? (group.variants.size() > 4 ? 2 : 1) : 0].choice.step_share;
    const std::size_t v = group.find(Elongation::velocity, 1), g = group.find(Elongation::geometric, 1);
    for (const auto& of_variant : group.results)
      for (const CyclicResult& r : of_variant) strain_error = std::max(strain_error, r.strain_error);
    std::string slopes;
    for (std::size_t k = 0; k < group.variants.size(); ++k) slopes += fmt::format("{}{} {}", k == 0 ? "" : "; ", group.variants[k].label(), text(estimate(group.slopes(k))));
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
    run.claim({group.name + "-ratcheting", "polygon-dem reference §3, path dependence of `velocity`", "does the path dependence of `velocity` show as ratcheting of a packing? (no published value)",
               fmt::format("{}, strain ±{:g}, {} seeds, residual vertical strain per cycle in the second half of {} cycles: {}. `velocity` less `geometric`, same packings: {}{}", group.words, amplitude, seeds,
                           group.variants[0].choice.cycles, slopes, text(between), noise),
               "95 % interval of the difference over the seeds, or of that between time steps of one elongation where this is larger", ClaimVerdict::not_comparable,
               fmt::format("{} With `geometric` (seed 1): coordination {:.2f}, {:.0f} % of the contacts slide; residual {:.1e} of the strain amplitude a cycle; the shear-stress offset of the loop changes by {} of the "
                           "normal stress a cycle with `velocity`, {} with `geometric`.",
                           seen ? "Yes: the difference is larger than the scatter." : "No difference beyond the scatter.", one.coordination, 100 * one.sliding,
                           std::abs(estimate(group.slopes(g)).mean) / amplitude, text(estimate(group.offsets(v))), text(estimate(group.offsets(g))))});
    if (finest != 1) {
      const Estimate e = group.difference(v, group.find(Elongation::velocity, finest));
      run.claim({group.name + "-time-step", "polygon-dem reference §3, Cundall", "the whole published Δt dependence of `velocity` is one term, the damping k_tΔt/2: at rest between turning points it has no effect",
                 fmt::format("residual strain per cycle with `velocity` at Δt less at Δt/{:g}, same packings: {} ({} seeds, {})", 1 / finest, text(e), seeds, group.words), "95 % interval of the difference over the seeds",
                 verdict(std::abs(e.mean) <= e.error), std::abs(e.mean) <= e.error ? "What ratcheting there is does not come from Δt." : "The residual strain changes with Δt although all is slow."});
    }
    Panel strain{"Residual vertical strain: " + group.words, "cycle", "−ΔH/H₀", false, false, {}, {}};
    for (std::size_t k = 0; k < group.variants.size(); ++k) strain.curves.push_back(densification_curve(group, k));
    figure.panels.push_back(strain);
    Panel residual{"Change from cycle to cycle: " + group.words, "cycle", "|change of −ΔH/H₀|", true, true, {residual_curve(group, v), residual_curve(group, g)}, {}};
    figure.panels.push_back(residual);
    Panel loops{"Loops: " + group.words, "shear strain γ", "shear stress / normal stress", false, false, {}, {}};
    for (const std::size_t k : {v, g})
      for (const bool first : {true, false}) {
        const CyclicResult& r = group.results[k][0];
        Curve loop{fmt::format("{}, {}", k == v ? "v_t Δt" : "geometric", first ? "first cycle" : "last cycle"), {}, {}, {}, {}, k == v ? Curve::Style::points : Curve::Style::line};
        const auto &x = first ? r.first_strain : r.last_strain, &y = first ? r.first_stress : r.last_stress;
        loop.x.assign(x.begin(), x.end());
        loop.y.assign(y.begin(), y.end());
        loops.curves.push_back(loop);
      }
    figure.panels.push_back(loops);
  }
  run.claim({"closed-cycles", "what a closed cycle is", "a cycle ends at the strain at which it began, at any Δt", fmt::format("largest difference of the strain at turning points of all cycles and runs: {:.1e}", strain_error),
             "no difference: the same bits", verdict(strain_error == 0), "The step that reaches a turning point is shortened to end there, and the strain is set to it."});
  run.figure(figure);
}

}  // namespace

void cyclic(StudyRun& run) {
  Figure figure{"pena2008/cyclic-loops", "Closed loops of two bodies",
                "What is left in the spring when both bodies are back where they were, as a share of the largest elongation on the way. Discs: median of 20 random loops.", {}, "", "dem validate pena2008/cyclic"};
  loops_of_discs(run, figure);
  loops_of_polygons(run, figure);
  run.figure(figure);
  packings(run, read_case(run.sources() / "case.toml"));
}

}  // namespace dem::validation::pena2008
