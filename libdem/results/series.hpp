// Series: rows of numbers over time, in segments, so that a killed writer never makes earlier rows unreadable.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libdem/measure/series.hpp"

namespace dem {

/// A column of a series. Scalars have no bins; a profile has a value a bin.
struct SeriesColumn {
  Column column;
  std::vector<double> bins;  ///< bin centres; empty: scalar
  std::string bin_unit = "m";
  std::size_t width() const { return bins.empty() ? 1 : bins.size(); }
};
std::vector<SeriesColumn> scalar_columns(std::span<const Column>);

/// What was written into a segment: kept in checkpoints, so that a resumed run notices rows that are no longer there.
struct SegmentRecord {
  std::uint64_t number = 0, rows = 0, first_step = 0, last_step = 0;
  friend bool operator==(const SegmentRecord&, const SegmentRecord&) = default;
};

/// Writes DIR/000001.h5, DIR/000002.h5, … A row is the values of all columns one after the other (profiles: all bins).
/// The newest segment is replaced as a whole (aside, then renamed) until it is full. The first column is named `step`.
class SeriesWriter {
 public:
  SeriesWriter(std::filesystem::path folder, std::vector<SeriesColumn>, std::size_t rows_in_segment = 1024,
               std::size_t rows_between_flushes = 128);
  /// Goes on with an existing series: rows with a step greater than `last_step` are dropped. FileError when the columns
  /// differ. Damaged segments are removed; `problems()` names them.
  static SeriesWriter resume(std::filesystem::path folder, std::vector<SeriesColumn>, std::uint64_t last_step,
                             std::size_t rows_in_segment = 1024, std::size_t rows_between_flushes = 128);

  /// Flushes by itself every rows_between_flushes rows. Throws std::invalid_argument on a row of another length.
  void append(std::span<const double> row);
  void flush();
  const std::vector<std::string>& problems() const { return problems_; }
  const std::vector<SeriesColumn>& columns() const { return columns_; }
  /// What the files hold since the last flush; in the order of their numbers.
  const std::vector<SegmentRecord>& segments() const { return segments_; }

 private:
  std::filesystem::path folder_;
  std::vector<SeriesColumn> columns_;
  std::size_t rows_in_segment_, rows_between_flushes_, row_width_ = 0;
  std::size_t segment_ = 1, unflushed_ = 0;
  std::vector<double> rows_;  ///< of the open segment
  std::vector<SegmentRecord> segments_;
  std::vector<std::string> problems_;
};

/// All segments merged.
struct Series {
  std::vector<SeriesColumn> columns;
  std::vector<double> values;         ///< row by row
  std::vector<std::string> problems;  ///< segments that could not be read, a sentence each

  std::size_t row_width() const;
  std::size_t rows() const { return row_width() ? values.size() / row_width() : 0; }
  bool has(std::string_view column) const;
  /// All rows of a column (profiles: rows × bins, flat). Throws FileError naming the columns there are.
  std::vector<double> column(std::string_view name) const;
};
/// FileError when there is no segment that can be read. Files with other names than 000001.h5 … are not read.
Series read_series(const std::filesystem::path& folder);
/// One segment.
Series read_series_segment(const std::filesystem::path&);
/// The number of a segment, by its name: six digits and .h5; none: the file is not of a series.
std::optional<std::uint64_t> segment_number(const std::filesystem::path&);

/// How the files differ from what was written until a step; a sentence each, nothing is changed. `strange`: segments
/// with other rows than the run wrote, which would be taken for its own.
struct SegmentFaults {
  std::vector<std::string> lost, strange;
};
SegmentFaults compare_segments(const std::filesystem::path& folder, std::span<const SegmentRecord> written,
                               std::uint64_t last_step);

/// A header line with the names, then a line a row: 17 significant digits, `nan`, `inf`, `-inf`. A profile has a column
/// a bin: name_1 ….
std::string csv_text(const Series&);

}  // namespace dem
