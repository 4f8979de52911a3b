// The velocities of the bodies follow a change of the cell's rate.
#pragma once
#include <array>
#include <vector>

#include "libdem/drivers/driver.hpp"

namespace dem {

/// Change of the velocity field: Δv = K (x − origin).
struct CellKick {
  std::array<Vec3, 3> rows;  ///< of K (1/s)
  Vec3 origin;               ///< m
  double dt;                 ///< s
};

/// Kicks the free coordinates of all bodies. Returns the work (J) if the world keeps books, else 0. `works`: scratch.
double kick_bodies(const World&, const CellKick&, std::vector<double>& works);

}  // namespace dem
