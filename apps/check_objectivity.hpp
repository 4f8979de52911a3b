// dem check --objectivity: does a case depend on its frame, its numbering or the number of threads?
#pragma once
#include <cstdint>
#include <string>

#include "libdem/run/simulation.hpp"

namespace dem {

/// Runs the first steps of the case, of which `run` has just been built, in several frames. Prints a sentence for each;
/// returns the exit code.
int check_objectivity_of(const std::string& file, const Case&, Simulation run, std::uint64_t steps);

}  // namespace dem
