// Columns of the series of a run that drives its periodic cell: shape, strain and stress of the cell, and what the assembly in it is like.
#pragma once
#include <vector>

#include "libdem/measure/body_set.hpp"
#include "libdem/measure/series.hpp"
#include "libdem/simulation.hpp"

namespace dem {

/// In the plane only the components xx, xy, yx, yy.
std::vector<Column> cell_columns(int dimension);
/// A row of them. `free`: the bodies that coordination and fabric speak of.
std::vector<double> cell_row(const Simulation&, BodySet free);

/// Inertial number of the cell's present motion: of its deviatoric rate, the contacts' mean pressure and the mean diameter.
double cell_inertial_number(const Simulation&);
double cell_stiffness_number(const Simulation&);

}  // namespace dem
