// A case from its start, or from a checkpoint, to its end in a results folder:
//
//   std::cout << dem::run_case(dem::read_case("case.toml"), "results/case").verdict.text();
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "libdem/measure/verdict.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/run/observer.hpp"

namespace dem {

/// Optional actions of the caller between the steps of a run.
struct RunHooks {
  /// Asked before each step. True stops the run here with a checkpoint.
  std::function<bool(const Simulation&)> stop;
  /// After each step, once its rows and files are written.
  std::function<void(const Simulation&)> after_step;
  /// Within the last step of each stage, before after_step: its rows and files are written, the next stage has not
  /// begun (Simulation::at_stage_end).
  std::function<void(const Simulation&)> at_stage_end;
  /// In place of Simulation::step: makes one or more steps by other means, in several processes, and loads the state of
  /// the last one. It stops at every step that the output plan names. Returns the sum of the contacts of these steps.
  std::function<std::uint64_t(Simulation&)> advance;
  /// True if after_step will read forces or energies after the next step. Otherwise the step may leave them out.
  std::function<bool(const Simulation&)> looks_at_next;
  /// Asked after a stop. A sentence without full stop ends the run here, with a verdict that has the sentence. Empty:
  /// the run only pauses, without a verdict.
  std::function<std::string()> reason_of_stop;
};

enum class RunEnd { finished, stopped, failed };

struct RunResult {
  RunEnd end = RunEnd::finished;
  Verdict verdict;         ///< empty if the run was stopped without a reason
  std::string failure;     ///< reason of a failure, with time and place
  std::uint64_t hash = 0;  ///< of the state (Simulation::hash); 0 if the run failed
  std::uint64_t step = 0;
};

/// Runs a case into a new results folder. Starts with the results that the case names (start_from). Throws
/// AssemblyError, geometry::GeometryError, StepTooLarge or StartFromError if the case cannot run as it is. Throws
/// FileError if the folder cannot be written, or holds results without `overwrite`. Throws NoRoomForStep if memory
/// ends, after a checkpoint.
RunResult run_case(const Case&, const std::filesystem::path& folder, const RunHooks& = {}, bool overwrite = false);
/// Continues a run from its last checkpoint, with its own case. Throws FileError (LayoutError: of another version).
RunResult resume_case(const std::filesystem::path& folder, const RunHooks& = {});

/// The loop of both, for callers that build the parts themselves. `start`: the series of the folder was just opened and
/// has no row yet. A run that fails leaves its verdict and its last good checkpoint in the folder. Throws FileError and
/// std::bad_alloc; earlier files stay readable. Without a folder nothing is written.
RunResult run_to_end(Simulation&, RunObserver&, ResultsFolder*, bool start, const RunHooks& = {});

/// Description of the case and the program in the files of a run.
RunDescription describe_run(const Case&);
/// Adds the changes and losses that the folder has recorded, for the verdict. Null: there are none.
void add_record(const ResultsFolder*, RunNumbers&);

}  // namespace dem
