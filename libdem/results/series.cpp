#include "libdem/results/series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <stdexcept>

#include "libdem/platform/text_file.hpp"
#include "libdem/results/hdf5_sealed.hpp"
#include "libdem/state/view.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

std::size_t width(const std::vector<Column>& columns) {
  std::size_t sum = 0;
  for (const Column& c : columns) sum += c.width();
  return sum;
}

fs::path segment_file(const fs::path& folder, std::size_t number) { return folder / fmt::format("{:06}.h5", number); }

/// Files 000001.h5 … in their order. Other files in the folder do not belong to the series.
std::vector<fs::path> segment_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (segment_number(it->path())) files.push_back(it->path());
  if (error) throw FileError(fmt::format("cannot read folder {}: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

/// Every dataset is a column. The file's attribute `order` keeps their order; the group `bins` has bins of profiles.
hdf5::File segment(const std::vector<Column>& columns, std::span<const double> rows, const std::string& name) {
  hdf5::File file = hdf5::File::create(name);
  hdf5::Group root = file.root();
  const std::size_t row_width = width(columns), count = rows.size() / row_width;
  std::vector<std::string> order;
  std::vector<double> values;
  std::size_t first = 0;
  for (const Column& c : columns) {
    values.clear();
    for (std::size_t r = 0; r < count; ++r)
      values.insert(values.end(), &rows[r * row_width + first], &rows[r * row_width + first] + c.width());
    first += c.width();
    root.write<double>(c.name, values, {c.unit, c.description}, c.bins.size());
    if (!c.bins.empty()) root.write<double>("bins/" + c.name, c.bins, {c.bin_unit, "bin centres"});
    order.push_back(c.name);
  }
  root.set_texts("order", order);
  return file;
}

/// Earlier versions had a dataset instead of the attribute.
std::vector<std::string> order_of(const hdf5::Group& root) {
  return root.has_attribute("order") ? root.texts("order") : root.read_texts("order");
}

/// `rows` are flat, as in a segment. The first column is `step`.
SegmentRecord record_of(std::uint64_t number, std::span<const double> rows, std::size_t row_width) {
  const std::uint64_t count = rows.size() / row_width;
  return {number, count, std::uint64_t(rows[0]), std::uint64_t(rows[(count - 1) * row_width])};
}

/// Number of rows (flat) up to the step.
std::size_t rows_until(const Series& s, std::uint64_t last_step) {
  const std::size_t width = s.row_width();
  std::size_t rows = 0;
  while (rows < s.rows() && s.values[rows * width] <= double(last_step)) ++rows;
  return rows;
}

std::string named(std::uint64_t rows, std::uint64_t first, std::uint64_t last) {
  return rows == 1 ? fmt::format("1 row, step {}", first) : fmt::format("{} rows, steps {} to {}", rows, first, last);
}

bool same_columns(const std::vector<Column>& a, const std::vector<Column>& b) {
  return std::ranges::equal(a, b,
                            [](const Column& p, const Column& q) { return p.name == q.name && p.bins == q.bins; });
}

void check_columns(const std::vector<Column>& columns) {
  if (columns.empty() || columns[0].name != "step" || !columns[0].bins.empty())
    throw std::invalid_argument("the first column of a series is `step`");
  std::set<std::string> names;
  for (const Column& c : columns) {
    if (!names.insert(c.name).second)
      throw std::invalid_argument(fmt::format("two columns of a series are named {}", c.name));
    if (c.unit.empty() || c.description.empty())
      throw std::invalid_argument(fmt::format("column {} of a series has no unit or no description", c.name));
  }
}

}  // namespace

SeriesWriter::SeriesWriter(fs::path folder, std::vector<Column> columns, std::size_t rows_in_segment,
                           std::size_t rows_between_flushes)
    : folder_(std::move(folder)),
      columns_(std::move(columns)),
      rows_in_segment_(rows_in_segment),
      rows_between_flushes_(rows_between_flushes),
      row_width_(width(columns_)) {
  check_columns(columns_);
  create_folder(folder_);
}

SeriesWriter SeriesWriter::resume(fs::path folder, std::vector<Column> columns, std::uint64_t last_step,
                                  std::size_t rows_in_segment, std::size_t rows_between_flushes) {
  SeriesWriter writer(std::move(folder), std::move(columns), rows_in_segment, rows_between_flushes);
  // Nothing is removed before all segments were read: an error must leave the series unchanged.
  std::vector<fs::path> surplus;
  std::size_t number = 0;
  for (const fs::path& file : segment_files(writer.folder_)) {
    Series s;
    try {
      s = read_series_segment(file);
    } catch (const FileError& e) {
      writer.problems_.push_back(fmt::format("{}; its rows are lost", e.what()));
      surplus.push_back(file);
      continue;
    }
    if (!same_columns(s.columns, writer.columns_))
      throw FileError(fmt::format("{} has other columns than this run writes", file.string()));
    const std::size_t keep = rows_until(s, last_step);
    if (keep == 0) {
      surplus.push_back(file);
      continue;
    }
    s.values.resize(keep * writer.row_width_);
    writer.rows_ = std::move(s.values);
    number = segment_number(file).value();
    writer.segments_.push_back(record_of(number, writer.rows_, writer.row_width_));
  }
  for (const fs::path& file : surplus) remove_path(file);
  writer.segment_ = std::max<std::size_t>(number, 1);
  if (!writer.rows_.empty()) {
    writer.unflushed_ = 1;  // the newest segment may have lost rows here
    writer.flush();
  }
  return writer;
}

void SeriesWriter::append(std::span<const double> row) {
  if (row.size() != row_width_)
    throw std::invalid_argument(fmt::format("a row of {} numbers for a series of {}", row.size(), row_width_));
  rows_.insert(rows_.end(), row.begin(), row.end());
  if (++unflushed_ >= rows_between_flushes_ || rows_.size() >= rows_in_segment_ * row_width_) flush();
}

void SeriesWriter::flush() {
  if (unflushed_ == 0) return;
  const fs::path file = segment_file(folder_, segment_);
  hdf5::write_sealed(file, {"series", this_build().program_version}, segment(columns_, rows_, file.string()));
  if (segments_.empty() || segments_.back().number != segment_) segments_.emplace_back();
  segments_.back() = record_of(segment_, rows_, row_width_);
  unflushed_ = 0;
  if (rows_.size() < rows_in_segment_ * row_width_) return;
  rows_.clear();
  ++segment_;
}

Series read_series_segment(const fs::path& path) {
  const hdf5::SealedFile sealed = hdf5::read_sealed(path, "series");
  const hdf5::Group root = sealed.file.root();
  Series s;
  std::vector<std::vector<double>> values;
  for (const std::string& name : order_of(root)) {
    Column c{name, root.text("unit", name), root.text("description", name)};
    if (root.dimensions(name).size() == 2) {
      c.bins = root.open("bins").read<double>(name);
      c.bin_unit = root.open("bins").text("unit", name);
    }
    values.push_back(root.read<double>(name));
    s.columns.push_back(std::move(c));
  }
  const std::size_t count = values.empty() ? 0 : values[0].size() / s.columns[0].width();
  for (std::size_t c = 0; c < values.size(); ++c)
    if (values[c].size() != count * s.columns[c].width())
      throw FileError(fmt::format("{}: its columns differ in length", path.string()));
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t c = 0; c < values.size(); ++c) {
      const std::size_t w = s.columns[c].width();
      s.values.insert(s.values.end(), &values[c][r * w], &values[c][r * w] + w);
    }
  return s;
}

