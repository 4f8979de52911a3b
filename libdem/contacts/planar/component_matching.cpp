#include "libdem/contacts/planar/component_matching.hpp"

#include <algorithm>
#include <limits>

namespace dem {
namespace {

double squared(Vec2 a) { return dot(a, a); }

/// Sums whose difference may be round-off count as equal, so that a turned assembly is matched alike.
bool clearly_less(double a, double b) { return a < (1 - 1e-9) * b; }

/// Assigns `rows` to `columns` (rows ≤ columns) with least total cost, by successive shortest paths with potentials
/// (Kuhn–Munkres). Takes cost(r, c); column_of[r] is the result.
template <class Cost>
void assign(int rows, int columns, Cost cost, std::vector<int>& column_of) {
  const double infinite = std::numeric_limits<double>::infinity();
  thread_local std::vector<double> row_potential, column_potential, least;  // memory is kept from call to call
  thread_local std::vector<int> row_at, previous;
  thread_local std::vector<char> used;
  row_potential.assign(std::size_t(rows) + 1, 0);
  for (auto* values : {&column_potential, &least}) values->assign(std::size_t(columns) + 1, 0);
  for (auto* values : {&row_at, &previous}) values->assign(std::size_t(columns) + 1, 0);
  used.resize(std::size_t(columns) + 1);
  for (int r = 1; r <= rows; ++r) {
    row_at[0] = r;
    int c0 = 0;
    std::fill(least.begin(), least.end(), infinite);
    std::fill(used.begin(), used.end(), 0);
    do {
      used[c0] = 1;
      const int r0 = row_at[c0];
      double delta = infinite;
      int c1 = 0;
      for (int c = 1; c <= columns; ++c) {
        if (used[c]) continue;
        const double reduced = cost(r0 - 1, c - 1) - row_potential[r0] - column_potential[c];
        if (reduced < least[c]) {
          least[c] = reduced;
          previous[c] = c0;
        }
        if (least[c] < delta) {
          delta = least[c];
          c1 = c;
        }
      }
      for (int c = 0; c <= columns; ++c) {
        if (used[c]) {
          row_potential[row_at[c]] += delta;
          column_potential[c] -= delta;
        } else
          least[c] -= delta;
      }
      c0 = c1;
    } while (row_at[c0] != 0);
    do {
      const int c1 = previous[c0];
      row_at[c0] = row_at[c1];
      c0 = c1;
    } while (c0 != 0);
  }
  column_of.assign(rows, -1);
  for (int c = 1; c <= columns; ++c)
    if (row_at[c] != 0) column_of[row_at[c] - 1] = c - 1;
}

constexpr int few = 6;

/// Tries assignments in the order of preference, unless their sum is no better so far. Finds the first of least cost.
class FewComponents {
 public:
  FewComponents(std::span<const Vec2> old_points, std::span<const Vec2> new_points)
      : old_(old_points), new_(new_points), unmatched_(std::max(0, int(new_points.size()) - int(old_points.size()))) {
    try_from(0, 0);
  }
  const int* best() const { return best_; }

 private:
  void try_from(std::size_t k, double sum) {
    if (!clearly_less(sum, least_)) return;
    if (k == new_.size() || k == few) {
      least_ = sum;
      std::copy(current_, current_ + few, best_);
      return;
    }
    for (std::size_t o = 0; o < old_.size(); ++o) {
      if (taken_[o]) continue;
      taken_[o] = true;
      current_[k] = int(o);
      try_from(k + 1, sum + squared(new_[k] - old_[o]));
      taken_[o] = false;
    }
    if (unmatched_ == 0) return;
    --unmatched_;
    current_[k] = -1;
    try_from(k + 1, sum);
    ++unmatched_;
  }

  std::span<const Vec2> old_, new_;
  int unmatched_;
  bool taken_[few] = {};
  int current_[few] = {}, best_[few] = {};
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

void match_components(std::span<const Vec2> old_points, std::span<const Vec2> new_points, std::vector<int>& match) {
  const int n_old = int(old_points.size()), n_new = int(new_points.size());
  match.assign(n_new, -1);
  if (n_old == 0 || n_new == 0) return;
  if (n_old == 1 || n_new == 1) {  // the nearest; of equals the first, which is the older
    int best_old = 0, best_new = 0;
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < n_new; ++k)
      for (int o = 0; o < n_old; ++o)
        if (const double d = squared(new_points[k] - old_points[o]); clearly_less(d, best)) {
          best = d;
          best_old = o;
          best_new = k;
        }
    match[best_new] = best_old;
    return;
  }
  if (std::max(n_old, n_new) <= few) {
    const FewComponents search(old_points, new_points);
    std::copy_n(search.best(), n_new, match.begin());
    return;
  }
  if (n_new <= n_old) {
    assign(
        n_new, n_old, [&](int k, int o) { return squared(new_points[k] - old_points[o]); }, match);
    return;
  }
  thread_local std::vector<int> new_of;
  assign(
      n_old, n_new, [&](int o, int k) { return squared(new_points[k] - old_points[o]); }, new_of);
  for (int o = 0; o < n_old; ++o) match[new_of[o]] = o;
}

}  // namespace dem
