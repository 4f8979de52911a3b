// The start of a run on several ranks: from a case, or from a results folder.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libdem/case/case_file.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/run/observer.hpp"
#include "libdem/run/simulation.hpp"

namespace dem {

/// The command line.
struct Options {
  std::string file, output, resume;
  std::vector<std::string> settings;
  bool overwrite = false, quiet = false, traffic = false;
  std::optional<std::uint64_t> until_step;
};

/// Of each rank, before the first step. Rank 0 has the observer, too, and later the folder.
struct Start {
  Case c;
  RunDescription described;
  std::filesystem::path path;
  bool over = false;  // the run that goes on was finished
  std::optional<Simulation> run;
  std::optional<RunObserver> observer;
  std::optional<ResultsFolder> folder;
};

/// Reads and builds everything, and changes nothing. Throws CaseErrors and FileError.
Start prepare(const Options&, int rank);

/// On rank 0. Old results are replaced here.
void open_results(Start&, const Options&);

/// On rank 0, for a run that is over. Returns the exit code.
int report_finished(Start&, const Options&);

}  // namespace dem
