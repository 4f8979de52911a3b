// Remaining time of a run, if it can be estimated.
#pragma once
#include <cstddef>
#include <vector>

#include "libdem/run/simulation.hpp"

namespace dem {

struct TimeToGo {
  double time = 0;  ///< of the run (s), over all remaining stages whose end is known or can be guessed
  std::vector<std::size_t>
      /// the other stages, which end by a target or by rest and show no progress yet
      unknown;
};

/// The present stage ends as its progress suggests or by its duration. Later stages take the time of the case.
TimeToGo time_to_go(const Simulation&);

}  // namespace dem
