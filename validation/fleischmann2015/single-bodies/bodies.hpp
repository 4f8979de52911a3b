// Case D of the direct-shear reference: what a few spheres do on real walls of the program, as cases for studies and
// tests. Spheres of R 2.5 mm, 2500 kg/m³, law hooke-history with k_n 2000 N/m, k_t 2/7 of it, γ_n 400 and γ_t 200 1/s.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/laws/displacement_history.hpp"
#include "validation/fleischmann2015/one_contact.hpp"

namespace dem::validation::fleischmann2015 {

inline constexpr double ball_radius = 2.5e-3, ball_stiffness = 2000;  ///< m, N/m
inline constexpr std::array histories{TangentialHistory::whole, TangentialHistory::pseudo, TangentialHistory::none};
inline const char* name_of(TangentialHistory h) {
  return h == TangentialHistory::whole ? "true" : h == TangentialHistory::pseudo ? "pseudo" : "none";
}

/// No bodies yet; material, law, gravity, velocity Verlet.
Case ball_case(TangentialHistory, double friction = 0.5);
BodySpec ball_at(Vec3 position, double radius = ball_radius);
double ball_mass();
/// The plane z = 0.
WallSpec ground(std::string material = {});

/// D1: a sphere on the ground, gravity tilted towards +x, pressed as at rest.
struct Slope {
  TangentialHistory history = TangentialHistory::whole;
  double degrees = 15, dt = 1e-5;
  bool locked = true;  ///< cannot turn
  Lever lever = Lever::contact_point;
};
struct OnSlope {
  double speed = 0, elongation = 0;        ///< at the end (m/s, m)
  std::vector<double> time, path, speeds;  ///< each 0.1 ms (s, m, m/s)
};
Case slope_case(const Slope&);
OnSlope run_slope(const Slope&, double until);

/// D7: a sphere that slides on the ground until it rolls.
struct Rolled {
  double speed = 0;     ///< at the end, over that at the start
  double rolls_at = 0;  ///< when the contact point first rests, to 1e-3 of the start (s); 0: never
  double overlap = 0;   ///< at rest (m)
};
Rolled run_rolling(TangentialHistory, double until);

/// D2: spheres that touch each other on the ground, one on top: a pyramid of 3 + 1, a wedge of 2 + 1 kept in a plane.
/// Released without any compression.
struct Stack {
  bool wedge = false;
  TangentialHistory history = TangentialHistory::whole;
  double friction = 0.5, ground_friction = 0.5, dt = 2e-5;
  double slowly = 0;  ///< this long (s) under mass damping, so that weight comes on without inertia
  Lever lever = Lever::contact_point;
  double stiffer = 1;  ///< factor of k_n and k_t; Δt goes with 1/√ of it
};
struct Fate {
  double height = 0;                           ///< of the top sphere's centre over the diameter, at the end
  double fell_at = 0;                          ///< when it was below half of its first height (s); 0: never
  double contact_ratio = 0, ground_ratio = 0;  ///< F_t/F_n under the top sphere and on the ground, means at the end
  std::vector<double> time, heights;           ///< each millisecond
};
Case stack_case(const Stack&);
Fate fate_of(const Stack&, double until);
/// Statics: least friction under the top sphere, and of the ground.
struct LeastFriction {
  double contact = 0, ground = 0;
};
LeastFriction least_friction(bool wedge);

/// D3: a sphere of 3 mm pressed on the floor of a shear box by a constant force; the floor moves forth, back and forth
/// again. `travel`: of the first leg (m).
struct Loop {
  Coefficients coefficients;
  double overlap = 2e-5, speed = 0.01, dt = 1e-6, travel = 1.2e-5;
  double normal() const;     ///< F_n (N)
  double stiffness() const;  ///< f k_t (N/m)
  double damping() const;    ///< f γ_t m̄ (kg/s)
};
struct LoopTrace {
  std::vector<double> x, force;  ///< of the floor (m); of the sphere on it along x (N), by step
  std::vector<double> normal;    ///< F_n of each step
  std::vector<bool> slides;
};
Case loop_case(const Loop&);
LoopTrace run_loop(const Loop&);

/// D4: T5 on a real wall: 3 mm, 2550 kg/m³.
struct WallImpact {
  Coefficients coefficients;
  bool midpoint = true;  ///< lever
  TangentialHistory history = TangentialHistory::whole;
  FrictionLimit limit = FrictionLimit::total;
  double degrees = 40, dt = 1e-6, speed = 1;
  Elongation elongation = Elongation::velocity;
  VelocitySource source = VelocitySource::predicted;  ///< of elongation by velocity
  bool clip_tension = false;
};
Case impact_case(const WallImpact&);
/// Impulses are those of the velocities. Throws std::runtime_error when the sphere does not leave.
Rebound rebound_from_wall(const WallImpact&);

/// Two equal spheres of 3 mm that meet head-on along z, each at `speed`, with spins about y.
struct SpinImpact {
  Coefficients coefficients;  ///< of a sphere on a wall
  double speed = 0.5, spin_1 = 0, spin_2 = 0, dt = 1e-6;
};
struct SpinRebound {
  std::array<Vec3, 2> velocity;  ///< after (m/s)
  std::array<double, 2> spin{};  ///< about y (1/s)
};
SpinRebound collide_spinning(const SpinImpact&);

}  // namespace dem::validation::fleischmann2015
