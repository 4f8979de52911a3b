// Two spheres that turn as one body, or collide, with either lever of the tangential force.
#pragma once
#include <vector>

#include "libdem/case.hpp"

namespace dem::validation::fleischmann2015 {

inline constexpr double sphere_radius = 3e-3, sphere_density = 2550;  ///< m, kg/m³

/// A pair pressed by 2e-5 m, k_n 2000 and k_t 1600 N/m, turned as one rigid body about an axis through the first sphere
/// (T9).
struct PairTurn {
  Lever lever = Lever::contact_point;
  double friction = 0.9;
  double angle = 1.5707963267948966;
  int steps = 1000;
  Vec3 axis{0, 1, 0};  ///< unit
  double k_n = 2000, k_t = 1600, radius = sphere_radius, overlap = 2e-5;
};
struct Turned {
  std::vector<double> angle, slip;  ///< rad; elongation of the spring after each step (m)
  bool slides = false;              ///< at the end
  double force = 0;                 ///< tangential, at the end (N)
};
Turned turn_pair(const PairTurn&);

/// Two free spheres meet off-centre, with spins in all directions; no dashpots unless restitution < 1.
struct Collision {
  Lever lever = Lever::contact_point;
  const char* law = "hooke-history";
  TangentialHistory history = TangentialHistory::whole;
  Integrator integrator = Integrator::velocity_verlet;
  double softness = 1;  ///< the overlap grows about as its root: stiffnesses are divided by it
  double friction = 0.5, restitution = 1;
  double steps = 500;  ///< during the contact
};
struct Collided {
  double momentum = 0;               ///< |change of the total angular momentum| over that before
  double by_lever = 0;               ///< |∫ δ n × F_t dt| over the same: what the couple of the wrong levers makes
  double overlap = 0;                ///< largest, over the radius
  double energy = 0;                 ///< kinetic energy after over before
  std::vector<double> time, change;  ///< over the duration; |change| so far, over the angular momentum before
};
/// Throws std::runtime_error when the spheres do not part.
Collided collide(const Collision&);
Case collision_case(const Collision&);

}  // namespace dem::validation::fleischmann2015
