// Cyclic shear of packings between plates: what each closed cycle of strain leaves behind.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "libdem/case.hpp"

namespace dem::validation::pena2008 {

enum class Grains { discs, polygons };

struct CyclicChoice {
  Grains grains = Grains::discs;
  Elongation elongation = Elongation::geometric;
  double step_share = 1;    ///< Δt in units of that of the case file
  double amplitude = 1e-3;  ///< A: the strain goes 0 → A → −A → 0
  double friction = 0.5;
  int cycles = 50;
  std::uint64_t seed = 1;
};

/// The case file of the study (Voronoi polygons), or the same cell filled with discs of radii 0.4 … 0.5 m at random on
/// a triangular lattice. Runs its compression (without friction, Δt of the file) and returns the case that goes on from
/// there with the choice's elongation and Δt: a pause and the cycles. So all choices of one seed start from the same
/// packing, to the last bit.
Case cyclic_case(Case base, const CyclicChoice&);

constexpr int loop_points = 48;  ///< of a stress-strain loop kept for the picture
struct CyclicResult {
  // Cycle n (index n − 1) goes from one upper turning point to the next. Units: height H₀ at the first, held normal
  // stress.
  std::vector<double>
      densification;  ///< −(H − H₀)/H₀, mean over the cycle: residual vertical strain, compression positive
  std::vector<double> stress;      ///< shear stress over normal stress, mean over the cycle: the offset of the loop
  std::vector<double> end_strain;  ///< −(H − H₀)/H₀ at the end of the cycle, its closing point
  double strain_error = 0;         ///< largest |γ − γ(start)| at the ends of cycles
  double sliding = 0;              ///< mean fraction of sliding contacts in the last cycle
  double coordination = 0;
  double loss = 0;      ///< area of the last loop: ∮ τ dγ/(σ A), 1
  double inertial = 0;  ///< largest root mean square difference of the plates' normal stresses over σ: how quasi-static
  std::array<double, loop_points> first_strain{}, first_stress{}, last_strain{},
      last_stress{};  ///< loops: γ − γ₀, τ/σ, means of 48 parts

  std::vector<double> numbers() const;
  static CyclicResult from(const std::vector<double>&);
};
/// Throws what Simulation throws.
CyclicResult run_cycles(const Case&, const std::function<void(double)>& progress = {});

}  // namespace dem::validation::pena2008
