#include "libdem/case/contact_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <sstream>

#include "geometry/printable.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/contacts/contact_frame.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem::contact_path {
namespace {

constexpr std::size_t most_errors = 20;  // per path file

namespace fs = std::filesystem;
using case_file::Names, case_file::listed, case_file::nearest;

/// The table of the path with cells as numbers.
class PathFile {
 public:
  PathFile(const fs::path& file, const Names& columns, std::vector<std::string>& errors)
      : file_(file.string()), columns_(columns), errors_(errors) {
    std::istringstream text_lines(read_data_file(file));
    std::string line;
    while (std::getline(text_lines, line)) {
      ++line_;
      const std::string text = trimmed(line);
      if (text.empty() || text[0] == '#') continue;
      if (place_.empty())
        read_header(text);
      else
        read_row(text);
      if (place_.empty() || errors_.size() >= most_errors) return;  // the rest cannot make sense
    }
    if (place_.empty())
      error(1, 0, "", "an empty file", "a header line with the columns " + listed(columns_, false));
    else if (lines.empty() && errors_.empty())
      error(line_, 0, "", "no row behind the header", "a row a step");
  }

  std::vector<double> numbers;  ///< row by row, in the order of the expected columns
  std::vector<int> lines;       ///< of the rows
  std::string place(std::size_t row) const { return fmt::format("{}:{}", file_, lines[row]); }

 private:
  void error(int line, int column, std::string_view name, std::string_view found, std::string_view allowed) {
    errors_.push_back(fmt::format("{}:{}{}: {}found {}, allowed {}", file_, line,
                                  column > 0 ? fmt::format(":{}", column) : "",
                                  name.empty() ? "" : fmt::format("{}: ", name), found, allowed));
  }

  static std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\xEF\xBB\xBF"), last = text.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
  }
  static std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> all;
    boost::split(all, line, [](char c) { return c == ','; });
    for (std::string& cell : all) cell = trimmed(cell);
    return all;
  }
  void read_header(const std::string& text) {
    names_ = cells(text);
    std::vector<std::size_t> place;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const std::string_view name = names_[k];
      if (std::ranges::find(columns_, name) == columns_.end())
        error(line_, int(k) + 1, "", fmt::format("an unknown column \"{}\"", printable(name)),
              fmt::format("the columns {}{}", listed(columns_, false), nearest(name, columns_, "column")));
      else if (std::ranges::find(names_, name) != names_.begin() + std::ptrdiff_t(k))
        error(line_, int(k) + 1, "", fmt::format("column \"{}\" twice", printable(name)), "each column once");
    }
    for (const auto column : columns_) {
      const auto at = std::ranges::find(names_, column);
      if (at == names_.end())
        error(line_, 0, "", fmt::format("no column \"{}\"", column),
              fmt::format("the columns {}", listed(columns_, false)));
      else
        place.push_back(std::size_t(at - names_.begin()));
    }
    if (errors_.empty()) place_ = place;
  }
  void read_row(const std::string& text) {
    const auto found = cells(text);
    if (found.size() != names_.size())
      return error(line_, 0, "", fmt::format("{} value{}", found.size(), found.size() == 1 ? "" : "s"),
                   fmt::format("{}, one for each column of the header", names_.size()));
    lines.push_back(line_);
    for (const std::size_t k : place_) {
      const std::string& cell = found[k];
      const auto value = finite_number(cell);
      if (cell.empty())
        error(line_, int(k) + 1, names_[k], "an empty cell", "a number");
      else if (!value)
        error(line_, int(k) + 1, names_[k], fmt::format("\"{}\"", printable(cell)), "a finite number");
      numbers.push_back(value.value_or(0));
    }
  }

  std::string file_;
  const Names& columns_;
  std::vector<std::string>& errors_;
  std::vector<std::string> names_;
  std::vector<std::size_t> place_;  // places of columns_ in the file
  int line_ = 0;
};

const Names& columns_of(const ContactDrive& drive) {
  static const Names contact{"overlap", "shift_1", "shift_2"};
  static const Names global{"overlap",      "normal_x",     "normal_y",     "normal_z",     "shift_x",
                            "shift_y",      "shift_z",      "rotation_i_x", "rotation_i_y", "rotation_i_z",
                            "rotation_j_x", "rotation_j_y", "rotation_j_z"};
  return drive.global ? global : contact;
}

}  // namespace

void read_rows(const fs::path& file, ContactDrive& drive, std::vector<std::string>& errors) {
  const PathFile path(file, columns_of(drive), errors);
  add_rows(
      path.numbers, path.lines.size(), [&](std::size_t row) { return path.place(row); }, drive, errors);
}

void add_rows(std::span<const double> numbers, std::size_t rows_in_path,
              const std::function<std::string(std::size_t row)>& place, ContactDrive& drive,
              std::vector<std::string>& errors) {
  const Names& columns = columns_of(drive);
  const std::size_t size = columns.size(), rows = numbers.size() / size;
  drive.rows.reserve(drive.rows.size() + rows);
  Vec3 before;
  for (std::size_t r = 0; r < rows; ++r) {
    if (errors.size() >= most_errors) return;
    const auto error = [&](std::string_view name, const std::string& found, const std::string& allowed) {
      errors.push_back(fmt::format("{}: {}: found {}, allowed {}", place(r), name, found, allowed));
    };
    const std::span<const double> v = numbers.subspan(r * size, size);
    if (r % rows_in_path == 0) before = drive.start_normal;
    DriveRow row;
    row.overlap = v[0];
    if (row.overlap > drive.largest_overlap || row.overlap < -largest_shift)
      error("overlap", fmt::format("{} m", row.overlap),
            fmt::format("from {:.5g} to {:.5g} m{}", -largest_shift, drive.largest_overlap,
                        drive.law->hertzian ? ": with the sum of the radii the centres meet" : ""));
    for (std::size_t k = drive.global ? 4 : 1; k < v.size(); ++k) {
      const double most = k < 7 ? largest_shift : largest_rotation;
      if (std::abs(v[k]) > most)
        error(columns[k], fmt::format("{} {}", v[k], k < 7 ? "m" : "rad"),
              fmt::format("from {:.4g} to {:.4g} in a row", -most, most));
    }
    if (!drive.global) {
      row.shift = {v[1], v[2], 0};
    } else {
      row.normal = {v[1], v[2], v[3]};
      row.shift = {v[4], v[5], v[6]};
      row.rotation_i = {v[7], v[8], v[9]};
      row.rotation_j = {v[10], v[11], v[12]};
      const double length = norm(row.normal);
      if (!(std::abs(length - 1) <= unit_tolerance)) {
        error("normal_x, normal_y, normal_z", fmt::format("a vector of length {}", length),
              "a vector of unit length (within 1e-6)");
        continue;
      }
      row.normal = (1 / length) * row.normal;
      if (turned_over(before, row.normal))
        error("normal_x, normal_y, normal_z", "the opposite of the normal before",
              "a turn of less than half a turn in a row");
      before = row.normal;
      const double along = dot(row.shift, row.normal);
      if (std::abs(along) > unit_tolerance * norm(row.shift))
        error("shift_x, shift_y, shift_z", fmt::format("{} m along the normal", along),
              "a tangential movement, square to the normal at the end of the row (within 1e-6)");
    }
    drive.rows.push_back(row);
  }
}

}  // namespace dem::contact_path
