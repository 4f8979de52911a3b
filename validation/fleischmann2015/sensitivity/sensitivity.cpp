// The paper's second conclusion: how strength depends on k_t, γ_n, γ_t and k_n. One parameter at a time, from the same
// packings.
#include <fmt/format.h>

#include <algorithm>

#include "validation/fleischmann2015/box_study.hpp"
#include "validation/fleischmann2015/studies.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

constexpr const char* source = "paper, section 4; direct-shear reference §4";

struct Point {
  double value;  ///< of the parameter
  ShearTest test;
};
/// A parameter and what it is set to.
struct Parameter {
  const char *id, *what, *label;
  std::vector<Point> points;
};

std::vector<Parameter> parameters(bool quick) {
  const auto points = [&](std::vector<double> values, auto set) {
    std::vector<Point> out;
    for (const double v : values) {
      Point p{v, {}};
      p.test.speed = 0.02;
      p.test.servo_gain = 0;  // by weight: no gain suits all stiffnesses and dampings
      if (quick) p.test.travel = 0.004;
      set(p.test, v);
      out.push_back(p);
    }
    return out;
  };
  const auto hooke = [](ShearTest& t, double ratio) {
    t.law = "hooke-history";
    t.stiffness_ratio = ratio;
  };
  if (quick)
    return {{"k_n", "E, and with it k_n and k_t", "E/(8 MPa)",
             points({0.1, 1}, [](ShearTest& t, double v) { t.young_factor = v; })}};
  return {
      {"k_n", "E, and with it k_n and k_t", "E/(8 MPa)",
       points({0.1, 0.3, 1, 4}, [](ShearTest& t, double v) { t.young_factor = v; })},
      {"k_t", "k_t/k_n, Hooke of v_c = 0.05 m/s", "k_t/k_n", points({0.05, 2.0 / 7, 1, 2}, hooke)},
      {"gamma_n", "restitution: γ_n, and γ_t with it", "restitution",
       points({0.5, 0.7, 0.9, 0.98}, [](ShearTest& t, double v) { t.restitution = v; })},
      {"gamma_t", "γ_t/γ_n", "γ_t/γ_n",
       points({0, 0.5, 1, 2}, [](ShearTest& t, double v) { t.tangential_damping_ratio = v; })},
  };
}

struct Strength {
  Spread peak, residual;  ///< T/(σA)
  Spread angle_peak, angle_residual, rise;
};

double middle(const Spread& s) { return 0.5 * (s.low + s.high); }

}  // namespace

void sensitivity(StudyRun& run) {
  const bool quick = run.quick();
  const std::size_t seeds = quick ? 1 : 3;
  std::vector<BoxSetup> setups;
  for (std::size_t k = 0; k < seeds; ++k) {
    BoxSetup s = spheres_1800();
    s.seed = k + 1;
    s.step = quick ? 2e-5 : 1e-5;  // of the stiffest and the most damped
    if (quick) s.compaction = 0.2, s.rest = 0.05;
    setups.push_back(s);
  }
  const std::vector<Parameter> all = parameters(quick);
  std::vector<BoxRun> runs;
  for (const Parameter& p : all)
    for (const Point& point : p.points)
      for (std::size_t k = 0; k < seeds; ++k) runs.push_back({k, point.test});
  const BoxResults results = run_boxes(run, setups, runs);

  Figure f;
  f.id = "sensitivity";
  f.title = "Strength of 1800 spheres in direct shear against stiffness and damping";
  f.caption =
      "Angle of T/N at the peak and as mean over 6 to 10 mm; means of the packings with the lowest and highest.";
  std::size_t at = 0;
  for (const Parameter& p : all) {
    Panel panel{p.what,
                p.label,
                "plane angle (°)",
                p.points.front().value > 0 && p.points.back().value / p.points.front().value > 5,
                false,
                {},
                {}};
    Curve peak, residual;
    peak.label = "peak";
    residual.label = quick ? "last two fifths" : "residual";
    std::vector<Strength> found;
    for (const Point& point : p.points) {
      Strength s;
      for (std::size_t k = 0; k < seeds; ++k, ++at) {
        const BoxCurve& c = results.curves[at];
        const double end = c.rows.back().displacement;
        const BoxRow late = c.mean(0.6 * end, end);
        s.peak.add(c.published(c.peak()));
        s.residual.add(c.published(late));
        s.angle_peak.add(BoxCurve::angle(c.peak()));
        s.angle_residual.add(BoxCurve::angle(late));
        s.rise.add(c.rows.back().rise / c.diameter);
      }
      for (const auto& [curve, spread] : {std::pair(&peak, &s.angle_peak), std::pair(&residual, &s.angle_residual)}) {
        curve->x.push_back(point.value);
        curve->y.push_back(middle(*spread));
        curve->y_low.push_back(spread->low);
        curve->y_high.push_back(spread->high);
      }
      found.push_back(s);
    }
    panel.curves = {peak, residual};
    f.panels.push_back(std::move(panel));
    std::string text;
    Spread angles, scatter;
    for (std::size_t k = 0; k < p.points.size(); ++k) {
      const Strength& s = found[k];
      text += fmt::format("{}{:.2g}: {}, {} ({}°, {}°; {} d)", k ? "; " : "", p.points[k].value, s.peak.text(2),
                          s.residual.text(2), s.angle_peak.text(1), s.angle_residual.text(1), s.rise.text(2));
      angles.add(middle(s.angle_residual));
      scatter.add(s.angle_residual.high - s.angle_residual.low);
    }
    run.claim(
        {p.id, source,
         "stiffness changes the strength after yield, not only the slope before it (paper's second message, for k_n)",
         text, "none", ClaimVerdict::not_comparable,
         fmt::format("{}: T/(σA) at the peak and after it (angles on the plane; rise of the plate); means of the "
                     "residual angle differ by {:.1f}°, packings of one value by up to {:.1f}°",
                     p.what, angles.high - angles.low, scatter.high)});
  }
  run.figure(f);
}

}  // namespace dem::validation::fleischmann2015
