#include "validation/kuhn2011/shear-cycles/cycles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libdem/drivers/cell_drive.hpp"

namespace dem::validation::kuhn2011 {

namespace {

constexpr int points_of_a_loop = 200;

Stage sheared(double rate, double strain) {
  Stage s;
  s.name = rate > 0 ? "forth" : "back";
  s.cell.emplace();
  s.cell->component[3] = {CellComponent::Mode::rate, rate, 0};
  s.strain = strain;
  return s;
}

}  // namespace

double loop_work(std::span<const LoopPoint> loop) {
  double sum = 0;
  for (std::size_t k = 1; k < loop.size(); ++k)
    sum += 0.5 * (loop[k].stress + loop[k - 1].stress) * (loop[k].strain - loop[k - 1].strain);
  return sum;
}

double secant_modulus(std::span<const LoopPoint> loop) {
  const auto [low, high] = std::ranges::minmax_element(loop, {}, [](const LoopPoint& p) { return p.strain; });
  return (high->stress - low->stress) / (high->strain - low->strain);
}

double damping_ratio(std::span<const LoopPoint> loop) {
  const auto [low, high] = std::ranges::minmax_element(loop, {}, [](const LoopPoint& p) { return p.strain; });
  const double amplitude = 0.5 * (high->strain - low->strain);
  return loop_work(loop) / (2 * std::numbers::pi * secant_modulus(loop) * amplitude * amplitude);
}

Case cycles_case(const Packing& packing, const LawVariant& law, const CycleChoice& choice) {
  Case c = case_of(packing);
  c.title =
      fmt::format("{} spheres, cycles of simple shear of {:g}, {}", packing.radius.size(), choice.amplitude, law.name);
  law.choose(c);
  c.material.restitution = 0.97;  // dashpots take energy as well, which is not what is measured
  Stage rest;
  rest.name = "rest";
  rest.mass_damping = 0.02 / time_step;
  rest.duration = double(choice.rest) * time_step;
  const double rate = choice.amplitude / (double(choice.quarter) * time_step);
  c.stages = {rest, sheared(rate, choice.amplitude)};
  for (int k = 0; k < choice.cycles; ++k) {
    c.stages.push_back(sheared(-rate, 2 * choice.amplitude));
    c.stages.push_back(sheared(rate, (k + 1 < choice.cycles ? 2 : 1) * choice.amplitude));
  }
  return c;
}

ShearCycles run_cycles(const Case& c, const CycleChoice& choice, TaskProgress& progress) {
  Simulation run(c);
  ShearCycles out;
  while (run.stage() == 0) run.step();
  const std::uint64_t start = run.step_count(), length = 4 * choice.quarter,
                      every = std::max<std::uint64_t>(1, length / points_of_a_loop);
  const auto stress = [&] {
    const Tensor3& s = run.driver<CellDriver>()->stress();
    return 0.5 * (s.m[0][1] + s.m[1][0]);
  };
  out.stress_at_rest = std::abs(stress());
  const double origin = run.driver<CellDriver>()->strains()[3], volume = run.driver<CellDriver>()->volume();
  const auto point = [&] { return LoopPoint{run.driver<CellDriver>()->strains()[3] - origin, stress()}; };
  std::vector<LoopPoint> loop{point()};
  EnergyLedger before = run.ledger();
  while (!run.finished()) {
    run.step();
    const std::uint64_t done = run.step_count() - start;
    if (done % every == 0 || done % choice.quarter == 0) loop.push_back(point());
    if (done % length != 0) continue;
    const EnergyLedger after = run.ledger();
    Cycle cycle;
    cycle.modulus = secant_modulus(loop);
    cycle.damping = damping_ratio(loop);
    const double scale = 2 * std::numbers::pi * cycle.modulus * choice.amplitude * choice.amplitude * volume;
    cycle.friction = (after.friction + after.event_loss - before.friction - before.event_loss) / scale;
    cycle.viscous = (after.viscous - before.viscous) / scale;
    cycle.pressure = mean_pressure(run.driver<CellDriver>()->stress(), 3);
    out.cycles.push_back(cycle);
    if (out.first.empty()) out.first = loop;
    out.last = std::move(loop);
    loop = {out.last.back()};
    before = after;
    out.margin = std::max(out.margin, c.time.step / run.measured_limit()->dt);
    progress.done(double(done) / (double(length) * choice.cycles));
  }
  if (out.cycles.size() != std::size_t(choice.cycles))
    throw std::runtime_error(fmt::format(
        "{} cycles of shear were asked for, {} were made: a stage has another number of steps than its strain says",
        choice.cycles, out.cycles.size()));
  out.residual = run.ledger().relative_residual();
  return out;
}

std::vector<double> ShearCycles::pack() const {
  std::vector<double> out{residual, stress_at_rest, margin, double(cycles.size()), double(first.size())};
  for (const Cycle& c : cycles) out.insert(out.end(), {c.modulus, c.damping, c.friction, c.viscous, c.pressure});
  for (const auto* loop : {&first, &last})
    for (const LoopPoint& p : *loop) out.insert(out.end(), {p.strain, p.stress});
  return out;
}

ShearCycles ShearCycles::unpack(const std::vector<double>& n) {
  ShearCycles s;
  s.residual = n[0], s.stress_at_rest = n[1], s.margin = n[2];
  const auto cycles = std::size_t(n[3]), first = std::size_t(n[4]);
  std::size_t k = 5;
  for (; s.cycles.size() < cycles; k += Cycle::numbers)
    s.cycles.push_back({n[k], n[k + 1], n[k + 2], n[k + 3], n[k + 4]});
  for (; k + 2 <= n.size(); k += 2) (s.first.size() < first ? s.first : s.last).push_back({n[k], n[k + 1]});
  return s;
}

double walton_modulus(double coordination, double void_ratio, double pressure) {
  const double lame = 2 * shear_modulus * poisson_ratio / (1 - 2 * poisson_ratio), pi = std::numbers::pi;
  const double a = (1 / shear_modulus - 1 / (shear_modulus + lame)) / (4 * pi),
               b = (1 / shear_modulus + 1 / (shear_modulus + lame)) / (4 * pi);
  const double solid = 1 / (1 + void_ratio);
  const double bulk =
      std::cbrt(3 * solid * solid * coordination * coordination * pressure / (pi * pi * pi * pi * b * b)) / 6;
  return 0.6 * bulk * (5 * b + a) / (2 * b + a);
}

}  // namespace dem::validation::kuhn2011