std::size_t Series::row_width() const { return width(columns); }

std::vector<double> Series::column(std::string_view name) const {
  std::size_t first = 0;
  std::vector<std::string> names;
  for (const Column& c : columns) {
    if (c.name == name) {
      std::vector<double> out;
      for (std::size_t r = 0, w = row_width(); r < rows(); ++r)
        out.insert(out.end(), &values[r * w + first], &values[r * w + first] + c.width());
      return out;
    }
    first += c.width();
    names.push_back(c.name);
  }
  throw FileError(fmt::format("the series has no column {}; it has {}", name, fmt::join(names, ", ")));
}

std::optional<std::uint64_t> segment_number(const fs::path& file) {
  const std::string stem = file.stem().string();
  if (file.extension() != ".h5" || stem.size() != 6 || stem.find_first_not_of("0123456789") != stem.npos)
    return std::nullopt;
  return std::stoull(stem);
}

SegmentFaults compare_segments(const fs::path& folder, std::span<const SegmentRecord> written,
                               std::uint64_t last_step) {
  SegmentFaults faults;
  const auto lost = [&](const fs::path& file, std::string_view how, std::string_view rows) {
    faults.lost.push_back(fmt::format("{} {}: {}", file.string(), how, rows));
  };
  for (const SegmentRecord& segment : written) {
    const fs::path file = segment_file(folder, segment.number);
    const std::string all = named(segment.rows, segment.first_step, segment.last_step);
    std::error_code error;
    if (!fs::exists(file, error)) {
      lost(file, "is missing", all);
      continue;
    }
    Series s;
    try {
      s = read_series_segment(file);
    } catch (const FileError& e) {
      faults.lost.push_back(fmt::format("{}: {}", e.what(), all));
      continue;
    }
    const std::size_t kept = rows_until(s, last_step);
    const auto step = [&](std::size_t row) { return std::uint64_t(s.values[row * s.row_width()]); };
    if (kept > segment.rows || (kept > 0 && step(0) != segment.first_step) ||
        (kept == segment.rows && step(kept - 1) != segment.last_step))
      faults.strange.push_back(fmt::format("{} holds {}, where this run wrote {}", file.string(),
                                           kept == 0 ? "no rows" : named(kept, step(0), step(kept - 1)), all));
    else if (kept == 0)
      lost(file, "has lost its rows", all);
    else if (kept < segment.rows)
      lost(file, "has lost its last rows",
           fmt::format("{} of {}, after step {}", segment.rows - kept, segment.rows, step(kept - 1)));
  }
  std::error_code error;
  if (!fs::exists(folder, error)) return faults;
  for (const fs::path& file : segment_files(folder)) {
    const auto is_it = [number = *segment_number(file)](const SegmentRecord& s) { return s.number == number; };
    if (std::any_of(written.begin(), written.end(), is_it)) continue;
    try {  // rows after the checkpoint will be dropped, damaged or not
      if (const Series s = read_series_segment(file); rows_until(s, last_step) > 0)
        faults.strange.push_back(
            fmt::format("{} holds rows up to step {}, and this run had not written it then", file.string(), last_step));
    } catch (const FileError&) {
    }
  }
  return faults;
}

