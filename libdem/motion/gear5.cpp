#include "libdem/motion/gear5.hpp"

#include <algorithm>
#include <cmath>

#include "libdem/motion/coordinates.hpp"

namespace dem {
namespace {

using Terms = std::array<std::vector<Vec3>, gear_terms>;

// The flat loops take pointers as parameters: only there is __restrict honoured well enough for the compiler to vectorise.

// Pascal's triangle by successive additions: 15 additions a coordinate, no multiplication.
void predict(std::size_t n, double* __restrict r0, double* __restrict r1, double* __restrict r2, double* __restrict r3,
             double* __restrict r4, const double* __restrict r5) {
  for (std::size_t i = 0; i < n; ++i) {
    double a0 = r0[i], a1 = r1[i], a2 = r2[i], a3 = r3[i], a4 = r4[i];
    const double a5 = r5[i];
    a4 += a5; a3 += a4; a2 += a3; a1 += a2; a0 += a1;
    a4 += a5; a3 += a4; a2 += a3; a1 += a2;
    a4 += a5; a3 += a4; a2 += a3;
    a4 += a5; a3 += a4;
    a4 += a5;
    r0[i] = a0; r1[i] = a1; r2[i] = a2; r3[i] = a3; r4[i] = a4;
  }
}

void correct(std::size_t n, const double* __restrict answer, const double* __restrict load, const GearCoefficientSet& c,
             double* __restrict r0, double* __restrict r1, double* __restrict r2, double* __restrict r3,
             double* __restrict r4, double* __restrict r5) {
  const double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4], c5 = c[5];
  for (std::size_t i = 0; i < n; ++i) {
    // A coordinate that is not free has answer 0 and r2 = 0: d vanishes without a branch.
    const double d = answer[i] * load[i] - r2[i];
    r0[i] += c0 * d;
    r1[i] += c1 * d;
    r2[i] += c2 * d;
    r3[i] += c3 * d;
    r4[i] += c4 * d;
    r5[i] += c5 * d;
  }
}

void predict(Terms& terms, std::size_t first, std::size_t last) {
  const auto at = [&](std::size_t k) { return coordinates(terms[k]) + 3 * first; };
  predict(3 * (last - first), at(0), at(1), at(2), at(3), at(4), at(5));
}

void correct(Terms& terms, const std::vector<Vec3>& load, std::span<const double> inertia,
             std::span<const std::uint8_t> freedom, int shift, double dt, const GearCoefficientSet& c, std::size_t first,
             std::size_t last) {
  double answer[3 * bodies_per_pass];
  for (std::size_t end; first < last; first = end) {
    end = std::min(first + bodies_per_pass, last);
    fill_answers(inertia, freedom, shift, 0.5 * dt * dt, first, end, answer);
    const auto at = [&](std::size_t k) { return coordinates(terms[k]) + 3 * first; };
    correct(3 * (end - first), answer, coordinates(load) + 3 * first, c, at(0), at(1), at(2), at(3), at(4), at(5));
  }
}

// Accelerations of one kind (free coordinates; others 0), flat.
std::vector<double> accelerations(const std::vector<Vec3>& load, std::span<const double> inertia,
                                  std::span<const std::uint8_t> freedom, int shift) {
  std::vector<double> a(3 * inertia.size());
  fill_answers(inertia, freedom, shift, 1.0, 0, inertia.size(), a.data());
  const double* f = coordinates(load);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] *= f[i];
  return a;
}

// One kind of coordinate (positions or rotations) during the start: state (x, v) and the accelerations on the trial steps.
struct Trial {
  Terms& terms;
  const std::vector<Vec3>& load;
  std::span<const double> inertia;
  std::span<const std::uint8_t> freedom;
  int shift;
  std::vector<double> x{}, v{};                  // state at the beginning of the trial step
  std::array<std::vector<double>, 4> k_x{}, k_v{};  // slopes of a Runge–Kutta step
  std::array<std::vector<double>, 5> a{};        // accelerations after 0 … 4 trial steps
  std::vector<Vec3> start_x{}, start_r1{};

