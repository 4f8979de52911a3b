// Case B of the reference, Fig. 3 of the paper: 5000 glass beads of two moduli under four normal stresses; what the
// stiffness does to strength.
#include <fmt/format.h>

#include <numbers>

#include "validation/fleischmann2015/box_study.hpp"
#include "validation/fleischmann2015/studies.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

constexpr const char* source = "direct-shear reference §4, case B";
constexpr double share = 0.12;  // accepted of each stress: reference

/// A row of the reference's table: what codes found, each with one packing.
struct Row {
  double young, stress;  ///< Pa
  TangentialHistory history;
  double travel;  ///< m, of the codes' run; largest and residual are read up to here
  double void_ratio, largest, residual, angle_largest, angle_residual, rise;  ///< kPa, degrees, diameters
};
constexpr auto whole = TangentialHistory::whole, none = TangentialHistory::none;
constexpr Row rows[] = {
    {4e7, 3100, whole, 8e-3, 0.689, 1.98, 1.94, 26.1, 25.9, 0.09},
    {4e7, 6400, whole, 6e-3, 0.679, 3.67, 3.56, 26.1, 25.7, 0.05},
    {4e7, 12500, whole, 6e-3, 0.667, 6.73, 6.43, 26.0, 25.3, 0.02},
    {4e7, 24200, whole, 10e-3, 0.648, 12.0, 11.6, 24.9, 24.0, 0},
    {4e6, 3100, whole, 6e-3, 0.628, 1.70, 1.60, 24.5, 23.4, -0.02},
    {4e6, 6400, whole, 6e-3, 0.594, 2.72, 2.57, 21.7, 20.6, -0.06},
    {4e6, 12500, whole, 6e-3, 0.546, 4.64, 4.27, 19.8, 18.3, -0.10},
    {4e6, 24200, whole, 10e-3, 0.473, 8.46, 8.23, 19.1, 18.6, -0.17},
    {4e7, 3100, none, 6e-3, 0.689, 0.66, 0.63, 9.9, 9.5, -0.13},
};

/// The contacts under the plate grow stiffer as the cube root of the stress; this keeps gain times stiffness times step
/// below 0.2.
double servo_gain(double stress) { return 3e-3 * std::cbrt(3100 / stress); }

std::string name_of(const Row& r) {
  return fmt::format("{}-{:g}{}", r.young > 1e7 ? "stiff" : "soft", r.stress / 1000, r.history == none ? "-none" : "");
}

struct Found {
  double largest, residual, angle_largest, angle_residual, half;  ///< kPa, degrees, mm
  BoxRow peak, late;
};
Found measure(const BoxCurve& c, double travel) {
  Found f{};
  for (const BoxRow& row : c.rows)
    if (row.displacement <= travel && row.shear > f.peak.shear) f.peak = row;
  f.late = c.mean(0.6 * travel, travel);
  f.largest = 1e-3 * f.peak.shear / c.area;
  f.residual = 1e-3 * f.late.shear / c.area;
  for (const BoxRow& row : c.rows)
    if (row.displacement <= travel) f.angle_largest = std::max(f.angle_largest, BoxCurve::angle(row));
  f.angle_residual = BoxCurve::angle(f.late);
  for (const BoxRow& row : c.rows) {
    f.half = 1e3 * row.displacement;
    if (row.shear >= 0.5 * f.peak.shear) break;
  }
  return f;
}

void claim_row(StudyRun& run, const Row& r, const BoxCurve& c) {
  const Found f = measure(c, r.travel);
  const std::string id = name_of(r),
                    where = fmt::format("E = {:g} Pa, {:g} kPa, {} history, up to {:g} mm", r.young, r.stress / 1000,
                                        r.history == none ? "no" : "true", 1e3 * r.travel);
  const bool stresses = std::abs(f.largest / r.largest - 1) <= share && std::abs(f.residual / r.residual - 1) <= share;
  run.claim({"stress-" + id, source,
             fmt::format("T/W² largest {:g} kPa, residual {:g} kPa (codes)", r.largest, r.residual),
             fmt::format("{:.2f} kPa, {:.2f} kPa", f.largest, f.residual),
             fmt::format("±{:g} %, of the reference, a judgement around one run of codes", 100 * share),
             verdict(stresses), where});
  const double degrees = r.young < 1e7 && r.stress >= 12500 ? 3 : 2.5;
  const bool angles = std::abs(f.angle_largest - r.angle_largest) <= degrees &&
                      std::abs(f.angle_residual - r.angle_residual) <= degrees;
  run.claim({"angle-" + id, source,
             fmt::format("plane angle largest {:g}°, residual {:g}° (codes)", r.angle_largest, r.angle_residual),
             fmt::format("{:.1f}°, {:.1f}°", f.angle_largest, f.angle_residual),
             fmt::format("±{:g}°, of the reference", degrees), verdict(angles), where});
  const double rise = c.mean(r.travel - 2e-4, r.travel).rise / c.diameter, e = c.porosity / (1 - c.porosity);
  run.claim({"state-" + id, source,
             fmt::format("void ratio {:g} before shear, plate {:+.2f} d at the end (codes)", r.void_ratio, r.rise),
             fmt::format("{:.3f}, {:+.2f} d", e, rise), "none given", ClaimVerdict::not_comparable, where});
}

