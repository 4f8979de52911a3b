// Dimensionless numbers of slow granular flow; compression positive. 2D: density kg/m², pressure and stiffness N/m.
#pragma once
#include <cmath>
#include <limits>

namespace dem {

/// I = |γ̇| d √(ρ/p): shear rate times the time in which the pressure moves a grain by its size. γ̇ in 1/s, d in m
/// (mean diameter), ρ the density of the bodies. Infinite without pressure; quasi-static below about 2.5e-3.
inline double inertial_number(double shear_rate, double diameter, double density, double pressure) {
  return pressure > 0 ? std::abs(shear_rate) * diameter * std::sqrt(density / pressure)
                      : std::numeric_limits<double>::infinity();
}

/// κ = k_n/p; 1/κ is about the mean overlap in diameters. Infinite without pressure (rigid grains).
inline double stiffness_number(double normal_stiffness, double pressure) {
  return pressure > 0 ? normal_stiffness / pressure : std::numeric_limits<double>::infinity();
}

}  // namespace dem
