// Angle of repose of a heap beside the angle of the shear box, for three gradings of the same material.
#include <fmt/format.h>

#include <stdexcept>

#include "libdem/case/case_file.hpp"
#include "validation/fleischmann2015/box_study.hpp"
#include "validation/fleischmann2015/repose/heap.hpp"
#include "validation/fleischmann2015/studies.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

constexpr const char* source = "paper, sections 2 and 4; direct-shear reference §3";

/// Sizes, and layers of the rain that give about the volume of 1800 spheres of 5 mm.
struct Grading {
  std::string name;
  std::optional<SizeDistribution> sizes;
  double largest, jitter;
  int box_layers, heap_layers;  ///< of 6 x 6 and of 5 x 5
};

std::vector<Grading> gradings() {
  SizeDistribution span;
  span.distribution = "uniform";
  span.radius = 2.4e-3;
  span.spread = 0.6e-3;
  SizeDistribution sand;
  sand.distribution = "log-normal-by-mass";
  sand.median_diameter = 5e-3;
  sand.uniformity = 1.4;
  sand.cut = 2;
  const double s = std::log(sand.uniformity) / 1.5349;  // of ln D: z60 − z10, reference §4, case C
  return {{"equal", std::nullopt, 5e-3, 0.99, 50, 72},
          {"uniform, 3.6 to 6 mm", span, 6e-3, 0.6, 54, 78},
          {"log-normal by mass, C_u 1.4", sand, 5e-3 * std::exp(2 * s), 0.2, 62, 89}};
}

}  // namespace

void repose(StudyRun& run) {
  const bool quick = run.quick();
  const std::vector<Grading> all = gradings();
  const std::size_t count = quick ? 1 : all.size(), seeds = quick ? 1 : 3;
  // Heaps: every grading with true history, the first without any as well.
  std::vector<HeapSetup> heaps;
  for (std::size_t g = 0; g <= count; ++g)
    for (std::size_t k = 0; k < seeds; ++k) {
      const Grading& grading = all[g < count ? g : 0];
      HeapSetup h;
      h.sizes = grading.sizes;
      h.largest = grading.largest;
      h.jitter = grading.jitter;
      h.layers = grading.heap_layers;
      h.seed = k + 1;
      if (g == count) h.history = TangentialHistory::none;
      if (quick)
        h.layers = 30, h.tube = 0.05, h.dish = 0.07, h.fill = 0.25, h.lift = 0.8, h.rest = 0.2, h.speed = 0.1,
        h.step = 4e-5;
      heaps.push_back(h);
    }
  std::string what;
  for (const HeapSetup& h : heaps) what += resolved_case(heap_case(h));
  std::vector<HeapReport> poured;
  for (const TaskResult& r : run.tasks(
           "heaps", heaps.size(), [&](std::size_t k, TaskProgress&p) { return pour_heap(heaps[k], p).pack(); }, what)) {
    if (!r.done) throw std::runtime_error("a heap failed: " + r.message);
    poured.push_back(HeapReport::unpack(r.numbers));
  }
  Figure f;
  f.id = "repose";
  f.title = "Heaps on a square dish and direct shear, three gradings of the same material";
  f.caption =
      "Left: surface of the heap towards the sides of the dish, mean of four faces and of the packings. Right: T/N of "
      "the box.";
  Panel surface{"heap", "distance from the middle/d", "height/d", false, false, {}, {}};
  std::vector<Spread> angles(count + 1);
  for (std::size_t g = 0; g <= count; ++g) {
    Curve c;
    c.label = g < count ? all[g].name : "equal, no history";
    c.style = Curve::Style::line;
    for (std::size_t k = 0; k < seeds; ++k) {
      const HeapReport& h = poured[g * seeds + k];
      angles[g].add(h.angle());
      for (std::size_t i = 0; i < h.distance.size(); ++i) {
        if (k == 0) c.x.push_back(h.distance[i] / heaps[0].diameter), c.y.push_back(0);
        c.y[i] += h.height[i] / heaps[0].diameter / double(seeds);
      }
    }
    surface.curves.push_back(std::move(c));
  }
  f.panels.push_back(std::move(surface));
  const HeapReport &heap = poured.front(), &flow = poured[count * seeds];
  run.claim({"heap-history", source,
             "no history holds no slope at rest (statics of the incline; no numbers for a heap)",
             fmt::format("true {}°, creeping {:+.2f}° in the last {:g} s; none {}°, {:+.2f}°", angles[0].text(1),
                         heap.creep, 0.25 * heaps[0].rest, angles[count].text(1), flow.creep),
             "none", ClaimVerdict::not_comparable,
             "spheres of 5 mm, μ = 0.5, no rolling friction; slope on a dish with a rim"});
  if (quick) {
    run.figure(f);
    return;
  }
  std::vector<BoxSetup> setups;
  std::vector<BoxRun> runs;
  for (const Grading& grading : all)
    for (std::size_t k = 0; k < seeds; ++k) {
      BoxSetup s = spheres_1800();
      s.sizes = grading.sizes;
      s.largest = grading.largest;
      s.jitter = grading.jitter;
      s.layers = grading.box_layers;
      s.rain = 0.5;  // the graded ones fall from higher
      s.seed = k + 1;
      runs.push_back({setups.size(), {}});
      setups.push_back(s);
    }
  const BoxResults boxes = run_boxes(run, setups, runs);
  Panel shear{"shear box", "displacement/(5 mm)", "T/N", false, false, {}, {}};
  for (std::size_t g = 0; g < count; ++g) {
    const auto first = boxes.curves.begin() + std::ptrdiff_t(g * seeds);
    const std::vector<BoxCurve> curves(first, first + std::ptrdiff_t(seeds));
    shear.curves.push_back(mean_curve(all[g].name, curves, 5e-3, plane_ratio));
    const Spread peak = over(curves, [](const BoxCurve&c) { return BoxCurve::angle(c.peak()); }),
                 published = over(curves, [](const BoxCurve&c) { return c.published(c.peak()); }),
                 residual = over(curves, [](const BoxCurve&c) { return BoxCurve::angle(c.mean(6e-3, 10e-3)); }),
                 porosity = over(curves, [](const BoxCurve&c) { return c.porosity; }),
                 rise = over(curves, [](const BoxCurve&c) { return c.rows.back().rise / c.diameter; });
    run.claim({fmt::format("grading-{}", g + 1), source,
               "the box gives a friction angle, the heap an angle of repose (no numbers)",
               fmt::format("heap {}°; box {}° at the peak, {}° residual; T/(σA) peak {}; porosity {}; plate {} d",
                           angles[g].text(1), peak.text(1), residual.text(1), published.text(2), porosity.text(3),
                           rise.text(2)),
               "none", ClaimVerdict::not_comparable, all[g].name + ", three packings, true history, 1 kPa"});
  }
  f.panels.push_back(std::move(shear));
  run.figure(f);
}

}  // namespace dem::validation::fleischmann2015
