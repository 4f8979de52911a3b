#include "libdem/motion/velocity_verlet.hpp"

#include <algorithm>
#include <array>

#include "libdem/motion/coordinates.hpp"
#include "libdem/motion/rigid_rotation.hpp"

namespace dem {
namespace {

using Terms = std::array<std::vector<Vec3>, gear_terms>;

void predict(Terms& terms, std::size_t first, std::size_t last) {
  double* __restrict r0 = coordinates(terms[0]);
  double* __restrict r1 = coordinates(terms[1]);
  const double* __restrict r2 = coordinates(terms[2]);
  for (std::size_t i = 3 * first; i < 3 * last; ++i) {
    const double a = r2[i], v = r1[i] + a;
    r0[i] += v;
    r1[i] = v + a;
  }
}

// v_old Δt + (a_old + a_new) Δt²/2 = r_1^p + (r_2 − r_2^p).
void correct(Terms& terms, const std::vector<Vec3>& load, std::span<const double> inertia,
             std::span<const std::uint8_t> freedom, int shift, double dt, std::size_t first, std::size_t last) {
  double answer[3 * bodies_per_pass];
  for (; first < last; first += std::min(bodies_per_pass, last - first)) {
    const std::size_t end = std::min(first + bodies_per_pass, last), n = 3 * (end - first), start = 3 * first;
    fill_answers(inertia, freedom, shift, 0.5 * dt * dt, first, end, answer);
    const double* __restrict f = coordinates(load) + start;
    double* __restrict r1 = coordinates(terms[1]) + start;
    double* __restrict r2 = coordinates(terms[2]) + start;
    for (std::size_t i = 0; i < n; ++i) {
      const double d = answer[i] * f[i] - r2[i];
      r1[i] += d;
      r2[i] += d;
    }
  }
}

}  // namespace

void verlet_predict(Bodies& bodies, std::size_t first, std::size_t last) {
  predict(bodies.position, first, last);
  if (bodies.has_orientations()) verlet_predict_orientations(bodies, first, last);
  else predict(bodies.rotation, first, last);
}

void verlet_correct(Bodies& bodies, double dt, std::size_t first, std::size_t last) {
  correct(bodies.position, bodies.force, bodies.mass, bodies.freedom, 0, dt, first, last);
  if (bodies.has_orientations()) verlet_correct_orientations(bodies, dt, first, last);
  else correct(bodies.rotation, bodies.torque, bodies.moment, bodies.freedom, 3, dt, first, last);
}

}  // namespace dem
