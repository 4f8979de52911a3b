#include "validation/fleischmann2015/box_test.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>

#include "libdem/drivers/shear_box.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/results/folder.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

constexpr double row_length = 1e-4;  // m of travel
constexpr std::uint64_t sample_every = 10;
constexpr const char* wall_material = "walls";
constexpr double characteristic_speed = 0.05;  // m/s, of the Hookean stiffness: reference §4, case A

Case base_case(const BoxSetup& s) {
  Case c;
  c.dimension = 3;
  c.gravity = {0, 0, -9.81};
  const double radius = 0.5 * (s.sizes ? s.largest : s.diameter);
  RainSpec rain;
  if (s.sizes)
    static_cast<SizeDistribution&>(rain) = *s.sizes;
  else
    rain.radius = radius;
  rain.jitter = s.jitter;
  rain.columns = rain.rows = s.per_layer;
  rain.layers = s.layers;
  rain.pitch = s.side / s.per_layer;
  rain.layer_spacing = 2.04 * radius;
  rain.centre = {0.5 * s.side, 0.5 * s.side};
  rain.lowest = -s.depth + 1.02 * radius;
  rain.seed = s.seed;
  c.assembly.rain = rain;
  ShearBoxSpec box;
  box.length = s.side;
  box.depth = s.depth;
  box.gap = s.gap;
  box.ledge = s.ledge;
  box.height = s.layers * rain.layer_spacing + 4 * radius - s.depth;
  box.plate = s.servo_gain > 0 ? PlateLoad::servo : PlateLoad::weight;
  box.servo_gain = s.servo_gain;
  box.material = wall_material;
  c.use_driver(box);
  c.material.density = s.density;
  c.material.shear_modulus = s.young / (2 * (1 + s.poisson));
  c.material.poisson_ratio = s.poisson;
  c.material.friction = s.friction;
  c.material.restitution = s.restitution;
  NamedMaterial walls;
  walls.name = wall_material;
  walls.density = s.density;
  walls.shear_modulus = c.material.shear_modulus;
  walls.poisson_ratio = s.poisson;
  walls.friction = s.wall_friction;
  c.materials.push_back(walls);
  c.contact.law = "hertz-history";
  c.contact.elongation = Elongation::velocity;
  c.contact.velocity_source = VelocitySource::trapezoid;  // of the middle of the step, as the codes of the reference
                                                          // take it; no damping of its own
  c.time.integrator = Integrator::velocity_verlet;
  c.time.step = s.step;
  c.output.ledger = s.ledger;
  return c;
}

std::size_t grains(const Simulation& run) {
  std::size_t n = 0;
  for (std::size_t b = 0; b < run.state().bodies.size(); ++b) n += !run.state().shape_of(b).is_wall();
  return n;
}

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

BoxSetup spheres_1800() { return {}; }

BoxSetup beads_5000(double young) {
  BoxSetup s;
  s.per_layer = 10;
  s.diameter = 6e-3;
  s.density = 2550;
  s.young = young;
  s.poisson = 0.22;
  s.restitution = 0.87;
  s.friction = 0.18;
  s.wall_friction = 0.13;
  s.side = 0.12;
  s.gap = 3e-3;
  s.ledge = 0.016;
  s.compaction_friction = std::nullopt;
  s.rain = 0.35;
  s.stress = 3100;
  s.servo_gain = 3e-3;
  s.compaction = 0.6;  // the plate comes down at gain times load, 0.13 m/s
  return s;
}

Case packing_case(const BoxSetup& s) {
  Case c = base_case(s);
  Stage rain, compact;
  rain.name = "rain";
  rain.duration = s.rain;
  compact.name = "compact";
  compact.plate_stress = s.stress;
  compact.friction = s.compaction_friction;
  compact.duration = s.compaction;
  c.stages = {rain, compact};
  return c;
}

