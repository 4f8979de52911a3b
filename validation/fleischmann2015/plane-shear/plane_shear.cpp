// Case C of the reference: plane shear of a graded sand at constant normal stress, with true displacement history and
// with none.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "libdem/case/case_file.hpp"
#include "validation/fleischmann2015/plane-shear/results.hpp"
#include "validation/fleischmann2015/studies.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

Results compute(StudyRun& run) {
  const bool quick = run.quick();
  Results out;
  const auto add = [&](const Sand& sand, std::initializer_list<Run> runs) {
    for (Run r : runs) {
      r.packing = out.sands.size();
      out.runs.push_back(std::move(r));
    }
    out.sands.push_back(sand);
  };
  const auto with_history = [](Kind kind, double strain = full_strain, double inertial_number = usual_rate) {
    return Run{kind, 0, {TangentialHistory::whole, inertial_number, strain}};
  };
  const auto none = [](double inertial_number, double strain) {
    return Run{Kind::none, 0, {TangentialHistory::none, inertial_number, strain}};
  };
  Sand sand;
  sand.packing_friction = start_friction;
  const auto varied = [&](auto change) {
    Sand s = sand;
    change(s);
    return s;
  };
  if (quick) {
    sand.count = 600;
    add(sand, {with_history(Kind::standard, 0.3), none(0.5 * usual_rate, 0.3)});
  } else {
    add(sand, {with_history(Kind::standard), none(usual_rate, 0.4), none(slow_rate, 0.25), none(slowest_rate, 0.16),
               with_history(Kind::slow, 0.8, 0.5 * usual_rate)});
    add(varied([](Sand& s) { s.seed = 2; }),
        {with_history(Kind::standard), none(usual_rate, 0.4), none(slow_rate, 0.25)});
    add(varied([](Sand& s) { s.seed = 3; }), {with_history(Kind::standard)});
    add(varied([](Sand& s) { s.stiffness = 1e4; }), {with_history(Kind::stiff, 0.75)});
    add(varied([](Sand& s) { s.packing_friction = 0; }), {with_history(Kind::dense)});
    for (const std::uint64_t seed : {1, 2, 3})
      add(varied([&](Sand& s) { s.uniformity = 1, s.seed = seed; }), {with_history(Kind::graded)});
    for (const std::uint64_t seed : {1, 2})  // cut at 2 s: of 1500 grains next to none would be as large as 3 s allows
      add(varied([&](Sand& s) { s.uniformity = 2.5, s.cut = 2, s.seed = seed; }), {with_history(Kind::graded, 0.9)});
  }

  const auto must = [](const TaskResult& r) -> const std::vector<double>& {
    if (!r.done) throw std::runtime_error("a task of the plane shear failed: " + r.message);
    return r.numbers;
  };
  std::string what;
  std::vector<double> cost;
  for (const Sand& s : out.sands) what += resolved_case(packing_case(s)), cost.push_back(double(s.count));
  double digest = 0;  // another packing is another set of runs
  for (const TaskResult& r : run.tasks(
           "packings", out.sands.size(),
           [&](std::size_t k, TaskProgress&p) { return kuhn2011::make_packing(packing_case(out.sands[k]), p).pack(); },
           what, cost)) {
    out.packings.push_back(Packing::unpack(must(r)));
    for (std::size_t k = 0; k < r.numbers.size(); ++k) digest += r.numbers[k] * double(1 + k % 97);
  }
  what += fmt::format("\nshear 1 {:.17g}", digest);
  cost.clear();
  for (const Run& r : out.runs) {
    const Sand& s = out.sands[r.packing];
    const Case c = shear_case(s, {}, r.shear);
    what += resolved_case(c);
    cost.push_back(double(s.count) * r.shear.strain / (c.stages[1].cell->component[4].rate * c.time.step));
  }
  const auto results = run.tasks(
      "shear", out.runs.size(),
      [&](std::size_t k, TaskProgress& p) {
        const Run& r = out.runs[k];
        return run_shear(shear_case(out.sands[r.packing], out.packings[r.packing], r.shear), p).pack();
      },
      what, cost);
  for (std::size_t k = 0; k < out.runs.size(); ++k) out.runs[k].path = ShearPath::unpack(must(results[k]));
  if (quick) return out;
  Run smooth{Kind::frictionless, 0, {TangentialHistory::none, slow_rate, 0.25, 0}};
  const Case smooth_case = shear_case(out.sands[0], out.packings[0], smooth.shear);
  smooth.path = ShearPath::unpack(
      must(run.tasks(
                  "frictionless", 1, [&](std::size_t, TaskProgress& p) { return run_shear(smooth_case, p).pack(); },
                  resolved_case(smooth_case))
               .front()));
  out.runs.push_back(std::move(smooth));
  return out;
}

std::string rate_label(double inertial_number) { return fmt::format("none, I = {:g}", inertial_number); }

