// A row of the series by the names of its columns.
#pragma once
#include "libdem/run/observer.hpp"
#include "prelude.hpp"

namespace dem::test {

using SeriesRow = std::map<std::string, double>;

/// The row that the observer would write now.
inline SeriesRow row_of(RunObserver& observer, const Simulation& run) {
  const auto columns = observer.columns().series;
  const std::vector<double> values = observer.row(run);
  BOOST_TEST_REQUIRE(columns.size() == values.size());
  SeriesRow row;
  for (std::size_t k = 0; k < values.size(); ++k) row[columns[k].name] = values[k];
  BOOST_TEST(row.size() == values.size());  // no name twice
  return row;
}

}  // namespace dem::test
