// Runs of cases from stage to stage.
#pragma once
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "libdem/run/simulation.hpp"

// Designated initializers leave the other members at their defaults.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace dem::test {

using boost::test_tools::tolerance;

inline void run_to(Simulation& run, std::size_t stage) {
  while (run.stage() < stage && !run.finished()) run.step();
}
inline void finish(Simulation& run) {
  while (!run.finished()) run.step();
}
inline Stage lasting(double duration, Stage stage = {}) {
  stage.duration = duration;
  return stage;
}

}  // namespace dem::test
