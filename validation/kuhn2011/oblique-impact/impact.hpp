// One oblique impact of a sphere on a plate at rest, computed by the program, and closed forms for it.
#pragma once
#include <optional>
#include <string>

#include "libdem/case.hpp"
#include "libdem/laws/hertz_mindlin.hpp"

namespace dem::validation::kuhn2011::impacts {

struct ElasticBody {
  double young = 0, poisson = 0, density = 0;  ///< Pa, –, kg/m³
  double shear() const { return young / (2 * (1 + poisson)); }
};

enum class Dashpots { none, normal, both };  ///< both: the tangential one as a case has it by default

/// A solid sphere without spin. The plate is a held sphere of 10 m: what its curvature changes is of the order of the
/// ratio of radii, 2.5e-4, for the time of the contact, and nothing for velocities over each other.
struct Impact {
  std::string law = "jaeger";
  MindlinMemory memory = MindlinMemory::none;  ///< law hertz-mindlin
  Dashpots dashpots = Dashpots::both;
  ElasticBody sphere, plate;
  double radius = 2.5e-3;  ///< m
  double friction = 0;
  double restitution = 1;       ///< normal; used unless `dashpots` is none
  double speed = 0, angle = 0;  ///< m/s; rad from the normal
  double steps = 1000;          ///< during the contact
};

struct Rebound {
  double e_n = 0, e_t = 0;      ///< velocity of the centre after over before, normal (positive) and tangential
  double spin = 0;              ///< rad/s, positive where the sphere rolls on
  double psi_1 = 0, psi_2 = 0;  ///< tangential velocity of the contact point before and after over κ μ v_n, v_n before
  double overlap = 0;           ///< largest (m)
  double residual = 0;          ///< of the energy ledger, over the kinetic energy before
};

Case impact_case(const Impact&);
/// Throws std::runtime_error when the sphere does not leave.
Rebound rebound_of(const Impact&);

/// κ of the two bodies.
double ratio_of(const Impact&);
/// Duration of the contact without dashpots (Hertz, s).
double duration_of(const Impact&);

/// e_t of a contact that slides from beginning to end, whatever its law: the impulse μ m (1 + e_n) v_n.
double sliding_restitution(double friction, double e_n, double angle);
/// And its spin (rad/s).
double sliding_spin(double friction, double e_n, double speed, double angle, double radius);
/// e_t of an elastic impact with a spring in place of a history, T = K_t(a) δ_t, δ_t the whole tangential movement, cut
/// off at μ N: "Hertz–Mindlin without slip" as many programs have it. `steps` during the contact.
double spring_restitution(double ratio, double friction, double angle, int steps);

/// Spin that e_t implies for a solid sphere, by balance of momentum: ω = 5 v_t (1 − e_t)/(2r).
double spin_of_restitution(double e_t, double speed, double angle, double radius);
/// ψ_2 of the contact point that e_t implies: v_t − r ω.
double psi_2_of_restitution(double psi_1, double e_t);

}  // namespace dem::validation::kuhn2011::impacts
