// Estimates of the cost of a run before it begins: files, memory and time.
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

/// Number of bodies that the generator of the case will make. For files (outlines, start files) it is estimated from
/// their size.
std::size_t bodies_to_make(const Case&);

struct RunCost {
  /// Numbers of files and rows, the start included. Open stages write more. Stages that may end early write less.
  std::uint64_t rows = 0, snapshots = 0, frames = 0;
  std::uint64_t disk = 0;                ///< bytes of the results folder
  std::uint64_t memory = 0;              ///< bytes, at the most
  double steps = 0;                      ///< of the stages whose time is known, at the most
  bool may_end_early = false;            ///< a stage of known time may end before
  std::vector<std::size_t> open_stages;  ///< whose end is not known beforehand
  std::size_t contacts = 0;              ///< now
  /// Contacts that loose bodies may come to: those of a dense packing, if there are fewer now.
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
  std::string failure;    ///< message of the step that failed, if one did
  bool finished = false;  ///< the run was over
};
/// Goes on with the run for about so many seconds; its state is of no use afterwards.
Trial try_steps(Simulation&, RunObserver&, double seconds);
/// Of the steps whose number is known and of what they write (s), with as many contacts as there are now.
double time_of(const RunCost&, const Trial&);
/// Factor by which a step takes longer with the contacts of later. 1 if they are there now.
double slowdown_later(const RunCost&, const State&);

/// Bytes that this process has now.
std::uint64_t memory_held();
/// Bytes that it can still get, if the system says so.
std::optional<std::uint64_t> free_memory();
/// Where the folder is, or would be.
std::optional<std::uint64_t> free_disk(const std::filesystem::path& folder);
/// "340 MB": powers of ten.
std::string bytes_text(double bytes);

}  // namespace dem
