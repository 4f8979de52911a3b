// What laws cost beside each other: runs that take turns, so that what else happens on the machine meets them all.
#pragma once
#include <memory>
#include <vector>

#include "validation/kuhn2011/packing.hpp"

namespace dem::validation::kuhn2011 {

/// Seconds of CPU time a step.
struct StepCost {
  double search = 0;  ///< list of candidates
  double force = 0;   ///< contacts: geometry, movement, laws of the normal and the tangential force, sums of the bodies
  double motion = 0;  ///< prediction and correction
};

/// Steps of a copy of a run, taken apart: those of Simulation::step without servo, ledger and checks, while the vectors
/// of the cell go on moving as they do. Where the cell rests the motion is that of the run, bit by bit.
class TimedSteps {
 public:
  explicit TimedSteps(const Simulation&);
  StepCost advance(std::uint64_t steps);
  const State& state() const { return state_; }

 private:
  State state_;
  std::unique_ptr<ContactEngine> contacts_;
};

struct CostChoice {
  std::uint64_t block = 500;         ///< steps in a row of one law
  std::uint64_t parts_every = 5000;  ///< steps between measurements of the parts
  std::uint64_t parts_block = 100;   ///< steps in a row of them
  int parts_rounds = 4;
};

struct CostBlock {
  double strain = 0, legs = 0, contacts = 0;  ///< of the first law
  std::vector<double> seconds;                ///< a step, law by law
};
struct CostParts {
  double strain = 0;
  std::vector<StepCost> cost;  ///< law by law
};
struct CostComparison {
  std::vector<CostBlock> blocks;
  std::vector<CostParts> parts;
  std::vector<double> pack() const;
  static CostComparison unpack(const std::vector<double>&);

  /// Law `a` over law `b`: quartiles of the ratios of blocks that were run next to each other.
  Quartiles total_ratio(std::size_t a, std::size_t b) const;
  Quartiles force_ratio(std::size_t a, std::size_t b) const;
  /// Whole times of the blocks, a over b.
  double summed_ratio(std::size_t a, std::size_t b) const;
};

/// All cases to their end, in turns. Without ledger: the bookkeeping is not what is compared.
CostComparison compare_cost(std::vector<Case>, const CostChoice&, TaskProgress&);

}  // namespace dem::validation::kuhn2011
