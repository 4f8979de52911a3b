#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libdem/case/case_file.hpp"
#include "validation/kuhn2011/biaxial/results.hpp"

namespace dem::validation::kuhn2011 {

namespace {

Curve line(std::string label) { return {std::move(label), {}, {}, {}, {}, Curve::Style::line}; }

Curve curve(std::string label, const Compression& c, auto value) {
  Curve out = line(std::move(label));
  for (const CompressionRow& r : c.rows) {
    out.x.push_back(100 * r.strain);
    out.y.push_back(value(r));
  }
  return out;
}

constexpr const char* strain_label = "axial strain (%)";

void draw_laws(StudyRun& run, const BiaxialResults& all) {
  const auto laws = law_variants();
  Figure figure;
  figure.id = "kuhn2011/biaxial";
  figure.title = "Plane-strain biaxial compression with exact and approximate tangential forces";
  figure.caption = fmt::format(
      "{} spheres (radii ± 20 %) packed without friction to p = 100 kPa, void ratio {:.3f}; G = 29 GPa, ν = 0.15, f = "
      "0.5; lateral stress held, no "
      "strain along y, {:g} of strain a step. q = √(3 J2), J2 of the deviatoric stress. Differences are those from "
      "`jaeger`; shifted: the exact law "
      "from places moved by 1e-10 radii, so that its difference is chance. Cost: CPU time of blocks of steps that take "
      "turns.",
      all.packing.radius.size(), all.packing.void_ratio, CompressionChoice{}.strain_per_step);
  Panel ratio{"stress ratio", strain_label, "q/p", false, false, {}, {}};
  Panel begin{
      "difference from the exact law, small strains", strain_label, "q/p minus that of jaeger", false, false, {}, {}};
  Panel off{"difference from the exact law", strain_label, "q/p minus that of jaeger", false, false, {}, {}};
  Panel volume{"volume change", strain_label, "volumetric strain (%, dilation positive)", false, false, {}, {}};
  Panel legs{"length of histories", strain_label, "mean number of legs of a contact", false, true, {}, {}};
  const auto q = [](const CompressionRow& r) { return r.ratio(); };
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const Compression& c = all.laws[k];
    ratio.curves.push_back(curve(laws[k].name, c, q));
    volume.curves.push_back(curve(laws[k].name, c, [](const CompressionRow& r) { return 100 * r.volume; }));
    if (c.rows.back().legs > 1)
      legs.curves.push_back(curve(laws[k].name, c, [](const CompressionRow& r) { return r.legs; }));
  }
  const auto difference = [&](std::string label, const Compression& c, double to) {
    Curve d = line(std::move(label));
    for (std::size_t k = 0; k < std::min(c.rows.size(), all.exact().rows.size()) && all.exact().rows[k].strain <= to;
         ++k) {
      d.x.push_back(100 * all.exact().rows[k].strain);
      d.y.push_back(c.rows[k].ratio() - all.exact().rows[k].ratio());
    }
    return d;
  };
  for (auto [panel, to] : {std::pair{&off, double(INFINITY)}, {&begin, 1.01 * early}}) {
    for (std::size_t k = 0; k < laws.size(); ++k) panel->curves.push_back(difference(laws[k].name, all.laws[k], to));
    panel->curves.push_back(difference("jaeger, shifted start", all.shifted, to));
  }
  if (!run.quick())
    for (const auto& [label, length] :
         {std::pair{"paper, exact", paper_legs[0]}, {"paper, 0.10 f", paper_legs[1]}, {"paper, 0.20 f", paper_legs[2]}})
      legs.curves.push_back({label, {100 * memory_peak}, {length}, {}, {}, Curve::Style::prediction});
  Panel cost{"cost", strain_label, "CPU time a step (ms)", false, false, {}, {}};
  for (std::size_t l = 0; l < std::size(timed_laws); ++l) {
    Curve c{timed_laws[l], {}, {}, {}, {}, Curve::Style::line_and_points};
    for (const CostBlock& b : all.cost.blocks) {
      c.x.push_back(100 * b.strain);
      c.y.push_back(1e3 * b.seconds[l]);
    }
    cost.curves.push_back(std::move(c));
  }
  figure.panels = {std::move(ratio),  std::move(off),  std::move(begin),
                   std::move(volume), std::move(legs), std::move(cost)};
  figure.case_text = resolved_case(compression_case({}, laws[0], {all.strain}));
  figure.command = "dem validate kuhn2011/biaxial";
  run.figure(std::move(figure));
}

void draw_movement(StudyRun& run, const BiaxialResults& all) {
  const Movement& m = all.movement;
  Figure figure;
  figure.id = "kuhn2011/figure-1";
  figure.title = "Movement of a contact in a compressed packing";
  const auto& whole = m.shown.path;
  double mean = 0;
  for (const PathPoint& p : whole) mean += p.normal / double(whole.size());
  const double unit = laws::Hertz::ratio_of(poisson_ratio) * friction * mean;
  figure.caption = fmt::format(
      "{} spheres, biaxial compression to {:g} %. Of the {} contacts that lived through it the one with the median "
      "number of reversals ({:.0f}), "
      "half-movements ξ in its own frame over κ f ζ with its mean ζ = {:.3g} nm: a straight movement of 1 from rest "
      "makes it slide. Step by step: "
      "{:.0f} steps at half the way. Kinds of the steps: all contacts.",
      all.small.radius.size(), 100 * all.strain, m.survivors.size(), m.shown.reversals, 1e9 * mean,
      double(m.shown.zoom.size()));
  const auto path = [&](const char* title, const std::vector<PathPoint>& points, bool normal) {
    Panel panel{title, "ξ_1/(κ f ζ)", normal ? "ζ over its mean" : "ξ_2/(κ f ζ)", false, false, {}, {}};
    Curve c = line(""), from{"start", {}, {}, {}, {}, Curve::Style::points};
    for (const PathPoint& p : points) {
      c.x.push_back(p.along_1 / unit);
      c.y.push_back(normal ? p.normal / mean : p.along_2 / unit);
    }
    if (!c.x.empty()) from.x = {c.x.front()}, from.y = {c.y.front()};
    panel.curves = {std::move(c), std::move(from)};
    return panel;
  };
  figure.panels.push_back(path("whole path, tangential", whole, false));
  figure.panels.push_back(path("step by step, tangential", m.shown.zoom, false));
  figure.panels.push_back(path("step by step, normal", m.shown.zoom, true));
  Panel kinds{"kinds of steps, all contacts", strain_label, "share of the steps of contacts", false, false, {}, {}};
  for (const auto& [label, member] : {std::pair{"stick", &StepKinds::stick},
                                      {"slip in an annulus", &StepKinds::slip},
                                      {"slide", &StepKinds::slide}}) {
    Curve c = line(label);
    for (const Movement::Row& r : m.rows) {
      c.x.push_back(100 * r.strain);
      c.y.push_back(r.kinds.*member / r.kinds.sum());
    }
    kinds.curves.push_back(std::move(c));
  }
  figure.panels.push_back(std::move(kinds));
  Panel turns{"changes of direction",
              "number in the life of a contact",
              "share of the contacts with as many or more",
              true,
              false,
              {},
              {}};
  for (const auto& [label, column] :
       {std::pair{"tangential reversals", 4}, {"turns of more than 45°", 5}, {"normal reversals", 6}}) {
    std::vector<double> counts;
    for (const auto& s : m.survivors) counts.push_back(s[std::size_t(column)]);
    std::ranges::sort(counts);
    Curve c = line(label);
    for (std::size_t k = 0; k < counts.size(); ++k)
      c.x.push_back(std::max(1.0, counts[k])), c.y.push_back(1 - double(k) / double(counts.size()));
    turns.curves.push_back(std::move(c));
  }
  figure.panels.push_back(std::move(turns));
  Panel lengths{
      "histories at the end", "legs of a contact", "share of the contacts with as many or more", true, false, {}, {}};
  std::vector<double> sorted = m.legs;
  std::ranges::sort(sorted);
  Curve c = line("jaeger");
  for (std::size_t k = 0; k < sorted.size(); ++k)
    c.x.push_back(sorted[k]), c.y.push_back(1 - double(k) / double(sorted.size()));
  lengths.curves.push_back(std::move(c));
  figure.panels.push_back(std::move(lengths));
  figure.command = "dem validate kuhn2011/biaxial";
  run.figure(std::move(figure));
}

}  // namespace

void draw_biaxial(StudyRun& run, const BiaxialResults& all) {
  draw_laws(run, all);
  draw_movement(run, all);
}

}  // namespace dem::validation::kuhn2011
