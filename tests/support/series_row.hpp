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

inline SeriesRow row_of(const Simulation& run) {
  RunObserver observer(run);
  return row_of(observer, run);
}

/// The row has these values within the relative tolerance.
inline void check(const SeriesRow& row, double tolerance, const SeriesRow& expected) {
  for (const auto& [name, value] : expected)
    BOOST_TEST(std::abs(row.at(name) - value) <= tolerance * std::abs(value),
               name << " is " << row.at(name) << " instead of " << value);
}

}  // namespace dem::test
