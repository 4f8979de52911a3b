#include "libdem/motion/gear5.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "libdem/motion/coordinates.hpp"
#include "libdem/motion/rigid_rotation.hpp"
#include "libdem/platform/vector_clones.hpp"

namespace dem {
namespace {

using Terms = std::array<ByBody<Vec3>, gear_terms>;

/// Pascal's triangle by successive additions: 15 additions per coordinate, no multiplication.
template <class N>
[[gnu::always_inline]] inline void add_up(N& a0, N& a1, N& a2, N& a3, N& a4, N a5) {
  a4 += a5, a3 += a4, a2 += a3, a1 += a2, a0 += a1;
  a4 += a5, a3 += a4, a2 += a3, a1 += a2;
  a4 += a5, a3 += a4, a2 += a3;
  a4 += a5, a3 += a4;
  a4 += a5;
}

// Contiguous coordinates of one body, as many as N has. All reads precede all writes, because the compiler cannot
// exclude aliasing.

typedef double Two __attribute__((vector_size(16)));
template <class N>
N read(const double* from) {
  N numbers;
  std::memcpy(&numbers, from, sizeof numbers);
  return numbers;
}
template <class N>
void write(double* to, const N& numbers) {
  std::memcpy(to, &numbers, sizeof numbers);
}

template <class N>
[[gnu::always_inline]] inline void predict_side_by_side(Terms& terms, std::size_t at) {
  double* r[gear_terms];
  N a[gear_terms];
  for (std::size_t k = 0; k < gear_terms; ++k) a[k] = read<N>(r[k] = coordinates(terms[k]) + at);
  add_up(a[0], a[1], a[2], a[3], a[4], a[5]);
  for (std::size_t k = 0; k + 1 < gear_terms; ++k) write(r[k], a[k]);
}

/// A coordinate that is not free has no answer and r_2 = 0.
template <class N>
[[gnu::always_inline]] inline void correct_side_by_side(Terms& terms, std::size_t at, const double* load,
                                                        const N& answer, const GearCoefficientSet& coefficients) {
  double* r[gear_terms];
  N a[gear_terms];
  for (std::size_t k = 0; k < gear_terms; ++k) a[k] = read<N>(r[k] = coordinates(terms[k]) + at);
  const N d = answer * read<N>(load + at) - a[2];
  for (std::size_t k = 0; k < gear_terms; ++k) write(r[k], a[k] + coefficients[k] * d);
}

constexpr bool is_planar(unsigned freedom) { return (freedom & ~unsigned(free_in_plane)) == 0; }

// Of bodies without any held coordinate, in vectors: the same operations as side by side.

LIBDEM_VECTOR_CLONES void predict_free(double* __restrict r0, double* __restrict r1, double* __restrict r2,
                                       double* __restrict r3, double* __restrict r4, const double* __restrict r5,
                                       std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double a0 = r0[i], a1 = r1[i], a2 = r2[i], a3 = r3[i], a4 = r4[i];
    add_up(a0, a1, a2, a3, a4, r5[i]);
    r0[i] = a0, r1[i] = a1, r2[i] = a2, r3[i] = a3, r4[i] = a4;
  }
}

/// Of the bodies of one pass.
LIBDEM_VECTOR_CLONES void correct_free(double* __restrict r0, double* __restrict r1, double* __restrict r2,
                                       double* __restrict r3, double* __restrict r4, double* __restrict r5,
                                       const double* __restrict load, const double* __restrict inertia,
                                       const std::uint8_t* __restrict freedom, double scale, const double* __restrict c,
                                       std::size_t bodies) {
  double answer[3 * bodies_per_pass];
  fill_answers(inertia, freedom, 0, scale, bodies, answer);
  for (std::size_t i = 0; i < 3 * bodies; ++i) {
    const double d = answer[i] * load[i] - r2[i];
    r0[i] += c[0] * d, r1[i] += c[1] * d, r2[i] += c[2] * d, r3[i] += c[3] * d, r4[i] += c[4] * d, r5[i] += c[5] * d;
  }
}

// Positions go first, then rotations (`turning`). Their twelve arrays begin at a page. So all terms of a body share a
// set of lines in the first-level cache, which may have only eight.

void predict_kind(Terms& terms, std::span<const std::uint8_t> freedoms, bool turning, std::size_t first,
                  std::size_t last) {
  const auto at = [&terms](std::size_t k, std::size_t c) { return coordinates(terms[k]) + c; };
  const auto follow = [&](std::size_t c) { *at(0, c) += *at(1, c); };
  for (std::size_t end; first < last; first = end) {
    end = std::min(last, first + bodies_per_pass);
    const std::size_t x = 3 * first;
    if (all_free(freedoms.data() + first, end - first)) {
      predict_free(at(0, x), at(1, x), at(2, x), at(3, x), at(4, x), at(5, x), 3 * (end - first));
      continue;
    }
    for (std::size_t b = first; b < end; ++b) {
      if (freedoms[b] == 0) {
        for (std::size_t c = 3 * b; c < 3 * b + 3; ++c) follow(c);
      } else if (!is_planar(freedoms[b])) {
        predict_side_by_side<Two>(terms, 3 * b);
        predict_side_by_side<double>(terms, 3 * b + 2);
      } else if (turning) {
        predict_side_by_side<double>(terms, 3 * b + 2);
        follow(3 * b);
        follow(3 * b + 1);
      } else {
        predict_side_by_side<Two>(terms, 3 * b);
        follow(3 * b + 2);
      }
    }
  }
}

void correct_kind(Terms& terms, const double* load, double scale, std::span<const double> inertia,
                  std::span<const std::uint8_t> freedoms, bool turning, const GearCoefficientSet& c, std::size_t first,
                  std::size_t last) {
  const auto at = [&terms](std::size_t k, std::size_t x) { return coordinates(terms[k]) + x; };
  for (std::size_t end; first < last; first = end) {
    end = std::min(last, first + bodies_per_pass);
    const std::size_t x = 3 * first;
    if (all_free(freedoms.data() + first, end - first)) {
      correct_free(at(0, x), at(1, x), at(2, x), at(3, x), at(4, x), at(5, x), load + x, inertia.data() + first,
                   freedoms.data() + first, scale, c.data(), end - first);
      continue;
    }
    for (std::size_t b = first; b < end; ++b) {
      const unsigned freedom = freedoms[b];
      if (freedom == 0) continue;
      const double answer = scale / inertia[b];
      const unsigned answering = turning ? freedom >> 3 : freedom;
      const auto of = [=](unsigned bit) { return answering & bit ? answer : 0.0; };
      if (!turning || !is_planar(freedom)) correct_side_by_side(terms, 3 * b, load, Two{of(free_x), of(free_y)}, c);
      if (turning || !is_planar(freedom)) correct_side_by_side(terms, 3 * b + 2, load, of(free_z), c);
    }
  }
}

// Accelerations of one kind as a flat array; 0 for coordinates that are not free.
std::vector<double> accelerations(const ByBody<Vec3>& load, std::span<const double> inertia,
                                  std::span<const std::uint8_t> freedom, int shift) {
  std::vector<double> a(3 * inertia.size());
  fill_answers(inertia.data(), freedom.data(), shift, 1.0, inertia.size(), a.data());
  const double* f = coordinates(load);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = a[i] * f[i] + 0.0;  // no −0: terms of coordinates that are not free keep their start values
  return a;
}

// One kind of coordinate (positions or rotations) during the start. Assemblies may be large, so that little is kept.
// The accelerations after 0 … 3 trial steps lie in r_2 … r_5, which nothing reads until then. The loads give the one
// after 4.
struct Trial {
  Terms& terms;
  const ByBody<Vec3>& load;
  std::span<const double> inertia;
  std::span<const std::uint8_t> freedom;
  int shift;
  std::vector<double> x{}, v{};          // state at the beginning of the trial step
  std::vector<double> sum_x{}, sum_v{};  // of the slopes of a Runge–Kutta step
  ByBody<Vec3> start_x{}, start_r1{};

