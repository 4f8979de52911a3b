// Checks of a sweep file beyond its tables: whether its names, keys, expressions and columns exist. Only for this room.
#pragma once
#include "libdem/case/problems.hpp"
#include "libdem/sweep/sweep.hpp"

namespace dem {

void inspect_sweep(const SweepSpec&, case_file::Problems&, std::size_t most_points);

}  // namespace dem
