#include "validation/kuhn2011/pressure-stiffness/packing.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "libdem/drivers/cell_drive.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "libdem/measure/fabric.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/stress.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/state/view.hpp"
#include "validation/kuhn2011/pressure-stiffness/fcc_moduli.hpp"

namespace dem::validation::kuhn2011::stiffness {

namespace {

constexpr double friction = 0.3, mean_radius = 0.5, half_width = 0.1;
constexpr int strain_steps = 50;
constexpr double settling_damping = 0.003, loading_damping = 0.02, probe_damping = 0.05;  // α Δt

Stage rest(double duration) {
  Stage s;
  s.name = "rest";
  s.cell.emplace();
  s.duration = duration;
  return s;
}

void store(const Simulation& run, const std::filesystem::path& file) {
  std::filesystem::create_directories(file.parent_path());
  write_checkpoint(file, {this_build().program_version, run.step_count(), run.time()},
                   [&](ArchiveWriter& archive) { run.save(archive); });
}

void restore(Simulation& run, const std::filesystem::path& file) { run.load(read_checkpoint(file)); }

Stage pressed(std::string name, double pressure, double largest_rate) {
  Stage s;
  s.name = std::move(name);
  s.cell.emplace();
  for (std::size_t a = 0; a < 3; ++a) s.cell->component[a] = {CellComponent::Mode::stress, 0, -pressure};
  s.cell->largest_rate = largest_rate;
  return s;
}

struct Planes {
  double first = 0, second = 0;  // (σ_xx − σ_yy)/2, (σ_yy − σ_zz)/2
};

/// Stress after a strain of `gamma`: ε_xx − ε_yy (plane 0) or ε_yy − ε_zz (plane 1), at constant volume, and a rest.
Planes probe(Case c, const std::filesystem::path& state, double gamma, int plane, int rest_steps) {
  const double dt = c.time.step;
  Stage strain = rest(strain_steps * dt);
  strain.cell->component[std::size_t(plane)].rate = 0.5 * gamma / (strain_steps * dt);
  strain.cell->component[std::size_t(plane) + 1].rate = -0.5 * gamma / (strain_steps * dt);
  strain.friction = friction;
  Stage still = rest(rest_steps * dt);
  still.friction = friction;
  c.stages.push_back(strain);
  c.stages.push_back(still);
  Simulation run(c);
  restore(run, state);
  while (!run.finished()) run.step(false);
  const Tensor3& s = run.driver<CellDriver>()->stress();
  return {0.5 * (s.m[0][0] - s.m[1][1]), 0.5 * (s.m[1][1] - s.m[2][2])};
}

static_assert(sizeof(StateModuli) == StateModuli::numbers * sizeof(double));

}  // namespace

double hertz_stiffness_at(double pressure) {
  // p = z φ F/(π d²), z = 6, φ = 0.63.
  const double modulus = laws::Hertz::modulus_of(1, poisson_ratio), force = std::numbers::pi * pressure / (0.63 * 6);
  const double z = std::pow(force / (modulus * std::sqrt(mean_radius)), 2.0 / 3);
  return 0.75 * modulus * std::sqrt(mean_radius * z);
}

Case packing_case(const PackingChoice& choice) {
  Case c;
  c.title = fmt::format("{} spheres, law {}", choice.spheres, choice.law);
  c.dimension = 3;
  c.periodic = {true, true, true};
  RandomSpec random;
  random.shape = ShapeKind::sphere;
  random.count = choice.spheres;
  random.radius = mean_radius;
  random.spread = half_width;
  random.void_ratio = 1.2;
  random.seed = choice.seed;
  c.assembly.random = random;
  c.material.density = 1;
  c.material.friction = friction;
  c.material.normal_damping = c.material.tangential_damping = 0;
  c.contact.law = choice.law;
  if (choice.law == "linear") {
    c.material.normal_stiffness = choice.normal_stiffness;
    c.material.tangential_stiffness = choice.normal_stiffness / laws::Hertz::ratio_of(poisson_ratio);
  } else {
    c.material.shear_modulus = 1;
    c.material.poisson_ratio = poisson_ratio;
  }
  c.time.integrator = Integrator::velocity_verlet;
  const double stiffest =
      choice.law == "linear" ? choice.normal_stiffness : hertz_stiffness_at(choice.pressures.back());
  const double smallest = mean_radius - half_width, mass = 4 * std::numbers::pi / 3 * std::pow(smallest, 3);
  c.time.step = 0.2 * std::sqrt(mass / stiffest);
  c.time.override_limit = true;  // the limit before the run counts on an overlap of 1 % of the diameter
  c.material.mass_damping = probe_damping / c.time.step;
  c.output.ledger = false;
  const double dt = c.time.step, rate = 1e-4 / dt;
  Stage compact = rest(1e5 * dt);
  compact.name = "compact";
  for (std::size_t a = 0; a < 3; ++a) compact.cell->component[a].rate = -rate;
  compact.void_ratio = 0.75;
  compact.mass_damping = settling_damping / dt;
  compact.friction = 0;
  c.stages.push_back(compact);
  Stage settle = pressed("settle", choice.pressures.front(), 3e-5 / dt);
  settle.mass_damping = settling_damping / dt;
  settle.friction = 0;
  settle.unbalanced = 1e-2;
  settle.duration = 25000 * dt;
  c.stages.push_back(settle);
  for (std::size_t k = 0; k < choice.pressures.size(); ++k) {
    Stage press = pressed(fmt::format("press {}", k + 1), choice.pressures[k], 3e-5 / dt);
    press.mass_damping = loading_damping / dt;
    press.friction = friction;
    press.unbalanced = 1e-4;
    press.duration = 20000 * dt;
    c.stages.push_back(press);
    Stage wait = rest(20 * dt);  // in which the state is stored
    wait.name = fmt::format("rest {}", k + 1);
    wait.friction = friction;
    c.stages.push_back(wait);
  }
  return c;
}

std::vector<double> measure_packing(const PackingChoice& choice, const std::filesystem::path& folder,
                                    TaskProgress& progress) {
  const Case path = packing_case(choice);
  std::vector<double> out;
  Simulation run(path);
  for (std::size_t k = 0; k < choice.pressures.size(); ++k) {
    const std::size_t rest = 2 * k + 3;
    while (run.stage() < rest) run.step(false);
    run.step();
    const auto file = folder / fmt::format("{}-{}-{}.state", choice.law, choice.seed, k);
    store(run, file);
    StateModuli m;
    const auto contacts = run.contacts();
    const CellDriver& cell = *run.driver<CellDriver>();
    const Coordination z = coordination_of(contacts, run.state().bodies, free_bodies(run.state().bodies));
    m.pressure = mean_pressure(cell.stress(), 3);
    m.coordination = z.backbone_by_pairs;
    m.backbone = double(z.backbone) / double(z.bodies);
    m.solid = 1 / (1 + cell.void_ratio());
    m.unbalanced = mean_unbalanced_force(contacts, run.state().bodies);
    m.slipping = fraction_at_limit(contacts);
    const double kappa = laws::Hertz::ratio_of(poisson_ratio), volume = cell_volume(run.state().cell);
    // (1/V) Σ l² (K_n ⟨n_x² n_y²⟩ + K_t …), mean over directions.
    for (const ContactRecord& c : contacts) {
      m.affine += dot(c.branch, c.branch) * c.normal_stiffness * (1.0 / 15 + 1 / (10 * kappa)) / volume;
      m.stiffness += c.normal_stiffness / double(contacts.size());
      m.overlap += c.overlap / double(contacts.size());
    }
    const double gamma = choice.strain * std::pow(choice.pressures[k], 2.0 / 3);
    Case at = path;
    at.stages.resize(rest + 1);
    const Planes none = probe(at, file, 0, 0, choice.rest_steps), full = probe(at, file, gamma, 0, choice.rest_steps);
    const Planes half = probe(at, file, 0.5 * gamma, 0, choice.rest_steps),
                 other = probe(at, file, gamma, 1, choice.rest_steps);
    const double first = (full.first - none.first) / gamma, second = (other.second - none.second) / gamma;
    m.shear = 0.5 * (first + second);
    m.spread = 0.5 * std::abs(first - second);
    m.half_strain = 2 * (half.first - none.first) / gamma / first;
    std::filesystem::remove(file);
    const double* numbers = &m.pressure;
    out.insert(out.end(), numbers, numbers + StateModuli::numbers);
    progress.done(double(k + 1) / double(choice.pressures.size()));
  }
  return out;
}

std::vector<StateModuli> unpack_moduli(const std::vector<double>& n) {
  std::vector<StateModuli> out(n.size() / StateModuli::numbers);
  std::memcpy(static_cast<void*>(out.data()), n.data(), out.size() * sizeof(StateModuli));
  return out;
}

Estimate mean_of(const std::vector<double>& samples) {
  constexpr std::array<double, 10> student{0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
  const std::size_t n = samples.size();
  double mean = 0, square = 0;
  for (const double s : samples) mean += s / double(n);
  for (const double s : samples) square += (s - mean) * (s - mean);
  if (n < 2) return {mean, std::nan("")};
  return {mean, (n <= student.size() ? student[n - 1] : 2.0) * std::sqrt(square / double(n - 1) / double(n))};
}

}  // namespace dem::validation::kuhn2011::stiffness
