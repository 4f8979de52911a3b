// Numbers that several benchmarks report.
#pragma once
#include <benchmark/benchmark.h>

#include "libdem/run/simulation.hpp"

/// The time (ns) for each of the things that one iteration does.
inline benchmark::Counter ns_for_each_of(std::size_t things) {
  return {double(things) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert};
}

/// Where an iteration is a step of the run.
inline void report_steps(benchmark::State& state, const dem::Simulation& run) {
  const std::size_t bodies = run.state().bodies.size();
  state.counters["ns_per_body_step"] = ns_for_each_of(bodies);
  state.counters["contacts_per_body"] = double(run.contact_count()) / double(bodies);
}
