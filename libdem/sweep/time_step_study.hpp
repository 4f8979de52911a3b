// Which time step does a case need? The study runs Δt, Δt/2, Δt/4 … (`dem sweep time-step`). It shows how a result
// changes, and above which step the case is unstable.
#pragma once
#include <filesystem>
#include <string>

#include "libdem/sweep/step_convergence.hpp"
#include "libdem/sweep/sweep.hpp"

namespace dem {

struct TimeStepChoice {
  double from = 0;   ///< largest step (s); 0 for 0.8 of the stability limit
  int halvings = 0;  ///< 0 for 10 with a relaxation time, else 4
  /// "relaxation", or a column of the series, whose mean over the second half of the last stage is taken. Empty:
  /// relaxation where the case is one stage that comes to rest. Otherwise the mean of the shear ratio, or of the
  /// kinetic energy without plates.
  std::string quantity;
  bool at_end = false;  ///< value at the end instead of the mean
  /// Number of seeds from that of the case on. 0: 3 for generated assemblies between plates, else 1.
  int replicates = 0;
  double shorten = 1;  ///< share of the last stage that is run
  int workers = 0;
  std::filesystem::path folder;
  bool overwrite = false, show_progress = true;
};

struct TimeStepStudy {
  std::string quantity;  ///< the quantity and the reason for its choice
  bool relaxation = false;
  std::string unit;  ///< of the values
  double contact_duration = 0;
  double given_step = 0;     ///< s, of the case
  double apriori_limit = 0;  ///< s, from the stiffest contact that may occur
  /// Runs are stable up to the first step and unstable from the second on. 0 where the step was not found.
  double stable = 0, unstable = 0;
  double stability_time = 0;  ///< duration of those runs (s)
  SweepTable table;
  std::vector<StepResult> results;  ///< by falling step
  int replicates = 1;
  StepConvergence convergence;
  double recommended = 0;
  std::string recommendation;  ///< one sentence
};

/// Throws FileError, CaseErrors, TasksInterrupted and std::invalid_argument (impossible quantity, seed or step). A run
/// is unstable when it blows up, or when the mean kinetic energy of its second half is too large. The limit is five
/// times that of a run at a quarter of the a-priori limit. Interrupted studies continue in the same folder.
TimeStepStudy study_time_step(const std::filesystem::path& case_file, const TimeStepChoice&);

/// The study as a text for users.
std::string time_step_report(const TimeStepStudy&);

}  // namespace dem
