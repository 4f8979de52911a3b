#include "validation/kuhn2011/biaxial/cost.hpp"

#include <algorithm>
#include <stdexcept>

#include "libdem/drivers/cell_drive.hpp"
#include "libdem/drivers/mass_damping.hpp"
#include "libdem/motion/motion.hpp"
#include "libdem/motion/velocity_verlet.hpp"

namespace dem::validation::kuhn2011 {

TimedSteps::TimedSteps(const Simulation& run) : state_(run.state()), contacts_(run.contact_engine().clone()) {
  if (run.given().time.integrator != Integrator::velocity_verlet || largest_mass_damping(run.given()) > 0)
    throw std::runtime_error("timed steps are those of velocity Verlet without mass damping");
}

StepCost TimedSteps::advance(std::uint64_t steps) {
  StepCost sum;
  const auto timed = [](double& into, auto&& action) {
    const double start = cpu_seconds();
    action();
    into += cpu_seconds() - start;
  };
  for (std::uint64_t k = 0; k < steps; ++k) {
    timed(sum.motion, [&] {
      contacts_->watch(Watch::forces);
      contacts_->note_start_velocities(state_);
      move_cell(state_);
      verlet_predict(state_.bodies);
      ++state_.step;
      state_.time += state_.dt;
    });
    timed(sum.search, [&] { contacts_->find_candidates(state_); });
    timed(sum.force, [&] { contacts_->evaluate(state_, {}); });
    timed(sum.motion, [&] { verlet_correct(state_.bodies, state_.dt); });
  }
  const double n = double(steps);
  return {sum.search / n, sum.force / n, sum.motion / n};
}

CostComparison compare_cost(std::vector<Case> cases, const CostChoice& choice, TaskProgress& progress) {
  std::vector<std::unique_ptr<Simulation>> runs;
  for (Case& c : cases) {
    c.output.ledger = false;
    runs.push_back(std::make_unique<Simulation>(c));
  }
  const std::size_t laws = runs.size();
  const auto finished = [&] { return std::ranges::any_of(runs, [](const auto& run) { return run->finished(); }); };
  CostComparison out;
  std::uint64_t next_parts = choice.parts_every;
  for (std::size_t leading = 0; !finished();
       ++leading) {  // whoever comes first has other caches than those that follow
    CostBlock row;
    row.seconds.resize(laws);
    for (std::size_t k = 0; k < laws; ++k) {
      const std::size_t law = (leading + k) % laws;
      Simulation& run = *runs[law];
      const double start = cpu_seconds();
      std::uint64_t steps = 0;
      for (; steps < choice.block && !run.finished(); ++steps) run.step(false);
      row.seconds[law] = (cpu_seconds() - start) / double(steps);
    }
    const Simulation& first = *runs.front();
    row.strain = -first.driver<CellDriver>()->strains()[2];
    row.legs = first.contact_engine().history_memory().value_or(HistoryMemory{}).mean_length();
    row.contacts = double(first.contact_count());
    out.blocks.push_back(row);
    progress.done(first.stage_progress());
    if (first.step_count() < next_parts || finished()) continue;
    next_parts += choice.parts_every;
    std::vector<TimedSteps> copies;
    for (const auto& run : runs) {
      copies.emplace_back(*run);
      copies.back().advance(choice.parts_block / 4);  // a fresh copy is in no cache yet
    }
    for (int round = 0; round < choice.parts_rounds; ++round) {
      CostParts parts{row.strain, {}};
      for (TimedSteps& copy : copies) parts.cost.push_back(copy.advance(choice.parts_block));
      out.parts.push_back(std::move(parts));
    }
  }
  return out;
}

Quartiles CostComparison::total_ratio(std::size_t a, std::size_t b) const {
  std::vector<double> ratios;
  for (const CostBlock& block : blocks) ratios.push_back(block.seconds[a] / block.seconds[b]);
  return quartiles(std::move(ratios));
}

Quartiles CostComparison::force_ratio(std::size_t a, std::size_t b) const {
  std::vector<double> ratios;
  for (const CostParts& p : parts) ratios.push_back(p.cost[a].force / p.cost[b].force);
  return quartiles(std::move(ratios));
}

double CostComparison::summed_ratio(std::size_t a, std::size_t b) const {
  double first = 0, second = 0;
  for (const CostBlock& block : blocks) first += block.seconds[a], second += block.seconds[b];
  return first / second;
}

std::vector<double> CostComparison::pack() const {
  const std::size_t laws = blocks.empty() ? 0 : blocks.front().seconds.size();
  std::vector<double> out{double(laws), double(blocks.size())};
  for (const CostBlock& b : blocks) {
    out.insert(out.end(), {b.strain, b.legs, b.contacts});
    out.insert(out.end(), b.seconds.begin(), b.seconds.end());
  }
  for (const CostParts& p : parts) {
    out.push_back(p.strain);
    for (const StepCost& c : p.cost) out.insert(out.end(), {c.search, c.force, c.motion});
  }
  return out;
}

CostComparison CostComparison::unpack(const std::vector<double>& n) {
  CostComparison c;
  const auto laws = std::size_t(n[0]), blocks = std::size_t(n[1]);
  std::size_t k = 2;
  for (; c.blocks.size() < blocks; k += 3 + laws) {
    const auto first = n.begin() + std::ptrdiff_t(k) + 3;
    c.blocks.push_back({n[k], n[k + 1], n[k + 2], {first, first + std::ptrdiff_t(laws)}});
  }
  for (; k + 1 + 3 * laws <= n.size(); k += 1 + 3 * laws) {
    CostParts& p = c.parts.emplace_back();
    p.strain = n[k];
    for (std::size_t l = 0; l < laws; ++l) p.cost.push_back({n[k + 1 + 3 * l], n[k + 2 + 3 * l], n[k + 3 + 3 * l]});
  }
  return c;
}

}  // namespace dem::validation::kuhn2011