  void begin(double dt) {
    start_x = terms[0], start_r1 = terms[1];
    const double *r0 = coordinates(terms[0]), *r1 = coordinates(terms[1]);
    x.assign(r0, r0 + 3 * inertia.size());
    for (auto* each : {&v, &sum_x, &sum_v}) each->resize(x.size());
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = r1[i] / dt;
  }
  std::vector<double> acceleration() const { return accelerations(load, inertia, freedom, shift); }
  // Adds the slopes of this stage, then moves bodies to the next stage, after the last stage to the next trial step.
  void go_on(double dt, double h, std::size_t step, std::size_t stage) {
    double *r0 = coordinates(terms[0]), *r1 = coordinates(terms[1]);
    const std::vector<double> a = acceleration();
    if (stage == 0) std::copy(a.begin(), a.end(), coordinates(terms[2 + step]));
    const double reach = stage == 2 ? h : h / 2, weight = stage == 3 ? 1 : 2;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double slope_x = r1[i] / dt, slope_v = a[i];
      sum_x[i] = stage == 0 ? slope_x : sum_x[i] + weight * slope_x;
      sum_v[i] = stage == 0 ? slope_v : sum_v[i] + weight * slope_v;
      if (stage < 3) {
        r0[i] = x[i] + reach * slope_x;
        r1[i] = (v[i] + reach * slope_v) * dt;
      } else {
        r0[i] = x[i] += h / 6 * sum_x[i];
        r1[i] = (v[i] += h / 6 * sum_v[i]) * dt;
      }
    }
  }
  // Computes the derivatives at the start of the polynomial through the accelerations. Raises `largest` to the largest
  // acceleration and `rough` to the largest fourth difference, both as those of a point at `radius(b)`.
  template <class Radius>
  void finish(double dt, Radius radius, double& largest, double& rough) {
    terms[0] = std::move(start_x), terms[1] = std::move(start_r1);
    double *r2 = coordinates(terms[2]), *r3 = coordinates(terms[3]), *r4 = coordinates(terms[4]),
           *r5 = coordinates(terms[5]);
    const double half = 0.5 * dt * dt;
    const std::vector<double> last = acceleration();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::array<double, 5> a = {r2[i], r3[i], r4[i], r5[i], last[i]};
      const StartDifferences d(a);
      r2[i] = half * a[0];
      r3[i] = half * d.term(0);
      r4[i] = half * d.term(1);
      r5[i] = half * d.term(2);
      const double length = radius(i / 3);
      for (const double each : a) largest = std::max(largest, length * std::abs(each));
      rough = std::max(rough, length * std::abs(d.d4));
    }
  }
};

}  // namespace