  void begin(double dt) {
    start_x = terms[0], start_r1 = terms[1];
    const double *r0 = coordinates(terms[0]), *r1 = coordinates(terms[1]);
    x.assign(r0, r0 + 3 * inertia.size());
    v.resize(x.size());
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = r1[i] / dt;
  }
  std::vector<double> acceleration() const { return accelerations(load, inertia, freedom, shift); }
  // Bodies at (x + h k_x, v + h k_v) of the given stage.
  void place(double dt, double h, std::size_t stage) {
    double *r0 = coordinates(terms[0]), *r1 = coordinates(terms[1]);
    for (std::size_t i = 0; i < x.size(); ++i) {
      r0[i] = x[i] + h * k_x[stage][i];
      r1[i] = (v[i] + h * k_v[stage][i]) * dt;
    }
  }
  void slope(double dt, std::size_t stage) {
    const double* r1 = coordinates(terms[1]);
    k_x[stage].resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) k_x[stage][i] = r1[i] / dt;
    k_v[stage] = acceleration();
  }
  void advance(double dt, double h) {
    double *r0 = coordinates(terms[0]), *r1 = coordinates(terms[1]);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += h / 6 * (k_x[0][i] + 2 * k_x[1][i] + 2 * k_x[2][i] + k_x[3][i]);
      v[i] += h / 6 * (k_v[0][i] + 2 * k_v[1][i] + 2 * k_v[2][i] + k_v[3][i]);
      r0[i] = x[i];
      r1[i] = v[i] * dt;
    }
  }
  // Derivatives at the start of the polynomial through a(0), a(h), … a(4h), h = Δt/4, by forward differences (Newton). Raises
  // `largest` to the largest acceleration and `rough` to the largest fourth difference, both as those of a point at `radius(b)`.
  template <class Radius>
  void finish(double dt, Radius radius, double& largest, double& rough) {
    terms[0] = std::move(start_x), terms[1] = std::move(start_r1);
    double *r2 = coordinates(terms[2]), *r3 = coordinates(terms[3]), *r4 = coordinates(terms[4]), *r5 = coordinates(terms[5]);
    const double half = 0.5 * dt * dt;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double d1 = a[1][i] - a[0][i], d2 = a[2][i] - 2 * a[1][i] + a[0][i];
      const double d3 = a[3][i] - 3 * a[2][i] + 3 * a[1][i] - a[0][i];
      const double d4 = a[4][i] - 4 * a[3][i] + 6 * a[2][i] - 4 * a[1][i] + a[0][i];
      // h a', h² a'', h³ a''' at the start; Δt = 4h.
      const double h1 = d1 - d2 / 2 + d3 / 3 - d4 / 4, h2 = d2 - d3 + 11.0 / 12 * d4, h3 = d3 - 1.5 * d4;
      r2[i] = half * a[0][i];
      r3[i] = half * (4 * h1) / 3;     // Δt³ a'/3!
      r4[i] = half * (16 * h2) / 12;   // Δt⁴ a''/4!
      r5[i] = half * (64 * h3) / 60;   // Δt⁵ a'''/5!
      const double length = radius(i / 3);
      for (const auto& each : a) largest = std::max(largest, length * std::abs(each[i]));
      rough = std::max(rough, length * std::abs(d4));
    }
  }
};

}  // namespace

void gear_predict(Bodies& bodies, std::size_t first, std::size_t last) {
  predict(bodies.position, first, last);
  predict(bodies.rotation, first, last);
}

void gear_correct(Bodies& bodies, double dt, const GearCoefficientSet& c, std::size_t first, std::size_t last) {
  correct(bodies.position, bodies.force, bodies.mass, bodies.freedom, 0, dt, c, first, last);
  correct(bodies.rotation, bodies.torque, bodies.moment, bodies.freedom, 3, dt, c, first, last);
}

double gear_start(Bodies& bodies, double dt, const ForceEvaluation& evaluate) {
  Trial trials[] = {{bodies.position, bodies.force, bodies.mass, bodies.freedom, 0},
                    {bodies.rotation, bodies.torque, bodies.moment, bodies.freedom, 3}};
  const double h = dt / 4;
  for (auto& t : trials) t.begin(dt);
  for (std::size_t step = 0; step < 4; ++step) {
    for (std::size_t stage = 0; stage < 4; ++stage) {
      if (stage > 0)
        for (auto& t : trials) t.place(dt, stage == 3 ? h : h / 2, stage - 1);
      evaluate(bodies);
      for (auto& t : trials) t.slope(dt, stage);
    }
    for (auto& t : trials) {
      t.a[step] = t.k_v[0];
      t.advance(dt, h);
    }
  }
  evaluate(bodies);
  for (auto& t : trials) t.a[4] = t.acceleration();
  // Rotations count with the radius of gyration, beside the translations: angular accelerations that are round-off of forces through
  // the centroid (discs without friction) are no roughness.
  double largest = 0, rough = 0;
  trials[0].finish(dt, [](std::size_t) { return 1.0; }, largest, rough);
  trials[1].finish(dt, [&](std::size_t b) { return std::sqrt(bodies.moment[b] / bodies.mass[b]); }, largest, rough);
  evaluate(bodies);
  return largest > 0 ? rough / largest : 0;
}

void gear_start_plain(Bodies& bodies, double dt) {
  const auto start = [dt, &bodies](Terms& terms, const std::vector<Vec3>& load, std::span<const double> inertia, int shift) {
    const auto a = accelerations(load, inertia, bodies.freedom, shift);
    double* r2 = coordinates(terms[2]);
    for (std::size_t i = 0; i < a.size(); ++i) r2[i] = 0.5 * dt * dt * a[i];
    for (std::size_t k = 3; k < gear_terms; ++k) std::fill(terms[k].begin(), terms[k].end(), Vec3{});
  };
  start(bodies.position, bodies.force, bodies.mass, 0);
  start(bodies.rotation, bodies.torque, bodies.moment, 3);
}

void gear_rescale(Bodies& bodies, double ratio) {
  double factor = 1;
  for (std::size_t k = 1; k < gear_terms; ++k) {
    factor *= ratio;
    for (auto* terms : {&bodies.position, &bodies.rotation})
      for (auto& r : (*terms)[k]) r = factor * r;
  }
}

}  // namespace dem
