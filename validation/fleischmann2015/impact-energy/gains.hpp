// What the kinetic energy of a sphere gains when it meets a flat wall, with each form of the tangential spring.
//
// What a contact of hard spheres does depends on the velocity of the contact point alone, s = v_x − R ω along the wall
// and v_n. In s the sphere has 2/7 of its mass, and the rest of the energy, ½ (5/7) m (v_x + 2/5 R ω)², no tangential
// force can change. So of all spins with the same s/v_n the gain, over the energy before, is largest where that rest is
// zero: R ω = −5/2 v_x, s = 7/2 v_x. Of soft spheres the lever R − δ/2 shrinks during the contact, so that a spin
// changes s by itself, and each spin has a gain of its own.
#pragma once
#include <string>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/laws/hertz_history.hpp"
#include "validation/fleischmann2015/one_contact.hpp"

namespace dem::validation::fleischmann2015 {

enum class Form { hooke, displacement, force_increment, rescaled };
const char* name_of(Form);

struct Impact {
  Form form = Form::hooke;
  double young = 4e10;  ///< Pa; Hertz: head-on at 1 m/s the largest overlap is 5 % of the radius at 4e7, 0.3 % at 4e10.
                        ///< Hooke: k_n is 5e-5 m times it
  double poisson_ratio = 0.22;  ///< Hertz: k_t/k_n = 3(1 − ν)/(2 − ν)
  double stiffness_ratio = 1;   ///< Hooke: k_t/k_n
  double friction = 0.5, restitution = 1;
  FrictionLimit limit = FrictionLimit::total;
  double spin = 0;      ///< R ω/v_x before
  double degrees = 45;  ///< of the velocity of the centre from the normal
  double steps = 1000;  ///< during the contact
};
inline constexpr double spin_of_largest_gain = -2.5;

struct ImpactEnergy {
  double gain = 0;         ///< kinetic energy after over before, less 1
  double circulation = 0;  ///< work that the tangential force took up less what it stored and what friction dissipated,
                           ///< over the energy before
  double friction = 0;     ///< dissipated, over the same
};
/// The law alone, on a flat wall, velocity Verlet. Throws std::runtime_error when the sphere does not leave.
ImpactEnergy energy_of(const Impact&);

/// Largest overlap of a head-on impact at the same speed, over the radius (Hertz).
double overlap_of(const Impact&);
/// s/v_n up to which an elastic contact sticks when it touches: μ k_n/k_t, k_t u being below μ F_n for small overlaps.
double sticking_limit(const Impact&);
/// The angle of the centre's velocity (degrees) where s/v_n has this absolute value.
double degrees_of(const Impact&, double slip);
/// s/v_n from 0.1 to 30 times the limit, itself included; up to 89°.
std::vector<double> slips_of(const Impact&, int per_decade);

struct LargestGain {
  double gain = -1;
  Impact impact;
};
/// Over angles.
LargestGain largest_gain(Impact, int per_decade = 24);

/// The same impact by the program: a sphere against a held one of 10 m, or two equal free spheres that meet at opposite
/// velocities and equal spins.
enum class Partner { held, free };
ImpactEnergy energy_of_run(const Impact&, Partner);
Case case_of(const Impact&, Partner);

}  // namespace dem::validation::fleischmann2015
