// A case from its start, or from a checkpoint, to its end in a results folder:
//
//   const dem::Case c = dem::read_case_file("case.toml");
//   const dem::RunResult result = dem::run_case(c, "results/case");
//   std::cout << result.verdict.text();
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "libdem/measure/verdict.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/run/observer.hpp"

namespace dem {

/// Actions of the caller between the steps of a run. All are optional.
struct RunHooks {
  /// True: the run stops here with a checkpoint. Asked before each step.
  std::function<bool(const Simulation&)> stop;
  /// After each step, once its rows and files are written.
  std::function<void(const Simulation&)> after_step;
};

enum class RunEnd { finished, stopped, failed };

struct RunResult {
  RunEnd end = RunEnd::finished;
  Verdict verdict;         ///< empty where the run was stopped
  std::string failure;     ///< where it failed: when, where and why
  std::uint64_t hash = 0;  ///< of the state (Simulation::hash); 0 where the run failed
  std::uint64_t step = 0;
};

/// Runs a case into a new results folder. Starts with the results that the case names (start_from).
/// Throws AssemblyError, geometry::GeometryError, StepTooLarge or StartFromError where the case cannot be run as it is.
/// Throws FileError where the folder cannot be written, or holds results and `overwrite` is false. Throws NoRoomForStep
/// where memory ends, after a checkpoint.
RunResult run_case(const Case&, const std::filesystem::path& folder, const RunHooks& = {}, bool overwrite = false);
/// Goes on with a run from its last checkpoint, with the case that was run. Throws FileError (LayoutError: it was made
/// by another version).
RunResult resume_case(const std::filesystem::path& folder, const RunHooks& = {});

/// The loop of both, for callers that build the parts themselves. `start`: the series of the folder has just been
/// opened and has no row yet. A run that fails leaves its verdict and its last good checkpoint in the folder. Throws
/// FileError, std::bad_alloc; what was written before stays readable.
RunResult run_to_end(Simulation&, RunObserver&, ResultsFolder&, bool start, const RunHooks& = {});

/// Description of the case and the program in the files of a run.
RunDescription describe_run(const Case&);
/// Adds the changes and losses that the folder has recorded, for the verdict.
void add_record(const ResultsFolder&, RunNumbers&);

}  // namespace dem