Case shear_case(const BoxSetup& s, const ShearTest& test) {
  Case c = base_case(s);
  c.contact.law = test.law;
  *c.contact.law.history() = test.history;
  if (test.law == "hertz-history") c.contact.law.options<laws::HertzHistory>().hertz_variant = test.hertz_variant;
  if (test.law == "hooke-history") c.material.characteristic_speed = characteristic_speed;
  if (test.stiffness_ratio) c.material.tangential_stiffness_ratio = *test.stiffness_ratio;
  if (test.servo_gain) {
    ShearBoxSpec& box = c.use_driver<ShearBoxSpec>();
    box.plate = *test.servo_gain > 0 ? PlateLoad::servo : PlateLoad::weight;
    box.servo_gain = *test.servo_gain;
  }
  for (auto* modulus : {&c.material.shear_modulus, &c.materials[0].shear_modulus}) **modulus *= test.young_factor;
  if (test.lever) c.contact.lever = test.lever;
  if (test.friction) c.material.friction = c.materials[0].friction = *test.friction;
  if (test.wall_friction) c.materials[0].friction = *test.wall_friction;
  if (test.restitution) c.material.restitution = *test.restitution;
  if (test.tangential_damping_ratio) c.material.tangential_damping_ratio = *test.tangential_damping_ratio;
  Stage again, rest, shear;
  again.name = "compact";
  again.plate_stress = test.stress;
  again.friction = s.compaction_friction;
  again.duration = s.compaction;
  rest.name = "rest";
  rest.plate_stress = test.stress;
  rest.duration = s.rest;
  shear.name = "shear";
  shear.plate_stress = test.stress;
  shear.shear_velocity = test.speed;
  shear.shear_displacement = test.travel;
  if (test.stress != s.stress || test.young_factor != 1) c.stages.push_back(again);
  c.stages.push_back(rest);
  c.stages.push_back(shear);
  return c;
}

PackingReport make_packing(const BoxSetup& s, const std::filesystem::path& file, TaskProgress& progress) {
  const Clock clock;
  Simulation run(packing_case(s));
  const double load = s.stress * s.side * s.side;
  double largest_load = 0;
  while (!run.finished()) {
    run.step(false);
    if (run.stage() == 1 && run.step_count() % sample_every == 0)
      largest_load = std::max(largest_load, run.driver<ShearBox>()->read(run.state()).plate_load);
    if (run.step_count() % 500 == 0) progress.done(run.time() / (s.rain + s.compaction));
  }
  std::filesystem::create_directories(file.parent_path());
  write_checkpoint(file, {this_build().program_version, run.step_count(), run.time()},
                   [&](ArchiveWriter& archive) { run.save(archive); });
  const ShearBoxReading r = run.driver<ShearBox>()->read(run.state());
  const FilledBox box{s.side, -s.depth, r.plate_height, s.diameter};
  PackingReport report;
  report.porosity = r.porosity();
  report.height = r.plate_height + s.depth;
  report.particle_steps = double(grains(run)) * double(run.step_count());
  report.seconds = clock.seconds();
  report.core = core_solid_fraction(run.state(), box, 2.5 * s.diameter);
  report.largest_load = largest_load / load;
  report.profile = wall_profile(run.state(), box);
  return report;
}

BoxCurve shear(const BoxSetup& s, const ShearTest& test, const std::filesystem::path& packing, TaskProgress& progress) {
  const Clock clock;
  Simulation run(shear_case(s, test));
  run.take_over(read_checkpoint(packing), test.law == "hertz-history");
  const std::uint64_t first = run.step_count();
  const std::size_t shears = run.given().stages.size() - 1;
  while (run.stage() < shears) run.step(false);
  const ShearBox& box = *run.driver<ShearBox>();
  const ShearBoxReading start = box.read(run.state());
  BoxCurve curve;
  curve.area = box.area();
  curve.load = test.stress * box.area();
  curve.diameter = s.diameter;
  curve.porosity = start.porosity();
  curve.height = start.plate_height + s.depth;
  BoxRow sum;
  double samples = 0;
  const auto steps_of_row = std::uint64_t(std::llround(row_length / (test.speed * s.step)));
  std::uint64_t steps = 0;
  while (!run.finished()) {
    run.step(false);
    if (++steps % sample_every == 0) {
      const ShearBoxReading r = box.read(run.state());
      sum.displacement += r.displacement - start.displacement;
      sum.shear += r.shear_force;
      sum.plate += r.plate_load;
      sum.plane += r.plane_normal_force;
      sum.above += r.weight_above;
      sum.drag += r.wall_drag;
      sum.rise += r.plate_height - start.plate_height;
      sum.void_ratio += r.void_ratio;
      ++samples;
    }
    if (steps % steps_of_row == 0) {
      for (double* v :
           {&sum.displacement, &sum.shear, &sum.plate, &sum.plane, &sum.above, &sum.drag, &sum.rise, &sum.void_ratio})
        *v /= samples;
      curve.rows.push_back(sum);
      sum = {};
      samples = 0;
      progress.done(box.displacement_share(run.state()));
    }
  }
  if (s.ledger) {
    const EnergyLedger e = run.ledger();
    curve.residual = e.residual();
    curve.circulation = e.circulation;
    curve.absolute_work = e.absolute_work;
  }
  curve.particle_steps = double(grains(run)) * double(run.step_count() - first);
  curve.seconds = clock.seconds();
  return curve;
}

