// Pictures by the Python scripts beside the program.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace dem {

/// Runs plot.py with these words as its command line; its output is the program's. Returns an exit code of the program.
/// If no Python has the packages, returns exit_failed after a sentence on standard error.
int draw_folders(const std::vector<std::string>& words);

/// Draws FOLDER/plot.svg from FOLDER/table.h5 (plot.py) and reports it, or how to draw it later: a sweep needs no
/// Python.
void draw_sweep(const std::filesystem::path& folder);

/// Draws FILE from the table of a driven contact (plot_contact.py). Reports on standard error, beside the table.
/// Returns an exit code of the program.
int draw_contact(const std::string& table, const std::filesystem::path& file);

}  // namespace dem
