// Estimates of the cost of a run: files, memory and time, before it begins and on the way.
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

/// Number of bodies that the generator of the case will make; for files estimated from their size.
std::size_t bodies_to_make(const Case&);

struct RunCost {
  /// Numbers of files and rows, the start included. Open stages write more. Stages that may end early write less.
  std::uint64_t rows = 0, snapshots = 0, frames = 0;
  std::uint64_t disk = 0;                ///< bytes of the results folder
  std::uint64_t memory = 0;              ///< bytes, with the present contacts
  std::uint64_t memory_later = 0;        ///< bytes, with contacts_later
  double steps = 0;                      ///< largest number, of the stages whose time is known
  bool may_end_early = false;            ///< true if a stage of known time may end earlier
  std::vector<std::size_t> open_stages;  ///< stages without a known end
  std::size_t contacts = 0;              ///< now
  /// Contacts of a dense packing of the loose bodies, if there are fewer now.
  std::size_t contacts_later = 0;
};
/// `observer` provides the columns. The run has not begun, so counts are those from its present step to its end.
RunCost cost_of(const Simulation&, const RunObserver& observer);
/// Largest memory (bytes) of a run with so many bodies, corners of polygons or spheres of clusters (discs and spheres:
/// 0) and contacts.
std::uint64_t memory_of(const Case&, double bodies, double corners, double contacts);

/// Trial steps and their times.
struct Trial {
  std::uint64_t steps = 0;
  double step = 0;      ///< wall-clock time per step (s)
  double row = 0;       ///< wall-clock time per row of the series (s)
  std::string failure;  ///< message of the step that failed, if one did
};
/// Continues the run for about so many seconds. Its state is useless afterwards.
Trial try_steps(Simulation&, RunObserver&, double seconds);
/// Time (s) of the steps whose number is known and of their output, with the present number of contacts.
double time_of(const RunCost&, const Trial&);
/// Factor by which a step takes longer with contacts_later. 1 if these contacts exist already.
double slowdown_later(const RunCost&, const State&);

struct TimeToGo {
  double time = 0;  ///< of the run (s), over all remaining stages whose end is known or can be guessed
  /// The other stages: they end by a target or by rest, and show no progress yet.
  std::vector<std::size_t> unknown;
};

/// The present stage ends as its progress suggests or by its duration. Later stages take the time of the case.
TimeToGo time_to_go(const Simulation&);

/// Memory of this process (bytes).
std::uint64_t memory_held();
/// Memory that it can still get (bytes), if the system reports it.
std::optional<std::uint64_t> free_memory();
/// Free bytes on the disk of the folder, which need not exist.
std::optional<std::uint64_t> free_disk(const std::filesystem::path& folder);
/// "340 MB": powers of ten.
std::string bytes_text(double bytes);

}  // namespace dem
