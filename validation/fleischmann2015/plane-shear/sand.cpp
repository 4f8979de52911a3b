#include "validation/fleischmann2015/plane-shear/sand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "libdem/assembly/random_size.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/measure/fabric.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

constexpr double rows_per_strain = 250;

/// The smallest grain has few contacts and moves alone, so that it bears a larger step over √(m/k_n) than grains of
/// which all neighbours are as light.
double time_step(const Sand& sand) {
  const auto root_of_mass = [](double diameter) {
    return std::sqrt(std::numbers::pi / 6 * diameter * diameter * diameter / normal_stiffness);
  };
  return std::min(0.28 * root_of_mass(std::exp(-sand.cut * log_normal_width(sand.uniformity))), 0.14 * root_of_mass(1));
}

Case sand_case(const Sand& sand) {
  Case c;
  c.dimension = 3;
  c.periodic = {true, true, true};
  c.material.density = 1;
  c.material.normal_stiffness = normal_stiffness;
  c.material.tangential_stiffness = 0.8 * normal_stiffness;
  c.material.friction = Shear{}.friction;
  c.material.restitution = 0.6;
  c.material.tangential_damping_ratio = 0.5;
  c.contact.law = "hooke-history";
  c.contact.normal_force = NormalForce::overlap;
  c.time.integrator = Integrator::velocity_verlet;
  c.time.step = time_step(sand);
  c.time.override_limit =
      true;  // the limit before a run supposes twelve contacts of the smallest grain; the measured one is reported
  c.output.ledger = false;
  return c;
}

Stage on_all_sides(const char* name, const Sand& sand, CellComponent component) {
  Stage s;
  s.name = name;
  s.cell.emplace();
  for (std::size_t a = 0; a < 3; ++a) s.cell->component[a] = component;
  s.friction = sand.packing_friction;
  return s;
}

static_assert(sizeof(ShearRow) == ShearRow::numbers * sizeof(double));

}  // namespace

Case packing_case(const Sand& sand) {
  Case c = sand_case(sand);
  c.title = fmt::format("{} grains with C_u = {:g}, compressed with friction {:g}", sand.count, sand.uniformity,
                        sand.packing_friction);
  RandomSpec random;
  random.shape = ShapeKind::sphere;
  random.count = sand.count;
  random.distribution = "log-normal-by-mass";
  random.median_diameter = 1;
  random.uniformity = sand.uniformity;
  random.cut = sand.cut;
  random.void_ratio = 1.2;
  random.seed = sand.seed;
  c.assembly.random = random;
  // Longer along x: a strain of 1 leans the cell so far that the images of a grain along x come closer.
  geometry::Random numbers(random.seed);  // as the generator draws them
  double solid = 0;
  for (std::size_t k = 0; k < sand.count; ++k)
    solid += 4 * std::numbers::pi / 3 * std::pow(random_radius(random, numbers, 3), 3);
  const double side = std::cbrt((1 + random.void_ratio) * solid / 1.4);
  c.cell_size = {1.4 * side, side, side};

  const double sigma = sand.stress(), rate = 0.02 * std::sqrt(sigma);  // inertial number 0.02
  Stage compact = on_all_sides("compact", sand, {CellComponent::Mode::rate, -rate, 0});
  compact.void_ratio = 0.75;
  Stage confine = on_all_sides("confine", sand, {CellComponent::Mode::stress, 0, -sigma});
  confine.cell->largest_rate = rate;
  confine.unbalanced = 1e-2;
  confine.duration = 100 / std::sqrt(sigma);
  Stage relax = confine;
  relax.name = "relax";
  relax.mass_damping = 0.1 * std::sqrt(sigma);
  relax.unbalanced = 2e-3;
  c.stages = {compact, confine, relax};
  return c;
}

