// Sums over bodies: energy, momentum, balance of forces. Velocities are read from the Gear terms, r_1/Δt (Δt in s).
#pragma once
#include <span>

#include "libdem/measure/body_set.hpp"
#include "libdem/state/contact_record.hpp"

namespace dem {

/// Kinetic energy (J) of translation and rotation, over free coordinates only, as in the ledger.
struct KineticEnergy {
  double translation = 0, rotation = 0;
  double total() const { return translation + rotation; }
};
KineticEnergy kinetic_energy(const Bodies&, double dt, BodySet = {});

/// Σ m v (kg m/s) over all coordinates of the bodies of the set.
Vec3 momentum(const Bodies&, double dt, BodySet = {});

/// Σ m (R − origin) × v + I ω (kg m²/s).
Vec3 angular_momentum(const Bodies&, double dt, Vec3 origin = {}, BodySet = {});

/// Root mean square of the resultant on free bodies over that of the contact forces; 0 in equilibrium (Ng, J. Eng.
/// Mech. 132 (2006) 723). The resultant has free coordinates only, with gravity and applied forces. Zero without
/// contacts.
double unbalanced_force_index(std::span<const ContactRecord>, const Bodies&);

/// Sizes of the resultants on free bodies (free coordinates) and of the contact forces (N), and how many there are.
struct ForceSums {
  double resultants = 0, bodies = 0, forces = 0, contacts = 0;
  double ratio() const;  ///< mean resultant over mean contact force; 0 without either
};
ForceSums force_sums(std::span<const ContactRecord>, const Bodies&);
/// Their ratio.
double mean_unbalanced_force(std::span<const ContactRecord>, const Bodies&);

}  // namespace dem
