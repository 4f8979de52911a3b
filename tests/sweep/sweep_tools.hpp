// Results of sweeps, and the end of the processes of a test.
#pragma once
#include <sys/wait.h>

#include <csignal>

#include "libdem/sweep/quantities.hpp"
#include "libdem/sweep/sweep.hpp"
#include "results/results_test_tools.hpp"
#include "support/text.hpp"

namespace dem::test {

/// Writes a sweep over a case without its first two lines, and reads it.
inline SweepSpec spec_of(const TemporaryFolder& folder, const std::string& case_text, const std::string& sweep) {
  folder.write("case.toml", case_text);
  return read_sweep(folder.write("sweep.toml", "format = 1\ncase = \"case.toml\"\n" + sweep));
}

/// A result of a point.
inline double number(const SweepTable& table, std::size_t row, const std::string& column) {
  return table.result.at(row).at(column_of(table.results, column));
}

/// Sends a signal to the process, unless it is 0, and waits for its end. Its status.
inline int end_of(pid_t child, int signal = 0) {
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace dem::test
