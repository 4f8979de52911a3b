// Two bodies on closed loops of their coordinates, without integration: what each elongation leaves in the spring, and
// the work.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "libdem/case.hpp"

namespace dem::validation::pena2008 {

/// How two discs, or two polygons, are brought round.
struct LoopChoice {
  Elongation elongation = Elongation::geometric;
  GeometricForm form = GeometricForm::exact;
  Lever lever = Lever::contact_point;
  int steps = 1000;  ///< a loop
  int loops = 1;
  std::uint64_t seed = 1;
  double overlap = 0.01;  ///< discs: mean of δ/(a_i + a_j); polygons: see amplitude
  double amplitude =
      1;  ///< discs: of the angles, in units of 0.05 rad; polygons: of the whole motion of the reference's energy loop
};

struct LoopResult {
  std::vector<double> left;  ///< ξ after each loop (m)
  double amplitude = 0;      ///< half the range of ξ in the first loop (m)
  double work = 0;           ///< net work of the tangential force in the last loop (J)
  double exchanged = 0;      ///< sum of its absolute work in that loop (J)
  double couple = 0;         ///< largest couple that the contact forces make from nothing, over the largest |f_t| (m)
  double relative() const { return left.front() / amplitude; }
};

/// Discs of radius 0.5 m, the first at the origin. Along the loop s = 0 … 2π: R_j = (a_i + a_j)(1 − d)(cos φ, sin φ), d
/// = overlap·(1 + 0.8 w_1(s)), φ, θ_i, θ_j = 0.05·amplitude·w_k(s) rad; the w_k are random Fourier sums of three
/// harmonics, seeded, with largest |w_k| = 1.
LoopResult disc_loop(const LoopChoice&);

/// The polygons of the reference's energy loop (§6): R_j = R0 + λ(0.04 cos s, 0.03 sin s), θ_j = 0.3 + 0.1 λ sin(s +
/// 1), λ = amplitude.
LoopResult polygon_loop(const LoopChoice&);

}  // namespace dem::validation::pena2008
