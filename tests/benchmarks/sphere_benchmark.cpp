// Cost of a step of spheres, everything included: dense packing, linear springs with damping. README.md lists the
// comparisons.
//
// LIBDEM_PACKING names a packing as plain text. Its first line is "...: edges of the cell", the second a comment, and
// the others have x y z r in m. Without it the packing is a face-centred cubic one of spheres of slightly different
// radii, pressed by 0.2 %. With LIBDEM_BY_PLACE its spheres are numbered in spatial order, not in that of the file.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "geometry/random.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/contacts/spheres/candidates.hpp"
#include "libdem/run/simulation.hpp"
#include "tests/benchmarks/counters.hpp"

namespace {

using namespace dem;

enum Variant { verlet, gear, with_ledger, geometric, refined, refined_geometric, two_threads, driven, watched };
constexpr const char* names[] = {"Verlet",      "Gear",           "ledger",
                                 "geometric",   "linear-refined", "linear-refined, geometric",
                                 "two threads", "driven",         "watched"};

BodySpec sphere(Vec3 position, double radius) {
  return {.shape = ShapeKind::sphere, .radius = radius, .position = position};
}

/// n³ cells with spheres of mean radius 1 mm at their corners, all of different radii.
Case lattice(int n, double edge, std::initializer_list<Vec3> corners) {
  Case c;
  geometry::Random random(1);
  for (int k = 0; k < n * n * n; ++k)
    for (const Vec3 corner : corners)
      c.assembly.bodies.push_back(sphere(edge * (corner + Vec3{double(k % n), double(k / n % n), double(k / n / n)}),
                                         1e-3 * (0.998 + 0.004 * random.uniform())));
  c.cell_size = {n * edge, n * edge, n * edge};
  return c;
}
/// 4 n³ spheres, pressed until all neighbours touch, or (n < 0: 4 |n|³) half of them.
Case dense_lattice(int n) {
  return lattice(std::abs(n), std::sqrt(8.0) * 1e-3 * (n > 0 ? 0.998 : 1.0),
                 {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}});
}

/// `copies` of the packing of LIBDEM_PACKING along each axis; empty without it.
Case packing_of_file(int copies) {
  Case c;
  const char* name = std::getenv("LIBDEM_PACKING");
  if (!name) return c;
  std::ifstream in(name);
  std::string line;
  std::getline(in, line);
  const double edge = std::atof(line.substr(line.find(':') + 1).c_str());
  std::getline(in, line);
  double x, y, z, r;
  while (in >> x >> y >> z >> r)
    for (int k = 0; k < copies * copies * copies; ++k)
      c.assembly.bodies.push_back(
          sphere({x + edge * (k % copies), y + edge * (k / copies % copies), z + edge * (k / copies / copies)}, r));
  c.cell_size = {copies * edge, copies * edge, copies * edge};
  return c;
}

/// The LAMMPS case of the packing: k_n 8e4 N/m, k_t 6.4e4 N/m, μ = 0.5, skin 0.1 mm. The damping is 4.5e4 1/s per
/// reduced mass, half of it tangential. Here it is a restitution for the mass of two mean spheres.
Case dense(Case c, Variant variant) {
  c.dimension = 3;
  c.periodic = {true, true, true};
  Material& m = c.material;
  m.density = 2650;
  m.normal_stiffness = 8e4;
  m.tangential_stiffness = 6.4e4;
  m.friction = 0.5;
  const double mass = m.density * 4 * std::numbers::pi / 3 * 1e-9, eta = 4.5e4 / 2;
  m.restitution = std::exp(-std::numbers::pi * eta / std::sqrt(m.normal_stiffness / (mass / 2) - eta * eta));
  m.tangential_damping_ratio = 0.5;
  c.contact.elongation =
      variant == geometric || variant == refined_geometric ? Elongation::geometric : Elongation::velocity;
  c.contact.law = variant == refined || variant == refined_geometric ? "linear-refined" : "linear";
  c.time.integrator = variant == gear ? Integrator::gear5 : Integrator::velocity_verlet;
  c.time.step = variant == gear ? 1.5e-7 : 1e-6;  // the damping is too strong for Gear at 1 µs
  c.time.override_limit = true;
  c.output.ledger = variant == with_ledger;
  c.threads = variant == two_threads ? 2 : 1;
  c.skin = 1e-4;
  c.assembly.largest_start_overlap = 0.2;
  if (variant == driven) {  // the motion of the LAMMPS case
    c.stages = {{.cell = CellDrive{}, .duration = 1.0}};
    c.stages[0].cell->component[0].rate = -1.0;
    c.stages[0].cell->component[1].rate = 1.0;
  }
  return c;
}

Case numbered_by_place(Case c) {
  const std::vector<std::uint32_t> order = spatial_order(build_assembly(dense(c, verlet)));
  const std::vector<BodySpec> bodies = std::exchange(c.assembly.bodies, {});
  for (const std::uint32_t b : order) c.assembly.bodies.push_back(bodies[b]);
  return c;
}

