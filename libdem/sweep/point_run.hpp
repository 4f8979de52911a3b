// One point of a sweep, from its start or its checkpoint to its numbers and kept rows. Only for this room.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libdem/results/series.hpp"
#include "libdem/sweep/quantities.hpp"
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

/// The rows of a point that a sweep keeps (keep = "series"), as segments in a folder.
class KeptSeries {
 public:
  /// `folder` of the point's segments. Until finish() they are in FOLDER.unfinished. Nothing is written if it is empty
  /// or the sweep keeps no series. Throws std::invalid_argument naming a column that the series lacks.
  KeptSeries(const SweepSpec&, std::filesystem::path folder, const QuantityMeter&);

  bool is_on() const { return !folder_.empty(); }
  /// Begins anew with the row of the start. Throws FileError, like the following.
  void start(const QuantityMeter&);
  /// Goes on after a step, and drops the rows of later steps. False if others than `rows` rows are left.
  bool resume(std::uint64_t step, std::uint64_t rows);
  void add(const QuantityMeter&);
  void flush();
  /// After the last row.
  void finish();
  std::uint64_t rows() const;  ///< since the last flush or resume; 0 if nothing is written

  /// Throws std::invalid_argument naming a column that the series lacks.
  static std::vector<std::size_t> places_of(const SweepSpec&, const std::vector<Column>&);

 private:
  std::filesystem::path folder_, unfinished_;
  std::vector<std::size_t> places_;  // in a row of the meter
  std::vector<Column> columns_;
  std::optional<SeriesWriter> writer_;
};

}  // namespace dem