double BoxCurve::angle(const BoxRow& r) { return std::atan(r.shear / r.plane) * 180 / std::numbers::pi; }

const BoxRow& BoxCurve::peak() const {
  return *std::max_element(rows.begin(), rows.end(),
                           [](const BoxRow& a, const BoxRow& b) { return a.shear < b.shear; });
}

BoxRow BoxCurve::mean(double from, double to) const {
  BoxRow sum;
  double n = 0;
  const auto numbers = [](BoxRow& r) {
    return std::array{&r.displacement, &r.shear, &r.plate, &r.plane, &r.above, &r.drag, &r.rise, &r.void_ratio};
  };
  for (BoxRow row : rows) {
    if (row.displacement < from || row.displacement > to) continue;
    for (std::size_t k = 0; k < BoxRow::numbers; ++k) *numbers(sum)[k] += *numbers(row)[k];
    ++n;
  }
  for (double* v : numbers(sum)) *v /= n;
  return sum;
}

std::vector<double> PackingReport::pack() const {
  std::vector<double> out{porosity, height, particle_steps, seconds, core, largest_load, profile.spacing};
  out.insert(out.end(), profile.sides.begin(), profile.sides.end());
  out.insert(out.end(), profile.floor.begin(), profile.floor.end());
  return out;
}

PackingReport PackingReport::unpack(const std::vector<double>& n) {
  PackingReport r;
  double* const head[] = {&r.porosity, &r.height,       &r.particle_steps, &r.seconds,
                          &r.core,     &r.largest_load, &r.profile.spacing};
  const std::size_t first = std::size(head), planes = (n.size() - first) / 2;
  for (std::size_t k = 0; k < first; ++k) *head[k] = n.at(k);
  r.profile.sides.assign(n.begin() + std::ptrdiff_t(first), n.begin() + std::ptrdiff_t(first + planes));
  r.profile.floor.assign(n.begin() + std::ptrdiff_t(first + planes), n.end());
  return r;
}

std::vector<double> BoxCurve::pack() const {
  std::vector<double> out{area,           load,    diameter, porosity,    height,
                          particle_steps, seconds, residual, circulation, absolute_work};
  for (const BoxRow& r : rows)
    out.insert(out.end(), {r.displacement, r.shear, r.plate, r.plane, r.above, r.drag, r.rise, r.void_ratio});
  return out;
}

BoxCurve BoxCurve::unpack(const std::vector<double>& n) {
  BoxCurve c;
  double* const head[] = {&c.area,           &c.load,    &c.diameter, &c.porosity,    &c.height,
                          &c.particle_steps, &c.seconds, &c.residual, &c.circulation, &c.absolute_work};
  const std::size_t first = std::size(head);
  for (std::size_t k = 0; k < first; ++k) *head[k] = n.at(k);
  for (std::size_t k = first; k + BoxRow::numbers <= n.size(); k += BoxRow::numbers)
    c.rows.push_back({n[k], n[k + 1], n[k + 2], n[k + 3], n[k + 4], n[k + 5], n[k + 6], n[k + 7]});
  return c;
}

}  // namespace dem::validation::fleischmann2015