/// The packings of the goal "cost per particle from 1 000 to 100 000". 1 000 spheres of the `random` generator are
/// compressed without friction to 80.5 kPa. There are `copies` of them along x, y and z. With `by_place` bodies are
/// numbered in spatial order, else packing after packing.
Case generated_packing(std::array<int, 3> copies, bool by_place) {
  static const Case packing = [] {
    Case c = dense({}, verlet);
    RandomSpec& random = c.assembly.generator.emplace<RandomSpec>();
    random.shape = ShapeKind::sphere;
    random.count = 1000;
    random.radius = 1e-3;
    random.spread = 0.15e-3;
    c.stages = {{.cell = CellDrive{.mean_pressure = 80.5e3}, .friction = 0, .unbalanced = 1e-2, .duration = 0.1}};
    for (std::size_t k = 0; k < 3; ++k) c.stages[0].cell->component[k].mode = CellComponent::Mode::mean_pressure;
    Simulation run(c);
    while (!run.finished()) run.step(false);
    const State& state = run.state();
    Case packed;
    const auto& cell = state.cell.vectors;
    packed.cell_size = {cell[0].x, cell[1].y, cell[2].z};
    for (std::size_t b = 0; b < state.bodies.size(); ++b)
      packed.assembly.bodies.push_back(sphere(state.bodies.position[0][b], state.shape_of(b).bounding_radius()));
    return packed;
  }();
  Case c;
  const Vec3 edge = packing.cell_size;
  for (int k = 0; k < copies[0] * copies[1] * copies[2]; ++k)
    for (BodySpec body : packing.assembly.bodies) {
      body.position +=
          Vec3{edge.x * (k % copies[0]), edge.y * (k / copies[0] % copies[1]), edge.z * (k / copies[0] / copies[1])};
      c.assembly.bodies.push_back(body);
    }
  c.cell_size = {copies[0] * edge.x, copies[1] * edge.y, copies[2] * edge.z};
  return by_place ? numbered_by_place(std::move(c)) : c;
}

/// The packing of LIBDEM_PACKING for n = 0, else dense_lattice().
Case dense(int n, Variant variant) {
  Case c = n == 0 ? packing_of_file(1) : Case{};
  if (c.assembly.bodies.empty())
    c = dense_lattice(n == 0 ? 14 : n);
  else if (std::getenv("LIBDEM_BY_PLACE"))
    c = numbered_by_place(std::move(c));
  return dense(std::move(c), variant);
}

/// Arguments: size (dense()), variant. `fastest_20` is the wall time (ns) per body and step in the fastest twenty steps
/// in a row. On machines that others use as well, this number can be compared.
void measure(benchmark::State& state, const Case& given, Variant variant) {
  Simulation run(given);
  for (int k = 0; k < 20; ++k) run.step(variant == watched);
  using Clock = std::chrono::steady_clock;
  constexpr int in_a_row = 20;
  double steps = 0, fastest = std::numeric_limits<double>::infinity();
  auto start = Clock::now();
  for (auto _ : state) {
    run.step(variant == watched);
    if (std::fmod(++steps, in_a_row) != 0) continue;
    const auto now = Clock::now();
    fastest = std::min(fastest, std::chrono::duration<double, std::nano>(now - start).count());
    start = now;
  }
  report_steps(state, run);
  state.counters["fastest_20"] = fastest / (in_a_row * double(run.state().bodies.size()));
  state.SetLabel(names[variant]);
}
void sphere_step(benchmark::State& state) {
  const auto variant = Variant(state.range(1));
  measure(state, dense(int(state.range(0)), variant), variant);
}
/// Arguments: packings of 1 000 spheres (1 or 100), numbered by place or not.
void generated_packing_step(benchmark::State& state) {
  const bool many = state.range(0) > 1;
  measure(state, dense(generated_packing({many ? 5 : 1, many ? 5 : 1, many ? 4 : 1}, state.range(1) != 0), verlet),
          verlet);
}
double smallest(const std::vector<double>& values) { return *std::ranges::min_element(values); }
void repeated(benchmark::internal::Benchmark* b) {
  b->ComputeStatistics("min", smallest)->Iterations(300)->Repetitions(3);
  b->ReportAggregatesOnly()->Unit(benchmark::kMicrosecond);
}
void variants(benchmark::internal::Benchmark* b) {
  for (const Variant v : {verlet, gear, with_ledger, geometric, refined, refined_geometric, driven, watched})
    b->Args({0, v});
  for (const int size : {6, 29, -6, -29}) b->Args({size, verlet});
}
BENCHMARK(sphere_step)->Apply(variants)->Apply(repeated);
BENCHMARK(generated_packing_step)->ArgsProduct({{1, 100}, {1, 0}})->Apply(repeated);
BENCHMARK(sphere_step)->Args({0, verlet})->Args({0, two_threads})->Apply(repeated)->UseRealTime();

/// Resident memory of the process (bytes).
double resident() {
  std::ifstream in("/proc/self/statm");
  double all = 0, here = 0;
  in >> all >> here;
  return here * double(sysconf(_SC_PAGESIZE));
}

/// Memory of a simulation of 97 336 spheres of different radii that touch 6 neighbours each, Gear. With LIBDEM_PACKING
/// there are 80 000, eight of its packings (6.2 neighbours). Run it by itself, since memory that others gave back
/// counts as free.
void sphere_memory(benchmark::State& state) {
  for (auto _ : state) {
    const double before = resident();
    Case c = packing_of_file(2);
    c = dense(c.assembly.bodies.empty() ? lattice(46, 2e-3 * 0.998, {{0, 0, 0}}) : std::move(c), gear);
    c.output.ledger = state.range(0) != 0;
    Simulation run(c);
    c = {};
    malloc_trim(0);  // its memory is none of the simulation's
    for (int k = 0; k < 20; ++k) run.step(false);
    state.counters["bytes_per_body"] = (resident() - before) / double(run.state().bodies.size());
    state.counters["contacts_per_body"] = double(run.contact_count()) / double(run.state().bodies.size());
    run.step();
    state.counters["bytes_per_body_watched"] = (resident() - before) / double(run.state().bodies.size());
  }
}
BENCHMARK(sphere_memory)->Arg(0)->Arg(1)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