/// A straight line through points, by least squares.
struct Line {
  double slope = 0, intercept = 0;
};
Line fit(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = double(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) sx += x[k], sy += y[k], sxx += x[k] * x[k], sxy += x[k] * y[k];
  Line l;
  l.slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  l.intercept = (sy - l.slope * sx) / n;
  return l;
}

/// Peak and residual shear stress against the normal stress on the shear plane, with their lines.
void fit_angles(StudyRun& run, const BoxResults& results) {
  Figure f;
  f.id = "case-b-angles";
  f.title = "Shear stress against the normal stress on the shear plane, four normal stresses";
  f.caption =
      "T/W² against N/W², at the largest T and as mean over the last two fifths; straight lines by least squares.";
  for (const bool peak : {true, false}) {
    Panel p{peak ? "largest" : "residual", "N/W² (kPa)", "T/W² (kPa)", false, false, {}, {}};
    std::string text;
    for (const double young : {4e7, 4e6}) {
      Curve points, line;
      points.label = fmt::format("E = {:g} Pa", young);
      points.style = Curve::Style::points;
      std::vector<double> nominal;
      for (std::size_t k = 0; k < std::size(rows); ++k) {
        if (rows[k].young != young || rows[k].history == none) continue;
        const Found found = measure(results.curves[k], rows[k].travel);
        const BoxRow& row = peak ? found.peak : found.late;
        points.x.push_back(1e-3 * row.plane / results.curves[k].area);
        points.y.push_back(1e-3 * row.shear / results.curves[k].area);
        nominal.push_back(1e-3 * rows[k].stress);
      }
      const Line on_plane = fit(points.x, points.y), as_loaded = fit(nominal, points.y);
      const auto degrees = [](double slope) { return std::atan(slope) * 180 / std::numbers::pi; };
      text += fmt::format(
          "{}E = {:g} Pa: {:.1f}° with intercept {:+.2f} kPa on the plane, {:.1f}° with {:+.2f} kPa against the "
          "plate's stress",
          text.empty() ? "" : "; ", young, degrees(on_plane.slope), on_plane.intercept, degrees(as_loaded.slope),
          as_loaded.intercept);
      line.label = fmt::format("{:.1f}°, intercept {:+.2f} kPa", degrees(on_plane.slope), on_plane.intercept);
      line.style = Curve::Style::prediction;
      line.x = {0, points.x.back()};
      line.y = {on_plane.intercept, on_plane.intercept + on_plane.slope * points.x.back()};
      p.curves.push_back(std::move(points));
      p.curves.push_back(std::move(line));
    }
    run.claim({peak ? "fit-largest" : "fit-residual", source,
               "friction angle from a straight-line fit (no number given)", text, "none", ClaimVerdict::not_comparable,
               "T/W² against N/W² and against the stress of the plate, four stresses"});
    f.panels.push_back(std::move(p));
  }
  run.figure(f);
}

void claim_messages(StudyRun& run, const BoxResults& results) {
  Spread stiff, stiff_half, soft_half;
  double first = 0, last = 0, strength[2] = {}, factor = 0, peak = 0;
  for (std::size_t k = 0; k < std::size(rows); ++k) {
    const Found f = measure(results.curves[k], rows[k].travel);
    if (rows[k].history == none) {
      factor = measure(results.curves[0], rows[k].travel).residual / f.residual;
      continue;
    }
    (rows[k].young > 1e7 ? stiff_half : soft_half).add(f.half);
    if (rows[k].young > 1e7) {
      stiff.add(f.angle_residual);
      peak = std::max(peak, f.largest / f.residual);
    } else if (rows[k].stress == 3100) {
      first = f.angle_residual;
    }
    if (rows[k].stress == 24200) (rows[k].young > 1e7 ? strength[0] : strength[1]) = f.largest;
    if (rows[k].stress == 24200 && rows[k].young < 1e7) last = f.angle_residual;
  }
  run.claim({"stiff-angle", source, "at 4e7 Pa the plane angle is nearly independent of stress: 24 to 26° (codes)",
             stiff.text(1) + "°", "spread at most 2.5°, the reference's for one angle",
             verdict(stiff.high - stiff.low <= 2.5), "residual plane angle over four stresses"});
  run.claim({"soft-angle", source, "at 4e6 Pa it falls with stress, from 24° to 18 or 19° (codes)",
             fmt::format("{:.1f}° to {:.1f}°", first, last), "a fall of more than 2.5°", verdict(first - last > 2.5),
             "residual plane angle at 3.1 and 24.2 kPa"});
  run.claim({"soft-strength", source,
             "at 24.2 kPa the strength of 4e6 Pa is 30 % below that of 4e7 Pa (codes); the paper's second message",
             fmt::format("{:.0f} % below", 100 * (1 - strength[1] / strength[0])), "18 to 42 %: ±12 % of either stress",
             verdict(strength[1] / strength[0] < 0.82 && strength[1] / strength[0] > 0.58),
             "stiffness changes the level after yield"});
  run.claim({"half-strength", source,
             "displacement at half of the strength: 0.3 to 0.9 mm stiff, 0.9 to 1.7 mm soft (codes)",
             fmt::format("{} mm, {} mm", stiff_half.text(2), soft_half.text(2)), "none given",
             ClaimVerdict::not_comparable, "means over 0.1 mm"});
  run.claim({"true-over-none", source, "about 3 (codes)", fmt::format("{:.2f}", factor),
             "2.6 to 3.5: ±12 % of both stresses of the table's 3.08", verdict(factor >= 2.6 && factor <= 3.5),
             "residual T at 3.1 kPa, same packing"});
  run.claim({"hardly-a-peak", source,
             "hardly any peak, the rained beads are loose (codes: largest over residual at most 1.05)",
             fmt::format("at most {:.2f}", peak), "none given", ClaimVerdict::not_comparable,
             "largest over residual T, 4e7 Pa; the paper speaks of peak values"});
}

