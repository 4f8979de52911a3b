// Progress of a run: one line that is rewritten on a terminal, plain lines otherwise.
#pragma once
#include <chrono>

#include "libdem/run/simulation.hpp"

namespace dem {

class Progress {
 public:
  explicit Progress(const Simulation&);
  /// Prints when a line is due. Cheap enough for every few dozen steps.
  void show(const Simulation&);
  /// Ends the line on a terminal, so that other output starts on a new line.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool open_ = false, warm_ = false;
  Clock::time_point last_;
  std::uint64_t last_step_ = 0;
  double rate_ = 0;  // steps/s
  std::size_t stage_ = 0;
};

}  // namespace dem
