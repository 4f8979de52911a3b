// Series: rows of numbers over time, in segments, so that a killed writer cannot make earlier rows unreadable.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libdem/measure/series.hpp"

namespace dem {

/// Columns of all that a run writes in rows. A list is empty if the run has no such rows. The first column is `step`.
struct OutputColumns {
  std::vector<Column> series, profiles = {}, jumps = {};  ///< jumps: of contact planes
};

/// Content of a segment, kept in checkpoints so that a resumed run notices missing rows.
struct SegmentRecord {
  std::uint64_t number = 0, rows = 0, first_step = 0, last_step = 0;
  friend bool operator==(const SegmentRecord&, const SegmentRecord&) = default;
};

/// Writes DIR/000001.h5, DIR/000002.h5, … A row has the values of all columns in order (profiles: all bins). The newest
/// segment is replaced as a whole (written aside, then renamed) until it is full. The first column is named `step`.
class SeriesWriter {
 public:
  SeriesWriter(std::filesystem::path folder, std::vector<Column>, std::size_t rows_in_segment = 1024,
               std::size_t rows_between_flushes = 128);
  /// Continues an existing series and drops rows with a step greater than `last_step`. Throws FileError if the columns
  /// differ. Damaged segments are removed; `problems()` names them.
  static SeriesWriter resume(std::filesystem::path folder, std::vector<Column>, std::uint64_t last_step,
                             std::size_t rows_in_segment = 1024, std::size_t rows_between_flushes = 128);

  /// Flushes itself every rows_between_flushes rows. Throws std::invalid_argument if the row has another length.
  void append(std::span<const double> row);
  void flush();
  const std::vector<std::string>& problems() const { return problems_; }
  /// Content of the files since the last flush, in the order of their numbers.
  const std::vector<SegmentRecord>& segments() const { return segments_; }

 private:
  std::filesystem::path folder_;
  std::vector<Column> columns_;
  std::size_t rows_in_segment_, rows_between_flushes_, row_width_ = 0;
  std::size_t segment_ = 1, unflushed_ = 0;
  std::vector<double> rows_;  ///< of the open segment
  std::vector<SegmentRecord> segments_;
  std::vector<std::string> problems_;
};

/// All segments merged.
struct Series {
  std::vector<Column> columns;
  std::vector<double> values;         ///< row by row
  std::vector<std::string> problems;  ///< segments that could not be read, one sentence each

  std::size_t row_width() const;
  std::size_t rows() const { return row_width() ? values.size() / row_width() : 0; }
  /// All rows of a column (profiles: rows × bins, flat). Throws FileError with the existing columns.
  std::vector<double> column(std::string_view name) const;
};
/// Throws FileError if no segment can be read. Reads only files with names 000001.h5 ….
Series read_series(const std::filesystem::path& folder);
/// One segment.
Series read_series_segment(const std::filesystem::path&);
/// True for a folder with segments, like series in a results folder and series/point-3 in that of a sweep.
bool is_series_folder(const std::filesystem::path&);
/// Number of a segment from its name (six digits and .h5); none if the file does not belong to a series.
std::optional<std::uint64_t> segment_number(const std::filesystem::path&);

/// Differences between the files and the rows written until a step, one sentence each. Nothing is changed. `strange`
/// counts segments with foreign rows, which would be taken for rows of the run.
struct SegmentFaults {
  std::vector<std::string> lost, strange;
};
SegmentFaults compare_segments(const std::filesystem::path& folder, std::span<const SegmentRecord> written,
                               std::uint64_t last_step);

/// A line with the names, then one per row: 17 significant digits, `nan`, `inf`, `-inf`. Profiles: name_1 … per bin.
std::string csv_text(const Series&);

}  // namespace dem
