// A sphere meets a plate at an angle: measurements of Kharaz, Gorham and Salman (2001), the benchmark of Chung and Ooi
// (2011) and the solution of Maw, Barber and Fawcett (1976), which decide between contact laws.
//
// The impact has no scale of its own: e_t is a function of ψ₁ = tan θ/(κ μ), κ and e_n, whatever size, speed and
// modulus. From ψ₁ = 7/κ − 1 on it slides all the time, and every law with Coulomb's friction gives e_t = 1 − μ(1 +
// e_n)/tan θ. Only smaller angles tell laws apart.
#include <fmt/format.h>

#include <cmath>

#include "libdem/case/case_file.hpp"
#include "validation/kuhn2011/oblique-impact/cases.hpp"
#include "validation/kuhn2011/studies.hpp"

namespace dem::validation::kuhn2011 {

namespace {

using namespace impacts;

void draw_measurements(StudyRun& run, double steps, int rings) {
  Figure figure;
  figure.id = "kuhn2011/oblique-impact";
  figure.title = "Oblique impact of aluminium oxide spheres on glass";
  figure.caption =
      "Left: tangential restitution e_t of the centre, measured and computed with μ = 0.092 and e_n = 0.98, nothing "
      "fitted; dashed: closed form of "
      "an impact that slides all the "
      "time. Right: the same as velocity of the contact point before (ψ₁) and after (ψ₂), over κ μ times the normal "
      "velocity, without dashpots; "
      "dashed: Coulomb's law on every "
      "ring of the contact after Maw, Barber and Fawcett.";
  Panel left{"tangential restitution", "angle from the normal (degrees)", "e_t", false, false, {}, {}};
  Panel right{"contact point, elastic", "ψ₁ = v_t/(κ μ v_n), before", "ψ₂, after", false, false, {}, {}};
  const Impact base = kharaz_impact(laws[0], Dashpots::both, steps);
  Curve measured{"measured", {}, {}, {}, {}, Curve::Style::points}, psi_measured = measured;
  for (const Point& p : kharaz_restitution) {
    measured.x.push_back(p.angle), measured.y.push_back(p.value);
    const double psi_1 = std::tan(p.angle * degree) / (ratio_of(base) * friction);
    if (psi_1 < 8) psi_measured.x.push_back(psi_1), psi_measured.y.push_back(psi_2_of_restitution(psi_1, p.value));
  }
  left.curves.push_back(measured);
  std::vector<double> angles;
  for (double a = 1; a < 62; a += a < 30 ? (run.quick() ? 4 : 1) : 5) angles.push_back(a);
  for (std::size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].memory == MindlinMemory::turning_points) continue;  // on the curve of a single reversal
    Curve line{k == 2 ? "hertz-mindlin, single reversal or turning points" : laws[k].label,
               {},
               {},
               {},
               {},
               Curve::Style::line};
    for (const double a : angles)
      line.x.push_back(a), line.y.push_back(at_angle(kharaz_impact(laws[k], Dashpots::both, steps), a).e_t);
    left.curves.push_back(std::move(line));
  }
  Curve slide{"slides all the time", {}, {}, {}, {}, Curve::Style::prediction};
  for (double a = 22; a <= 61; a += 1)
    slide.x.push_back(a), slide.y.push_back(sliding_restitution(friction, restitution, a * degree));
  left.curves.push_back(slide);
  std::vector<double> psi_1;
  for (double p = 0.1; p < 7.1; p += run.quick() ? 0.7 : 0.1) psi_1.push_back(p);
  const ElasticCurves psi = elastic_curves(base, psi_1, rings, steps);
  right.curves.push_back(psi_measured);
  for (std::size_t k = 0; k < laws.size(); ++k)
    if (laws[k].memory != MindlinMemory::turning_points)
      right.curves.push_back({k == 2 ? "hertz-mindlin, single reversal or turning points" : laws[k].label,
                              psi.psi_1,
                              psi.by_law[k],
                              {},
                              {},
                              Curve::Style::line});
  right.curves.push_back({"Coulomb's law on every ring", psi.psi_1, psi.rings, {}, {}, Curve::Style::prediction});
  figure.panels = {std::move(left), std::move(right)};
  Impact shown = base;
  shown.angle = 9.5 * degree;
  figure.case_text = resolved_case(impact_case(shown));
  figure.command = "dem validate kuhn2011/oblique-impact";
  run.figure(std::move(figure));
}

void draw_benchmark(StudyRun& run, double steps) {
  Figure figure;
  figure.id = "kuhn2011/oblique-impact-benchmark";
  figure.title = "Test 4 of Chung and Ooi";
  figure.caption =
      "Aluminium oxide sphere, 2.5 mm, on a rigid plane at 3.9 m/s, μ = 0.092, e_n = 0.98. Published values of the "
      "benchmark, and the experiment in "
      "its figure (digitised). Dashed: "
      "a spring T = K_t(a) δ_t cut off at μ N, which the published values follow where the contact does not slide all "
      "the time.";
  Panel left{"tangential restitution", "angle from the normal (degrees)", "e_t", false, false, {}, {}};
  Panel right{"spin after the impact", "angle from the normal (degrees)", "ω (rad/s)", false, false, {}, {}};
  const auto points = [](const char* label, const Points& p) {
    Curve c{label, {}, {}, {}, {}, Curve::Style::points};
    for (const Point& q : p) c.x.push_back(q.angle), c.y.push_back(q.value);
    return c;
  };
  left.curves.push_back(points("benchmark", benchmark_restitution));
  right.curves.push_back(points("benchmark", benchmark_spin));
  std::vector<double> angles;
  for (double a = 2; a < 86; a += a < 30 ? (run.quick() ? 4 : 1) : 5) angles.push_back(a);
  for (const std::size_t k : {0, 1, 4}) {
    Curve e{laws[k].label, {}, {}, {}, {}, Curve::Style::line}, w = e;
    for (const double a : angles) {
      const Rebound r = at_angle(benchmark_impact(laws[k], Dashpots::both, steps), a);
      e.x.push_back(a), e.y.push_back(r.e_t);
      w.x.push_back(a), w.y.push_back(r.spin);
    }
    left.curves.push_back(std::move(e));
    right.curves.push_back(std::move(w));
  }
  const Impact base = benchmark_impact(laws[0], Dashpots::both, steps);
  Curve e{"spring without slip", {}, {}, {}, {}, Curve::Style::prediction}, w = e;
  for (const double a : angles) {
    const double value = spring_restitution(ratio_of(base), friction, a * degree, 20000);
    e.x.push_back(a), e.y.push_back(value);
    w.x.push_back(a), w.y.push_back(spin_of_restitution(value, speed, a * degree, base.radius));
  }
  left.curves.push_back(std::move(e));
  right.curves.push_back(std::move(w));
  right.curves.push_back(points("experiment", experiment_spin));
  figure.panels = {std::move(left), std::move(right)};
  Impact shown = base;
  shown.angle = 5.2 * degree;
  figure.case_text = resolved_case(impact_case(shown));
  figure.command = "dem validate kuhn2011/oblique-impact";
  run.figure(std::move(figure));
}

}  // namespace

void oblique_impact(StudyRun& run) {
  const double steps = run.quick() ? 500 : 2000;
  const int rings = run.quick() ? 50 : 80;
  draw_measurements(run, steps, rings);
  draw_benchmark(run, steps);
  claim_measurements(run, steps);
  claim_maw(run, steps, rings);
  claim_benchmark(run, steps);
}

}  // namespace dem::validation::kuhn2011
