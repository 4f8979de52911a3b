// What a run will cost: how much it writes, how much memory it wants, how long it takes. Estimates, to be told before
// it begins.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/run/observer.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {

/// Bodies that the case's generator will make, as the case tells before they are made; of files (outlines, start files)
/// estimated from their size.
std::size_t bodies_to_make(const Case&);

struct RunCost {
  /// What is written, the start included. Open stages write more; stages that may end before their duration less.
  std::uint64_t rows = 0, snapshots = 0, frames = 0;
  std::uint64_t disk = 0;                ///< bytes of the results folder
  std::uint64_t memory = 0;              ///< bytes, at the most
  double steps = 0;                      ///< of the stages whose time is known, at the most
  bool may_end_early = false;            ///< a stage of known time may end before
  std::vector<std::size_t> open_stages;  ///< nobody knows when they end
  std::size_t contacts = 0;              ///< now
  /// Of a dense packing, if there are fewer now: what loose bodies may come to.
  std::size_t contacts_later = 0;
};
/// `observer` knows the columns. The run has not begun: counts are those from here to the end.
RunCost cost_of(const Simulation&, const RunObserver& observer);
/// Memory at the most (bytes) of a run of so many bodies, at so many corners of a polygon (discs and spheres: 0), with
/// so many contacts.
std::uint64_t memory_of(int dimension, double bodies, double corners, double contacts);

/// Steps that were made to see how long they take.
struct Trial {
  std::uint64_t steps = 0;
  double step = 0;        ///< s of wall-clock time a step
  double row = 0;         ///< and a row of the series
  std::string failure;    ///< message of the step that failed; empty: none
  bool finished = false;  ///< the run was over
};
/// Goes on with the run for about so many seconds; its state is of no use afterwards.
Trial try_steps(Simulation&, RunObserver&, double seconds);
/// Of the steps whose number is known and of what they write (s), with as many contacts as there are now.
double time_of(const RunCost&, const Trial&);
/// By how much longer a step takes when the contacts of later are there; 1: they are.
double slowdown_later(const RunCost&, const State&);

/// Bytes that this process has now.
std::uint64_t memory_held();
/// Bytes that it can still get; none: the system does not say.
std::optional<std::uint64_t> free_memory();
/// Where the folder is, or would be.
std::optional<std::uint64_t> free_disk(const std::filesystem::path& folder);
/// "340 MB": powers of ten.
std::string bytes_text(double bytes);

}  // namespace dem
