// The energy ledger of a run: sources and sinks of energy (J; 2D: J per unit thickness).
//
// Signs. Work is positive when it adds energy to the assembly. Sinks (friction, viscous, circulation, event loss) are
// positive when they take energy out. Work is the trapezoid of force over the movement of a step. The step fills the
// ledger; observers read it.
#pragma once
#include <array>

#include "libdem/measure/series.hpp"

namespace dem {

struct EnergyLedger {
  double initial = 0;  ///< kinetic + stored energy when the run began
  /// work of the forces that hold prescribed coordinates (plates, walls, driven bodies) on the assembly
  double boundary_work = 0;
  double gravity_work = 0;  ///< of gravity on free bodies
  double applied_work = 0;  ///< of applied forces and torques on free bodies
  /// Of motions and forces that a caller's own code adds (Driver::held_apart, Driver::own_work).
  double own_motion_work = 0, own_force_work = 0;
  double kinetic = 0;            ///< of free coordinates, now
  double stored_normal = 0;      ///< elastic energy of the normal springs, as each law states it, now
  double stored_tangential = 0;  ///< same for the tangential springs
  double friction = 0;           ///< dissipated by sliding
  double viscous = 0;            ///< dissipated by dashpots (contacts and rotational damping)
  /// Work taken by the elastic part of the laws minus the change of their stated stored energy. Nonzero for laws
  /// without a potential (area-over-length, hertz-history) and for transports that do not follow the contact, zero to
  /// round-off for the others.
  double circulation = 0;
  /// Stored energy dropped when contacts open, merge, are clamped or lose their history; energy taken by an accepted
  /// change of the case (dem resume --accept-changes).
  double event_loss = 0;
  /// Scale for the residual: absolute work of contact forces, summed over steps and contacts, plus that of boundaries,
  /// gravity and applied forces. Never decreases.
  double absolute_work = 0;

  double stored() const { return stored_normal + stored_tangential; }
  double supplied() const {
    return initial + boundary_work + gravity_work + applied_work + own_motion_work + own_force_work;
  }
  double accounted() const { return kinetic + stored() + friction + viscous + circulation + event_loss; }
  /// Error of time integration: supplied − accounted for.
  double residual() const { return supplied() - accounted(); }
  /// residual| / absolute work; 0 while no work was done.
  double relative_residual() const {
    const double r = residual() < 0 ? -residual() : residual();
    return absolute_work > 0 ? r / absolute_work : 0;
  }
};

struct LedgerColumn {
  Column column;
  double (*value)(const EnergyLedger&);
  bool booked = true;  ///< a sum over the steps; otherwise it follows from the state
  bool own = false;    ///< only in runs with a caller's own motions or forces
};
template <double EnergyLedger::*member>
double entry(const EnergyLedger& ledger) {
  return ledger.*member;
}
/// Columns of the ledger in the series, in their order.
inline const std::array<LedgerColumn, 15>& ledger_columns() {
  using L = EnergyLedger;
  static const std::array<LedgerColumn, 15> columns{{
      {{"energy_initial", "J", "kinetic and stored energy when the run began"}, entry<&L::initial>, false},
      {{"boundary_work", "J", "work done on the assembly by prescribed motion, positive when energy enters"},
       entry<&L::boundary_work>},
      {{"gravity_work", "J", "work of gravity on free bodies"}, entry<&L::gravity_work>, false},
      {{"applied_work", "J", "work of applied forces and torques on free bodies"}, entry<&L::applied_work>, false},
      {{"own_motion_work", "J", "work done on the assembly by the caller's own motions, positive when energy enters"},
       entry<&L::own_motion_work>,
       true,
       true},
      {{"own_force_work", "J", "work of the caller's own forces on free coordinates"},
       entry<&L::own_force_work>,
       true,
       true},
      {{"kinetic_energy", "J", "kinetic energy of free coordinates"}, entry<&L::kinetic>, false},
      {{"stored_normal", "J", "elastic energy of normal springs"}, entry<&L::stored_normal>, false},
      {{"stored_tangential", "J", "elastic energy of tangential springs"}, entry<&L::stored_tangential>, false},
      {{"friction_loss", "J",
        "energy dissipated by sliding, positive when lost; negative where contact.friction_limit = \"total\" cuts a "
        "large dashpot force (dem help friction_limit)"},
       entry<&L::friction>},
      {{"viscous_loss", "J", "energy dissipated by dashpots, positive when lost"}, entry<&L::viscous>},
      {{"circulation", "J", "work taken by elastic forces beyond the change of their stored energy"},
       entry<&L::circulation>},
      {{"event_loss", "J",
        "stored energy dropped with opened, merged or clamped contacts, energy that an accepted change of the "
        "case takes"},
       entry<&L::event_loss>},
      {{"absolute_work", "J", "sum of absolute works, the scale of the residual"}, entry<&L::absolute_work>},
      {{"energy_residual", "J", "supplied minus accounted energy: what time integration leaves"},
       [](const L& l) { return l.residual(); }},
  }};
  return columns;
}

}  // namespace dem
