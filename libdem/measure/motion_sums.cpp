#include "libdem/measure/motion_sums.hpp"

#include <cmath>

#include "libdem/motion/rigid_rotation.hpp"

namespace dem {
namespace {

// Keeps the free coordinates of a vector and sets the others to zero.
Vec3 free_part(Vec3 a, unsigned freedom, int shift) {
  const unsigned f = freedom >> shift;
  return {f & 1u ? a.x : 0.0, f & 2u ? a.y : 0.0, f & 4u ? a.z : 0.0};
}

// I ω about the centroid.
Vec3 spin_momentum(const Bodies& bodies, std::size_t b, Vec3 omega) {
  if (!bodies.has_orientations()) return bodies.moment[b] * omega;
  return angular_momentum_of(bodies.orientation[0][b], bodies.principal_moments[b], omega);
}

}  // namespace

KineticEnergy kinetic_energy(const Bodies& bodies, double dt, BodySet set) {
  KineticEnergy e;
  const double per_dt = 1 / dt;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const unsigned freedom = bodies.freedom[b];
    if (freedom == 0 || !contains(set, b)) continue;
    const Vec3 v = per_dt * free_part(bodies.position[1][b], freedom, 0);
    const Vec3 w = per_dt * free_part(bodies.rotation[1][b], freedom, 3);
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
  double resultant = 0, contact = 0;
  std::size_t n = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!is_free(bodies, b)) continue;
    const Vec3 f = free_part(bodies.force[b], bodies.freedom[b], 0);
    resultant += dot(f, f);
    ++n;
  }
  for (const ContactRecord& c : contacts) contact += dot(c.force, c.force);
  if (n == 0 || contact == 0) return 0;
  return std::sqrt(resultant / double(n) / (contact / double(contacts.size())));
}

double mean_unbalanced_force(std::span<const ContactRecord> contacts, const Bodies& bodies) {
  double resultant = 0, contact = 0;
  std::size_t n = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!is_free(bodies, b)) continue;
    resultant += norm(free_part(bodies.force[b], bodies.freedom[b], 0));
    ++n;
  }
  for (const ContactRecord& c : contacts) contact += norm(c.force);
  if (n == 0 || contact == 0) return 0;
  return resultant / double(n) / (contact / double(contacts.size()));
}

double mean_diameter(const Bodies& bodies, std::span<const Shape> shapes, BodySet set) {
  double sum = 0;
  std::size_t n = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Shape& shape = shapes[bodies.shape[b]];
    if (!contains(set, b) || shape.is_wall()) continue;
    sum += 2 * shape.equivalent_radius();
    ++n;
  }
  return n > 0 ? sum / double(n) : 0;
}

}  // namespace dem
