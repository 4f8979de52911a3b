#include "validation/kuhn2020/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libdem/assembly/import_assembly.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/state/view.hpp"

namespace dem::validation::kuhn2020 {

namespace {

constexpr std::size_t quick_clusters = 125, full_clusters = 4096;

std::vector<ClusterSphere> unit_cluster() {
  std::vector<ClusterSphere> spheres{{{0, 0, 0}, 0.8}};
  for (const Vec3 d : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    spheres.push_back({0.64 * d, 0.6});
    spheres.push_back({-0.64 * d, 0.6});
  }
  return spheres;
}

CellComponent at_rate(double rate) { return {CellComponent::Mode::rate, rate, 0}; }
CellComponent at_stress(double compression) { return {CellComponent::Mode::stress, 0, -compression}; }

Stage driven(std::string name, CellComponent x, CellComponent y, CellComponent z) {
  Stage s;
  s.name = std::move(name);
  s.cell.emplace();
  s.cell->component[0] = x;
  s.cell->component[1] = y;
  s.cell->component[2] = z;
  return s;
}

}  // namespace

ClusterSource cluster_source(const std::filesystem::path& sources, bool quick) {
  const auto file = sources / "../../../../shared/data/dempla/bumpies_10648_nevada_e0.566.txt.gz";
  if (quick) return {{}, fmt::format("quick set: {} generated clusters of 7 spheres", quick_clusters)};
  if (std::filesystem::exists(file)) return {file, "the 10 648 clusters of the data folder (Nevada, e = 0.566)"};
  return {{}, fmt::format("the data folder is absent: {} generated clusters of 7 spheres", full_clusters)};
}

Case cluster_case(const ClusterSource& source, bool quick) {
  Case c;
  c.title = "clusters of seven spheres";
  c.dimension = 3;
  c.periodic = {true, true, true};
  c.assembly.largest_start_overlap = 0.05;
  if (source.real()) {
    const ImportedBodies all = bodies_of(read_assembly_file(source.file), 1);
    c.assembly.bodies = all.bodies;
    c.cell_size = all.cell_size.value();
    c.cell_tilt = all.cell_tilt;
  } else {
    RandomSpec random;
    random.shape = ShapeKind::cluster;
    random.count = quick ? quick_clusters : full_clusters;
    random.radius = 5.5e-5;
    random.spread = 1e-5;
    random.cluster = unit_cluster();
    random.void_ratio = 2.6;
    c.assembly.random = random;
  }
  c.material.density = 2650;
  c.material.normal_stiffness = c.material.tangential_stiffness = cluster_stiffness;
  c.material.friction = cluster_friction;
  c.material.normal_damping = c.material.tangential_damping = 0;
  c.contact.law = "linear-refined";
  c.time.integrator = Integrator::velocity_verlet;
  // Six contacts that pull a body back alone, doubled by its neighbours moving against it; the run measures its own
  // limit.
  const double smallest = source.real() ? 3.58e-5 : 4.3e-5, mass = 4.6166 * std::pow(smallest, 3) * c.material.density;
  c.time.step = 0.18 * std::sqrt(mass / cluster_stiffness);
  c.material.mass_damping = 0.05 / c.time.step;
  return c;
}

Stage rest(double duration) {
  Stage s = driven("rest", at_rate(0), at_rate(0), at_rate(0));
  s.duration = duration;
  return s;
}

void add_path(Case& c, const ClusterSource& source, bool quick, const PathChoice& choice) {
  const double dt = c.time.step, p = confining_pressure;
  if (!source.real()) {
    const double rate = -1e-4 / dt;
    Stage compact = driven("compact", at_rate(rate), at_rate(rate), at_rate(rate));
    compact.friction = 0.1;
    compact.void_ratio = 0.8;
    Stage confine = driven("confine", at_stress(p), at_stress(p), at_stress(p));
    confine.friction = 0.1;
    confine.cell->largest_rate = 2e-5 / dt;
    confine.unbalanced = 1e-3;
    confine.duration = (quick ? 6000 : 20000) * dt;
    c.stages.insert(c.stages.end(), {compact, confine});
  }
  Stage relax = driven("relax", at_stress(p), at_stress(p), at_stress(p));
  relax.unbalanced = 1e-4;
  relax.duration = 4000 * dt;
  const CellComponent mean{CellComponent::Mode::mean_pressure, 0, 0};
  Stage compress = driven("compress", at_rate(-choice.strain_per_step / dt), mean, mean);
  compress.cell->mean_pressure = p;
  compress.stress_ratio = choice.ratio;
  compress.strain = 0.02;
  c.stages.insert(c.stages.end(), {relax, compress});
  if (choice.settle) {
    // q = σ1 − σ3 and p = (σ1 + 2σ3)/3.
    const double q = choice.ratio * p;
    Stage settle = driven("settle", at_stress(p + 2 * q / 3), at_stress(p - q / 3), at_stress(p - q / 3));
    settle.unbalanced = 1e-5;
    settle.duration = (quick ? 4000 : 6000) * dt;
    // Then the cell rests: what creeps on under the stress comes to an end.
    Stage still = rest((quick ? 3000 : 2000) * dt);
    still.name = "still";
    c.stages.insert(c.stages.end(), {settle, still});
  }
}

std::string case_text(Case c, const ClusterSource& source) {
  if (source.real()) {
    c.assembly.bodies.clear();
    c.assembly.import = ImportSpec{source.file.filename(), 1};
  }
  return resolved_case(c);
}

std::vector<double> packed(const std::vector<PathRow>& rows) {
  std::vector<double> out;
  for (const PathRow& r : rows)
    out.insert(out.end(), {r.stage, r.strain, r.p, r.q, r.volume, r.sliding, r.at_limit, r.unbalanced, r.void_ratio,
                           r.contacts, r.residual, r.friction});
  return out;
}

std::vector<PathRow> unpacked(const std::vector<double>& n) {
  std::vector<PathRow> rows;
  for (std::size_t k = 0; k + PathRow::numbers <= n.size(); k += PathRow::numbers)
    rows.push_back({n[k], n[k + 1], n[k + 2], n[k + 3], n[k + 4], n[k + 5], n[k + 6], n[k + 7], n[k + 8], n[k + 9],
                    n[k + 10], n[k + 11]});
  return rows;
}

PathRow measure_row(const Simulation& run, double strain_origin, double volume_origin) {
  PathRow r;
  const CellDriver& cell = *run.driver<CellDriver>();
  const auto contacts = run.contacts();
  r.stage = double(run.stage());
  r.strain = -cell.strains()[0] - strain_origin;
  r.volume = -(cell.strains()[0] + cell.strains()[1] + cell.strains()[2]) - volume_origin;
  r.p = mean_pressure(cell.stress(), 3);
  r.q = deviator_stress(cell.stress(), 3);
  r.sliding = count_contacts(contacts, run.state().bodies).sliding_fraction();
  r.at_limit = fraction_at_limit(contacts);
  r.unbalanced = mean_unbalanced_force(contacts, run.state().bodies);
  r.void_ratio = cell.void_ratio();
  r.contacts = double(run.contact_count());
  const EnergyLedger ledger = run.ledger();
  r.residual = ledger.relative_residual();
  r.friction = ledger.friction;
  return r;
}

std::vector<PathRow> follow_path(Simulation& run, std::size_t kept, std::uint64_t interval, TaskProgress& progress) {
  const std::size_t end = run.given().stages.size() - kept;
  std::vector<PathRow> rows;
  double strain = 0, volume = 0;
  std::size_t relax = 0;
  while (relax < end && run.given().stages[relax].name != "relax") ++relax;
  while (run.stage() < end) {
    const std::size_t stage = run.stage();
    run.step();
    const bool over = run.stage() != stage;
    if (!over && run.step_count() % interval != 0) continue;
    if (stage <= relax) {
      strain = -run.driver<CellDriver>()->strains()[0];
      volume = -(run.driver<CellDriver>()->strains()[0] + run.driver<CellDriver>()->strains()[1] +
                 run.driver<CellDriver>()->strains()[2]);
    }
    rows.push_back(measure_row(run, strain, volume));
    rows.back().stage = double(stage);
    progress.done((double(stage) + run.stage_progress()) / double(end));
  }
  return rows;
}

void store(const Simulation& run, const std::filesystem::path& file) {
  std::filesystem::create_directories(file.parent_path());
  write_checkpoint(file, {this_build().program_version, run.step_count(), run.time()},
                   [&](ArchiveWriter& archive) { run.save(archive); });
}

void restore(Simulation& run, const std::filesystem::path& file) { run.load(read_checkpoint(file)); }

std::string shown(const Tensor3& t, double unit) {
  std::string out;
  for (std::size_t r = 0; r < 3; ++r)
    out += fmt::format("{}{:.4f} {:.4f} {:.4f}", r ? " / " : "", t.m[r][0] / unit, t.m[r][1] / unit, t.m[r][2] / unit);
  return out;
}

}  // namespace dem::validation::kuhn2020
