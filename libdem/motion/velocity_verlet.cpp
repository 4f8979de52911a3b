#include "libdem/motion/velocity_verlet.hpp"

#include <algorithm>
#include <array>

#include "libdem/motion/coordinates.hpp"
#include "libdem/motion/rigid_rotation.hpp"
#include "libdem/platform/vector_clones.hpp"

namespace dem {
namespace {

using Terms = std::array<ByBody<Vec3>, gear_terms>;

LIBDEM_VECTOR_CLONES void predict(double* __restrict r0, double* __restrict r1, const double* __restrict r2,
                                  std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double a = r2[i], v = r1[i] + a;
    r0[i] += v;
    r1[i] = v + a;
  }
}

void predict(Terms& terms, std::size_t first, std::size_t last) {
  predict(coordinates(terms[0]) + 3 * first, coordinates(terms[1]) + 3 * first, coordinates(terms[2]) + 3 * first,
          3 * (last - first));
}

// v_old Δt + (a_old + a_new) Δt²/2 = r_1^p + (r_2 − r_2^p).
LIBDEM_VECTOR_CLONES void correct(double* __restrict r1, double* __restrict r2, const double* __restrict load,
                                  const double* __restrict inertia, const std::uint8_t* __restrict freedom, int shift,
                                  double scale, std::size_t bodies) {
  double answer[3 * bodies_per_pass];
  for (std::size_t first = 0; first < bodies; first += bodies_per_pass) {
    const std::size_t count = std::min(bodies_per_pass, bodies - first), start = 3 * first;
    fill_answers(inertia + first, freedom + first, shift, scale, count, answer);
    for (std::size_t i = 0; i < 3 * count; ++i) {
      const double d = answer[i] * load[start + i] - r2[start + i];
      r1[start + i] += d;
      r2[start + i] += d;
    }
  }
}

void correct(Terms& terms, const ByBody<Vec3>& load, std::span<const double> inertia,
             std::span<const std::uint8_t> freedom, int shift, double dt, std::size_t first, std::size_t last) {
  correct(coordinates(terms[1]) + 3 * first, coordinates(terms[2]) + 3 * first, coordinates(load) + 3 * first,
          inertia.data() + first, freedom.data() + first, shift, 0.5 * dt * dt, last - first);
}

}  // namespace

void verlet_predict(Bodies& bodies, std::size_t first, std::size_t last) {
  predict(bodies.position, first, last);
  if (bodies.has_orientations())
    verlet_predict_orientations(bodies, first, last);
  else
    predict(bodies.rotation, first, last);
}

void verlet_correct(Bodies& bodies, double dt, std::size_t first, std::size_t last) {
  correct(bodies.position, bodies.force, bodies.mass.stored(), bodies.freedom.stored(), 0, dt, first, last);
  if (bodies.has_orientations())
    verlet_correct_orientations(bodies, dt, first, last);
  else
    correct(bodies.rotation, bodies.torque, bodies.moment.stored(), bodies.freedom.stored(), 3, dt, first, last);
}

}  // namespace dem