/// What the strength does and does not depend on.
void draw_checks(Figure& figure, const Results& all) {
  const auto ratio = [](const ShearRow& r) { return r.ratio(); };
  Panel checks{"true history, other conditions", "shear strain γ", "τ/σ_zz", false, false, {}, {}};
  checks.curves = {curve_of("first packing", {all.of(Kind::standard).front()}, ratio),
                   curve_of("compressed without friction", all.of(Kind::dense), ratio),
                   curve_of("κ = 10 000", all.of(Kind::stiff), ratio),
                   curve_of("I = 0.001", all.of(Kind::slow), ratio)};
  Panel rates{"rate", "inertial number I", "τ/σ_zz, steady", true, false, {}, {}};
  const auto with_bars = [](Curve& c, double x, const Mean& m) {
    const double bar = std::isnan(m.error) ? 0 : m.error;
    c.x.push_back(x), c.y.push_back(m.value), c.y_low.push_back(m.value - bar), c.y_high.push_back(m.value + bar);
  };
  Curve whole{"true, γ > 0.6", {}, {}, {}, {}, Curve::Style::line_and_points},
      none{"none, γ > 0.1", {}, {}, {}, {}, Curve::Style::line_and_points};
  with_bars(whole, 0.5 * usual_rate, ratio_of(all.of(Kind::slow), 0.6, 9));
  with_bars(whole, usual_rate, ratio_of(all.of(Kind::standard), 0.6, 9));
  for (const auto& [rate, runs] : all.none_by_rate()) with_bars(none, rate, ratio_of(runs, 0.1, 9));
  Curve smooth{"no friction, γ > 0.1", {}, {}, {}, {}, Curve::Style::points};
  with_bars(smooth, slow_rate, ratio_of(all.of(Kind::frictionless), 0.1, 9));
  rates.curves = {whole, none, smooth};
  Panel gradings{"grading, true history", "C_u by mass of the packings", "τ/σ_zz beyond γ = 0.6", false, false, {}, {}};
  Curve points{"mean over packings", {}, {}, {}, {}, Curve::Style::line_and_points};
  for (const double uniformity : uniformities) {
    const auto runs = all.with_uniformity(uniformity);
    double measured = 0;
    for (const Run* r : runs) measured += grading_of(all.packings[r->packing]).uniformity() / double(runs.size());
    with_bars(points, measured, ratio_of(runs, 0.6, 9));
  }
  gradings.curves.push_back(std::move(points));
  for (Panel* p : {&checks, &rates, &gradings}) figure.panels.push_back(std::move(*p));
}

void draw(StudyRun& run, const Results& all) {
  const auto whole = all.of(Kind::standard);
  const auto none = all.none_by_rate();
  Figure figure;
  figure.id = "fleischmann2015/plane-shear";
  figure.title = "Plane shear of a graded sand at constant normal stress, with true displacement history and with none";
  figure.caption = fmt::format(
      "{} grains, log-normal by mass with C_u = 1.7, in a periodic cell; μ = 0.5, k_t = 0.8 k_n, κ = k_n/(σ D50) = "
      "1000, restitution 0.6, γ_t = "
      "γ_n/2; "
      "true history at I = {:g}. The same packings for both models, compressed with friction {:g}. Means over {:g} of "
      "strain{}. Dashed: the "
      "reference, "
      "true history at a constant solid fraction of 0.63.{}",
      all.packings[whole.front()->packing].radius.size(), usual_rate, start_friction, block,
      whole.size() > 1 ? fmt::format("; bars: standard error over {} packings (none: two)", whole.size()) : "",
      run.quick() ? ""
                  : " Lower row: single runs under other conditions; steady strength against rate; against the "
                    "uniformity of the grains.");
  struct Wanted {
    const char *title, *y;
    double (*value)(const ShearRow&);
  };
  const Wanted wanted[] = {
      {"strength", "τ/σ_zz", [](const ShearRow& r) { return r.ratio(); }},
      {"volume", "solid fraction", [](const ShearRow& r) { return r.solid; }},
      {"contacts", "contacts of a grain, without rattlers", [](const ShearRow& r) { return r.coordination; }}};
  for (const Wanted& w : wanted) {
    Panel panel{w.title, "shear strain γ", w.y, false, false, {}, {}};
    panel.curves.push_back(curve_of("true", whole, w.value));
    for (const auto& [rate, runs] : none)
      if (run.quick() || rate != slowest_rate) panel.curves.push_back(curve_of(rate_label(rate), runs, w.value));
    figure.panels.push_back(std::move(panel));
  }
  Curve published{"reference, true", {}, {}, {}, {}, Curve::Style::prediction};
  for (const Window& w : windows)
    if (w.from < whole.front()->path.rows.back().strain - 0.1)
      for (const double strain : {w.from, w.to}) published.x.push_back(strain), published.y.push_back(w.published);
  figure.panels.front().curves.push_back(std::move(published));
  if (!run.quick()) draw_checks(figure, all);
  figure.case_text = resolved_case(packing_case(all.sands.front()));
  figure.command = "dem validate fleischmann2015/plane-shear";
  run.figure(std::move(figure));
}

}  // namespace

void plane_shear(StudyRun& run) {
  const Results all = compute(run);
  draw(run, all);
  judge_strength(run, all);
  if (run.quick()) return;
  judge_critical_state(run, all);
  judge_conditions(run, all);
}

}  // namespace dem::validation::fleischmann2015
