// Tables of digits as CSV, of the studies and of the tests. A file is named from the folder of the project.
#pragma once
#include "support/csv.hpp"

namespace dem::test {

struct StudyRow : CsvRow {
  /// 0 for an empty cell.
  double number(const std::string& column) const { return at(column).empty() ? 0 : std::stod(at(column)); }
};

template <class Row = StudyRow>
std::vector<Row> study_rows(const std::string& file) {
  std::ifstream in(LIBDEM_SOURCE_DIR "/" + file);
  std::vector<Row> rows;
  for (const CsvRow& cells : rows_of(in)) static_cast<CsvRow&>(rows.emplace_back()) = cells;
  return rows;
}

}  // namespace dem::test
