// Case A of the reference, Fig. 2 of the paper: 1800 spheres in direct shear with true, pseudo and no displacement
// history, from the same packings; how T/(σA) splits into plate load, weight of the grains and drag of the walls.
#include <fmt/format.h>

#include <algorithm>

#include "validation/fleischmann2015/box_study.hpp"
#include "validation/fleischmann2015/case-a/history_cost.hpp"
#include "validation/fleischmann2015/studies.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

constexpr const char* source = "direct-shear reference §4, case A";

struct Runs {
  std::vector<BoxCurve> whole, pseudo, none;  // by seed
};

void claim_full(StudyRun& run, const Runs& r) {
  const auto band = [&](const char* id, const char* published, const Spread& found, double low, double high, int digits,
                        const char* note) {
    run.claim({id, source, published, found.text(digits), fmt::format("{:g} to {:g}: {}", low, high, band_of_codes),
               verdict(found.within(low, high)), note});
  };
  const auto window = [](double from, double to, auto value) {
    return [=](const BoxCurve& c) { return value(c, c.mean(from, to)); };
  };
  const auto ratio = [](const BoxCurve& c, const BoxRow& m) { return c.published(m); };
  const auto angle = [](const BoxCurve&, const BoxRow& m) { return BoxCurve::angle(m); };
  const auto rise = [](const BoxCurve& c, const BoxRow& m) { return m.rise / c.diameter; };
  band("plane-angle-peak", "38 to 40° (codes); no material angle of 63°",
       over(r.whole, [](const BoxCurve& c) { return BoxCurve::angle(c.peak()); }), 35, 43, 1,
       "angle of T/N at the peak of T, true history");
  band("plane-angle-residual", "27 to 30° (codes)", over(r.whole, window(6e-3, 10e-3, angle)), 25, 33, 1,
       "mean over 6 to 10 mm, true history");
  band("plane-angle-none", "8 to 11° (codes)", over(r.none, window(6e-3, 10e-3, angle)), 6, 13, 1,
       "mean over 6 to 10 mm, no history");
  band("rise-true", "+0.48 to +0.52 d (codes)", over(r.whole, window(9.5e-3, 10e-3, rise)), 0.3, 0.7, 2,
       "rise of the plate at the end, in diameters");
  band("rise-none", "-0.12 to -0.15 d (codes)", over(r.none, window(9.5e-3, 10e-3, rise)), -1, 0.05, 2,
       "the sample compacts");
  band("peak-true", "about 2 (paper); 1.94 to 2.33 (codes)",
       over(r.whole, [](const BoxCurve& c) { return c.published(c.peak()); }), 1.7, 2.6, 2, "T/(σA)");
  band("peak-place", "2.4 to 3.7 mm (codes)",
       over(r.whole, [](const BoxCurve& c) { return 1e3 * c.peak().displacement; }), 2, 4.5, 1, "mm of travel");
  band("residual-true", "about 1 (paper); 1.10 to 1.40 (codes)", over(r.whole, window(6e-3, 10e-3, ratio)), 0.9, 1.6, 2,
       "T/(σA), 6 to 10 mm");
  band("end-true", "about 1 (paper); 0.98 to 1.21 (codes)", over(r.whole, window(9e-3, 10e-3, ratio)), 0.8, 1.4, 2,
       "T/(σA), 9 to 10 mm");
  band("mean-none", "about 0.25 (paper); 0.22 to 0.29 (codes)", over(r.none, window(0, 10e-3, ratio)), 0.15, 0.40, 2,
       "T/(σA), whole curve");
  band("no-peak-none", "0.36 at most (codes)", over(r.none, [](const BoxCurve& c) { return c.published(c.peak()); }), 0,
       0.45, 2, "largest T/(σA)");
  Spread apart, factor;
  for (std::size_t k = 0; k < r.none.size(); ++k) {
    const double none = r.none[k].published(r.none[k].mean(6e-3, 10e-3));
    apart.add(r.pseudo[k].published(r.pseudo[k].mean(6e-3, 10e-3)) - none);
    factor.add(r.whole[k].published(r.whole[k].mean(6e-3, 10e-3)) / none);
  }
  band("pseudo-is-none", "equal (paper)", apart, -0.08, 0.08, 3,
       "difference of T/(σA), 6 to 10 mm, of the same packing");
  band("true-over-none", "about 4 (paper); 4.6 to 5.4 (codes)", factor, 3, 1e9, 1,
       "ratio of the residuals of the same packing");
  band("porosity", "\"0.4\" (paper); 0.404 to 0.407 (codes)",
       over(r.whole, [](const BoxCurve& c) { return c.porosity; }), 0.395, 0.415, 3, "before shear");
}

