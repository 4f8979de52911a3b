// Runs from a case, and how far they go.
#pragma once
#include "libdem/run/simulation.hpp"
#include "prelude.hpp"

namespace dem::test {

inline void advance(Simulation& run, std::uint64_t steps) {
  for (std::uint64_t k = 0; k < steps; ++k) run.step();
}
inline void run_to(Simulation& run, std::size_t stage) {
  while (run.stage() < stage && !run.finished()) run.step();
}
inline void run_until(Simulation& run, double time) {
  while (run.time() < time) run.step();
}
inline void finish(Simulation& run) {
  while (!run.finished()) run.step();
}

/// After so many steps, at a time (s), at the start of a stage, at the end.
inline Simulation advanced(const Case& c, std::uint64_t steps) {
  Simulation run(c);
  advance(run, steps);
  return run;
}
inline Simulation at_time(const Case& c, double time) {
  Simulation run(c);
  run_until(run, time);
  return run;
}
inline Simulation at_stage(const Case& c, std::size_t stage) {
  Simulation run(c);
  run_to(run, stage);
  return run;
}
inline Simulation finished(const Case& c) {
  Simulation run(c);
  finish(run);
  return run;
}

/// In all directions, and its rotation.
inline void hold(BodySpec& body) { body.fix_x = body.fix_y = body.fix_z = body.fix_rotation = true; }

}  // namespace dem::test
