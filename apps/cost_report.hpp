// What a run will cost, in words: before it begins (`dem check`, `dem run`), and what takes long before its first step.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/run/cost.hpp"

namespace dem {

/// Says on stderr what is being done with many bodies, and how long it took; silent with few.
class LongTask {
 public:
  LongTask(std::size_t bodies, const std::string& what);
  ~LongTask();
  LongTask(const LongTask&) = delete;
  LongTask& operator=(const LongTask&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  bool said_;
  Clock::time_point start_;
};
/// Before the bodies of a case are made.
LongTask making_bodies(const Case&);

/// "Writes 331 rows, 7 snapshots without contacts, 7 pictures: about 34 MB into results/x".
std::string what_is_written(const OutputChoice&, const RunCost&, const std::filesystem::path& folder);
/// A sentence for each thing that will not suffice, with what to change.
std::vector<std::string> cost_attentions(const RunCost&, const std::filesystem::path& folder);

struct CostChapter {
  std::string text;
  std::string failure;  ///< of the trial; empty: none
};
/// The chapter "Cost" of `dem check`. Makes a trial of steps: the state is of no use afterwards.
CostChapter cost_chapter(Simulation&, const std::filesystem::path& folder);
/// "No errors in the case file; the trial of its first steps failed: …".
std::string trial_failed(std::string_view failure);
/// The lines at the start of `dem run`.
std::string cost_at_start(const Simulation&, const RunObserver&, const std::filesystem::path& folder);

}  // namespace dem
