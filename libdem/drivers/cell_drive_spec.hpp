// How a stage drives the periodic cell.
#pragma once
#include <array>
#include <cstdint>

#include "geometry/vector.hpp"

namespace dem {

/// Drive of one component of the cell. Components are those of the velocity gradient L_ab = ∂v_a/∂x_b of the mean
/// motion, a ≤ b: xx, yy, zz, xy, xz, yz. The cell matrix (columns a, b, c) stays upper triangular, so that nothing
/// turns the cell.
struct CellComponent {
  enum class Mode { rate, stress, mean_pressure } mode = Mode::rate;
  double rate = 0;    ///< of mode rate (1/s); extension positive
  double stress = 0;  ///< of mode stress: target (Pa; 2D N/m), **tension positive**
  friend bool operator==(const CellComponent&, const CellComponent&) = default;
};
inline constexpr std::array<const char*, 6> cell_component_names{"xx", "yy", "zz", "xy", "xz", "yz"};
inline constexpr std::array<std::array<int, 2>, 6> cell_component_axes{
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

/// Normal components of mode mean_pressure are kept equal to each other and move so that the mean pressure is
/// `mean_pressure` (with one axis at a rate: triaxial test at constant mean stress).
struct CellDrive {
  std::array<CellComponent, 6> component;  ///< in the order of cell_component_names
  double mean_pressure = 0;                ///< compression positive (Pa; 2D N/m)
  /// Of a servo-controlled component (1/s). 0: that of the inertial number 5e-3 (drivers/cell_drive.cpp).
  double largest_rate = 0;
  double tolerance = 1e-3;  ///< relative; the servo reports when it cannot hold it
  /// Rigid turn of the whole assembly with its cell, without any relative motion: total angle (rad) about an axis, in
  /// equal steps.
  double turn_angle = 0;
  Vec3 turn_axis{0, 0, 1};
  std::uint64_t turn_steps = 0;
  bool turns() const { return turn_steps > 0; }
  friend bool operator==(const CellDrive&, const CellDrive&) = default;
};

}  // namespace dem
