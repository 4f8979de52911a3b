// Dense packings of discs or polygons in a rigid box, in equilibrium: where the runs on the number of particles start.
#pragma once
#include <cstdint>

#include "libdem/case.hpp"

namespace dem::validation::pena2008::packed {

struct PackingInput {
  ShapeKind shape = ShapeKind::disc;
  int particles = 16;
  std::uint64_t seed = 1;
  double pressure =
      1e-3;  ///< on the walls while the packing is made, in k_n per mean diameter: the mean overlap in diameters
};

/// Discs have radii uniform in 0.5 m ± 10 %; polygons 5 to 8 vertices on a circle, at regular angles ± 30 % of their
/// spacing, and the area of such a disc. They start on a jittered square lattice (random sites, random angles) in a
/// loose square box. Two of its four walls are then pushed in by the pressure, without friction, and the enthalpy is
/// minimised (FIRE: Bitzek et al., Phys. Rev. Lett. 97 (2006) 170201). Bodies that carry no force are taken out, and
/// the box is held while the rest settles until no body has more than 1e-11 of the mean contact force unbalanced.
struct Packing {
  /// Bodies at rest in equilibrium, four walls, reference material (reference_material) with sticking friction. Step
  /// and stage are the caller's. Tangential springs begin unstrained, and they carry nothing: the equilibrium needs no
  /// friction.
  Case given;
  int rattlers = 0;           ///< bodies taken out
  double coordination = 0;    ///< contacts of a body, walls count once
  double mean_overlap = 0;    ///< m
  double smallest_depth = 0;  ///< depth of the lightest contact: overlap, or area over chord (m)
  double unbalanced = 0;      ///< largest force on a body over the mean contact force
  std::uint64_t evaluations = 0;
};

/// k_n = 4e8 N/m, k_t/k_n = γ_t/γ_n = 1/3, density 1 kg/m², μ = 500, the same γ_n for every contact: that of two discs
/// of radius 0.5 m with ε_n = 0.9875. With one γ all contacts have the same τ = γ/k, which is what the prediction
/// assumes.
Material reference_material();
/// t_c of two discs of radius 0.5 m (s).
double reference_duration();

/// Throws std::runtime_error where no equilibrium is found.
Packing make_packing(const PackingInput&);

}  // namespace dem::validation::pena2008::packed
