// Datasets of a snapshot against what they were written from.
#pragma once
#include "libdem/results/hdf5_sealed.hpp"
#include "libdem/state/columns.hpp"

namespace dem::test {

/// True if the dataset has value(row) for each row.
template <class Rows, class Value>
bool holds(const hdf5::Group& group, const char* name, const Rows& rows, Value value) {
  const auto column = column_of(rows, value);
  return group.read<typename decltype(column)::Number>(name) == column.numbers;
}

}  // namespace dem::test
