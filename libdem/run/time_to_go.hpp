// How long a run will still take, as far as it can be told.
#pragma once
#include <cstddef>
#include <vector>

#include "libdem/run/simulation.hpp"

namespace dem {

struct TimeToGo {
  double time = 0;  ///< of the run (s): all stages from now on whose end is known or can be guessed
  std::vector<std::size_t>
      unknown;  ///< the others, which end by a target or by rest and have not come nearer to it yet
};

/// The present stage ends as its progress so far suggests, at the latest after its duration. Later stages take the time
/// of the case.
TimeToGo time_to_go(const Simulation&);

}  // namespace dem
