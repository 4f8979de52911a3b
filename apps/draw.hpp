// Pictures by the Python scripts beside the program.
#pragma once
#include <filesystem>

namespace dem {

/// FOLDER/plot.svg from FOLDER/table.h5 (plot_sweep.py). Says on standard output what was drawn, or how to draw it
/// later: a sweep is no worse for a missing Python.
void draw_sweep(const std::filesystem::path& folder);

}  // namespace dem
