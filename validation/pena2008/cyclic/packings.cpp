#include "validation/pena2008/cyclic/packings.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "geometry/random.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/run/simulation.hpp"

namespace dem::validation::pena2008 {

namespace {

/// Columns × rows sites of a triangular lattice; the first and the last row are the plates.
void fill_with_discs(Case& c, std::uint64_t seed) {
  const int columns = c.assembly.voronoi.value().columns, rows = c.assembly.voronoi->rows;
  constexpr double spacing = 1.01, largest = 0.5, smallest = 0.4;  // m
  geometry::Random random(seed);
  c.assembly.voronoi.reset();
  c.contact.normal_force = NormalForce::overlap;
  c.cell_origin = {0, 0};
  c.cell_size = {columns * spacing, rows * spacing};
  c.use_driver<PlatesSpec>().from_rows = true;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      BodySpec body;
      body.shape = ShapeKind::disc;
      const bool plate = row == 0 || row == rows - 1;
      body.radius = plate ? largest : smallest + (largest - smallest) * random.uniform();
      body.position = {(column + 0.5 + 0.5 * (row % 2)) * spacing, row * spacing * std::sqrt(0.75)};
      if (plate) {
        body.group = row == 0 ? "bottom-plate" : "top-plate";
        body.fix_x = body.fix_y = body.fix_rotation = true;
      }
      c.assembly.bodies.push_back(body);
    }
}

}  // namespace

Case cyclic_case(Case c, const CyclicChoice& choice) {
  if (c.stages.size() < 2 || !c.stages.back().cycles)
    throw std::invalid_argument("the base case has no compression, or no cycles at its end");
  c.assembly.voronoi.value().seed = choice.seed;
  if (choice.grains == Grains::discs) fill_with_discs(c, choice.seed);
  c.contact.lever.reset();  // the default of each elongation
  c.material.friction = choice.friction;
  Case compression = c;
  compression.stages.pop_back();
  compression.material.friction = 0;  // a dense packing; friction comes with the pause
  Simulation made(compression);
  while (!made.finished()) made.step();
  // The same packing for all: same bits of positions and angles, every spring at zero; the pause brings it to rest.
  const State& state = made.state();
  c.assembly.voronoi.reset();
  c.assembly.bodies.clear();
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    BodySpec body;
    const Shape& shape = state.shape_of(b);
    body.shape = shape.kind();
    body.radius = shape.radius();
    if (!shape.polygon().empty())
      body.outline.assign(shape.polygon()[0].vertices().begin(), shape.polygon()[0].vertices().end());
    body.position = spatial(planar(state.bodies.position[0][b]));
    body.angle = state.bodies.rotation[0][b].z;
    body.group = state.groups[state.bodies.group[b]];
    body.fix_x = body.fix_y = body.fix_rotation = (state.bodies.freedom[b] & free_in_plane) == 0;
    c.assembly.bodies.push_back(body);
  }
  c.use_driver<PlatesSpec>().from_rows = true;  // their particles are in the list
  Stage pause = c.stages.front();
  pause.until_target = false;
  pause.duration = pause.stress_hold_time;
  c.stages = {pause, c.stages.back()};
  c.contact.elongation = choice.elongation;
  c.time.step *= choice.step_share;
  c.stages.back().cycles =
      choice.cycles + 1;  // a cycle of the measurement goes from one upper turning point to the next
  c.stages.back().strain_amplitude = choice.amplitude;
  return c;
}

