// Columns of numbers made from rows, for files: snapshots and ParaView.
#pragma once
#include <functional>
#include <type_traits>
#include <vector>

#include "libdem/state/quaternion.hpp"
#include "libdem/state/tensor.hpp"

namespace dem {

inline void append(std::vector<double>& out, Vec3 v) { out.insert(out.end(), {v.x, v.y, v.z}); }
inline void append(std::vector<double>& out, const Quaternion& q) { out.insert(out.end(), {q.w, q.x, q.y, q.z}); }
inline void append(std::vector<double>& out, const Tensor3& t) {
  for (const auto& row : t.m) out.insert(out.end(), row.begin(), row.end());
}
template <class T>
void append(std::vector<T>& out, T x) {
  out.push_back(x);
}

template <class T>
struct NumberColumn {
  using Number = T;
  std::vector<T> numbers;
  std::size_t width;  ///< numbers in a row
};

/// Column of value(row) for each row: a number, vector, quaternion or tensor.
template <class Rows, class Value>
auto column_of(const Rows& rows, Value value) {
  using Entry = std::remove_cvref_t<decltype(std::invoke(value, *std::begin(rows)))>;
  using Number = std::conditional_t<std::is_arithmetic_v<Entry>, Entry, double>;
  NumberColumn<Number> column{{}, sizeof(Entry) / sizeof(Number)};
  column.numbers.reserve(std::size(rows) * column.width);
  for (const auto& row : rows) append(column.numbers, std::invoke(value, row));
  return column;
}

}  // namespace dem
