#include "libdem/measure/motion_sums.hpp"

#include <cmath>

#include "libdem/measure/body_set.hpp"
#include "libdem/motion/coordinates.hpp"
#include "libdem/motion/rigid_rotation.hpp"

namespace dem {
namespace {

template <class Size>
ForceSums sums_of(ContactLoads contacts, const Bodies& bodies, Size size) {
  ForceSums sums;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!is_free(bodies, b)) continue;
    sums.resultants += size(free_part(bodies.force[b], bodies.freedom[b]));
    ++sums.bodies;
  }
  for (const ContactLoad& c : contacts) sums.forces += size(c.force);
  sums.contacts = double(contacts.size());
  return sums;
}

}  // namespace

Vec3 spin_momentum(const Bodies& bodies, std::size_t b, Vec3 omega) {
  if (!bodies.has_orientations()) return bodies.moment[b] * omega;
  return angular_momentum_of(bodies.orientation[0][b], bodies.principal_moments[b], omega);
}

double kinetic_energy(const State& state) {
  const Bodies& bodies = state.bodies;
  double translation = 0, rotation = 0;
  const double per_dt = 1 / state.dt;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const unsigned freedom = bodies.freedom[b];
    if (freedom == 0) continue;
    const Vec3 v = per_dt * free_part(bodies.position[1][b], freedom);
    const Vec3 w = per_dt * free_part(bodies.rotation[1][b], freedom >> 3);
    translation += 0.5 * bodies.mass[b] * dot(v, v);
    rotation += 0.5 * dot(w, spin_momentum(bodies, b, w));
  }
  return translation + rotation;
}

double unbalanced_force_index(ContactLoads contacts, const Bodies& bodies) {
  return std::sqrt(sums_of(contacts, bodies, [](Vec3 f) { return dot(f, f); }).ratio());
}

double ForceSums::ratio() const { return bodies == 0 || forces == 0 ? 0 : resultants / bodies / (forces / contacts); }

ForceSums force_sums(ContactLoads contacts, const Bodies& bodies) {
  return sums_of(contacts, bodies, [](Vec3 f) { return norm(f); });
}

}  // namespace dem
