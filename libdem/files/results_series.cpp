#include "libdem/files/results_series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "libdem/files/hdf5_sealed.hpp"
#include "libdem/files/results_view.hpp"
#include "libdem/files/text_file.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

std::size_t width(const std::vector<SeriesColumn>& columns) {
  std::size_t sum = 0;
  for (const SeriesColumn& c : columns) sum += c.width();
  return sum;
}

fs::path segment_file(const fs::path& folder, std::size_t number) { return folder / fmt::format("{:06}.h5", number); }

/// Files 000001.h5 … in their order.
std::vector<fs::path> segment_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".h5") files.push_back(it->path());
  if (error) throw FileError(fmt::format("cannot read folder {}: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

/// The order of the columns is kept in `order`; bins of profiles in the group `bins`.
hdf5::File segment(const std::vector<SeriesColumn>& columns, std::span<const double> rows, const std::string& name) {
  hdf5::File file = hdf5::File::create(name);
  hdf5::Group root = file.root();
  const std::size_t row_width = width(columns), count = rows.size() / row_width;
  std::vector<std::string> order;
  std::vector<double> values;
  std::size_t first = 0;
  for (const SeriesColumn& c : columns) {
    values.clear();
    for (std::size_t r = 0; r < count; ++r)
      values.insert(values.end(), &rows[r * row_width + first], &rows[r * row_width + first] + c.width());
    first += c.width();
    root.write<double>(c.column.name, values, {c.column.unit, c.column.description}, c.bins.empty() ? 0 : c.width());
    if (!c.bins.empty()) root.write<double>("bins/" + c.column.name, c.bins, {c.bin_unit, "bin centres"});
    order.push_back(c.column.name);
  }
  root.write_texts("order", order, {"", "the columns in their order"});
  return file;
}

bool same_columns(const std::vector<SeriesColumn>& a, const std::vector<SeriesColumn>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SeriesColumn& p, const SeriesColumn& q) {
    return p.column.name == q.column.name && p.bins == q.bins;
  });
}

void check_columns(const std::vector<SeriesColumn>& columns) {
  if (columns.empty() || columns[0].column.name != "step" || !columns[0].bins.empty())
    throw std::invalid_argument("the first column of a series is `step`");
  std::set<std::string> names;
  for (const SeriesColumn& c : columns) {
    if (!names.insert(c.column.name).second)
      throw std::invalid_argument(fmt::format("two columns of a series are named {}", c.column.name));
    if (c.column.unit.empty() || c.column.description.empty())
      throw std::invalid_argument(fmt::format("column {} of a series has no unit or no description", c.column.name));
  }
}

}  // namespace

std::vector<SeriesColumn> scalar_columns(std::span<const Column> columns) {
  std::vector<SeriesColumn> out;
  for (const Column& c : columns) out.push_back({c, {}, ""});
  return out;
}

SeriesWriter::SeriesWriter(fs::path folder, std::vector<SeriesColumn> columns, std::size_t rows_in_segment,
                           std::size_t rows_between_flushes)
    : folder_(std::move(folder)),
      columns_(std::move(columns)),
      rows_in_segment_(rows_in_segment),
      rows_between_flushes_(rows_between_flushes),
      row_width_(width(columns_)) {
  check_columns(columns_);
  create_folder(folder_);
}

SeriesWriter SeriesWriter::resume(fs::path folder, std::vector<SeriesColumn> columns, std::uint64_t last_step,
                                  std::size_t rows_in_segment, std::size_t rows_between_flushes) {
  SeriesWriter writer(std::move(folder), std::move(columns), rows_in_segment, rows_between_flushes);
  // Nothing is removed before all segments have been looked at: an error must leave the series as it was.
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
    std::size_t keep = 0;
    while (keep < s.values.size() && s.values[keep] <= static_cast<double>(last_step)) keep += writer.row_width_;
    if (keep == 0) {
      surplus.push_back(file);
      continue;
    }
    s.values.resize(keep);
    writer.rows_ = std::move(s.values);
    number = std::stoul(file.stem().string());
  }
  for (const fs::path& file : surplus) {
    std::error_code error;
    fs::remove(file, error);
    if (error) throw FileError(fmt::format("cannot remove {}: {}", file.string(), error.message()));
  }
  writer.segment_ = std::max<std::size_t>(number, 1);
  if (!writer.rows_.empty()) {
    writer.unflushed_ = 1;  // the newest segment may just have lost rows
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
  hdf5::write_sealed(file, {"series", this_build().program_version, 0}, segment(columns_, rows_, file.string()));
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
  for (const std::string& name : root.read_texts("order")) {
    SeriesColumn c;
    c.column = {name, root.text("unit", name), root.text("description", name)};
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

bool Series::has(std::string_view name) const {
  return std::any_of(columns.begin(), columns.end(), [&](const SeriesColumn& c) { return c.column.name == name; });
}

std::vector<double> Series::column(std::string_view name) const {
  std::size_t first = 0;
  std::vector<std::string> names;
  for (const SeriesColumn& c : columns) {
    if (c.column.name == name) {
      std::vector<double> out;
      for (std::size_t r = 0, w = row_width(); r < rows(); ++r)
        out.insert(out.end(), &values[r * w + first], &values[r * w + first] + c.width());
      return out;
    }
    first += c.width();
    names.push_back(c.column.name);
  }
  throw FileError(fmt::format("the series has no column {}; it has {}", name, fmt::join(names, ", ")));
}

Series read_series(const fs::path& folder) {
  Series series;
  for (const fs::path& file : segment_files(folder)) {
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

}  // namespace dem
