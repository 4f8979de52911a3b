// One point of a sweep, from its start or its checkpoint to its numbers. Only for this room.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "libdem/sweep/sweep.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem {

struct PointRun {
  int threads = 1;  ///< no bit of a result depends on them
  /// A checkpoint is read from here, and written each output.checkpoint_interval and at a stop. Empty: there is none.
  std::filesystem::path checkpoint;
  /// Gets the segments of the series, if the sweep keeps it.
  std::filesystem::path series;
  /// Identifies the sweep. A checkpoint of another sweep or point is not used.
  std::string fingerprint;
};

/// Makes the packing of the point first, if it is missing. Returns t_c, steps, then the quantities. Throws TaskStopped
/// if it was asked to stop, after a checkpoint.
std::vector<double> run_point(const SweepSpec&, std::size_t point, TaskProgress&, const PointRun& = {});

}  // namespace dem
