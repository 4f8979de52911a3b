// A run that begins with the last state of another one (key start_from of a case).
#pragma once
#include <cstdint>
#include <stdexcept>

#include "libdem/run/simulation.hpp"

namespace dem {

/// The results that a case names cannot be its start. The message begins with the key and says what was found and what
/// is allowed.
struct StartFromError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct StartFrom {
  std::uint64_t step = 0;
  bool same_law = true;  ///< else contacts start anew, as they lie
};

/// Where the case leaves its time step open and names results to start from, it gets their step: a state goes on with
/// its own. Throws StartFromError.
void take_step_of_start(Case&);

/// Gives `run`, just made of `c`, the last state of the results folder c.start_from. An earlier state is never taken.
/// Throws StartFromError if there is no folder, if its assembly, box, integrator or time step is another, if its
/// checkpoint is missing or damaged, or if its run has not ended.
StartFrom start_from_results(Simulation& run, const Case& c);

}  // namespace dem
