// Tables of text.
#pragma once
#include "prelude.hpp"

namespace dem::test {

using Cells = std::vector<std::string>;
/// By column.
using CsvRow = std::map<std::string, std::string>;

/// Only the first cell may be quoted.
inline Cells cells_of(const std::string& line) {
  Cells cells;
  std::size_t at = 0;
  if (line.starts_with('"')) at = line.find('"', 1) + 1, cells.push_back(line.substr(1, at - 2)), ++at;
  std::istringstream rest(line.substr(std::min(at, line.size())) + ',');
  for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
  return cells;
}

/// Every line, the header too.
inline std::vector<Cells> lines_of(std::istream& in) {
  std::vector<Cells> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(cells_of(line));
  return lines;
}

/// The rows behind the header. Throws std::runtime_error without a header, and where a row has other cells than it.
inline std::vector<CsvRow> rows_of(std::istream& in) {
  const std::vector<Cells> lines = lines_of(in);
  if (lines.empty()) throw std::runtime_error("a table without a header");
  std::vector<CsvRow> rows(lines.size() - 1);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (lines[r + 1].size() != lines[0].size()) throw std::runtime_error("a row that does not fit its header");
    for (std::size_t k = 0; k < lines[0].size(); ++k) rows[r][lines[0][k]] = lines[r + 1][k];
  }
  return rows;
}

}  // namespace dem::test
