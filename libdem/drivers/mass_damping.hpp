// Damping of the bodies' own motion, beside that of the contacts: force −α m (v − v̄) and couple −α I ω on the free coordinates of each
// body, v̄ = Ḣ H⁻¹ (x − origin) the mean motion that the periodic cell imposes. A part of the force evaluation: taken at the
// evaluated pose and velocity.
//
// Work by the trapezoid over the movement between evaluations: what the force takes from the motion relative to v̄ is viscous loss; the
// rest, force times v̄ Δt, is exchanged with the boundary that drives the cell.
#pragma once
#include <string>
#include <vector>

#include "libdem/contacts/contact_engine.hpp"
#include "libdem/state/archive.hpp"
#include "libdem/state/state.hpp"

namespace dem {

class MassDamping {
 public:
  explicit MassDamping(const State&);
  /// α from now on (1/s).
  void set(double alpha) { alpha_ = alpha; }
  double alpha() const { return alpha_; }
  /// Adds to Bodies::force and torque, after the contacts. Returns the work since the last call.
  ContactWork apply(State&, int threads = 1);

  void save(ArchiveWriter&) const;
  void load(const ArchiveReader&);

 private:
  double alpha_ = 0;
  std::vector<Vec3> force_, torque_;  // at the last evaluation
  std::vector<ContactWork> of_body_;  // scratch of several threads
};

/// Largest α of any stage (1/s).
double largest_mass_damping(const Case&);

}  // namespace dem
