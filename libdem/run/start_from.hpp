// A run that begins with the last state of another one (key start_from of a case).
#pragma once
#include <cstdint>
#include <filesystem>
#include <stdexcept>

#include "libdem/run/simulation.hpp"

namespace dem {

/// The results that a case names cannot be its start. The message has the key, the found and the allowed values.
struct StartFromError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct StartFrom {
  std::uint64_t step = 0;
  bool keeps_histories = true;  ///< if false, contacts start anew from the present positions
};

/// If the case leaves its time step open and names start results, gives it their step. Throws StartFromError.
void take_step_of_start(Case&);

/// Throws StartFromError if the results folder of the new run is the one that it starts from, which --overwrite would
/// lose.
void check_start_is_kept(const Case&, const std::filesystem::path& output);

/// Throws StartFromError if results of the case `earlier` cannot be the start of the other case. Looks at the cases
/// alone. A time step that is still open fits any.
void check_start_fits(const Case&, const Case& earlier);

/// Gives `run`, just made of `c`, the last state of the results folder c.start_from. An earlier state is never taken.
/// Throws StartFromError if the folder is missing, the run has not ended, or the checkpoint is missing or damaged.
/// Throws it also if assembly, box, integrator or time step differ.
StartFrom start_from_results(Simulation& run, const Case& c);

}  // namespace dem
