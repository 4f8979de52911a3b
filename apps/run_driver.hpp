// Parts of `dem run` and `dem resume` around the loop of run/run_case.hpp: messages, progress, signals.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "libdem/case/case_file.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/run/observer.hpp"
#include "libdem/run/run_case.hpp"

namespace dem {

/// Builds the simulation of a case. If the case leaves its time step open, it gets that of the run. Throws CaseErrors
/// with the file if the assembly is impossible or the time step above its limit.
Simulation build_simulation(Case&);

/// Begins the run with the results that the case names, and prints a line. Throws CaseErrors if they do not fit, or are
/// in `output`.
void start_where_the_case_says(Simulation&, const Case&, const std::filesystem::path& output = {});

/// Results folder of a run without a given one.
std::filesystem::path default_folder(const Case&);

/// Draws the present run like its frames. Throws CaseErrors if the name does not end in .svg, and FileError.
void write_picture(const Simulation&, const std::filesystem::path&);
void check_picture_name(const std::filesystem::path&);  ///< an empty name means no picture

/// Does the work on the folder. A FileError gets the advice to resume from the last good checkpoint.
int saying_how_to_go_on(const ResultsFolder&, const std::function<int()>& work);

/// Runs to the end, to a step, or to a stop; returns the exit code. `start`: the series was just opened and has no row
/// yet. Throws FileError; earlier files stay readable.
int drive(Simulation&, RunObserver&, ResultsFolder&, bool start, std::optional<std::uint64_t> until_step);

}  // namespace dem
