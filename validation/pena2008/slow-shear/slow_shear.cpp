// Slow shear of 256 polygons under a held normal stress (polygon-dem reference, §8): seeds, two shapes, two rates, two
// definitions of the contact plane; avalanches.
#include "validation/pena2008/slow-shear/slow_shear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "libdem/case/case_file.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/run/simulation.hpp"
#include "validation/pena2008/studies.hpp"

namespace dem::validation::pena2008 {
namespace {

using geometry::ContactPlane;

const char* plane_word(ContactPlane plane) { return plane == ContactPlane::edge_mean ? "edge-mean" : "area-gradient"; }

Case case_of(const Case& base, const ShearPoint& p) {
  Case c = base;
  c.assembly.voronoi->elongation = p.elongation;
  c.assembly.voronoi->seed = p.seed;
  c.cell_size = spatial(
      geometry::voronoi_size(*c.assembly.voronoi));  // the case read is resolved: its cell is that of its own cells
  c.cell_origin.y = -c.cell_size.y / c.assembly.voronoi->rows;
  c.contact.plane = p.plane;
  c.stages[1].shear_rate = p.rate / contact_time;
  c.stages[1].strain = p.strain - p.preshear;
  if (p.preshear > 0) {
    c.stages.insert(c.stages.begin() + 1, c.stages[1]);
    c.stages[1].name = "preshear";
    c.stages[1].shear_rate = preshear_rate / contact_time;
    c.stages[1].strain = p.preshear;
  }
  return c;
}

std::vector<ShearGroup> run_points(StudyRun& run, const std::string& name, const std::vector<ShearPoint>& points) {
  const std::string text = case_behind(run);
  const Case base = parse_case(text, run.sources() / "case.toml");
  std::string fingerprint = fmt::format("slow shear 1, strain discarded {}\n", discarded_strain);
  std::vector<double> cost;
  for (const ShearPoint& p : points) {
    fingerprint += fmt::format("{}, strain {}", p.label(), p.strain);
    fingerprint += p.preshear > 0 ? fmt::format(", {} of it at {}\n", p.preshear, preshear_rate) : "\n";
    cost.push_back((p.strain - p.preshear) / p.rate + p.preshear / preshear_rate);
  }
  fingerprint += text;
  const auto results = run.tasks(
      name, points.size(),
      [&](std::size_t index, TaskProgress& progress) {
        const ShearPoint& p = points[index];
        const auto checkpoint = run.folder() / fmt::format("run-{:016x}.h5", fnv1a(p.label(), fnv1a(text)));
        // The limit belongs to the assembly: one of many seeds may have a body so small or so slender that the step of
        // the case is above it. The run then takes a smaller one throughout, and the claims say so.
        Case c = case_of(base, p);
        for (;;) try {
            return run_shear(c, discarded_strain, {checkpoint, std::chrono::seconds(60), {}}, progress).pack();
          } catch (const StepTooLarge&) {
            c.time.step *= 0.8;
            if (c.time.step < 0.5 * base.time.step) throw;
          }
      },
      fingerprint, cost);

  std::vector<ShearGroup> groups;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (!results[k].done)
      throw std::runtime_error(fmt::format("the run {} failed: {}", points[k].label(), results[k].message));
    if (groups.empty() || !groups.back().point.same_but_seed(points[k])) groups.push_back({points[k], {}, {}});
    groups.back().seeds.push_back(points[k].seed);
    ShearRecord& record = groups.back().runs.emplace_back(ShearRecord::unpack(results[k].numbers));
    if (record.time_step == 0) record.time_step = base.time.step;
  }
  return groups;
}

}  // namespace

std::string ShearPoint::label() const {
  return fmt::format("{:.0e}, elongation {}, {}, seed {}", rate, elongation, plane_word(plane), seed);
}

void slow_shear(StudyRun& run) {
  // Strains: what five seeds of both shapes need in an hour on two cores. The published plane is compared for isotropic
  // cells.
  std::vector<ShearPoint> fast, published, slow;
  if (run.quick()) {
    for (const double elongation : shapes) fast.push_back({1e-3, elongation, ContactPlane::area_gradient, 1, 1.0, 0});
  } else {
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      published.push_back({1e-4, 1, ContactPlane::edge_mean, seed, 1.5, 0});
    for (const double elongation : shapes)
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        fast.push_back({1e-4, elongation, ContactPlane::area_gradient, seed, 1.5, 0});
        // The slow rate has 0.05 of strain, 21 t_R, to take effect before anything counts.
        slow.push_back({1e-5, elongation, ContactPlane::area_gradient, seed, 0.8, 0.45});
      }
  }
  std::vector<ShearGroup> groups;
  for (const auto& [name, points] : {std::pair{"fast", &fast}, {"edge-mean", &published}, {"slow", &slow}})
    if (!points->empty())
      for (ShearGroup& group : run_points(run, name, *points)) groups.push_back(std::move(group));
  add_stress_claims(run, groups);
  add_avalanche_claims(run, groups);
}

SeedMean seed_mean(const std::vector<double>& values) {
  SeedMean m;
  m.seeds = values.size();
  for (const double v : values) m.mean += v / double(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - m.mean) * (v - m.mean);
  m.error = values.size() > 1 ? std::sqrt(squares / double(values.size() * (values.size() - 1))) : NAN;
  return m;
}

std::string SeedMean::text(int digits) const {
  if (seeds < 2) return fmt::format("{:.{}f} (one seed)", mean, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", mean, digits, error, digits);
}

double SeedMean::half_width(std::size_t comparisons) const {
  if (seeds < 2) return INFINITY;
  const boost::math::students_t distribution(double(seeds - 1));
  return error * boost::math::quantile(complement(distribution, 0.025 / double(comparisons)));
}

std::size_t first_row(const ShearRecord& r) {
  return std::size_t(std::lower_bound(r.strain.begin(), r.strain.end(), discarded_strain) - r.strain.begin());
}

const ShearGroup* find_group(const std::vector<ShearGroup>& groups, double rate, double elongation,
                             ContactPlane plane) {
  for (const ShearGroup& g : groups)
    if (g.point.rate == rate && g.point.elongation == elongation && g.point.plane == plane) return &g;
  return nullptr;
}

std::string shape_word(double elongation) { return elongation == 1 ? "isotropic" : "elongated"; }

std::string study_command(const StudyRun& run) {
  return fmt::format("dem validate pena2008/slow-shear{}", run.quick() ? " --quick" : "");
}

std::string case_behind(const StudyRun& run) { return read_file(run.sources() / "case.toml"); }

}  // namespace dem::validation::pena2008
