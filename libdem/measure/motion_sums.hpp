// Sums over bodies: kinetic energy, balance of forces.
#pragma once
#include <span>

#include "libdem/state/contact_record.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// I ω of a body about its centroid (kg m²/s).
Vec3 spin_momentum(const Bodies&, std::size_t body, Vec3 omega);

/// Kinetic energy (J) of translation and rotation, over free coordinates only, as in the ledger.
double kinetic_energy(const State&);

/// Root mean square of the resultant on free bodies over that of the contact forces; 0 in equilibrium (Ng, J. Eng.
/// Mech. 132 (2006) 723). The resultant has free coordinates only, with gravity and applied forces. Zero without
/// contacts.
double unbalanced_force_index(ContactLoads, const Bodies&);

/// Sizes of the resultants on free bodies (free coordinates) and of the contact forces (N), and how many there are.
struct ForceSums {
  double resultants = 0, bodies = 0, forces = 0, contacts = 0;
  double ratio() const;  ///< mean resultant over mean contact force; 0 without either
};
ForceSums force_sums(ContactLoads, const Bodies&);

}  // namespace dem
