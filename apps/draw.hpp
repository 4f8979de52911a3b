// Pictures by the Python scripts beside the program.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace dem {

/// Runs plot.py with these words as its command line; its output is the program's. Returns an exit code of the program:
/// exit_failed, and a sentence on standard error, where no Python has what it needs.
int draw_folders(const std::vector<std::string>& words);

/// FOLDER/plot.svg from FOLDER/table.h5 (plot.py). Says on standard output what was drawn, or how to draw it
/// later: a sweep is no worse for a missing Python.
void draw_sweep(const std::filesystem::path& folder);

/// FILE from the table of a driven contact (plot_contact.py). Says on standard error what was drawn, or that it could
/// not be: standard output has the table.
void draw_contact(const std::string& table, const std::filesystem::path& file);

}  // namespace dem
