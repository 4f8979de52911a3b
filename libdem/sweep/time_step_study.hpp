// Which time step does a case need? Δt, Δt/2, Δt/4 …: what a result does meanwhile, and above which step the case is
// unstable
// (`dem sweep time-step`).
#pragma once
#include <filesystem>
#include <string>

#include "libdem/sweep/step_convergence.hpp"
#include "libdem/sweep/sweep.hpp"

namespace dem {

struct TimeStepChoice {
  double from = 0;   ///< largest step (s); 0: 0.8 of the stability limit
  int halvings = 0;  ///< 0: 10 for a relaxation time, else 4
  /// "relaxation", or a column of the series: its mean over the second half of the last stage. Empty: relaxation where
  /// the case is one stage that comes to rest, else the mean of the shear ratio, or without plates of the kinetic
  /// energy.
  std::string quantity;
  bool at_end = false;  ///< the column at the end instead of its mean
  int replicates = 0;   ///< with seeds from that of the case on; 0: 3 for generated assemblies between plates, else 1
  double shorten = 1;   ///< the last stage lasts this share of what the case says
  int workers = 0;
  std::filesystem::path folder;
  bool overwrite = false, show_progress = true;
};

struct TimeStepStudy {
  std::string quantity;  ///< what is looked at, and why that
  bool relaxation = false;
  std::string unit;  ///< of the values
  double contact_duration = 0;
  double given_step = 0;     ///< s, of the case
  double apriori_limit = 0;  ///< s, from the stiffest contact that may occur
  /// Runs are stable up to the first step and unstable from the second on; 0 where that was not found.
  double stable = 0, unstable = 0;
  double stability_time = 0;  ///< how long those runs lasted (s)
  SweepTable table;
  std::vector<StepResult> results;  ///< by falling step
  int replicates = 1;
  StepConvergence convergence;
  double recommended = 0;
  std::string recommendation;  ///< one sentence
};

/// Throws FileError, CaseErrors, TasksInterrupted, std::invalid_argument (a quantity, seed or step that cannot be).
/// A run counts as unstable when it blows up, or when in the second half of its time its mean kinetic energy is more
/// than five times that of a run at a quarter of the a-priori limit. Interrupted studies go on in the same folder.
TimeStepStudy study_time_step(const std::filesystem::path& case_file, const TimeStepChoice&);

/// The study for people.
std::string time_step_report(const TimeStepStudy&);

}  // namespace dem
