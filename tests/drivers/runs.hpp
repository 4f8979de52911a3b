// Runs of cases from stage to stage.
#pragma once
#include "assembly_cases.hpp"

namespace dem::test {

using tt::tolerance;

inline void run_to(Simulation& run, std::size_t stage) {
  while (run.stage() < stage && !run.finished()) run.step();
}
inline void finish(Simulation& run) {
  while (!run.finished()) run.step();
}
inline Simulation finished(const Case& c) {
  Simulation run(c);
  finish(run);
  return run;
}

}  // namespace dem::test
