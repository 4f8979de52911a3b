// Damping of the bodies' own motion, beside that of the contacts. The free coordinates of each body get the force
// −α m (v − v̄) and the couple −α I ω. The mean motion that the periodic cell imposes is v̄ = Ḣ H⁻¹ (x − origin). Both
// are taken at the evaluated pose and velocity.
//
// Works follow the trapezoid rule over the movement between evaluations. Work on the motion relative to v̄ is viscous
// loss. The rest, force times v̄ Δt, is exchanged with the boundary that drives the cell.
#pragma once
#include <vector>

#include "libdem/drivers/driver.hpp"

namespace dem {

class MassDamping final : public Driver {
 public:
  explicit MassDamping(const State&);
  std::string name() const override { return "mass_damping"; }
  void begin(const Stage&, std::size_t number, const World&) override;
  void end(const World& world) override { alpha_ = world.given.material.mass_damping; }
  double alpha() const { return alpha_; }  ///< of the present stage (1/s)
  ContactWork apply(const World&) override;
  bool needs_rotations() const override { return true; }
  void fields(FieldVisitor&, State&) override;

 private:
  double alpha_ = 0;
  std::vector<Vec3> force_, torque_;  // at the last evaluation
  std::vector<ContactWork> of_body_;  // scratch of several threads
};

/// Largest α of any stage (1/s).
double largest_mass_damping(const Case&);

}  // namespace dem
