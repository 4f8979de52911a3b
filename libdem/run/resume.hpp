// Going on with the results of a run: what must be as the run left it, and what the user accepts to be otherwise.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "libdem/case/case_file.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {

/// Prints a line for the user.
using Remark = std::function<void(const std::string&)>;

/// Command that runs the case of the folder again from its start.
std::string rerun_command(const ResultsFolder&);

/// A results folder whose run goes on from its last checkpoint.
struct RunToResume {
  ResultsFolder folder;
  Case c;                    ///< the present one of the folder
  RunDescription described;  ///< of this case
  Checkpoint checkpoint;
  bool over;  ///< the run came to its end. Without a verdict it was stopped before it could write one.
  std::optional<Case> other_forces = {};  ///< case of the checkpoint, if the accepted one has other forces at once

  std::uint64_t step() const { return checkpoint.header().step; }
  bool has_its_case() const {
    return folder.record().case_text == described.case_text && folder.record().file_sums == described.file_sums;
  }
};

/// Opens the folder, and locks it in the name of `command`, unless that is null. Remarks that the previous checkpoint
/// replaces the newest. Throws CaseErrors, and FileError with advice.
RunToResume open_to_resume(const std::filesystem::path& folder, const char* command, const Remark&);

/// Compares the case of the checkpoint with the present case.toml and remarks each different key. Throws CaseErrors if
/// a change of results is not accepted or is impossible. Otherwise records the change in the folder.
void check_case_is_kept(RunToResume&, bool accept, const Remark&);

/// Loads the checkpoint into a run just made of its case. Accepted changes of springs, densities or mass damping act at
/// once: what they take from the energy is an event_loss of the ledger. Throws FileError and std::runtime_error.
void load_checkpoint(Simulation&, const RunToResume&);

/// Throws FileError if rows of the time of the checkpoint are missing, unless that is accepted and recorded in the
/// folder. For a finished run nothing can be accepted.
void check_rows_are_kept(RunToResume&, bool accept, const Remark&);

}  // namespace dem