std::string csv_text(const Series& series) {
  std::string out;
  for (const Column& c : series.columns)
    for (std::size_t k = 0; k < c.width(); ++k)
      out += (out.empty() ? "" : ",") + c.name + (c.bins.empty() ? "" : fmt::format("_{}", k + 1));
  out += '\n';
  for (std::size_t r = 0, width = series.row_width(); r < series.rows(); ++r)
    for (std::size_t k = 0; k < width; ++k) {
      const double x = series.values[r * width + k];
      fmt::format_to(std::back_inserter(out), "{}{}", std::isnan(x) ? "nan" : fmt::format("{:.17g}", x),
                     k + 1 < width ? ',' : '\n');
    }
  return out;
}

Series read_series(const fs::path& folder) {
  Series series;
  std::uint64_t expected = 1;
  for (const fs::path& file : segment_files(folder)) {
    const std::uint64_t number = *segment_number(file);
    if (number > expected)
      series.problems.push_back(
          fmt::format("{} {} missing", segment_file(folder, expected).string(),
                      number == expected + 1 ? "is" : fmt::format("to {:06}.h5 are", number - 1)));
    expected = number + 1;
    try {
      const Series s = read_series_segment(file);
      if (series.columns.empty()) series.columns = s.columns;
      if (!same_columns(s.columns, series.columns)) throw FileError(fmt::format("{} has other columns", file.string()));
      series.values.insert(series.values.end(), s.values.begin(), s.values.end());
    } catch (const FileError& e) {
      series.problems.push_back(e.what());
    }
  }
  if (series.columns.empty())
    throw FileError(series.problems.empty() ? fmt::format("{} holds no series", folder.string())
                                            : series.problems.front());
  return series;
}

bool is_series_folder(const fs::path& path) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path, ignored))
    if (segment_number(entry.path())) return true;
  return false;
}

}  // namespace dem