void claim_quick(StudyRun& run, const Runs& r) {
  const BoxCurve &a = r.whole[0], &b = r.none[0];
  const char* where = "direct-shear reference §4, case A, CI version";
  const auto late = [](const BoxCurve& c) { return c.published(c.mean(2e-3, 4e-3)); };
  run.claim({"quick-peak-true", where, "1.98 (codes)", fmt::format("{:.2f}", a.published(a.peak())),
             "at least 1.5, of the reference", verdict(a.published(a.peak()) >= 1.5), "largest T/(σA) up to 4 mm"});
  run.claim({"quick-peak-none", where, "0.36 (codes)", fmt::format("{:.2f}", b.published(b.peak())),
             "at most 0.6, of the reference", verdict(b.published(b.peak()) <= 0.6), "largest T/(σA) up to 4 mm"});
  run.claim({"quick-factor", where, "6 (codes)", fmt::format("{:.1f}", late(a) / late(b)),
             "at least 3, of the reference", verdict(late(a) / late(b) >= 3), "means over 2 to 4 mm"});
  run.claim({"quick-rise", where, "+0.22 d and -0.15 d (codes)",
             fmt::format("{:+.2f} d and {:+.2f} d", a.rows.back().rise / a.diameter, b.rows.back().rise / b.diameter),
             "true at least +0.1 d, none at most 0, of the reference",
             verdict(a.rows.back().rise >= 0.1 * a.diameter && b.rows.back().rise <= 0), "at 4 mm"});
}

void draw(StudyRun& run, const Runs& r) {
  using Value = double (*)(const BoxCurve&, const BoxRow&);
  const double d = r.whole[0].diameter;
  const auto panel = [&](const char* title, const char* label, Value value) {
    Panel p{title, "displacement/d", label, false, false, {}, {}};
    for (const auto& [name, curves] :
         {std::pair("true", &r.whole), std::pair("pseudo", &r.pseudo), std::pair("none", &r.none)})
      if (!curves->empty()) p.curves.push_back(mean_curve(name, *curves, d, value));
    return p;
  };
  Figure f;
  f.id = "case-a";
  f.title = "Direct shear of 1800 spheres with true, pseudo and no displacement history";
  f.caption =
      "Means over 0.1 mm and over the packings, bands from the lowest to the highest of them. Left: shear force over "
      "the prescribed plate load, as published; middle: over the normal force on the shear plane; right: rise of the "
      "plate.";
  f.panels = {panel("as published", "T/(σA)", published_ratio), panel("on the shear plane", "T/N", plane_ratio),
              panel("plate", "rise/d", rise_in_diameters)};
  run.figure(f);
  const BoxCurve& a = r.whole[0];
  Figure split;
  split.id = "normal-force";
  split.title = "What the normal force on the shear plane is made of, true history";
  split.caption =
      "In units of the prescribed plate load σA: plate, with the weight of the grains above the plane, with the drag "
      "of the dilating sample on the upper walls. T over the last is the tangent of the angle of friction, T over the "
      "first is not.";
  Panel p{"packing 1", "displacement/d", "force/(σA)", false, false, {}, {}};
  const auto line = [&](const char* label, double (*value)(const BoxRow&)) {
    p.curves.push_back(
        box_curve(label, a, a.diameter, [value](const BoxCurve& c, const BoxRow& row) { return value(row) / c.load; }));
  };
  line("T", [](const BoxRow& row) { return row.shear; });
  line("N", [](const BoxRow& row) { return row.plane; });
  line("plate", [](const BoxRow& row) { return row.plate; });
  line("plate + weight above", [](const BoxRow& row) { return row.plate + row.above; });
  line("plate + weight above + wall drag", [](const BoxRow& row) { return row.plate + row.above + row.drag; });
  split.panels = {p};
  run.figure(split);
}

