// Columns of the series for cases with walls: forces and moments on them, and what a shear box measures.
#pragma once
#include <vector>

#include "libdem/files/results_series.hpp"
#include "libdem/simulation.hpp"

namespace dem {

/// The first 16 walls, by number of the body.
std::vector<std::size_t> recorded_walls(const State&);
std::vector<Column> wall_columns(const Simulation&);
/// Forces on the walls (N; in the plane N/m) and their moments about the origin, which moves with the wall (N m); in the plane the moment about the
/// middle of the wall's two points (N).
std::vector<double> wall_row(const Simulation&);

std::vector<Column> shear_box_columns();
std::vector<double> shear_box_row(const Simulation&);

}  // namespace dem
