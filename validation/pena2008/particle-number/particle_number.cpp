// Does the admissible time step fall as 1/N? Relaxation threshold and stability limit of packings of 2 to 1024 discs or
// polygons in a rigid box, with sticking friction, beside what their normal modes predict. See README.md.
#include "validation/pena2008/particle-number/particle_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/pena2008/studies.hpp"

namespace dem::validation::pena2008 {

namespace packed {
namespace {

struct Plan {
  int particles, seeds, quick_seeds;
  double disc_step,
      polygon_step;  ///< smallest Δt/t_c of the decays: they last the longer, the more particles there are
  double disc_cost, polygon_cost;  ///< seconds
};
constexpr Plan plans[]{{2, 6, 2, 1e-3, 1e-3, 0.3, 1},  {4, 6, 2, 1e-3, 2e-3, 0.5, 1.5},
                       {16, 6, 2, 2e-3, 5e-3, 2, 4},   {64, 6, 1, 5e-3, 1e-2, 2, 5},
                       {256, 5, 0, 1e-2, 1e-2, 9, 30}, {1024, 3, 0, 1e-2, 2e-2, 50, 130}};

struct Job {
  MeasurementChoice choice;
  double cost;
};

std::vector<Job> jobs(bool quick) {
  std::vector<Job> all;
  for (const Plan& plan : plans)
    for (ShapeKind shape : {ShapeKind::disc, ShapeKind::polygon})
      for (int seed = 1; seed <= (quick ? plan.quick_seeds : plan.seeds); ++seed) {
        const bool disc = shape == ShapeKind::disc;
        Job job{{{shape, plan.particles, std::uint64_t(seed)}}, disc ? plan.disc_cost : plan.polygon_cost};
        job.choice.smallest_step =
            std::max(disc ? plan.disc_step : plan.polygon_step, quick ? plan.particles < 64 ? 5e-3 : 1e-2 : 0);
        job.choice.late_decay = plan.particles <= (quick ? 4 : 16);
        all.push_back(job);
      }
  return all;
}

}  // namespace

std::vector<double> Ensemble::numbers(double (*of)(const Measurement&)) const {
  std::vector<double> all;
  for (const Measurement& m : measured) all.push_back(of(m));
  return all;
}

}  // namespace packed

void particle_number(StudyRun& run) {
  using namespace packed;
  const std::vector<Job> all = jobs(run.quick());
  std::vector<double> cost;
  std::string fingerprint = "particle-number 1: pressure 1e-3, 12 periods";
  for (const Job& job : all) {
    const PackingInput& p = job.choice.packing;
    fingerprint += fmt::format("; {} {} {} {:g}", p.shape == ShapeKind::disc ? "d" : "p", p.particles, p.seed,
                               job.choice.smallest_step);
    cost.push_back(job.cost);
  }
  const auto results = run.tasks(
      "packings", all.size(),
      [&](std::size_t k, TaskProgress& progress) { return measure(all[k].choice, progress).numbers(); }, fingerprint,
      cost);

  Ensemble discs{"discs", {}, {}}, polygons{"polygons", {}, {}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const PackingInput& p = all[k].choice.packing;
    Ensemble& ensemble = p.shape == ShapeKind::disc ? discs : polygons;
    if (results[k].done)
      ensemble.measured.push_back(Measurement::from(results[k].numbers));
    else
      ensemble.failures.push_back(
          fmt::format("{} {}, seed {}: {}", p.particles, ensemble.name, p.seed, results[k].message));
  }
  add_claims(run, discs, polygons);
  add_figures(run, discs, polygons);
}

}  // namespace dem::validation::pena2008