/// A box of twelve diameters: what of it the walls have placed.
void claim_ordering(StudyRun& run, const BoxResults& results, const BoxSetup& setup) {
  Spread reach, first, core, solid, load;
  for (const PackingReport& p : results.packings) {
    reach.add(p.profile.reach(0.1) / setup.diameter);
    first.add(*std::ranges::max_element(p.profile.sides));
    core.add(p.core);
    solid.add(1 - p.porosity);
    load.add(p.largest_load);
  }
  run.claim({"ordering", "direct-shear reference §3",
             "twelve-diameter boxes order along the flat walls, a disordered core remains (no numbers)",
             fmt::format("solid fraction {} at the maximum half a diameter from the side walls, layers that stand out "
                         "by 10 % up to {} d from them; core {}, whole box {}",
                         first.text(2), reach.text(2), core.text(3), solid.text(3)),
             "none", ClaimVerdict::not_comparable,
             "planes parallel to the walls; core: farther than 2.5 d from walls and floor, 5 d from the plate"});
  run.claim({"plate-of-preparation", "direct-shear reference §2, normal stress", "a falling plate or a servo",
             fmt::format("largest load of the plate while it compacts {} σA", load.text(2)), "none",
             ClaimVerdict::not_comparable,
             "with the servo; a plate that falls as a weight hits the spheres and packs them denser: case-a-variants"});
  Figure f;
  f.id = "ordering";
  f.title = "Layers of spheres along the walls of the box before shear";
  f.caption = "Solid fraction of planes parallel to the four side walls and to the floor.";
  for (const bool floor : {false, true}) {
    Panel p{floor ? "floor" : "side walls", "distance/d", "solid fraction", false, false, {}, {}};
    for (std::size_t k = 0; k < results.packings.size(); ++k) {
      const WallProfile& profile = results.packings[k].profile;
      Curve c;
      c.label = fmt::format("packing {}", k + 1);
      c.style = Curve::Style::line;
      c.y = floor ? profile.floor : profile.sides;
      for (std::size_t i = 0; i < c.y.size(); ++i) c.x.push_back((double(i) + 0.5) * profile.spacing / setup.diameter);
      p.curves.push_back(std::move(c));
    }
    f.panels.push_back(std::move(p));
  }
  run.figure(f);
}

}  // namespace

void case_a(StudyRun& run) {
  const bool quick = run.quick();
  const std::size_t seeds = quick ? 1 : 3;
  std::vector<BoxSetup> setups;
  for (std::size_t k = 0; k < seeds; ++k) {
    BoxSetup s = spheres_1800();
    s.seed = k + 1;
    if (quick) s.step = 4e-5, s.compaction = 0.2, s.rest = 0.05, s.servo_gain = 0.07;
    setups.push_back(s);
  }
  std::vector<ShearTest> tests;
  for (const TangentialHistory history :
       {TangentialHistory::whole, TangentialHistory::none, TangentialHistory::pseudo}) {
    ShearTest t;
    t.history = history;
    if (quick) t.speed = 0.02, t.travel = 0.004;
    if (!quick || history != TangentialHistory::pseudo) tests.push_back(t);
  }
  std::vector<BoxRun> runs;
  for (const ShearTest& t : tests)
    for (std::size_t k = 0; k < seeds; ++k) runs.push_back({k, t});
  const BoxResults results = run_boxes(run, setups, runs);
  Runs all;
  for (std::size_t k = 0; k < results.curves.size(); ++k)
    (k / seeds == 0 ? all.whole : k / seeds == 1 ? all.none : all.pseudo).push_back(results.curves[k]);
  draw(run, all);
  if (quick)
    claim_quick(run, all);
  else
    claim_full(run, all);
  claim_ordering(run, results, setups.front());
  claim_history_cost(run, setups.front(), packing_file(run, 0), quick ? 4 : 60);
  run.claim({"cost", "direct-shear reference §4", "256 ns (3.9e6 particle-steps a core-second, an established code)",
             fmt::format("{} ns a sphere and step", cost_of(results).text(0)), "none: another machine",
             ClaimVerdict::not_comparable, "without ledger, observers at every tenth step included"});
}

}  // namespace dem::validation::fleischmann2015
