#include "libdem/sweep/kept_series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libdem/platform/text_file.hpp"
#include "libdem/sweep/sweep_folder.hpp"

namespace dem {

std::vector<std::size_t> KeptSeries::places_of(const SweepSpec& spec, const std::vector<Column>& columns) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < columns.size() && spec.columns.empty(); ++k) places.push_back(k);
  if (!spec.columns.empty()) places.push_back(column_of(columns, "step"));  // the first column of every series
  for (const std::string& name : spec.columns)
    if (const std::size_t place = column_of(columns, name); std::ranges::find(places, place) == places.end())
      places.push_back(place);
  return places;
}

KeptSeries::KeptSeries(const SweepSpec& spec, std::filesystem::path folder, const QuantityMeter& meter) {
  if (!spec.keep_series || folder.empty()) return;
  folder_ = std::move(folder);
  unfinished_ = folder_.string() + ".unfinished";
  places_ = places_of(spec, meter.columns());
  for (const std::size_t place : places_) columns_.push_back(meter.columns()[place]);
}

void KeptSeries::start(const QuantityMeter& meter) {
  if (!is_on()) return;
  remove_path(unfinished_);
  std::error_code ignored;
  // One level only: the folder of a sweep that was removed is not made again.
  std::filesystem::create_directory(folder_.parent_path(), ignored);
  if (!std::filesystem::is_directory(folder_.parent_path()))
    throw FileError(fmt::format("{} cannot be made", folder_.parent_path().string()));
  writer_.emplace(unfinished_, scalar_columns(columns_));
  add(meter);
}

bool KeptSeries::resume(std::uint64_t step, std::uint64_t expected) {
  if (!is_on()) return true;
  if (!std::filesystem::is_directory(unfinished_)) return false;
  writer_ = SeriesWriter::resume(unfinished_, scalar_columns(columns_), step);
  return rows() == expected;
}

void KeptSeries::finish() {
  if (!is_on()) return;
  flush();
  remove_path(folder_);
  std::error_code error;
  std::filesystem::rename(unfinished_, folder_, error);
  if (error) throw FileError(fmt::format("cannot rename {}: {}", unfinished_.string(), error.message()), error.value());
}

void KeptSeries::add(const QuantityMeter& meter) {
  if (!is_on()) return;
  std::vector<double> row;
  for (const std::size_t place : places_) row.push_back(meter.row()[place]);
  writer_->append(row);
}

void KeptSeries::flush() {
  if (is_on()) writer_->flush();
}

std::uint64_t KeptSeries::rows() const {
  std::uint64_t rows = 0;
  if (is_on())
    for (const SegmentRecord& segment : writer_->segments()) rows += segment.rows;
  return rows;
}

}  // namespace dem