CyclicResult run_cycles(const Case& c, const std::function<void(double)>& progress) {
  Simulation run(c);
  const std::size_t cyclic = c.stages.size() - 1;
  while (run.stage() < cyclic) run.step();
  const Plates& plates = *run.driver<Plates>();
  const double centre = run.strain();
  while (plates.cycles_done() < 0.25) run.step();  // to the first upper turning point
  const double height = plates.height(), closing = run.strain(), sigma = c.stages.back().normal_stress;
  const int cycles = *c.stages.back().cycles - 1;
  const double amplitude = *c.stages.back().strain_amplitude;
  CyclicResult result;
  double sum_height = 0, sum_stress = 0, sum_sliding = 0, steps = 0, work = 0, stress_before = plates.stress().shear(),
         strain_before = closing;
  double unbalanced = 0, part_strain = 0, part_stress = 0, part_steps = 0;
  int loop_point = 0;
  while (int(result.densification.size()) < cycles) {
    run.step();
    const WallStress wall = plates.stress();
    const double done = plates.cycles_done() - 0.25, in_cycle = done - double(result.densification.size());
    ++steps;
    sum_height += plates.height();
    sum_stress += wall.shear();
    unbalanced += std::pow((wall.normal_top - wall.normal_bottom) / sigma, 2);
    work += 0.5 * (wall.shear() + stress_before) * (run.strain() - strain_before);
    stress_before = wall.shear();
    strain_before = run.strain();
    const bool first = result.densification.empty(), last = int(result.densification.size()) == cycles - 1;
    // Loops: means over parts of the cycle, which takes the vibrations of the plates out of the picture.
    part_strain += run.strain() - centre;
    part_stress += wall.shear() / sigma;
    ++part_steps;
    if (loop_point < loop_points && in_cycle * loop_points >= loop_point + 1 - 1e-9) {
      const auto k = std::size_t(loop_point++);
      if (first) result.first_strain[k] = part_strain / part_steps, result.first_stress[k] = part_stress / part_steps;
      if (last) result.last_strain[k] = part_strain / part_steps, result.last_stress[k] = part_stress / part_steps;
      part_strain = part_stress = part_steps = 0;
    }
    if (last && run.step_count() % 16 == 0) {
      double sliding = 0;
      for (const ContactRecord& k : run.contacts()) sliding += k.regime == Regime::slip;
      sum_sliding += 16 * sliding / double(std::max<std::size_t>(1, run.contact_count()));
    }
    if (done < double(result.densification.size()) + 1 - 1e-9) continue;
    // The cycle is over: the strain is γ₀ + A again.
    result.strain_error = std::max(result.strain_error, std::abs(run.strain() - closing));
    result.densification.push_back(1 - sum_height / steps / height);
    result.end_strain.push_back(1 - plates.height() / height);
    result.stress.push_back(sum_stress / steps / sigma);
    result.inertial = std::max(result.inertial, std::sqrt(unbalanced / steps));
    result.loss = work / (sigma * amplitude);
    result.sliding = sum_sliding / steps;
    sum_height = sum_stress = steps = work = unbalanced = 0;
    loop_point = 0;
    if (progress) progress(done / cycles);
  }
  double free = 0, contacts = 0;
  for (std::size_t b = 0; b < run.state().bodies.size(); ++b)
    free += (run.state().bodies.freedom[b] & free_in_plane) != 0;
  for (const ContactRecord& k : run.contacts())
    contacts += ((run.state().bodies.freedom[k.key.i] & free_in_plane) != 0) +
                ((run.state().bodies.freedom[k.key.j] & free_in_plane) != 0);
  result.coordination = contacts / free;
  return result;
}

std::vector<double> CyclicResult::numbers() const {
  std::vector<double> out{strain_error, sliding, coordination, loss, inertial, double(densification.size())};
  for (const auto* series : {&densification, &stress, &end_strain})
    out.insert(out.end(), series->begin(), series->end());
  for (const auto* loop : {&first_strain, &first_stress, &last_strain, &last_stress})
    out.insert(out.end(), loop->begin(), loop->end());
  return out;
}

CyclicResult CyclicResult::from(const std::vector<double>& v) {
  CyclicResult r;
  r.strain_error = v.at(0), r.sliding = v[1], r.coordination = v[2], r.loss = v[3], r.inertial = v[4];
  const auto n = std::size_t(v[5]);
  auto at = v.begin() + 6;
  for (auto* series : {&r.densification, &r.stress, &r.end_strain})
    series->assign(at, at + std::ptrdiff_t(n)), at += std::ptrdiff_t(n);
  for (auto* loop : {&r.first_strain, &r.first_stress, &r.last_strain, &r.last_stress})
    std::copy_n(at, loop_points, loop->begin()), at += loop_points;
  return r;
}

}  // namespace dem::validation::pena2008
