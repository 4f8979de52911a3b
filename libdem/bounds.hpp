// Bounds of a case. Beyond them a run does not end, or its bodies do not fit into the memory of a computer.
#pragma once

namespace dem::bounds {

inline constexpr double most_steps = 1e12;    ///< of a stage: months at a million steps a second
inline constexpr double most_bodies = 1e8;    ///< discs, spheres: about 1 kB each
inline constexpr double most_polygons = 1e6;  ///< several kB each
inline constexpr double most_parts = 1e8;     ///< vertices of all polygons; spheres of all clusters
inline constexpr double smallest_length = 1e-12, largest_length = 1e9;  ///< m: radii of bodies
inline constexpr double largest_step_strain = 0.1;                      ///< of a cell in one step

}  // namespace dem::bounds
