// A face-centred cubic packing of equal spheres in a periodic cell, for the studies of its strength and its moduli.
#pragma once
#include "libdem/case.hpp"

namespace dem::validation {

/// Spheres of diameter and mass 1 whose neighbours are `spacing` apart; no contact law, friction or time step yet.
/// `cubic`: 3 × 3 × 3 cubes of four spheres; else 4 × 4 × 3 cells of two with x and y along [110].
Case fcc_packing(bool cubic, double spacing);

}  // namespace dem::validation
