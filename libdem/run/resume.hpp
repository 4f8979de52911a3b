// Going on with the results of a run: what must be as the run left it, and what the user accepts to be otherwise.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "libdem/case/case_file.hpp"
#include "libdem/results/folder.hpp"

namespace dem {

/// Prints a line for the user.
using Remark = std::function<void(const std::string&)>;

/// Command that runs the case of the folder again from its start.
std::string rerun_command(const ResultsFolder&);

/// Throws FileError with advice.
Checkpoint checkpoint_to_resume(ResultsFolder&);

/// Compares the case of the checkpoint with the present case.toml and remarks each different key. Throws CaseErrors if
/// a change of results is not accepted or is impossible. Otherwise records the change in the folder.
void check_case_is_kept(ResultsFolder&, const Case& now, const RunDescription& described, const Checkpoint&,
                        bool accept, const Remark&);

/// Throws FileError if rows of the time of the checkpoint are missing, unless that is accepted and recorded in the
/// folder. `over`: the run is finished, so nothing can be accepted.
void check_rows_are_kept(ResultsFolder&, std::uint64_t step, bool accept, bool over, const Remark&);

/// The run of the checkpoint came to its end. Without a verdict it was stopped before it could write one.
bool is_over(const ResultsFolder&, const Checkpoint&, const Case&);

}  // namespace dem
