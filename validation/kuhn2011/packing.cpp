#include "validation/kuhn2011/packing.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libdem/drivers/cell_drive.hpp"
#include "libdem/laws/hertz_mindlin.hpp"
#include "libdem/laws/jaeger.hpp"
#include "libdem/measure/motion_sums.hpp"

namespace dem::validation::kuhn2011 {

namespace {

Case stone() {
  Case c;
  c.dimension = 3;
  c.periodic = {true, true, true};
  c.material.density = 2650;
  c.material.shear_modulus = shear_modulus;
  c.material.poisson_ratio = poisson_ratio;
  c.material.friction = friction;
  c.material.restitution = 0.8;  // at 0.6 the dashpots halve the largest time step
  c.contact.law = "jaeger";
  c.time.integrator = Integrator::velocity_verlet;
  c.time.step = time_step;
  c.time.override_limit = true;  // the limit before a run supposes overlaps of 1 %, a hundred times those of a stone;
                                 // studies report the measured one
  return c;
}

Stage same_on_all_axes(const char* name, CellComponent component) {
  Stage s;
  s.name = name;
  s.cell.emplace();
  for (std::size_t a = 0; a < 3; ++a) s.cell->component[a] = component;
  s.friction = 0;
  return s;
}

}  // namespace

std::vector<double> Packing::pack() const {
  std::vector<double> out{cell.x, cell.y, cell.z, unbalanced, void_ratio, steps};
  for (std::size_t b = 0; b < radius.size(); ++b)
    out.insert(out.end(), {radius[b], position[b].x, position[b].y, position[b].z});
  return out;
}

Packing Packing::unpack(const std::vector<double>& n) {
  Packing p;
  p.cell = {n[0], n[1], n[2]};
  p.unbalanced = n[3], p.void_ratio = n[4], p.steps = n[5];
  for (std::size_t k = 6; k + 4 <= n.size(); k += 4) {
    p.radius.push_back(n[k]);
    p.position.push_back({n[k + 1], n[k + 2], n[k + 3]});
  }
  return p;
}

Case packing_case(std::size_t count, std::uint64_t seed) {
  Case c = stone();
  c.title = fmt::format("{} spheres, compressed without friction", count);
  RandomSpec random;
  random.shape = ShapeKind::sphere;
  random.count = count;
  random.radius = mean_radius;
  random.spread = 0.2 * mean_radius;
  random.void_ratio = 1.2;
  random.seed = seed;
  c.assembly.random = random;
  c.material.restitution = 0.6;
  c.output.ledger = false;
  const CellComponent held{CellComponent::Mode::stress, 0, -confining_pressure};
  Stage compact = same_on_all_axes("compact", {CellComponent::Mode::rate, -5e-5 / time_step, 0});
  compact.void_ratio = 0.7;
  Stage confine = same_on_all_axes("confine", held);
  confine.cell->largest_rate = 1e-5 / time_step;
  confine.unbalanced = 1e-2;
  confine.duration = 40000 * time_step;
  // Without friction only dashpots of the normals take energy; what moves along the contacts needs something else to
  // come to rest.
  Stage relax = same_on_all_axes("relax", held);
  relax.mass_damping = 0.01 / time_step;
  relax.unbalanced = 5e-4;
  relax.duration = 15000 * time_step;
  c.stages = {compact, confine, relax};
  return c;
}

Packing make_packing(const Case& c, TaskProgress& progress) {
  Simulation run(c);
  while (!run.finished()) {
    run.step();
    if (run.step_count() % 100 == 0)
      progress.done((double(run.stage()) + run.stage_progress()) / double(c.stages.size()));
  }
  Packing p;
  const State& state = run.state();
  p.position = state.bodies.position[0].by_number();
  for (std::size_t b = 0; b < p.position.size(); ++b) {
    p.position[b] = p.position[b] - state.cell_origin;
    p.radius.push_back(state.shape_of(b).equivalent_radius());
  }
  p.cell = {state.cell.vectors[0].x, state.cell.vectors[1].y, state.cell.vectors[2].z};
  p.unbalanced = mean_unbalanced_force(run.contacts(), state.bodies);
  p.void_ratio = run.driver<CellDriver>()->void_ratio();
  p.steps = double(run.step_count());
  return p;
}

Case case_of(const Packing& packing) {
  Case c = stone();
  c.cell_size = packing.cell;
  for (std::size_t b = 0; b < packing.radius.size(); ++b) {
    BodySpec body;
    body.shape = ShapeKind::sphere;
    body.radius = packing.radius[b];
    body.position = packing.position[b];
    c.assembly.bodies.push_back(body);
  }
  return c;
}

std::span<const LawVariant> law_variants() {
  static constexpr auto mindlin = [](Case& c, MindlinMemory memory) {
    c.contact.law = "hertz-mindlin";
    c.contact.law.options<laws::HertzMindlin>().memory = memory;
  };
  static constexpr LawVariant all[] = {
      {exact_law, [](Case& c) { c.contact.law = "jaeger"; }},
      {"jaeger, merged 0.10 f",
       [](Case& c) { c.contact.law = "jaeger", c.contact.law.options<laws::Jaeger>().merge_slope = 0.10 * friction; }},
      {"jaeger, merged 0.20 f",
       [](Case& c) { c.contact.law = "jaeger", c.contact.law.options<laws::Jaeger>().merge_slope = 0.20 * friction; }},
      {bounded_law,
       [](Case& c) { c.contact.law = "jaeger", c.contact.law.options<laws::Jaeger>().merge_error = bound; }},
      {usual_law, [](Case& c) { mindlin(c, MindlinMemory::single_reversal); }},
      {"hertz-mindlin, turning points", [](Case& c) { mindlin(c, MindlinMemory::turning_points); }},
      {"hertz-mindlin, no memory", [](Case& c) { mindlin(c, MindlinMemory::none); }}};
  return all;
}

std::size_t variant_named(std::string_view name) {
  const auto all = law_variants();
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].name == name) return k;
  throw std::runtime_error(fmt::format("no law variant is called {}", name));
}

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

Quartiles quartiles(std::vector<double> v) {
  std::ranges::sort(v);
  const auto at = [&](double share) {  // linear between the two neighbours
    const double place = share * double(v.size() - 1);
    const auto below = std::size_t(place);
    return below + 1 < v.size() ? v[below] + (place - double(below)) * (v[below + 1] - v[below]) : v.back();
  };
  if (v.empty()) return {NAN, NAN, NAN};
  return {at(0.25), at(0.5), at(0.75)};
}

double median(std::vector<double> v) { return quartiles(std::move(v)).middle; }

}  // namespace dem::validation::kuhn2011
