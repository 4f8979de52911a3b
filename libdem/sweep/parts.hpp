// A sweep in parts, on many machines that share a folder. There is no server: the folder has everything.
//
// The points are sorted, the longest first, and dealt out: part k of T runs the points k, k + T, … of that order. Each
// part has a journal of its own, which no other process writes. A point is locked while it runs (FileLock), and has a
// checkpoint until it is finished.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/sweep/sweep.hpp"

namespace dem {

struct SweepPart {
  int k = 1, of = 1;  ///< from 1/T to T/T, like the tasks of a Slurm array 1-T
  std::filesystem::path folder = {};
  int threads = 1;  ///< of each point; no bit of a result depends on them
  bool show_progress = true;
};

/// Reads "3/8". Throws std::invalid_argument with a sentence.
SweepPart part_of_text(std::string_view);

/// Points of a part, in the order in which it runs them.
std::vector<std::size_t> points_of_part(const SweepSpec&, int k, int of);

struct PartReport {
  std::size_t points = 0, earlier = 0, ran = 0, failed = 0;
  /// Points that are not finished, with the reason. An example is "point 12 is run by process 99".
  std::vector<std::string> left;
};

/// Runs the points of a part one after the other, each in a process of its own, as far as no part has finished them.
/// SIGTERM, SIGHUP and Ctrl-C leave a checkpoint of the running point and throw TasksInterrupted. The same part goes on
/// there. Throws FileError if the folder cannot be used or the part runs already.
PartReport run_sweep_part(const SweepSpec&, const SweepPart&);

enum class PointState { waiting, running, done, failed };

struct PointStatus {
  PointState state = PointState::waiting;
  std::string text;  ///< the process that runs it, why it failed, or what happened to it; may be empty
  bool has_checkpoint = false;
};

/// The state of each point in the folder. Changes nothing. Throws FileError.
std::vector<PointStatus> sweep_status(const SweepSpec&, const std::filesystem::path& folder);

/// The table of the points that are finished, also written to the folder. The others have the message "not run yet".
/// Throws FileError.
SweepTable collect_sweep(const SweepSpec&, const std::filesystem::path& folder);

/// "point 12 (material.friction = 0.4, seed = 3)", counted from 1.
std::string point_name(const SweepSpec&, std::size_t point);

}  // namespace dem