Case shear_case(const Sand& sand, const Packing& packing, const Shear& shear) {
  Case c = sand_case(sand);
  c.title = fmt::format("{} grains with C_u = {:g}, plane shear at constant normal stress, history {}", sand.count,
                        sand.uniformity, shear.history == TangentialHistory::whole ? "true" : "none");
  *c.contact.law.history() = shear.history;
  c.material.friction = shear.friction;
  c.cell_size = packing.cell;
  for (std::size_t b = 0; b < packing.radius.size(); ++b) {
    BodySpec body;
    body.shape = ShapeKind::sphere;
    body.radius = packing.radius[b];
    body.position = packing.position[b];
    c.assembly.bodies.push_back(body);
  }
  const double sigma = sand.stress();
  Stage rest;
  rest.name = "rest";
  rest.cell.emplace();
  rest.cell->component[2] = {CellComponent::Mode::stress, 0, -sigma};
  rest.cell->largest_rate = 0.02 * std::sqrt(sigma);
  rest.duration = 5 / std::sqrt(sigma);
  Stage shearing = rest;
  shearing.name = "shear";
  shearing.cell->component[4] = {CellComponent::Mode::rate, shear.inertial_number * std::sqrt(sigma), 0};
  shearing.cell->tolerance = 0.02;
  shearing.duration.reset();
  shearing.strain = shear.strain;
  c.stages = {rest, shearing};
  return c;
}

double ShearRow::mohr_sine() const { return std::hypot(0.5 * (xx - zz), xz) / (0.5 * (xx + zz)); }

ShearPath run_shear(const Case& c, TaskProgress& progress) {
  Simulation run(c);
  while (run.stage() == 0) run.step(false);
  ShearPath path;
  const double first = double(run.step_count()), started = kuhn2011::cpu_seconds(), strain = *c.stages[1].strain;
  const auto add_row = [&](ShearRow sum, double steps) {
    for (double* s : {&sum.xx, &sum.yy, &sum.zz, &sum.xz}) *s /= steps;
    const auto contacts = run.contacts();
    const auto free = free_bodies(run.state().bodies);
    sum.strain = run.driver<CellDriver>()->stage_strain();
    sum.solid = 1 / (1 + run.driver<CellDriver>()->void_ratio());
    sum.coordination = coordination_of(contacts, run.state().bodies, free).backbone_by_pairs;
    sum.sliding = fraction_at_limit(contacts, free);
    path.rows.push_back(sum);
    if (run.measured_limit()) path.margin = std::max(path.margin, c.time.step / run.measured_limit()->dt);
  };
  const auto stress = [&](ShearRow& sum) {
    const Tensor3& s = run.driver<CellDriver>()->stress();
    sum.xx -= s.xx(), sum.yy -= s.yy(), sum.zz -= s.m[2][2], sum.xz += 0.5 * (s.m[0][2] + s.m[2][0]);
  };
  ShearRow sum;
  double steps = 0;
  std::size_t next = 1;
  const double rate = run.driver<CellDriver>()->stage_rate();
  while (!run.finished()) {  // an interval that the end cuts short is left out
    const double ahead = run.driver<CellDriver>()->stage_strain() + rate * c.time.step * (1 + 1e-9);
    const bool is_row = ahead >= double(next) / rows_per_strain;
    run.step(is_row);  // the servo works the stress out in every step
    stress(sum);
    steps += 1;
    if (!is_row) continue;
    add_row(sum, steps);
    sum = {};
    steps = 0;
    ++next;
    progress.done(path.rows.back().strain / strain);
  }
  path.steps = double(run.step_count()) - first;
  path.seconds = kuhn2011::cpu_seconds() - started;
  path.servo_mean = run.driver<CellDriver>()->record().mean();
  return path;
}

std::vector<double> ShearPath::pack() const {
  std::vector<double> out{steps, seconds, servo_mean, margin};
  out.resize(4 + rows.size() * ShearRow::numbers);
  std::memcpy(out.data() + 4, rows.data(), rows.size() * sizeof(ShearRow));
  return out;
}

ShearPath ShearPath::unpack(const std::vector<double>& n) {
  ShearPath path;
  path.steps = n[0], path.seconds = n[1], path.servo_mean = n[2], path.margin = n[3];
  path.rows.resize((n.size() - 4) / ShearRow::numbers);
  std::memcpy(static_cast<void*>(path.rows.data()), n.data() + 4, path.rows.size() * sizeof(ShearRow));
  return path;
}

Grading grading_of(const Packing& packing) {
  std::vector<double> d = packing.radius;
  double all = 0;
  for (double& x : d) x *= 2, all += x * x * x;
  std::ranges::sort(d);
  const auto at = [&](double share) {
    double sum = 0;
    for (const double x : d)
      if ((sum += x * x * x) >= share * all) return x;
    return d.back();
  };
  return {at(0.1), at(0.5), at(0.6), d.front(), d.back()};
}

}  // namespace dem::validation::fleischmann2015
