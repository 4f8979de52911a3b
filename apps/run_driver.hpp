// What `dem run` and `dem resume` have around the loop of run/run_case.hpp: messages, progress, signals.
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

/// The simulation of a case, or a CaseErrors that names the file: an assembly that cannot be, a time step above its
/// limit. Where the case leaves its time step open, it has the one of the run afterwards.
Simulation build_simulation(Case&);

/// Where the case names results to start from, the run begins with their last state, and a line says so. Throws
/// CaseErrors where they do not fit.
void start_where_the_case_says(Simulation&, const Case&);
/// The message, with the case file and, where it begins with a key, the line of the key.
CaseErrors located(const Case&, const std::string& message);

/// Where the results of a run go that are given no folder.
std::filesystem::path default_folder(const Case&);

/// The run as it is now, drawn as its frames are. Throws CaseErrors for a name that does not end in .svg, FileError.
void write_picture(const Simulation&, const std::filesystem::path&);
void check_picture_name(const std::filesystem::path&);  ///< an empty one: no picture

/// The command that runs the case of the folder again from its start.
std::string rerun_command(const ResultsFolder&);

/// Does the work on the folder; a FileError from it goes on with what can be done: resume from the last good
/// checkpoint.
int saying_how_to_go_on(const ResultsFolder&, const std::function<int()>& work);

/// From now on Ctrl-C and SIGTERM only ask for a stop; a second one ends the program as usual.
void stop_on_signals();
bool is_stopped();  ///< whether one came

/// Runs to the end, to a step, or until it is told to stop; returns the exit code. `start`: the series has just been
/// opened and has no row yet. Throws FileError; what was written before stays readable.
int drive(Simulation&, RunObserver&, ResultsFolder&, bool start, std::optional<std::uint64_t> until_step);

}  // namespace dem
