#include "libdem/contacts/component_matching.hpp"

#include <algorithm>
#include <limits>

namespace dem {

namespace {

double squared(Vec2 a) { return dot(a, a); }

/// Assignment of `rows` to `columns` (rows ≤ columns) of least total cost by successive shortest paths with potentials
/// (Kuhn–Munkres). cost(r, c); column_of[r] is the answer. Scans columns in order, so the lower index wins a tie.
template <class Cost>
void assign(int rows, int columns, Cost cost, std::vector<int>& column_of) {
  const double infinite = std::numeric_limits<double>::infinity();
  std::vector<double> row_potential(rows + 1, 0), column_potential(columns + 1, 0), least(columns + 1);
  std::vector<int> row_at(columns + 1, 0), previous(columns + 1, 0);
  std::vector<char> used(columns + 1);
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
        if (reduced < least[c]) { least[c] = reduced; previous[c] = c0; }
        if (least[c] < delta) { delta = least[c]; c1 = c; }
      }
      for (int c = 0; c <= columns; ++c) {
        if (used[c]) { row_potential[row_at[c]] += delta; column_potential[c] -= delta; }
        else least[c] -= delta;
      }
      c0 = c1;
    } while (row_at[c0] != 0);
    do { const int c1 = previous[c0]; row_at[c0] = row_at[c1]; c0 = c1; } while (c0 != 0);
  }
  column_of.assign(rows, -1);
  for (int c = 1; c <= columns; ++c)
    if (row_at[c] != 0) column_of[row_at[c] - 1] = c - 1;
}

}  // namespace

void match_components(std::span<const Vec2> old_points, std::span<const Vec2> new_points, std::vector<int>& match) {
  const int n_old = int(old_points.size()), n_new = int(new_points.size());
  match.assign(n_new, -1);
  if (n_old == 0 || n_new == 0) return;
  if (n_old == 1 || n_new == 1) {  // the nearest; the first of equals is the older
    int best_old = 0, best_new = 0;
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < n_new; ++k)
      for (int o = 0; o < n_old; ++o)
        if (const double d = squared(new_points[k] - old_points[o]); d < best) { best = d; best_old = o; best_new = k; }
    match[best_new] = best_old;
    return;
  }
  if (n_new <= n_old) {
    assign(n_new, n_old, [&](int k, int o) { return squared(new_points[k] - old_points[o]); }, match);
    return;
  }
  std::vector<int> new_of;
  assign(n_old, n_new, [&](int o, int k) { return squared(new_points[k] - old_points[o]); }, new_of);
  for (int o = 0; o < n_old; ++o) match[new_of[o]] = o;
}

}  // namespace dem
