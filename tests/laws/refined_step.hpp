// One step of law linear-refined in the words of its reference: overlaps, force on i, movement of j.
#pragma once
#include "geometry/random.hpp"
#include "libdem/laws/linear_refined.hpp"
#include "prelude.hpp"

namespace refined {

using dem::laws::Block;
using dem::laws::LinearRefined;
using Options = LinearRefined::Options;

struct Vector {
  double x = 0, y = 0;
};

struct Step {
  double kn = 1e5, kt = 1e5, mu = 0.5, overlap_0 = 0, overlap_1 = 0;  // N/m, N/m, 1, m, m
  Vector f0, shift;                                                   // N, m
};

struct Outcome {
  Vector f1;
  double fn1, work, stored, change, dissipated, slid, limit;  // change of the stored energy, μ fn1
};

inline bool near(double a, double b, double within) { return std::abs(a - b) <= within; }
inline Options with(bool part_of_step, bool onset, bool direction) {
  Options o;
  o.part_of_step = part_of_step, o.onset = onset, o.direction = direction;
  return o;
}
inline double length(Vector v) { return std::hypot(v.x, v.y); }

inline Block row(const Step& s) {
  Block b{};
  b.count = 1;
  b.made[0] = s.overlap_0 > 0 ? 0 : -s.overlap_0 / (s.overlap_1 - s.overlap_0);
  b.lost[0] = s.overlap_1 > 0 ? 1 : s.overlap_0 / (s.overlap_0 - s.overlap_1);
  b.normal_start[0] = s.kn * std::max(s.overlap_0, 0.0);
  b.normal_end[0] = s.kn * std::max(s.overlap_1, 0.0);
  b.shift_1[0] = s.shift.x;
  b.shift_2[0] = s.shift.y;
  b.stiffness[0] = s.kt;
  b.friction[0] = s.mu;
  return b;
}

inline Outcome take(const Step& s, const Options& options = {}) {
  Block b = row(s);
  LinearRefined::History h{s.f0.x, s.f0.y};
  LinearRefined::pass(options, {}, b, &h);
  const double before = 0.5 * (s.f0.x * s.f0.x + s.f0.y * s.f0.y) / s.kt;
  return {{h.force_1, h.force_2}, b.normal_end[0], b.work[0],    b.stored[0],
          b.stored[0] - before,   b.dissipated[0], b.sliding[0], s.mu * b.normal_end[0]};
}

/// Brute force: predictor and radial return over n sub-steps in long double. `integrated` extrapolates from n and 2n.
struct Numbers {
  long double x, y, work, dissipated;
};
inline Numbers sub_stepped(const Step& s, int n) {
  const long double lo = s.overlap_0 > 0 ? 0 : -(long double)s.overlap_0 / ((long double)s.overlap_1 - s.overlap_0);
  const long double hi = s.overlap_1 > 0 ? 1 : (long double)s.overlap_0 / ((long double)s.overlap_0 - s.overlap_1);
  const long double k = s.kt, start = s.kn * std::max((long double)s.overlap_0, 0.0L),
                    end = s.kn * std::max((long double)s.overlap_1, 0.0L);
  const long double dx = (hi - lo) * s.shift.x / n, dy = (hi - lo) * s.shift.y / n;
  long double x = s.f0.x, y = s.f0.y, work = 0;
  const long double before = (x * x + y * y) / (2 * k);
  if (const long double size = std::sqrt(x * x + y * y), limit = s.mu * start; size > limit)
    x *= limit / size, y *= limit / size;
  for (int m = 1; m <= n; ++m) {
    const long double limit = s.mu * (start + (end - start) * m / n), from_x = x, from_y = y;
    x += k * dx;
    y += k * dy;
    if (const long double size = std::sqrt(x * x + y * y); size > limit) x *= limit / size, y *= limit / size;
    work += 0.5L * ((from_x + x) * dx + (from_y + y) * dy);
  }
  return {x, y, work, work - ((x * x + y * y) / (2 * k) - before)};
}
inline Numbers integrated(const Step& s, int n) {
  const Numbers a = sub_stepped(s, n), b = sub_stepped(s, 2 * n);
  return {2 * b.x - a.x, 2 * b.y - a.y, 2 * b.work - a.work, 2 * b.dissipated - a.dissipated};
}

}  // namespace refined
