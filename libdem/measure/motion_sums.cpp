#include "libdem/measure/motion_sums.hpp"

#include <cmath>

#include "libdem/motion/coordinates.hpp"
#include "libdem/motion/rigid_rotation.hpp"

namespace dem {
namespace {

// I ω about the centroid.
Vec3 spin_momentum(const Bodies& bodies, std::size_t b, Vec3 omega) {
  if (!bodies.has_orientations()) return bodies.moment[b] * omega;
  return angular_momentum_of(bodies.orientation[0][b], bodies.principal_moments[b], omega);
}

template <class Size>
ForceSums sums_of(std::span<const ContactRecord> contacts, const Bodies& bodies, Size size) {
  ForceSums sums;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!is_free(bodies, b)) continue;
    sums.resultants += size(free_part(bodies.force[b], bodies.freedom[b]));
    ++sums.bodies;
  }
  for (const ContactRecord& c : contacts) sums.forces += size(c.force);
  sums.contacts = double(contacts.size());
  return sums;
}

}  // namespace

KineticEnergy kinetic_energy(const Bodies& bodies, double dt, BodySet set) {
  KineticEnergy e;
  const double per_dt = 1 / dt;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const unsigned freedom = bodies.freedom[b];
    if (freedom == 0 || !contains(set, b)) continue;
    const Vec3 v = per_dt * free_part(bodies.position[1][b], freedom);
    const Vec3 w = per_dt * free_part(bodies.rotation[1][b], freedom >> 3);
    e.translation += 0.5 * bodies.mass[b] * dot(v, v);
    e.rotation += 0.5 * dot(w, spin_momentum(bodies, b, w));
  }
  return e;
}

Vec3 momentum(const Bodies& bodies, double dt, BodySet set) {
  Vec3 p;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (contains(set, b)) p += bodies.mass[b] / dt * bodies.position[1][b];
  return p;
}

Vec3 angular_momentum(const Bodies& bodies, double dt, Vec3 origin, BodySet set) {
  Vec3 l;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!contains(set, b)) continue;
    l += bodies.mass[b] / dt * cross(bodies.position[0][b] - origin, bodies.position[1][b]);
    l += spin_momentum(bodies, b, (1 / dt) * bodies.rotation[1][b]);
  }
  return l;
}

double unbalanced_force_index(std::span<const ContactRecord> contacts, const Bodies& bodies) {
  return std::sqrt(sums_of(contacts, bodies, [](Vec3 f) { return dot(f, f); }).ratio());
}

double ForceSums::ratio() const { return bodies == 0 || forces == 0 ? 0 : resultants / bodies / (forces / contacts); }

ForceSums force_sums(std::span<const ContactRecord> contacts, const Bodies& bodies) {
  return sums_of(contacts, bodies, [](Vec3 f) { return norm(f); });
}

double mean_unbalanced_force(std::span<const ContactRecord> contacts, const Bodies& bodies) {
  return force_sums(contacts, bodies).ratio();
}

}  // namespace dem