// The free coordinates of a body decide the work per body. Other coordinates follow r_1 and have no other terms.

void gear_predict(Bodies& bodies, std::size_t first, std::size_t last) {
  const auto freedoms = bodies.freedom.stored();
  predict_kind(bodies.position, freedoms, false, first, last);
  if (bodies.has_orientations())
    gear_predict_orientations(bodies, first, last);
  else
    predict_kind(bodies.rotation, freedoms, true, first, last);
}

void gear_correct(Bodies& bodies, double dt, const GearCoefficientSet& coefficients, std::size_t first,
                  std::size_t last) {
  const GearCoefficientSet c = coefficients;  // a copy that no store can change
  const double *force = coordinates(std::as_const(bodies).force), *torque = coordinates(std::as_const(bodies).torque);
  const auto freedoms = bodies.freedom.stored();
  const double scale = 0.5 * dt * dt;
  correct_kind(bodies.position, force, scale, bodies.mass.stored(), freedoms, false, c, first, last);
  if (bodies.has_orientations())
    gear_correct_orientations(bodies, dt, c, first, last);
  else
    correct_kind(bodies.rotation, torque, scale, bodies.moment.stored(), freedoms, true, c, first, last);
}

double gear_start(Bodies& bodies, double dt, const ForceEvaluation& evaluate) {
  std::vector<Trial> trials;
  trials.push_back({bodies.position, bodies.force, bodies.mass.stored(), bodies.freedom.stored(), 0});
  std::optional<OrientationTrial> orientations;
  if (bodies.has_orientations())
    orientations.emplace(bodies);
  else
    trials.push_back({bodies.rotation, bodies.torque, bodies.moment.stored(), bodies.freedom.stored(), 3});
  const double h = dt / 4;
  for (Trial& t : trials) t.begin(dt);
  if (orientations) orientations->begin(dt);
  for (std::size_t step = 0; step < 4; ++step) {
    for (std::size_t stage = 0; stage < 4; ++stage) {
      if (orientations && stage > 0) orientations->place(dt, stage == 3 ? h : h / 2, stage - 1);
      evaluate(bodies);
      for (Trial& t : trials) t.go_on(dt, h, step, stage);
      if (!orientations) continue;
      if (stage == 0) orientations->note(dt, step);
      orientations->slope(dt, stage);
    }
    if (orientations) orientations->advance(dt, h);
  }
  evaluate(bodies);
  if (orientations) orientations->note(dt, 4);
  // Rotations count with the radius of gyration, together with translations. So round-off torques of forces through the
  // centroid (discs without friction) do not count as roughness.
  double largest = 0, rough = 0;
  trials[0].finish(
      dt, [](std::size_t) { return 1.0; }, largest, rough);
  if (orientations)
    orientations->finish(dt, largest, rough);
  else
    trials[1].finish(
        dt, [&](std::size_t b) { return std::sqrt(bodies.moment.stored()[b] / bodies.mass.stored()[b]); }, largest,
        rough);
  evaluate(bodies);
  return largest > 0 ? rough / largest : 0;
}

void gear_start_plain(Bodies& bodies, double dt) {
  const auto start = [dt, &bodies](Terms& terms, const ByBody<Vec3>& load, std::span<const double> inertia, int shift) {
    const auto a = accelerations(load, inertia, bodies.freedom.stored(), shift);
    double* r2 = coordinates(terms[2]);
    for (std::size_t i = 0; i < a.size(); ++i) r2[i] = 0.5 * dt * dt * a[i];
    for (std::size_t k = 3; k < gear_terms; ++k) terms[k].fill({});
  };
  start(bodies.position, bodies.force, bodies.mass.stored(), 0);
  if (bodies.has_orientations())
    start_orientations(bodies, dt);
  else
    start(bodies.rotation, bodies.torque, bodies.moment.stored(), 3);
}

}  // namespace dem
