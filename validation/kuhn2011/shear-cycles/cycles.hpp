// Cycles of simple shear of a packing at constant volume: loops of shear stress over shear strain, and what they say.
#pragma once
#include <span>
#include <vector>

#include "validation/kuhn2011/packing.hpp"

namespace dem::validation::kuhn2011 {

struct LoopPoint {
  double strain = 0, stress = 0;  ///< γ; τ (Pa)
};
/// ∮ τ dγ along the points, J/m³: the work done on the assembly. Trapezoid.
double loop_work(std::span<const LoopPoint>);
/// Slope of the line through the points of the largest and the smallest strain (Pa).
double secant_modulus(std::span<const LoopPoint>);
/// Loss of a loop over 4π times the energy ½ G γ² of its secant modulus at its amplitude, half of the width of the
/// loop.
double damping_ratio(std::span<const LoopPoint>);

struct CycleChoice {
  double amplitude = 1e-4;      ///< of γ
  std::uint64_t quarter = 250;  ///< steps from zero to the amplitude
  int cycles = 20;
  std::uint64_t rest = 3000;  ///< steps before the first
};

/// A rest, in which mass damping takes what is left of motion; then cycles 0 → γ → −γ → 0 of γ_xy at a constant rate.
Case cycles_case(const Packing&, const LawVariant&, const CycleChoice&);

struct Cycle {
  double modulus = 0;                               ///< secant (Pa)
  double damping = 0;                               ///< ratio, by the area of the loop
  double friction = 0, viscous = 0;                 ///< the same by what friction and dashpots took in the cycle
  double pressure = 0;                              ///< p at its end (Pa)
  double dry() const { return damping - viscous; }  ///< damping ratio without what the dashpots took
  static constexpr std::size_t numbers = 5;
};
struct ShearCycles {
  std::vector<Cycle> cycles;
  std::vector<LoopPoint> first, last;  ///< loops
  double residual = 0;                 ///< of the ledger, relative
  double stress_at_rest = 0;           ///< |τ| before the first cycle (Pa)
  double margin = 0;                   ///< time step over the measured limit
  std::vector<double> pack() const;
  static ShearCycles unpack(const std::vector<double>&);
};
ShearCycles run_cycles(const Case&, const CycleChoice&, TaskProgress&);

/// Shear modulus of Walton's effective medium of perfectly rough equal spheres (J. Mech. Phys. Solids 35 (1987) 213)
/// with `coordination` contacts a sphere: all spheres move as the mean does.
double walton_modulus(double coordination, double void_ratio, double pressure);

}  // namespace dem::validation::kuhn2011
