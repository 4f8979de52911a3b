// What the tables of a sweep file alone cannot tell: do its names, keys, expressions and columns exist? Inside the
// room.
#pragma once
#include "libdem/case/problems.hpp"
#include "libdem/sweep/sweep.hpp"

namespace dem {

void inspect_sweep(const SweepSpec&, case_file::Problems&, std::size_t most_points);

}  // namespace dem
