// dem check --objectivity: compares the first steps of a case in other frames, numberings and numbers of threads.
#pragma once
#include <cstdint>
#include <string>

#include "libdem/run/simulation.hpp"

namespace dem {

/// Runs the first steps of the case, from which `run` was just built, in several frames. Returns the exit code.
int check_objectivity_of(const std::string& file, const Case&, Simulation run, std::uint64_t steps);

}  // namespace dem
