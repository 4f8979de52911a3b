// The figures of the study.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libdem/case/case_file.hpp"
#include "validation/pena2008/particle-number/particle_number.hpp"

namespace dem::validation::pena2008::packed {

namespace {

using Of = double (*)(const Measurement&);

Curve points(std::string label, const Ensemble& e, Of of) {
  Curve c;
  c.label = std::move(label);
  c.style = Curve::Style::points;
  for (const Measurement& m : e.measured) {
    c.x.push_back(m.bodies);
    c.y.push_back(of(m));
  }
  return c;
}

/// Geometric means over packings of nearly one size, as a dashed line.
Curve mean_line(std::string label, const Ensemble& e, Of of) {
  Curve c;
  c.label = std::move(label);
  c.style = Curve::Style::prediction;
  std::vector<Measurement> sorted = e.measured;
  std::sort(sorted.begin(), sorted.end(),
            [](const Measurement& a, const Measurement& b) { return a.bodies < b.bodies; });
  for (std::size_t k = 0; k < sorted.size();) {
    double n = 0, y = 0, count = 0;
    for (const double first = sorted[k].bodies; k < sorted.size() && sorted[k].bodies < 1.5 * first; ++k) {
      if (!std::isfinite(of(sorted[k]))) continue;
      n += std::log(sorted[k].bodies), y += std::log(of(sorted[k])), ++count;
    }
    if (count == 0) continue;
    c.x.push_back(std::exp(n / count));
    c.y.push_back(std::exp(y / count));
  }
  return c;
}

Curve straight(std::string label, double n_low, double n_high, double y_low, double exponent) {
  return {std::move(label),        {n_low, n_high}, {y_low, y_low * std::pow(n_high / n_low, exponent)}, {}, {},
          Curve::Style::prediction};
}

double largest_n(const Ensemble& e) {
  double n = 2;
  for (const Measurement& m : e.measured) n = std::max(n, m.bodies);
  return n;
}

Panel threshold_panel(const Ensemble& e, const char* title) {
  Panel p{title, "number of particles N", "T_t/t_c", true, true, {}, {}};
  p.curves.push_back(points("velocity, 5 %", e, [](const Measurement& m) { return m.threshold(0.05); }));
  p.curves.push_back(points("velocity, 2 %", e, [](const Measurement& m) { return m.threshold(0.02); }));
  p.curves.push_back(points("velocity, 1 %", e, [](const Measurement& m) { return m.threshold(0.01); }));
  p.curves.push_back(mean_line("5 %, from the slowest mode of each packing (mean)", e,
                               [](const Measurement& m) { return m.predicted_threshold(0.05); }));
  const double n = largest_n(e);
  p.curves.push_back(straight("floor 2 tol τ at 5 %", 2, n, 2 * 0.05 / 0.95 * damping_time(), 0));
  p.curves.push_back(straight("floor at 1 %", 2, n, 2 * 0.01 / 0.99 * damping_time(), 0));
  const Curve& mean = p.curves[3];
  if (!mean.y.empty()) p.curves.push_back(straight("1/N", 2, n, mean.y.front(), -1));
  return p;
}

Panel limit_panel(const Ensemble& e, const char* title) {
  Panel p{title, "number of particles N", "largest stable Δt/t_c", true, true, {}, {}};
  p.curves.push_back(points("velocity", e, [](const Measurement& m) { return m.velocity_limit; }));
  p.curves.push_back(points("geometric", e, [](const Measurement& m) { return m.geometric_limit; }));
  p.curves.push_back(mean_line("velocity, modes one by one (mean)", e,
                               [](const Measurement& m) { return m.velocity_limit_predicted; }));
  p.curves.push_back(mean_line("geometric, largest eigenfrequency (mean)", e,
                               [](const Measurement& m) { return m.geometric_limit_predicted; }));
  if (!p.curves[3].y.empty()) p.curves.push_back(straight("1/N", 2, largest_n(e), p.curves[3].y.front(), -1));
  return p;
}

Panel relaxation_panel(const Ensemble& discs, const Ensemble& polygons) {
  Panel p{"relaxation time of the slowest mode", "number of particles N", "t_R/t_c", true, true, {}, {}};
  const Of geometric = [](const Measurement& m) { return 1 / m.geometric_rate[1]; };
  const Of predicted = [](const Measurement& m) { return 1 / m.rate; };
  p.curves.push_back(points("discs, geometric", discs, geometric));
  p.curves.push_back(points("polygons, geometric", polygons, geometric));
  p.curves.push_back(
      points("discs, velocity for Δt → 0", discs, [](const Measurement& m) { return 1 / m.fitted_rate; }));
  p.curves.push_back(mean_line("discs, normal modes (mean)", discs, predicted));
  p.curves.push_back(mean_line("polygons, normal modes (mean)", polygons, predicted));
  if (!p.curves[3].y.empty()) p.curves.push_back(straight("∝ N", 2, largest_n(discs), p.curves[3].y.front(), 1));
  return p;
}

Panel fixed_time_panel(const Ensemble& discs, const Ensemble& polygons) {
  Panel p{"energy left at 300 t_c within 5 %, all modes excited (from the modes)",
          "number of particles N",
          "Δt/t_c",
          true,
          true,
          {},
          {}};
  const Of of = [](const Measurement& m) { return m.fixed_time_threshold; };
  p.curves.push_back(mean_line("discs", discs, of));
  p.curves.push_back(mean_line("polygons", polygons, of));
  return p;
}

/// 1/t_R against Δt of the last packing (the largest) of each kind.
Panel rate_panel(const Ensemble& discs, const Ensemble& polygons) {
  Panel p{"", "Δt/t_c", "t_R(0)/t_R(Δt)", true, true, {}, {}};
  for (const Ensemble* e : {&discs, &polygons}) {
    if (e->measured.empty()) continue;
    const Measurement& m = e->measured.back();
    Curve velocity{fmt::format("{:.0f} {}, velocity", m.bodies, e->name), {}, {}, {}, {}, Curve::Style::points},
        geometric = velocity, theory = velocity;
    geometric.label = fmt::format("{:.0f} {}, geometric", m.bodies, e->name);
    theory.label = fmt::format("{}: 1 + bΔt t_R(0), from the mode", e->name);
    theory.style = Curve::Style::prediction;
    for (std::size_t k = 0; k < velocity_steps.size(); ++k)
      if (std::isfinite(m.velocity_rate[k]))
        velocity.x.push_back(velocity_steps[k]), velocity.y.push_back(m.velocity_rate[k] / m.rate);
    for (std::size_t k = 0; k < geometric_steps.size(); ++k)
      if (std::isfinite(m.geometric_rate[k]))
        geometric.x.push_back(geometric_steps[k]), geometric.y.push_back(m.geometric_rate[k] / m.rate);
    for (double dt = 1e-3; dt < 0.11; dt *= 1.2) theory.x.push_back(dt), theory.y.push_back(1 + m.slope * dt / m.rate);
    for (auto* c : {&velocity, &geometric, &theory}) p.curves.push_back(*c);
  }
  p.title = "decay of the slowest mode";
  return p;
}

Panel picture(const Packing& packing, const char* title) {
  Panel p{title, "x (m)", "y (m)", false, false, {}, {}};
  for (const BodySpec& body : packing.given.assembly.bodies) {
    DrawnPolygon drawn;
    drawn.role = "body-i";
    geometry::Outline outline = body.outline;
    Vec2 centre;
    if (body.shape == ShapeKind::disc) {
      for (int k = 0; k < 48; ++k)
        outline.push_back(
            {body.radius * std::cos(k * std::numbers::pi / 24), body.radius * std::sin(k * std::numbers::pi / 24)});
    } else {
      centre = geometry::area_properties(outline).centroid;
    }
    const Turn turn = Turn::by(body.angle);
    for (Vec2 v : outline) {
      const Vec2 placed = planar(body.position) + turn(v - centre);
      drawn.x.push_back(placed.x);
      drawn.y.push_back(placed.y);
    }
    p.polygons.push_back(drawn);
  }
  const double width = packing.given.assembly.walls[1].to.x;
  p.polygons.push_back({{0, width, width, 0, 0}, {0, 0, width, width, 0}, "walls", "plane"});
  return p;
}

}  // namespace

void add_figures(StudyRun& run, const Ensemble& discs, const Ensemble& polygons) {
  const Packing some_discs = make_packing({ShapeKind::disc, 64, 1}),
                some_polygons = make_packing({ShapeKind::polygon, 64, 1});
  Case example = some_discs.given;
  example.time.step = 0.02 * reference_duration();
  Stage stage;
  stage.name = "relax";
  stage.duration = 1000 * reference_duration();
  example.stages = {stage};
  const std::string command = "dem validate pena2008/particle-number", text = resolved_case(example);

  Figure thresholds{"particle-number",
                    "Relaxation threshold against the number of particles",
                    "Largest Δt at which t_R of the slowest mode is within 5, 2 and 1 % of its limit, elongation "
                    "`velocity` (points: single "
                    "packings). The prediction needs no run: φᵀCφ and the tangential movement of the slowest mode of "
                    "each packing. `geometric` "
                    "has no threshold below its stability limit.",
                    {},
                    text,
                    command};
  thresholds.panels = {threshold_panel(discs, "discs"), threshold_panel(polygons, "polygons")};
  run.figure(std::move(thresholds));

  Figure limits{"particle-number-stability",
                "Stability limit against the number of particles",
                "Largest Δt without growth of a small disturbance (bisection to 0.5 %), and what the modes of each "
                "packing predict.",
                {},
                text,
                command};
  limits.panels = {limit_panel(discs, "discs"), limit_panel(polygons, "polygons")};
  run.figure(std::move(limits));

  Figure times{"particle-number-times",
               "What does grow with the number of particles",
               "Left: t_R grows nearly as N, because the slowest mode spans the box (ω ~ 1/√N, t_R = 1/(τω²) with "
               "uniform τ). Middle: both schemes in one picture for the "
               "largest packings. Right: another criterion, the energy left at a fixed time, has no 1/N either.",
               {},
               text,
               command};
  times.panels = {relaxation_panel(discs, polygons), rate_panel(discs, polygons), fixed_time_panel(discs, polygons)};
  run.figure(std::move(times));

  Figure pictures{
      "particle-number-packings",
      "Two of the packings",
      fmt::format("64 bodies less {} and {} that carry no force.", some_discs.rattlers, some_polygons.rattlers),
      {},
      text,
      command};
  pictures.panels = {picture(some_discs, "discs"), picture(some_polygons, "polygons")};
  run.figure(std::move(pictures));
}

}  // namespace dem::validation::pena2008::packed
