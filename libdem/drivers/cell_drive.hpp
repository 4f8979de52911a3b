// Drives the periodic cell. Each component of its velocity gradient has a rate, or a servo that holds a stress. A stage
// may also turn the assembly rigidly with its cell.
//
// Motion. L_ab = ∂v_a/∂x_b of the mean motion (a ≤ b). During a step the cell vectors H (columns) move at the constant
// rate Ḣ = (e^(L Δt) − 1) H/Δt. A constant L then gives its logarithmic strain exactly. A trace of zero keeps the
// volume. Bodies fly freely. Where Ḣ changes by ΔḢ, free bodies get the velocity ΔḢ H⁻¹ (x − origin). It is what
// their images get beyond them. The energy of these kicks is boundary work. The work of the contacts on the moving
// images is ContactWork::by_cell.
//
// Servo. An affine motion L of all bodies meets the stiffness A_pq = (1/V) Σ (k_n n⊗n + k_t (1 − n⊗n)) l⊗l (Voigt). By
// the dashpots it also meets the viscosity B, the same sum of γ_n and γ_t. Controlled components move at L = x + J,
// where (A τ + 4 B) x = target − σ with τ of 5 steps. J is the integral of x over 10 τ. It carries the rate of a steady
// motion, so that its error vanishes. All contacts count in A as sticking, so that a real assembly is softer and the
// loop slower than designed, never faster. Components faster than the largest rate are cut to it, their J rests then.
// Components of mode mean_pressure hold σ_aa + (1/n) Σ_b σ_bb = −D p/n: mean pressure p and equal stresses. Here b are
// the normal components of other modes, n is the number of those of this mode, and D the dimension.
//
// Undrained loading needs no mode of its own: rates whose normal components add up to zero keep the volume.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libdem/drivers/driver.hpp"
#include "libdem/measure/servo_record.hpp"

namespace dem {

using CellVector = std::array<double, 6>;  ///< in the order of cell_component_names

class CellDriver final : public Driver {
 public:
  /// Throws AssemblyError: a direction that is not periodic, a body that cannot move with the cell, a cell too small
  /// for its bodies.
  CellDriver(const Case&, const State&);

  std::string name() const override { return "cell_drive"; }
  /// A stage without `cell` leaves the cell at rest.
  void begin(const Stage&, std::size_t number, const World&) override;
  /// Sets State::cell_rate and kicks the bodies, which is work.
  double drive(const World&) override;
  std::optional<RigidTurn> turn() const override { return turn_; }
  /// Reads what the servo needs and keeps its books.
  void measure(const World&, bool start) override;
  /// Works out the stress of the last evaluation, unless a servo has done so: it costs a fifth of a step of spheres.
  void update(const World&) const override;
  Watch needs() const override { return has_servo() ? Watch::forces : Watch::motion; }
  bool turning() const { return drive_.turns() && turned_ < drive_.turn_steps; }
  bool turned() const { return drive_.turns() && turned_ >= drive_.turn_steps; }
  /// Share of the steps of a turn that is done; 0 where the stage turns nothing.
  double turned_share() const { return drive_.turns() ? double(turned_) / double(drive_.turn_steps) : 0; }

  /// Of the contacts, over the cell; tension positive (Pa; 2D N/m). Throws std::logic_error before update(), which
  /// Simulation::driver() calls.
  const Tensor3& stress() const;
  double volume() const { return volume_; }                   ///< m³; 2D m²
  double void_ratio() const { return volume_ / solid_ - 1; }  ///< overlaps count twice, as usual
  /// ∫ L dt since the start of the run: logarithmic, extension positive.
  const CellVector& strains() const { return strain_; }
  const CellVector& rate() const { return rate_; }  ///< L of the last step (1/s)
  double deviatoric_rate() const;                   ///< size of the symmetric deviatoric L, γ̇ in simple shear (1/s)
  /// Strain of the present stage: ∫ L dt of the component with the largest given rate, or of the volume where none is
  /// given.
  std::optional<ImposedStrain> strain() const override { return ImposedStrain{stage_strain_, stage_rate()}; }
  double stage_rate() const;  ///< the given rate of that component (1/s), 0 without
  /// (σ − target)/scale of a component; NaN without control. The scale is the target. For shear stresses, and a target
  /// of zero, it is the largest target of the stage.
  double servo_error(std::size_t component) const;
  double largest_servo_error() const;  ///< of all components; NaN without a servo
  bool has_servo() const { return controlled_ != 0; }
  const ServoRecord& record() const { return record_; }  ///< of the present stage
  /// The worst stage so far, by its root mean square over its tolerance; none before a servo was at work.
  std::optional<ServoRecord> worst_record() const;
  /// Stress within `tolerance` (relative) for `hold_time` (s).
  bool target_reached(const State&, double tolerance, double hold_time);
  double within_since() const { return within_since_; }  ///< time since when it has been so (s); negative if it is not

  void fields(FieldVisitor&, State&) override;

 private:
  void read(const World&);
  void estimate_stiffness(const State&, const ContactEngine&);
  void command(double dt);
  bool controls(std::size_t p) const { return controlled_ >> p & 1u; }
  double target_gap(std::size_t p) const;  // target − σ of what the component holds (Pa)

  int dimension_ = 2;
  double solid_ = 0;  // volume of the bodies
  double reference_stiffness_ = 0, density_ = 0, diameter_ = 0, tangential_stiffness_ = 0;
  double tangential_share_ = 0;  // Hertzian contacts: tangential over normal stiffness of a contact that sticks

  CellDrive drive_;
  std::optional<RigidTurn> turn_;  // of the present step
  unsigned controlled_ = 0;        // bit p: component p has a servo
  int mean_components_ = 0;        // of mode mean_pressure
  double largest_rate_ = 0, scale_ = 0;
  bool feed_forward_ = false;

  mutable Tensor3 stress_;
  mutable bool stress_is_current_ = false;
  double volume_ = 0, stage_strain_ = 0, within_since_ = -1;
  CellVector rate_{}, strain_{}, integral_{};
  std::array<CellVector, 6> stiffness_{}, viscosity_{};
  std::uint64_t next_estimate_ = 0, turned_ = 0;
  ServoRecord record_;
  std::optional<ServoRecord> worst_;  // of the stages before
  std::vector<double> kicks_;         // work on each body: scratch
};

}  // namespace dem