void draw(StudyRun& run, const BoxResults& results) {
  Figure f;
  f.id = "case-b";
  f.title = "Direct shear of 5000 glass beads of two moduli under four normal stresses";
  f.caption =
      "Means over 0.1 mm, one rain for all. Above all of it lies the weight of the beads: 982 Pa over the plan.";
  using Value = std::function<double(const BoxCurve&, const BoxRow&)>;
  const auto panel = [&](double young, const char* label, const Value& value) {
    Panel p{fmt::format("E = {:g} Pa", young), "displacement (mm)", label, false, false, {}, {}};
    for (std::size_t k = 0; k < std::size(rows); ++k)
      if (rows[k].young == young)
        p.curves.push_back(
            box_curve(fmt::format("{:g} kPa{}", rows[k].stress / 1000, rows[k].history == none ? ", none" : ""),
                      results.curves[k], 1e-3, value));
    f.panels.push_back(std::move(p));
  };
  for (const double young : {4e7, 4e6})
    panel(young, "T/W² (kPa)", [](const BoxCurve& c, const BoxRow& row) { return 1e-3 * row.shear / c.area; });
  for (const double young : {4e7, 4e6}) panel(young, "T/N", plane_ratio);
  run.figure(f);
}

/// A quarter of the plan: 1250 beads; the walls carry twice as much for the area, so that it is a case of its own.
void quarter(StudyRun& run) {
  BoxSetup s = beads_5000(4e7);
  s.side = 0.06;
  s.per_layer = 5;
  s.compaction = 0.3;
  s.rest = 0.05;
  s.servo_gain = 0.012;  // a quarter of the contacts
  ShearTest t;
  t.stress = s.stress;
  t.speed = 0.02;
  t.travel = 3e-3;
  const BoxResults results = run_boxes(run, {s}, {{0, t}});
  const BoxCurve& c = results.curves[0];
  const BoxRow late = c.mean(2e-3, 3e-3);
  run.claim(
      {"quarter-plan", source, "26° for the whole plan (codes)",
       fmt::format("{:.1f}°, T/(σA) {:.2f}", BoxCurve::angle(late), c.published(late)), "none for a quarter of it",
       ClaimVerdict::not_comparable,
       "1250 beads on a quarter of the plan, 3.1 kPa, mean over 2 to 3 mm: walls carry twice as much for the area"});
  Figure f;
  f.id = "case-b";
  f.title = "Direct shear of 1250 glass beads on a quarter of the plan";
  f.panels = {{"3.1 kPa",
               "displacement (mm)",
               "ratio",
               false,
               false,
               {box_curve("T/(σA)", c, 1e-3, published_ratio), box_curve("T/N", c, 1e-3, plane_ratio)},
               {}}};
  run.figure(f);
}

}  // namespace

void case_b(StudyRun& run) {
  if (run.quick()) return quarter(run);
  const BoxSetup rain = beads_5000(4e7);  // of all, as the reference's runs
  std::vector<BoxRun> runs;
  for (const Row& r : rows) {
    ShearTest t;
    t.history = r.history;
    t.stress = r.stress;
    t.servo_gain = servo_gain(r.stress);
    t.young_factor = r.young / rain.young;
    runs.push_back({0, t});
  }
  const BoxResults results = run_boxes(run, {rain}, runs);
  draw(run, results);
  fit_angles(run, results);
  claim_messages(run, results);
  for (std::size_t k = 0; k < std::size(rows); ++k) claim_row(run, rows[k], results.curves[k]);
  run.claim({"cost", source, "none", cost_of(results).text(0) + " ns a sphere and step", "none: another machine",
             ClaimVerdict::not_comparable, "without ledger"});
}

}  // namespace dem::validation::fleischmann2015
