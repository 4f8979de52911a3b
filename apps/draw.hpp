// Pictures by the Python scripts beside the program.
#pragma once
#include <filesystem>
#include <string>

namespace dem {

/// FOLDER/plot.svg from FOLDER/table.h5 (plot_sweep.py). Says on standard output what was drawn, or how to draw it
/// later: a sweep is no worse for a missing Python.
void draw_sweep(const std::filesystem::path& folder);

/// FILE from the table of a driven contact (plot_contact.py). Says on standard error what was drawn, or that it could not be:
/// standard output has the table.
void draw_contact(const std::string& table, const std::filesystem::path& file);

}  // namespace dem
