// The rows of a point that a sweep keeps (keep = "series"), as segments in a folder. Only for this room.
#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "libdem/results/series.hpp"
#include "libdem/sweep/quantities.hpp"
#include "libdem/sweep/sweep.hpp"

namespace dem {

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
